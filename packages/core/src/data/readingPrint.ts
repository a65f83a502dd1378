// A checksum of one reading of a source: for every column one number that depends on each of its values and on their order, and not
// on where chunks end or how categories are numbered. Two readings of the same rows have the same; readings of other rows have another
// but for one chance in 2^32 or so. It finds accidents, not forgers.

import type { Column } from './column.ts'
import type { RoleColumns } from './resolve.ts'
import { hashString } from './rowHash.ts'

/** Odd, so that multiplying by them loses nothing. */
const FIRST = 0x9e3779b1
const SECOND = 0x85ebca6b
/** For values that are missing, in every kind of column. */
const MISSING = 0x7ff80000

export class ReadingPrint {
  readonly #sums = new Map<string, number>()

  add({ features, fold, group, label, prediction, weight }: RoleColumns): void {
    const columns = new Set([label, prediction, weight, fold, group, ...features])
    for (const column of columns) {
      if (column !== undefined)
        this.#sums.set(column.name, mixColumn(this.#sums.get(column.name) ?? FIRST, column))
    }
  }

  /** The name of a column that the other reading gave differently. */
  firstDifference(other: ReadingPrint): string | undefined {
    for (const [name, sum] of this.#sums) if (other.#sums.get(name) !== sum) return name
    return undefined
  }
}

function mixColumn(sum: number, column: Column): number {
  if (column.kind === 'numeric') return mixNumbers(sum, column.values)
  if (column.kind === 'boolean') return mixFlags(sum, column.values)
  return mixCodes(sum, column.codes, column.categories)
}

const double = new Float64Array(1)
const halves = new Int32Array(double.buffer)

function mixNumbers(start: number, values: Float64Array): number {
  let sum = start
  for (let row = 0; row < values.length; row++) {
    // Adding 0 makes -0 equal to 0; whatever bits a NaN has, it is missing.
    double[0] = values[row] + 0
    const isMissing = Number.isNaN(values[row])
    sum = mix(sum, isMissing ? MISSING : halves[0], isMissing ? 0 : halves[1])
  }
  return sum
}

function mixFlags(start: number, values: Int8Array): number {
  let sum = start
  for (let row = 0; row < values.length; row++) sum = mix(sum, values[row] < 0 ? MISSING : values[row], 0)
  return sum
}

/** Only categories that occur are hashed: a list may be far longer than the chunk. */
function mixCodes(start: number, codes: Int32Array, categories: readonly string[]): number {
  const isKnown = new Uint8Array(categories.length)
  const [first, second] = [new Int32Array(categories.length), new Int32Array(categories.length)]
  let sum = start
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row]
    if (code >= 0 && isKnown[code] === 0) {
      const { a, b } = hashString(categories[code])
      isKnown[code] = 1
      first[code] = a
      second[code] = b
    }
    sum = code < 0 ? mix(sum, MISSING, 0) : mix(sum, first[code], second[code])
  }
  return sum
}

function mix(sum: number, high: number, low: number): number {
  const once = Math.imul(sum ^ high, FIRST)
  return Math.imul(once ^ (once >>> 15) ^ low, SECOND)
}
