// Rows with their roles as the rest of the library sees them: facts, rows to learn from, and chunks.

import { type Column, sliceColumn } from './column.ts'
import type { Presence } from './presence.ts'
import type { Dataset, StartKind } from './roles.ts'
import { scaleWeights } from './weights.ts'

export interface RoleRows {
  readonly rowCount: number
  readonly startKind: StartKind
  readonly weighted: boolean
  readonly folded: boolean
  readonly keyed: boolean
  readonly learnable: LearnableRows
  /** At most this many rows at a time. */
  chunks(rowsPerChunk: number): AsyncIterable<Dataset> | Iterable<Dataset>
}

/** All rows; or a sample of the fitting rows, and what is present in those that it leaves out. */
export interface LearnableRows {
  readonly features: readonly Column[]
  readonly weight?: Int32Array
  readonly fold?: Uint8Array
  readonly presence?: readonly Presence[]
}

/** The columns of a sample: the features and, where rows have weights, these as they were given. */
export function learnableRows(
  columns: readonly Column[],
  featureCount: number,
  weightScale: number,
  presence: readonly Presence[],
): LearnableRows {
  const weight = columns[featureCount]
  return {
    features: columns.slice(0, featureCount),
    ...(weight?.kind === 'numeric' && { weight: scaleWeights(weight.values, weightScale) }),
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
