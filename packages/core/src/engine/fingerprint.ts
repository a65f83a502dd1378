// A checksum of all rows that does not depend on their order: each row is hashed, and the hashes are added up
// modulo 2^32 in two lanes. A row of weight 2 counts like the row twice.

import { emptyHash, hashToHex, mixHash } from '../common/hash.ts'
import type { EngineRows } from './engine.ts'

export function fingerprintRows(rows: EngineRows): string {
  const total = { a: 0, b: 0 }
  for (let row = 0; row < rows.rowCount; row++) {
    const hash = emptyHash()
    for (const bins of rows.bins) mixHash(hash, bins[row])
    for (const signal of rows.signals) mixHash(hash, signal[row])
    mixHash(hash, rows.label[row])
    mixHash(hash, rows.start[row])
    mixHash(hash, rows.fold === undefined ? 0 : rows.fold[row])
    const weight = rows.weight === undefined ? 1 : rows.weight[row]
    total.a = (total.a + Math.imul(hash.a, weight)) | 0
    total.b = (total.b + Math.imul(hash.b, weight)) | 0
  }
  return hashToHex(total)
}
