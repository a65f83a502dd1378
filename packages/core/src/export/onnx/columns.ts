// Inputs of a graph, as bins, signals and the units that a prediction starts from: quantize/encoding.ts in ONNX. Numbers, truth values and
// dates are float64, NaN where they are missing; texts are strings, empty where they are missing, and are encoded here.

import { ONE } from '../../common/units.ts'
import { type FeatureSchema, missingBin } from '../../quantize/schema.ts'
import type { PlannedSignal, ScoringPlan } from '../plan.ts'
import { isStorable } from '../texts.ts'
import type { Graph, Value } from './graph.ts'
import { Maths } from './maths.ts'
import { asDouble, ensemble, searchTree } from './trees.ts'

export interface EncodedInputs {
  readonly bins: readonly Value[]
  readonly signals: readonly Value[]
  readonly start: Value
  /** Is every value one that predictions can be made from? */
  readonly ok: Value
}

export function encodeInputs(graph: Graph, plan: ScoringPlan): EncodedInputs {
  const maths = new Maths(graph)
  const inputs = plan.features.map(feature =>
    graph.input(feature.name, feature.kind === 'categorical' ? 'text' : 'double'),
  )
  const numeric = numericBins(graph, plan, inputs)
  const bins = plan.features.map((feature, index) => {
    if (feature.kind === 'numeric') return numeric.get(index)!
    return feature.kind === 'boolean'
      ? maths.where(maths.isNaN(inputs[index]), graph.double(2), inputs[index])
      : asDouble(graph, encodeText(graph, inputs[index], binsOfTexts(feature), missingBin(feature)))
  })
  const { checks, start } = startOf(graph, plan, inputs[0])
  const known = plan.features.flatMap((feature, index) => checksOf(maths, feature, inputs[index]))
  const ok = [...known, ...checks].reduce(
    (all, each) => graph.op('And', [all, each]),
    ofEveryRow(graph, start),
  )
  const signals = plan.signals.map(signal => signalOf(graph, plan, signal, inputs, start))
  return { bins, signals, start, ok }
}

/** True for each row. */
const ofEveryRow = (graph: Graph, start: Value): Value => graph.op('Equal', [start, start])

function checksOf(maths: Maths, feature: FeatureSchema, input: Value): Value[] {
  if (feature.kind === 'categorical') return []
  if (feature.kind === 'numeric') return [maths.not(maths.isInfinite(input))]
  const { graph } = maths
  const flags = [0, 1].map(flag => graph.op('Equal', [input, graph.double(flag)]))
  return [[...flags, maths.isNaN(input)].reduce((any, each) => graph.op('Or', [any, each]))]
}

/** The bins of all numbers, from one ensemble with a tree for each of them. */
function numericBins(graph: Graph, { features }: ScoringPlan, inputs: readonly Value[]): Map<number, Value> {
  const maths = new Maths(graph)
  const places = features.flatMap((feature, index) =>
    feature.kind === 'numeric' ? [{ feature, index }] : [],
  )
  if (places.length === 0) return new Map()
  const trees = places.map(({ feature, index }, target) => {
    const cuts = (feature as { readonly cuts: readonly number[] }).cuts
    const tree = mapCuts(searchTree(cuts), inputs[index])
    return { tree, weights: Array.from({ length: cuts.length + 1 }, (_, bin) => bin), target }
  })
  const found = ensemble(graph, trees, comparison => comparison, inputs[places[0].index])
  return new Map(
    places.map(({ feature, index }, target) => {
      const bin = graph.op('Gather', [found, graph.integer(target)], { axis: { kind: 'integer', value: 1 } })
      const missing = graph.double(missingBin(feature))
      return [index, maths.where(maths.isNaN(inputs[index]), missing, bin)]
    }),
  )
}

type Cut = { readonly column: Value; readonly atMost: number }
type CutTree =
  | { readonly leaf: number }
  | { readonly split: Cut; readonly yes: CutTree; readonly no: CutTree }

function mapCuts(tree: ReturnType<typeof searchTree>, column: Value): CutTree {
  if ('leaf' in tree) return tree
  return {
    split: { column, atMost: tree.split },
    yes: mapCuts(tree.yes, column),
    no: mapCuts(tree.no, column),
  }
}

type Categorical = Extract<FeatureSchema, { kind: 'categorical' }>

function binsOfTexts({ categories, pooled }: Categorical): Map<string, number> {
  const bins = new Map(pooled.map(text => [text, categories.length]))
  for (const [bin, text] of categories.entries()) bins.set(text, bin)
  return bins
}

/** What a text is worth, a whole number. A text that is missing is empty, and worth what unknown ones are. */
function encodeText(
  graph: Graph,
  input: Value,
  worth: ReadonlyMap<string, number>,
  otherwise: number,
): Value {
  const known = [...worth].filter(([text]) => isStorable(text) && text !== '')
  const pairs: [string, number][] = [['', otherwise], ...known]
  return graph.op('LabelEncoder', [input], {
    keys_strings: { kind: 'texts', value: pairs.map(([text]) => text) },
    values_int64s: { kind: 'integers', value: pairs.map(([, value]) => value) },
    default_int64: { kind: 'integer', value: otherwise },
  })
}

/** Where predictions start, and what has to hold for them to start. */
function startOf(graph: Graph, { start }: ScoringPlan, first: Value): { start: Value; checks: Value[] } {
  const maths = new Maths(graph)
  if (start.kind === 'constant') {
    const shape = graph.op('Shape', [first])
    return { start: graph.op('Expand', [graph.double(start.units), shape]), checks: [] }
  }
  const score = graph.input(start.column, 'double')
  const { scale = 'probability' } = start
  if (scale === 'logit') {
    const bad = graph.op('Or', [maths.isNaN(score), maths.isInfinite(score)])
    const odds = maths.exp(maths.clip(maths.where(bad, graph.double(0), score), -32, 32))
    const share = maths.divide(odds, maths.add(graph.double(1), odds))
    return { start: maths.round(maths.times(share, graph.double(ONE))), checks: [maths.not(bad)] }
  }
  const share = scale === 'percent' ? maths.divide(score, graph.double(100)) : score
  const inside = graph.op('And', [
    graph.op('GreaterOrEqual', [share, graph.double(0)]),
    graph.op('LessOrEqual', [share, graph.double(1)]),
  ])
  const kept = maths.where(inside, share, graph.double(0))
  return { start: maths.round(maths.times(kept, graph.double(ONE))), checks: [inside] }
}

function signalOf(
  graph: Graph,
  { features }: ScoringPlan,
  signal: PlannedSignal,
  inputs: readonly Value[],
  start: Value,
): Value {
  const maths = new Maths(graph)
  if (signal.kind === 'one') return graph.op('Expand', [graph.double(ONE), graph.op('Shape', [start])])
  const place = features.findIndex(({ name }) => name === signal.column)
  const input = inputs[place]
  if (signal.kind === 'scaled') {
    const part = maths.divide(maths.minus(input, graph.double(signal.center)), graph.double(signal.scale))
    const inside = maths.where(maths.isNaN(input), graph.double(0), maths.clip(part, -1, 1))
    return maths.round(maths.times(inside, graph.double(ONE)))
  }
  if (typeof signal.value === 'string')
    return asDouble(graph, encodeText(graph, input, new Map([[signal.value, ONE]]), 0))
  const holds = graph.op('Equal', [input, graph.double(Number(signal.value))])
  return maths.times(asDouble(graph, holds), graph.double(ONE))
}
