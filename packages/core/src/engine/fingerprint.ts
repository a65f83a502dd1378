// A checksum of all rows that does not depend on their order: each row is hashed, and the hashes are added up
// modulo 2^32 in two lanes. A row of weight 2 counts like the row twice.

import { emptyHash, hashToHex, mixA, mixB } from '../common/hash.ts'
import type { RowChunk, RowSource } from './engineRows.ts'
import { FIT } from './questions.ts'

/** Some columns of all, side by side: from the first number to before the second. */
export interface ColumnRange {
  readonly features: readonly [from: number, to: number]
  readonly signals: readonly [from: number, to: number]
}

/** Two lanes; sums of several heaps of rows add up. */
export interface Checksum {
  readonly a: number
  readonly b: number
}

/** Rows at a time, column after column: their hashes stay in the cache. */
const BLOCK_ROWS = 4096

/** Rows that name no fold are all of the one that is given. */
export function fingerprintOf(rows: RowChunk, columns?: ColumnRange, fold: number = FIT): Checksum {
  const { bins, signals } = pickColumns(rows, columns)
  const [a, b] = [new Int32Array(BLOCK_ROWS), new Int32Array(BLOCK_ROWS)]
  const empty = emptyHash()
  let [sumA, sumB] = [0, 0]
  for (let from = 0; from < rows.rowCount; from += BLOCK_ROWS) {
    const to = Math.min(rows.rowCount, from + BLOCK_ROWS)
    a.fill(empty.a)
    b.fill(empty.b)
    for (const column of bins) mixBytes(a, b, column.subarray(from, to))
    for (const column of [...signals, rows.label, rows.start]) mixWords(a, b, column.subarray(from, to))
    for (let row = from; row < to; row++) {
      const own = rows.fold === undefined ? fold : rows.fold[row]
      const times = rows.weight === undefined ? 1 : rows.weight[row]
      sumA = (sumA + Math.imul(mixA(a[row - from], own), times)) | 0
      sumB = (sumB + Math.imul(mixB(b[row - from], own), times)) | 0
    }
  }
  return { a: sumA, b: sumB }
}

export const joinChecksums = (sums: readonly Checksum[]): Checksum =>
  sums.reduce((sum, { a, b }) => ({ a: (sum.a + a) | 0, b: (sum.b + b) | 0 }), { a: 0, b: 0 })

export const checksumText = (sum: Checksum): string => hashToHex(sum)

/** Of rows that nobody needs an engine for. */
export async function fingerprintSource(source: RowSource, rowsPerChunk = 2 ** 16): Promise<string> {
  let sum: Checksum = { a: 0, b: 0 }
  for await (const chunk of source.chunks(rowsPerChunk)) sum = joinChecksums([sum, fingerprintOf(chunk)])
  return checksumText(sum)
}

function pickColumns({ bins, signals }: RowChunk, columns: ColumnRange | undefined) {
  if (columns === undefined) return { bins, signals }
  return { bins: bins.slice(...columns.features), signals: signals.slice(...columns.signals) }
}

/*
 * One loop for each kind of array: engines compile a loop that sees both several times slower.
 */

function mixBytes(a: Int32Array, b: Int32Array, values: Uint8Array): void {
  for (let row = 0; row < values.length; row++) {
    a[row] = mixA(a[row], values[row])
    b[row] = mixB(b[row], values[row])
  }
}

function mixWords(a: Int32Array, b: Int32Array, values: Int32Array): void {
  for (let row = 0; row < values.length; row++) {
    a[row] = mixA(a[row], values[row])
    b[row] = mixB(b[row], values[row])
  }
}
