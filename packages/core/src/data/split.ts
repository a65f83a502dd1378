// A seeded split into fit and holdout rows that does not depend on the order of rows.
//
// Every row is hashed from its content (all given columns), the seed, and its occurrence number among rows of
// the same content; it is held out when the hash, read as a fraction of 2^32, lies below the wanted fraction.
// So a reordered table is split alike (which one of two equal rows is held out may change, and nobody can
// tell), and copies of one row spread over both sides. The sizes are near the fraction, not exactly at it.

import { FeatureBoostError } from '../common/errors.ts'
import { emptyHash, type Hash64, mixHash } from '../common/hash.ts'
import { type CategoricalColumn, type Column, type NumericColumn, showValue } from './column.ts'

export interface Holdout {
  /** Between 0 and 1, both excluded. */
  readonly fraction: number
  /** A whole number. */
  readonly seed: number
}

/** Two 32-bit lanes per row. */
interface RowHashes {
  readonly a: Int32Array
  readonly b: Int32Array
}

/** Per row: 0 = fit, 1 = holdout. */
export function splitRows(columns: readonly Column[], rowCount: number, holdout: Holdout): Uint8Array {
  checkHoldout(holdout)
  const hashes = hashRows(columns, rowCount, holdout.seed)
  const copies = countCopies(hashes)
  const fold = new Uint8Array(rowCount)
  for (let row = 0; row < rowCount; row++) {
    mixRow(hashes, row, copies[row], 0)
    fold[row] = (hashes.a[row] >>> 0) / 2 ** 32 < holdout.fraction ? 1 : 0
  }
  return fold
}

function checkHoldout({ fraction, seed }: Holdout): void {
  if (!(typeof fraction === 'number' && fraction > 0 && fraction < 1)) {
    throw new FeatureBoostError('FB_OPTION_VALUE', `the holdout fraction is ${showValue(fraction)}.`, {
      found: fraction,
      expected: 'a number between 0 and 1, both excluded',
    })
  }
  if (!Number.isSafeInteger(seed)) {
    throw new FeatureBoostError('FB_OPTION_VALUE', `the holdout seed is ${showValue(seed)}.`, {
      found: seed,
      expected: 'a whole number',
    })
  }
}

function hashRows(columns: readonly Column[], rowCount: number, seed: number): RowHashes {
  const start = emptyHash()
  mixHash(start, seed | 0)
  mixHash(start, Math.floor(seed / 2 ** 32) | 0)
  const hashes = { a: new Int32Array(rowCount).fill(start.a), b: new Int32Array(rowCount).fill(start.b) }
  for (const column of columns) {
    if (column.kind === 'numeric') mixNumbers(hashes, column)
    else if (column.kind === 'categorical') mixStrings(hashes, column)
    else for (let row = 0; row < rowCount; row++) mixRow(hashes, row, column.values[row], 0)
  }
  return hashes
}

/** The bits of each double. Adding 0 makes -0 equal to 0; all missing values have the bits of one NaN. */
function mixNumbers(hashes: RowHashes, { values }: NumericColumn): void {
  const bits = new DataView(new ArrayBuffer(8))
  for (let row = 0; row < values.length; row++) {
    const missing = Number.isNaN(values[row])
    bits.setFloat64(0, missing ? 0 : values[row] + 0)
    mixRow(hashes, row, missing ? 0x7ff80000 : bits.getInt32(0), bits.getInt32(4))
  }
}

/** Each category's own hash, so that codes and the list of categories do not matter. */
function mixStrings(hashes: RowHashes, { codes, categories }: CategoricalColumn): void {
  const missing = emptyHash()
  const known = categories.map(hashString)
  for (let row = 0; row < codes.length; row++) {
    const { a, b } = codes[row] < 0 ? missing : known[codes[row]]
    mixRow(hashes, row, a, b)
  }
}

function hashString(text: string): Hash64 {
  const hash = emptyHash()
  mixHash(hash, text.length)
  for (let i = 0; i < text.length; i++) mixHash(hash, text.charCodeAt(i))
  return hash
}

function mixRow(hashes: RowHashes, row: number, first: number, second: number): void {
  const hash = { a: hashes.a[row], b: hashes.b[row] }
  mixHash(hash, first)
  mixHash(hash, second)
  hashes.a[row] = hash.a
  hashes.b[row] = hash.b
}

/**
 * For each row, how many rows before it have the same hash. An open-addressing table, because a Map holds no
 * more than 2^24 entries.
 */
function countCopies({ a, b }: RowHashes): Int32Array {
  const rowCount = a.length
  const mask = 2 ** (33 - Math.clz32(rowCount - 1)) - 1
  const firstRow = new Int32Array(mask + 1).fill(-1)
  const seen = new Int32Array(rowCount)
  const copies = new Int32Array(rowCount)
  for (let row = 0; row < rowCount; row++) {
    let slot = b[row] & mask
    let first = firstRow[slot]
    while (first >= 0 && (a[first] !== a[row] || b[first] !== b[row])) {
      slot = (slot + 1) & mask
      first = firstRow[slot]
    }
    if (first < 0) firstRow[slot] = row
    copies[row] = seen[first < 0 ? row : first]++
  }
  return copies
}
