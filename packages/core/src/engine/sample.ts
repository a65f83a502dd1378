// Some of the fitting rows, for methods that learn from rows. Keys say which ones, and in which part of a cross-fit each is, so
// neither their order nor the engine matters.

import { mix32 } from '../common/hash.ts'
import type { RowChunk } from './engineRows.ts'
import { needsKeys } from './outcome.ts'
import { FIT } from './questions.ts'

export interface SampleRequest {
  /** About so many; all where there are no more. */
  readonly rowLimit: number
  /** Rows are dealt into so many parts. */
  readonly parts: number
  /** Are their keys asked for, too? */
  readonly keys?: boolean
}

/** Fitting rows that weigh something, in any order. */
export interface SampledRows {
  readonly rowCount: number
  readonly bins: readonly Uint8Array[]
  readonly label: Int32Array
  /** Start predictions, in units. */
  readonly start: Int32Array
  /** Absent: every row weighs 1. */
  readonly weight?: Int32Array
  /** The part of the cross-fit, from 0. */
  readonly part: Uint8Array
  /** Where they were asked for. */
  readonly key?: Int32Array
}

/** The same request once it is known how many rows there are in all. */
export interface SampleRule {
  /** The share of rows that is taken. */
  readonly share: number
  readonly parts: number
  readonly keys?: boolean
}

/** `countedRows`: those that weigh something. */
export const sampleRule = (
  { keys = false, parts, rowLimit }: SampleRequest,
  countedRows: number,
): SampleRule => ({
  share: Math.min(1, rowLimit / countedRows),
  parts,
  keys,
})

/** Takes its pick of rows that carry keys. */
export function sampleRows(rows: RowChunk, { keys = false, parts, share }: SampleRule): SampledRows {
  const { fold, key, rowCount, weight } = rows
  if (key === undefined) throw needsKeys('a sample is chosen')
  const picked = new Int32Array(rowCount)
  let count = 0
  for (let row = 0; row < rowCount; row++) {
    if (fold !== undefined && fold[row] !== FIT) continue
    if (weight !== undefined && weight[row] === 0) continue
    if (share === 1 || mix32(key[row] ^ ROW_SALT) < share * 2 ** 32) picked[count++] = row
  }
  const from = picked.subarray(0, count)
  return {
    rowCount: count,
    bins: rows.bins.map(column => takeBytes(from, column)),
    label: takeWords(from, rows.label),
    start: takeWords(from, rows.start),
    ...(weight !== undefined && { weight: takeWords(from, weight) }),
    part: Uint8Array.from(from, row => mix32(key[row] ^ PART_SALT) % parts),
    ...(keys && { key: takeWords(from, key) }),
  }
}

/** Weights that add up to few more than there are rows are not worth keeping: rows without weights are counted faster. */
const WORTH_WEIGHTS = 1.25

/** Every row as often as it weighs, where that makes few more of them. Whoever sums whole weights sees the same. */
export function unfoldCopies(rows: SampledRows): SampledRows {
  const { bins, key, label, part, rowCount, start, weight } = rows
  const total = weight?.reduce((sum, each) => sum + each, 0) ?? rowCount
  if (weight === undefined || total > WORTH_WEIGHTS * rowCount) return rows
  const from = new Int32Array(total)
  let count = 0
  for (let row = 0; row < rowCount; row++) {
    from.fill(row, count, count + weight[row])
    count += weight[row]
  }
  return {
    rowCount: total,
    bins: bins.map(column => takeBytes(from, column)),
    label: takeWords(from, label),
    start: takeWords(from, start),
    part: takeBytes(from, part),
    ...(key !== undefined && { key: takeWords(from, key) }),
  }
}

/** Samples of several heaps of rows as one. */
export function joinSamples(samples: readonly SampledRows[]): SampledRows {
  if (samples.length === 1) return samples[0]
  const rowCount = samples.reduce((sum, sample) => sum + sample.rowCount, 0)
  const words = (column: (sample: SampledRows) => Int32Array) =>
    fill(new Int32Array(rowCount), samples.map(column))
  const bytes = (column: (sample: SampledRows) => Uint8Array) =>
    fill(new Uint8Array(rowCount), samples.map(column))
  return {
    rowCount,
    bins: samples[0].bins.map((_, feature) => bytes(sample => sample.bins[feature])),
    label: words(sample => sample.label),
    start: words(sample => sample.start),
    ...(samples[0].weight !== undefined && { weight: words(sample => sample.weight!) }),
    part: bytes(sample => sample.part),
    ...(samples[0].key !== undefined && { key: words(sample => sample.key!) }),
  }
}

function fill<T extends Uint8Array | Int32Array>(whole: T, pieces: readonly T[]): T {
  let offset = 0
  for (const piece of pieces) {
    whole.set(piece, offset)
    offset += piece.length
  }
  return whole
}

const PART_SALT = 0x51ed270b
const ROW_SALT = 0x2545f491

/*
 * One loop for each kind of array: engines compile a loop that sees both several times slower.
 */

function takeWords(rows: Int32Array, values: Int32Array): Int32Array {
  const taken = new Int32Array(rows.length)
  for (let index = 0; index < rows.length; index++) taken[index] = values[rows[index]]
  return taken
}

function takeBytes(rows: Int32Array, values: Uint8Array): Uint8Array {
  const taken = new Uint8Array(rows.length)
  for (let index = 0; index < rows.length; index++) taken[index] = values[rows[index]]
  return taken
}
