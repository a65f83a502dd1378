// The checksum of rows in memory, as engine/fingerprint.ts defines it.

import { emptyHash, mixHash } from '../../common/hash.ts'
import type { KernelMemory, SegmentRows } from './kernels.ts'
import type { SegmentLayout } from './segments.ts'

/** Adds the hashes of the rows of one fold, each as often as it weighs: their order does not matter. */
export function addFingerprint(
  total: { a: number; b: number },
  { buffer }: KernelMemory,
  [from, to, base, label, , weight]: SegmentRows,
  { bins, signals, start }: SegmentLayout,
  fold: number,
): void {
  const [bytes, ints] = [new Uint8Array(buffer), new Int32Array(buffer)]
  for (let row = from; row < to; row++) {
    const hash = emptyHash()
    for (const column of bins) mixHash(hash, bytes[base + column + row])
    for (const column of signals) mixHash(hash, ints[((base + column) >>> 2) + row])
    mixHash(hash, ints[(label >>> 2) + row])
    mixHash(hash, ints[((base + start) >>> 2) + row])
    mixHash(hash, fold)
    const counted = weight === 0 ? 1 : ints[(weight >>> 2) + row]
    total.a = (total.a + Math.imul(hash.a, counted)) | 0
    total.b = (total.b + Math.imul(hash.b, counted)) | 0
  }
}
