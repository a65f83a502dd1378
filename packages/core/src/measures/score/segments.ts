// Columns cut into a few levels each, by MCGrad's rules, for the segments of the multicalibration error.
//
// Categories: a missing value is a category; with more than `values` of them the `values - 1` most frequent stay and the
// rest are merged. Numbers: with more than `values` distinct ones, quantile bins, closed on the right; missing numbers are
// a level of their own that does not count. Codes are levels already and stay as they are.
// Two things are ours: categories of equal frequency are kept in the order of their names, where MCGrad's choice depends
// on the order of rows; and levels come in the order of their values.

import { FeatureBoostError } from '../../common/errors.ts'
import { formatNumber } from '../../common/text.ts'
import { checkLength } from './scoredRows.ts'

export type Category = string | number | boolean | null | undefined

export type SegmentColumn =
  /** Whole numbers from 0. */
  | { readonly name: string; readonly codes: ArrayLike<number> }
  | { readonly name: string; readonly categories: ArrayLike<Category> }
  /** Places in the list of categories; less than 0 is missing. */
  | { readonly name: string; readonly categories: readonly Category[]; readonly indexes: ArrayLike<number> }
  /** NaN, null or undefined is missing. */
  | { readonly name: string; readonly numbers: ArrayLike<number | null | undefined> }

export interface LeveledColumn {
  readonly name: string
  /** In words. */
  readonly levels: readonly string[]
  /** The level of each row asked for, in their order. */
  readonly codes: Uint16Array
}

const MAX_LEVELS = 2 ** 16

/** Ascending, -0 before 0; may or may not be a new array. */
export type SortNumbers = (values: Float64Array) => Float64Array

/** `rows` are the ones that count; quantiles and frequencies are taken over them, without weights. */
export function levelColumn(
  column: SegmentColumn,
  rows: Uint32Array,
  values: number,
  rowCount: number,
  sort: SortNumbers = numbers => numbers.sort(),
): LeveledColumn {
  const { name } = column
  if ('codes' in column) return levelCodes(name, checked(name, column.codes, rowCount), rows)
  if ('numbers' in column) {
    return levelNumbers(name, checked(name, column.numbers, rowCount), rows, values, sort)
  }
  if ('indexes' in column) {
    return levelCategories(
      name,
      column.categories,
      gather(checked(name, column.indexes, rowCount), rows),
      values,
    )
  }
  const { categories, indexes } = indexCategories(checked(name, column.categories, rowCount), rows)
  return levelCategories(name, categories, indexes, values)
}

/** Read once, in the order of rows: what follows then runs in sequence. */
function gather(given: ArrayLike<number>, rows: Uint32Array): Int32Array {
  const gathered = new Int32Array(rows.length)
  for (let index = 0; index < rows.length; index++) gathered[index] = given[rows[index]]
  return gathered
}

function checked<T>(name: string, values: ArrayLike<T>, rowCount: number): ArrayLike<T> {
  checkLength(name, values, rowCount)
  return values
}

function levelCodes(name: string, given: ArrayLike<number>, rows: Uint32Array): LeveledColumn {
  let highest = 0
  const codes = Uint16Array.from(rows, row => {
    const code = given[row]
    if (!(Number.isInteger(code) && code >= 0 && code < MAX_LEVELS)) {
      const expected = `a whole number from 0 to ${MAX_LEVELS - 1}`
      throw new FeatureBoostError('FB_COLUMN_KIND', `${code} is not a code.`, {
        column: name,
        row: row + 1,
        found: code,
        expected,
      })
    }
    highest = Math.max(highest, code)
    return code
  })
  return { name, levels: Array.from({ length: highest + 1 }, (_, code) => String(code)), codes }
}

const OTHER = 'other'
const MISSING = 'missing'

function indexCategories(given: ArrayLike<Category>, rows: Uint32Array) {
  const places = new Map<Category, number>()
  const indexes = new Int32Array(rows.length)
  for (let index = 0; index < rows.length; index++) {
    const category = normal(given[rows[index]])
    const place = places.get(category) ?? places.size
    if (place === places.size) places.set(category, place)
    indexes[index] = place
  }
  return { categories: [...places.keys()], indexes }
}

/** `indexes`: of the rows that count. */
function levelCategories(
  name: string,
  categories: readonly Category[],
  indexes: Int32Array,
  values: number,
): LeveledColumn {
  const counts = countCategories(categories, indexes)
  const byCount = [...counts].sort(([a, m], [b, n]) => n - m || compareCategories(a, b))
  const merged = counts.size > values
  const kept = byCount.slice(0, merged ? values - 1 : values).map(([category]) => category)
  const levels = kept.sort(compareCategories)
  const codeOf = new Map(levels.map((category, code) => [category, code] as const))
  const words = levels.map(category => (category === null ? MISSING : String(category)))
  const codeOfPlace = [...categories, null].map(category => codeOf.get(normal(category)) ?? levels.length)
  const codes = new Uint16Array(indexes.length)
  for (let index = 0; index < codes.length; index++) {
    codes[index] = codeOfPlace[indexes[index] < 0 ? categories.length : indexes[index]]
  }
  return { name, levels: merged ? [...words, OTHER] : words, codes }
}

/** Of categories that occur. */
function countCategories(categories: readonly Category[], indexes: Int32Array): Map<Category, number> {
  const ofPlace = new Float64Array(categories.length + 1)
  for (let index = 0; index < indexes.length; index++) {
    ofPlace[indexes[index] < 0 ? categories.length : indexes[index]]++
  }
  const counts = new Map<Category, number>()
  for (const [place, category] of [...categories, null].entries()) {
    const key = normal(category)
    if (ofPlace[place] > 0) counts.set(key, (counts.get(key) ?? 0) + ofPlace[place])
  }
  return counts
}

const normal = (category: Category): Category =>
  category === undefined || Number.isNaN(category) ? null : category

/** Numbers by value, then texts and truth values by their letters, then missing. */
function compareCategories(a: Category, b: Category): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a === 'number' || typeof b === 'number') return typeof a === 'number' ? -1 : 1
  return String(a) < String(b) ? -1 : Number(String(a) > String(b))
}

function levelNumbers(
  name: string,
  given: ArrayLike<number | null | undefined>,
  rows: Uint32Array,
  values: number,
  sort: SortNumbers,
): LeveledColumn {
  const numbers = new Float64Array(rows.length)
  const known = new Float64Array(rows.length)
  let knownCount = 0
  for (let index = 0; index < numbers.length; index++) {
    const number = given[rows[index]] ?? Number.NaN
    numbers[index] = number
    if (!Number.isNaN(number)) known[knownCount++] = number
  }
  const sorted = sort(known.subarray(0, knownCount))
  const distinct = firstDistinct(sorted, values + 1)
  const cut = distinct.length > values
  const uppers = cut ? quantileEdges(sorted, values).slice(1) : distinct
  const missing = sorted.length < numbers.length
  const codes = new Uint16Array(numbers.length)
  for (let index = 0; index < codes.length; index++) {
    const number = numbers[index]
    let code = 0
    // NaN is above every edge, so missing numbers end at the last code.
    while (code < uppers.length && !(number <= uppers[code])) code++
    codes[index] = code
  }
  const words = uppers.map((_, code) => numberWords(sorted, uppers, code))
  return { name, levels: missing ? [...words, MISSING] : words, codes }
}

/** The numbers that are there: an edge can lie a rounding error below a number, and would name the wrong side of it. */
function numberWords(sorted: Float64Array, uppers: readonly number[], code: number): string {
  const first = sorted[code === 0 ? 0 : countAtMost(sorted, uppers[code - 1])]
  const last = sorted[countAtMost(sorted, uppers[code]) - 1]
  const [from, to] = [formatNumber(first, 6), formatNumber(last, 6)]
  return from === to ? from : `${from} to ${to}`
}

function countAtMost(sorted: Float64Array, limit: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sorted[middle] <= limit) low = middle + 1
    else high = middle
  }
  return low
}

function firstDistinct(sorted: Float64Array, most: number): number[] {
  const found: number[] = []
  for (let index = 0; index < sorted.length && found.length < most; index++) {
    if (found.length === 0 || sorted[index] !== found[found.length - 1]) found.push(sorted[index])
  }
  return found
}

/**
 * Distinct quantiles 0, 1/bins, ..., 1, interpolated linearly: as NumPy rounds them, in percent and from the nearer
 * neighbour, since an edge that equals a value must equal it to the bit.
 */
function quantileEdges(sorted: Float64Array, bins: number): number[] {
  const edges: number[] = []
  for (let edge = 0; edge <= bins; edge++) {
    const share = edge === bins ? 1 : (edge * (1 / bins) * 100) / 100
    const place = share * (sorted.length - 1)
    const below = Math.floor(place)
    const from = sorted[below]
    const to = sorted[Math.min(sorted.length - 1, below + 1)]
    const part = place - below
    const value = part < 0.5 ? from + (to - from) * part : to - (to - from) * (1 - part)
    if (edges.length === 0 || value > edges[edges.length - 1]) edges.push(value)
  }
  return edges
}

/** Levels renamed in the order in which rows meet them: MCGrad's order, if the rows are sorted by score. */
export function inOrderOfAppearance({ name, levels, codes }: LeveledColumn): LeveledColumn {
  const newCode = new Map<number, number>()
  const renamed = codes.map(code => {
    const known = newCode.get(code)
    if (known !== undefined) return known
    newCode.set(code, newCode.size)
    return newCode.size - 1
  })
  return { name, levels: [...newCode.keys()].map(code => levels[code]), codes: renamed }
}
