// A model as an ONNX file: float64 and strings in, one per column and row; the corrected probability out, NaN where `predict` would refuse
// the row. All arithmetic is in doubles, so its units are those of `predict`.

import { FeatureBoostError } from '../../common/errors.ts'
import { ONE } from '../../common/units.ts'
import { binCount } from '../../quantize/schema.ts'
import type { ScoringPlan } from '../plan.ts'
import { encodeInputs } from './columns.ts'
import { Graph, modelBytes } from './graph.ts'
import { Maths } from './maths.ts'
import { moveInGraph } from './moves.ts'

export function onnxModel(plan: ScoringPlan, output: string): Uint8Array {
  const columns = columnsOf(plan)
  if (columns.length === 0)
    throw new FeatureBoostError(
      'FB_EXPORT',
      'the model looks at no column, and a graph of ONNX without inputs does not know how many rows there are.',
      { hint: 'Its prediction is the same for every row: predict one.' },
    )
  if (columns.includes(output))
    throw new FeatureBoostError('FB_OPTION_VALUE', `"${output}" is the name of an input.`, {
      found: output,
      expected: 'with "as" a name for the corrected score that no column has',
    })
  const graph = new Graph([...columns, output])
  const maths = new Maths(graph)
  const { bins, ok, signals, start } = encodeInputs(graph, plan)
  const binCounts = plan.features.map(binCount)
  let prediction = start
  for (const update of plan.updates)
    prediction = moveInGraph(graph, update, { bins, binCounts, signals, prediction })
  if (plan.rounding !== undefined)
    prediction = maths.lookUp(plan.rounding.values, maths.level(prediction, plan.rounding.bins))
  const share = maths.divide(prediction, maths.number(ONE))
  const result = maths.where(ok, share, maths.number(Number.NaN))
  return modelBytes(graph.finish(result, output), { model: plan.hash })
}

/** All inputs. */
const columnsOf = ({ features, start }: ScoringPlan): string[] => [
  ...features.map(({ name }) => name),
  ...(start.kind === 'column' ? [start.column] : []),
]
