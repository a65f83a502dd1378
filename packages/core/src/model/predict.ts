// From a model's data to corrected probabilities, for tables and for many rows; predictRow.ts is for single ones.

import { FeatureBoostError } from '../common/errors.ts'
import { once } from '../common/once.ts'
import { fromUnits } from '../common/units.ts'
import { oldTimes } from '../data/oldTimes.ts'
import { readPrediction } from '../data/probabilities.ts'
import type { StartKind } from '../data/roles.ts'
import { asProbabilities } from '../data/scoreScale.ts'
import { findColumn, type Table } from '../data/table.ts'
import { makeBinScorer, makeScorer, SCORE_ROWS } from '../engine/scorer.ts'
import { encodeForScoring, makeRoom, makeRowEncoder } from '../quantize/encoding.ts'
import { binCount } from '../quantize/schema.ts'
import type { Row, RowFunctions } from '../quantize/signals.ts'
import { type Rounding, roundUnits } from '../round/discretize.ts'
import type { ModelData } from './data.ts'
import { makeRowPredictor, type ScoringData, startOfRow } from './predictRow.ts'

/** What predicts: a model, or one rounded to bins. */
export interface Predictor {
  /** What scores tables here: WebAssembly kernels or, where there are none, their twin: same bytes, several times slower. */
  readonly kernels: 'wasm' | 'twin'
  predict(table: Table): Float64Array
  predictRow(row: Row): number
  /** Each as predictRow has it. Many at once are faster; room for them is kept as long as the predictor is. */
  predictRows(rows: readonly Row[]): Float64Array
}

/** So many rows at once are scored by kernels; for fewer it is not worth while to fill their memory. */
const KERNEL_ROWS = 8

type PredictorData = ScoringData & Partial<Pick<ModelData, 'version'>>

export function makePredictor(data: PredictorData, functions: RowFunctions, rounding?: Rounding): Predictor {
  const { encoding, start } = data
  const binCounts = encoding.features.map(binCount)
  const finish = (units: number) => fromUnits(rounding === undefined ? units : roundUnits(rounding, units))
  const encodeRow = makeRowEncoder(encoding, functions)
  const predictRow = makeRowPredictor(data, functions, rounding)
  const scoreBins = once(() => makeBinScorer(data.updates, binCounts, encoding.signals.length))
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
    predictRow,
    predictRows(rows) {
      if (rows.length < KERNEL_ROWS) return eachRow(rows, new Float64Array(rows.length), predictRow)
      const room = makeRoom(encoding, rows.length)
      const starts = eachRow(rows, new Int32Array(rows.length), (row, at) => {
        encodeRow(row, room, at)
        return startOfRow(start, row)
      })
      return Float64Array.from(scoreBins()(room.bins, room.signals, starts), finish)
    },
  }
}

/** Fills the list with what is read of each row; an error says of which row it is. */
function eachRow<T extends Int32Array | Float64Array>(
  rows: readonly Row[],
  filled: T,
  read: (row: Row, at: number) => number,
): T {
  let at = 0
  try {
    for (; at < rows.length; at++) filled[at] = read(rows[at], at)
  } catch (error) {
    throw error instanceof FeatureBoostError ? error.atRow(at + 1) : error
  }
  return filled
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
