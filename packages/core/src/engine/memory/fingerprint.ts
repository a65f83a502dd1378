// The checksum of rows in memory, as engine/fingerprint.ts defines it.

import { emptyHash, mixA, mixB } from '../../common/hash.ts'
import type { KernelMemory, SegmentRows } from '../../kernels/kernels.ts'
import type { SegmentLayout } from './segments.ts'

/** Rows at a time, column after column: their hashes stay in the cache. */
const BLOCK_ROWS = 4096

/** Adds the hashes of the rows of one fold, each as often as it weighs: their order does not matter. */
export function addFingerprint(
  total: { a: number; b: number },
  { buffer }: KernelMemory,
  [from, to, base, label, , weight]: SegmentRows,
  { bins, signals, start }: SegmentLayout,
  fold: number,
): void {
  const [a, b] = [new Int32Array(BLOCK_ROWS), new Int32Array(BLOCK_ROWS)]
  const empty = emptyHash()
  for (let first = from; first < to; first += BLOCK_ROWS) {
    const rows = Math.min(BLOCK_ROWS, to - first)
    a.fill(empty.a)
    b.fill(empty.b)
    const words = (column: number) => mixWords(a, b, new Int32Array(buffer, column + 4 * first, rows))
    for (const column of bins) mixBytes(a, b, new Uint8Array(buffer, base + column + first, rows))
    for (const column of signals) words(base + column)
    words(label)
    words(base + start)
    const counted = weight === 0 ? undefined : new Int32Array(buffer, weight + 4 * first, rows)
    for (let row = 0; row < rows; row++) {
      const times = counted === undefined ? 1 : counted[row]
      total.a = (total.a + Math.imul(mixA(a[row], fold), times)) | 0
      total.b = (total.b + Math.imul(mixB(b[row], fold), times)) | 0
    }
  }
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
