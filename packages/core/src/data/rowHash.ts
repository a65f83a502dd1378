// Hashes of rows by their content, and of equal rows by their occurrence number: numbers that belong to a row wherever it
// stands. Chunks may come one after the other; the counter remembers what came before.

import { emptyHash, type Hash64, mixA, mixB, mixHash } from '../common/hash.ts'
import {
  type BooleanColumn,
  type CategoricalColumn,
  type Column,
  columnLength,
  type NumericColumn,
} from './column.ts'
import { CopyCounter } from './copyCounter.ts'

/** Two 32-bit lanes per row. */
export interface RowHashes {
  readonly a: Int32Array
  readonly b: Int32Array
}

/** One number stream per seed: the content of each row and how many equal rows came before it. */
export class RowHasher {
  readonly #seed: number
  readonly #copies = new CopyCounter()
  /** Filled again for every chunk. */
  #room: RowHashes = { a: new Int32Array(0), b: new Int32Array(0) }

  constructor(seed: number) {
    this.#seed = seed
  }

  /** Good until the next call. */
  hash(columns: readonly Column[]): RowHashes {
    const rowCount = columnLength(columns[0])
    if (this.#room.a.length < rowCount) this.#room = roomFor(rowCount)
    const hashes = { a: this.#room.a.subarray(0, rowCount), b: this.#room.b.subarray(0, rowCount) }
    mixContent(hashes, columns, this.#seed)
    const { a, b } = hashes
    this.#copies.expect(rowCount)
    for (let row = 0; row < a.length; row++) mixRow(hashes, row, this.#copies.count(a[row], b[row]), 0)
    return hashes
  }

  /** Lets go of what it remembers, at once; nothing can be hashed afterwards. */
  close(): void {
    this.#copies.close()
  }
}

export function hashContent(columns: readonly Column[], seed: number): RowHashes {
  const hashes = roomFor(columnLength(columns[0]))
  mixContent(hashes, columns, seed)
  return hashes
}

const roomFor = (rowCount: number): RowHashes => ({
  a: new Int32Array(rowCount),
  b: new Int32Array(rowCount),
})

function mixContent(hashes: RowHashes, columns: readonly Column[], seed: number): void {
  const start = emptyHash()
  mixHash(start, seed | 0)
  mixHash(start, Math.floor(seed / 2 ** 32) | 0)
  hashes.a.fill(start.a)
  hashes.b.fill(start.b)
  for (const column of columns) {
    if (column.kind === 'numeric') mixNumbers(hashes, column)
    else if (column.kind === 'categorical') mixStrings(hashes, column)
    else mixFlags(hashes, column)
  }
}

/** A missing value has one hash in every kind of column: in a chunk without values a column may be of any kind. */
const MISSING: Readonly<Hash64> = { a: 0x7ff80000, b: 0 }

/** One double and its two halves; which half comes first is the machine's affair. */
const double = new Float64Array(1)
const halves = new Int32Array(double.buffer)
double[0] = 1
const HIGH = halves[0] === 0 ? 1 : 0

/** The bits of each double. Adding 0 makes -0 equal to 0. */
function mixNumbers(hashes: RowHashes, { values }: NumericColumn): void {
  for (let row = 0; row < values.length; row++) {
    const missing = Number.isNaN(values[row])
    double[0] = values[row] + 0
    mixRow(hashes, row, missing ? MISSING.a : halves[HIGH], missing ? MISSING.b : halves[1 - HIGH])
  }
}

function mixFlags(hashes: RowHashes, { values }: BooleanColumn): void {
  for (let row = 0; row < values.length; row++)
    mixRow(hashes, row, values[row] < 0 ? MISSING.a : values[row], 0)
}

/** Each category's own hash, so that codes and the list of categories do not matter. */
function mixStrings(hashes: RowHashes, { codes, categories }: CategoricalColumn): void {
  const known = [...categories.map(hashString), MISSING]
  const [first, second] = [Int32Array.from(known, hash => hash.a), Int32Array.from(known, hash => hash.b)]
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row] < 0 ? categories.length : codes[row]
    mixRow(hashes, row, first[code], second[code])
  }
}

function hashString(text: string): Hash64 {
  const hash = emptyHash()
  mixHash(hash, text.length)
  for (let i = 0; i < text.length; i++) mixHash(hash, text.charCodeAt(i))
  return hash
}

function mixRow(hashes: RowHashes, row: number, first: number, second: number): void {
  hashes.a[row] = mixA(mixA(hashes.a[row], first), second)
  hashes.b[row] = mixB(mixB(hashes.b[row], first), second)
}
