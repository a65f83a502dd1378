// Rows with their roles as the rest of the library sees them: facts, rows to learn from, and chunks.

import { type Column, sliceColumn } from './column.ts'
import type { FoldUnits } from './foldUnits.ts'
import type { Presence } from './presence.ts'
import { readLabel, readPrediction } from './probabilities.ts'
import type { RoleColumns } from './resolve.ts'
import type { Dataset, StartKind } from './roles.ts'

export interface RoleRows {
  readonly rowCount: number
  /** Rows that weigh something; of copies that are one, the first. */
  readonly countedRows: number
  /** Rows that are exact copies of another: so many fewer would hold the same. */
  readonly copyCount: number
  /** For each fold, what its rows are worth as evidence. */
  readonly units: readonly FoldUnits[]
  readonly startKind: StartKind
  /** Of all rows; copies that are one weigh nothing but for the first. Absent: every row weighs 1. */
  readonly weight: Int32Array | undefined
  readonly weighted: boolean
  /** What a given weight of 1 became. */
  readonly weightScale: number
  /** What one observation weighs, where weights may be counts and something is to be learned. */
  readonly observationWeight?: number
  readonly folded: boolean
  readonly keyed: boolean
  readonly learnable: LearnableRows
  /** At most this many rows at a time. */
  chunks(rowsPerChunk: number): AsyncIterable<Dataset> | Iterable<Dataset>
}

/** All rows; or a sample of the fitting rows, and what is present in those that it leaves out. */
export interface LearnableRows {
  readonly features: readonly Column[]
  /** Start predictions, in units; absent in a sample of rows that start from the base rate. */
  readonly start?: Int32Array
  /** Absent where nothing is to be learned. */
  readonly label?: Int32Array
  readonly weight?: Int32Array
  readonly fold?: Uint8Array
  readonly presence?: readonly Presence[]
}

/** What a sample keeps of a row: features, label, and the prediction, where there is one, as they were given. */
export const sampledColumns = ({ features, label, prediction }: RoleColumns): Column[] =>
  [...features, label, prediction].filter(column => column !== undefined)

/** From the columns that a sample has kept, and the numbers of its rows; `weight`: of all rows, absent: 1. */
export function learnableRows(
  columns: readonly Column[],
  rows: Int32Array,
  { features, prediction }: RoleColumns,
  weight: Int32Array | undefined,
  presence: readonly Presence[],
): LearnableRows {
  return {
    features: columns.slice(0, features.length),
    ...(prediction !== undefined && { start: readPrediction(columns[features.length + 1]) }),
    label: readLabel(columns[features.length]),
    ...(weight !== undefined && { weight: rows.map(row => weight[row]) }),
    presence,
  }
}

export function sliceDataset(dataset: Dataset, from: number, to: number): Dataset {
  const { features, fold, key, label, start, weight } = dataset
  return {
    ...dataset,
    rowCount: to - from,
    features: features.map(column => sliceColumn(column, from, to)),
    label: label.subarray(from, to),
    start: start.subarray(from, to),
    ...(weight !== undefined && { weight: weight.subarray(from, to) }),
    ...(fold !== undefined && { fold: fold.subarray(from, to) }),
    ...(key !== undefined && { key: key.subarray(from, to) }),
  }
}
