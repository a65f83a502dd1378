// Rows with their roles as the rest of the library sees them: facts, rows to learn from, and chunks.

import { type Column, sliceColumn } from './column.ts'
import type { Presence } from './presence.ts'
import { readPrediction } from './probabilities.ts'
import type { RoleColumns } from './resolve.ts'
import type { Dataset, StartKind } from './roles.ts'
import { scaleWeights } from './weights.ts'

export interface RoleRows {
  readonly rowCount: number
  readonly startKind: StartKind
  readonly weighted: boolean
  /** What a given weight of 1 became. */
  readonly weightScale: number
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
  readonly weight?: Int32Array
  readonly fold?: Uint8Array
  readonly presence?: readonly Presence[]
}

/** What a sample keeps of a row: features, and where there are any, prediction and weight as they were given. */
export function sampledColumns({ features, prediction }: RoleColumns, weight: Column | undefined): Column[] {
  return [...features, ...[prediction, weight].filter(column => column !== undefined)]
}

/** From the columns that a sample has kept; `weightScale` undefined: rows have no weights, or all weigh 1. */
export function learnableRows(
  columns: readonly Column[],
  { features, prediction }: RoleColumns,
  weightScale: number | undefined,
  presence: readonly Presence[],
): LearnableRows {
  const rest = columns.slice(features.length)
  const start = prediction === undefined ? undefined : rest.shift()
  const weight = weightScale === undefined ? undefined : rest.shift()
  return {
    features: columns.slice(0, features.length),
    ...(start !== undefined && { start: readPrediction(start) }),
    ...(weight?.kind === 'numeric' && { weight: scaleWeights(weight.values, weightScale!) }),
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
