// From a model's data to corrected probabilities, for tables and for many rows; predictRow.ts is for single ones.

import { FeatureBoostError } from '../common/errors.ts'
import { once } from '../common/once.ts'
import { fromUnits, toUnits } from '../common/units.ts'
import { oldTimes } from '../data/oldTimes.ts'
import { readPrediction } from '../data/probabilities.ts'
import type { StartKind } from '../data/roles.ts'
import { asProbabilities } from '../data/scoreScale.ts'
import { findColumn, type Table } from '../data/table.ts'
import { makeBinScorer, makeScorer, SCORE_ROWS } from '../engine/scorer.ts'
import { arePlain, makeRowsEncoder } from '../quantize/encodeRows.ts'
import { encodeForScoring, makeRoom, makeRowEncoder, type RowRoom } from '../quantize/encoding.ts'
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
  const encodeRows = once(() => ({ encode: makeRowsEncoder(encoding) }))
  const readStarts = startReader(start)
  const predictRow = makeRowPredictor(data, functions, rounding)
  const scoreBins = once(() => makeBinScorer(data.updates, binCounts, encoding.signals.length))
  // One per call: a WebAssembly memory reserves gigabytes of address space, which many models at once would use up.
  const newScorer = () => makeScorer(data.updates, encoding.features, encoding.signals.length)
  /** Column after column where that can be; what is amiss then is left to be found row by row, so that the first bad row is told. */
  const allAtOnce = (rows: readonly Row[], room: RowRoom): Int32Array | undefined => {
    const { encode } = encodeRows()
    if (encode === undefined || !arePlain(rows)) return undefined
    try {
      encode(rows, room)
      return readStarts(rows)
    } catch (error) {
      if (error instanceof FeatureBoostError) return undefined
      throw error
    }
  }
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
      const starts =
        allAtOnce(rows, room) ??
        eachRow(rows, new Int32Array(rows.length), (row, at) => {
          encodeRow(row, room, at)
          return startOfRow(start, row)
        })
      const scored = scoreBins()(room.bins, room.signals, starts)
      const predictions = new Float64Array(rows.length)
      for (let row = 0; row < predictions.length; row++) predictions[row] = finish(scored[row])
      return predictions
    },
  }
}

/** Where the predictions of many rows start. */
function startReader(start: StartKind): (rows: readonly Row[]) => Int32Array {
  const { column, scale = 'probability' } = start.kind === 'column' ? start : { column: '' }
  const isPlain = start.kind === 'column' && scale === 'probability' && !(column in Object.prototype)
  return rows => {
    const starts = new Int32Array(rows.length)
    for (let row = 0; row < rows.length; row++) {
      const value = isPlain ? rows[row][column] : undefined
      // Adding 0 makes -0 equal to 0, as it is in a table.
      starts[row] =
        typeof value === 'number' && value >= 0 && value <= 1
          ? toUnits(value) + 0
          : startOfRow(start, rows[row])
    }
    return starts
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
