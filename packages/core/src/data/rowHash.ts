// Hashes of rows by their content: numbers that belong to a row wherever it stands. Copies of one row have the same, unless they are
// independent; then their occurrence number is a part of it. Chunks may come one after the other; the hasher remembers what came before.

import { emptyHash, type Hash64, mixA, mixB, mixHash } from '../common/hash.ts'
import {
  type BooleanColumn,
  type CategoricalColumn,
  type Column,
  columnLength,
  type NumericColumn,
} from './column.ts'
import type { CopyRule } from './copies.ts'
import { CopyCounter } from './copyCounter.ts'
import type { RoleColumns } from './resolve.ts'

/** Two 32-bit lanes per row. */
export interface RowHashes {
  readonly a: Int32Array
  readonly b: Int32Array
}

/** One number stream per seed. */
export class RowHasher {
  readonly #seed: number
  readonly #rule: CopyRule
  readonly #counter = new CopyCounter()
  /** Filled again for every chunk. */
  #room: RowHashes = { a: new Int32Array(0), b: new Int32Array(0) }
  /** Rows that were like an earlier one, as far as this one tells copies apart. */
  copyCount = 0

  constructor(seed: number, rule: CopyRule = 'one') {
    this.#seed = seed
    this.#rule = rule
  }

  /** Good until the next call. */
  hash(columns: RoleColumns): RowHashes {
    const rowCount = columnLength(columns.label)
    if (this.#room.a.length < rowCount) this.#room = roomFor(rowCount)
    const hashes = { a: this.#room.a.subarray(0, rowCount), b: this.#room.b.subarray(0, rowCount) }
    mixContent(hashes, contentOf(columns, this.#rule), this.#seed)
    if (this.#rule === 'one') return hashes
    if (this.#rule === 'independent') mixWeights(hashes, columns.weight)
    const { a, b } = hashes
    this.#counter.expect(rowCount)
    for (let row = 0; row < rowCount; row++) {
      const before = this.#counter.count(a[row], b[row])
      if (before > 0) this.copyCount++
      mixRow(hashes, row, before, 0)
    }
    return hashes
  }

  /** Lets go of what it remembers, at once; nothing can be hashed afterwards. */
  close(): void {
    this.#counter.close()
  }
}

/**
 * What a row is told by. Where copies are one, rows that are alike to a model stay together, whatever became of them: were the label a
 * part of it, one side would have all of the ones of some kind of row and the other all of the zeros. Where copies are told apart,
 * rows of which one is held out and one is not are no copies: which is which would depend on their order.
 */
function contentOf(
  { features, fold, group, label, prediction, weight }: RoleColumns,
  rule: CopyRule,
): Column[] {
  const rest = {
    one: [prediction],
    independent: [label, prediction, fold, group],
    unsaid: [label, prediction, weight],
  }[rule]
  return [...features, ...rest].filter(column => column !== undefined)
}

/** A weight of 1 is as good as none. */
function mixWeights(hashes: RowHashes, weight: Column | undefined): void {
  if (weight?.kind !== 'numeric') return
  const { values } = weight
  for (let row = 0; row < values.length; row++) if (values[row] !== 1) mixNumber(hashes, row, values[row])
}

/** The same hashes with some columns more. */
export function hashFurther({ a, b }: RowHashes, columns: readonly Column[]): RowHashes {
  const hashes = { a: a.slice(), b: b.slice() }
  mixColumns(hashes, columns)
  return hashes
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
  mixColumns(hashes, columns)
}

function mixColumns(hashes: RowHashes, columns: readonly Column[]): void {
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

function mixNumbers(hashes: RowHashes, { values }: NumericColumn): void {
  for (let row = 0; row < values.length; row++) mixNumber(hashes, row, values[row])
}

/** The bits of a double. Adding 0 makes -0 equal to 0. */
function mixNumber(hashes: RowHashes, row: number, value: number): void {
  const missing = Number.isNaN(value)
  double[0] = value + 0
  mixRow(hashes, row, missing ? MISSING.a : halves[HIGH], missing ? MISSING.b : halves[1 - HIGH])
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

export function hashString(text: string): Hash64 {
  const hash = emptyHash()
  mixHash(hash, text.length)
  for (let i = 0; i < text.length; i++) mixHash(hash, text.charCodeAt(i))
  return hash
}

function mixRow(hashes: RowHashes, row: number, first: number, second: number): void {
  hashes.a[row] = mixA(mixA(hashes.a[row], first), second)
  hashes.b[row] = mixB(mixB(hashes.b[row], first), second)
}
