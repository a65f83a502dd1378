// From a model's data to corrected probabilities, for tables; predictRow.ts is for single rows.

import { fromUnits } from '../common/units.ts'
import { oldTimes } from '../data/oldTimes.ts'
import { readPrediction } from '../data/probabilities.ts'
import type { StartKind } from '../data/roles.ts'
import { asProbabilities } from '../data/scoreScale.ts'
import { findColumn, type Table } from '../data/table.ts'
import { makeScorer, SCORE_ROWS } from '../engine/scorer.ts'
import { encodeForScoring } from '../quantize/encoding.ts'
import type { Row, RowFunctions } from '../quantize/signals.ts'
import { type Rounding, roundUnits } from '../round/discretize.ts'
import type { ModelData } from './data.ts'
import { makeRowPredictor, type ScoringData } from './predictRow.ts'

export interface Predictor {
  /** What scores tables here: WebAssembly kernels or, where there are none, their twin: same bytes, several times slower. */
  readonly kernels: 'wasm' | 'twin'
  predict(table: Table): Float64Array
  predictRow(row: Row): number
}

type PredictorData = ScoringData & Partial<Pick<ModelData, 'version'>>

export function makePredictor(data: PredictorData, functions: RowFunctions, rounding?: Rounding): Predictor {
  const { encoding, start } = data
  const finish = (units: number) => fromUnits(rounding === undefined ? units : roundUnits(rounding, units))
  // One per call: a WebAssembly memory reserves gigabytes of address space, which many models at once would use up.
  const newScorer = () => makeScorer(data.updates, encoding.features, encoding.signals.length)
  return {
    get kernels() {
      return newScorer().kernelKind
    },
    predict(given) {
      const table = data.version === 1 ? oldTimes(given) : given
      const starts = startOfTable(start, table)
      const { features, signals } = encodeForScoring(encoding, table, functions)
      const predictions = new Float64Array(table.rowCount)
      const scorer = newScorer()
      for (let from = 0; from < table.rowCount; from += SCORE_ROWS) {
        const to = Math.min(table.rowCount, from + SCORE_ROWS)
        const part = <T extends Uint8Array | Int32Array | Float64Array>(column: T) =>
          column.subarray(from, to) as T
        const scored = scorer.score(features.map(part), signals.map(part), part(starts))
        for (let row = from; row < to; row++) predictions[row] = finish(scored[row - from])
      }
      return predictions
    },
    predictRow: makeRowPredictor(data, functions, rounding),
  }
}

/** Of rows whose words have been read: their scores are probabilities. */
export function makeReadPredictor({ start, ...data }: PredictorData, functions: RowFunctions): Predictor {
  const { kind } = start
  return makePredictor(
    { ...data, start: kind === 'column' ? { kind, column: start.column } : start },
    functions,
  )
}

function startOfTable(start: StartKind, table: Table): Int32Array {
  if (start.kind === 'constant') return new Int32Array(table.rowCount).fill(start.units)
  const column = findColumn(table, start.column, 'prediction')
  return readPrediction(asProbabilities(column, start.scale ?? 'probability'))
}
