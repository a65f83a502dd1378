// What a person wants to see of a column before choosing its role: its kind, what is missing, how its values are spread.

import type { Column, Table } from '@featureboost/core'
import { looksLikeIds, type SuspectNumbers, suspectNumbers, type TimeKind } from '@featureboost/core/internal'

export interface ColumnCard {
  readonly name: string
  readonly kind: Column['kind']
  readonly missing: number
  /** Distinct values; counted up to a bound. */
  readonly distinct: number
  readonly shape: Shape
  /** Within 0 to 1, and nothing missing: it may be a label or a score. */
  readonly isProbability: boolean
  /** Nothing but 0 and 1, and both of them. */
  readonly isBinary: boolean
  readonly looksLikeId: boolean
  readonly isConstant: boolean
  /** All values of a column of numbers that has very few. */
  readonly few?: readonly number[]
  /** Its numbers are dates or times, of this kind. */
  readonly time?: TimeKind
  /** Its texts are numbers, written in a way that is not read as such. */
  readonly numbers?: CardNumbers
}

/** Numbers as text. `byComma`: they may be read with a decimal comma. */
export interface CardNumbers extends SuspectNumbers {
  readonly byComma: boolean
}

/** How the file was read, where it has decimal marks of its own. */
interface ReadAs {
  readonly format?: string
  readonly decimal?: ','
}

export type Shape =
  | {
      readonly kind: 'numbers'
      readonly low: number
      readonly high: number
      readonly counts: readonly number[]
    }
  | { readonly kind: 'values'; readonly top: readonly Share[]; readonly others: number }

export interface Share {
  readonly value: string
  readonly count: number
}

const BINS = 24
const TOP = 6
/** Distinct numbers are counted up to this; more are many. */
const MANY = 1000

export const describeTable = (table: Table, readAs: ReadAs = {}): ColumnCard[] =>
  table.columns.map(column =>
    column.kind === 'numeric'
      ? describeNumbers(column, table.rowCount)
      : { ...describeValues(column, table.rowCount), ...numbersIn(column, readAs) },
  )

function describeNumbers(column: Extract<Column, { kind: 'numeric' }>, rowCount: number): ColumnCard {
  const { name, values } = column
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  let missing = 0
  let whole = true
  const distinct = new Set<number>()
  for (let row = 0; row < values.length; row++) {
    const value = values[row]
    if (Number.isNaN(value)) {
      missing++
      continue
    }
    if (value < low) low = value
    if (value > high) high = value
    if (whole && !Number.isInteger(value)) whole = false
    if (distinct.size < MANY) distinct.add(value)
  }
  if (missing === values.length) [low, high] = [0, 0]
  const isBinary = distinct.size === 2 && distinct.has(0) && distinct.has(1)
  return {
    name,
    kind: 'numeric',
    missing,
    distinct: distinct.size,
    shape: { kind: 'numbers', low, high, counts: countBins(values, low, high) },
    isProbability: missing === 0 && low >= 0 && high <= 1,
    isBinary,
    // As on the command line: whole numbers that count the rows.
    looksLikeId:
      whole &&
      rowCount > 10 &&
      high - low + 1 === rowCount &&
      distinct.size >= Math.min(MANY, 0.9 * rowCount),
    isConstant: missing === 0 && low === high,
    ...(distinct.size <= TOP && { few: [...distinct].sort((a, b) => a - b) }),
    ...(column.time !== undefined && { time: column.time }),
  }
}

function countBins(values: Float64Array, low: number, high: number): number[] {
  const counts = new Array<number>(BINS).fill(0)
  const scale = high > low ? BINS / (high - low) : 0
  for (let row = 0; row < values.length; row++) {
    const value = values[row]
    if (!Number.isNaN(value)) counts[Math.min(BINS - 1, Math.floor((value - low) * scale))]++
  }
  return counts
}

function describeValues(column: Exclude<Column, { kind: 'numeric' }>, rowCount: number): ColumnCard {
  const names = column.kind === 'boolean' ? ['false', 'true'] : column.categories
  const codes = column.kind === 'boolean' ? column.values : column.codes
  const counts = new Float64Array(names.length)
  let missing = 0
  for (let row = 0; row < codes.length; row++) {
    if (codes[row] < 0) missing++
    else counts[codes[row]]++
  }
  const order = topCodes(counts)
  const top = order.map(code => ({ value: names[code], count: counts[code] }))
  const used = counts.reduce((sum, count) => sum + (count > 0 ? 1 : 0), 0)
  return {
    name: column.name,
    kind: column.kind,
    missing,
    distinct: used,
    shape: {
      kind: 'values',
      top,
      others: codes.length - missing - top.reduce((sum, { count }) => sum + count, 0),
    },
    isProbability: column.kind === 'boolean' && missing === 0,
    isBinary: column.kind === 'boolean' && used === 2,
    looksLikeId:
      column.kind === 'categorical' &&
      ((rowCount > 10 && used === codes.length - missing && used > 0) || looksLikeIds(used, rowCount)),
    isConstant: missing === 0 && used === 1,
  }
}

function numbersIn(column: Column, { decimal, format }: ReadAs): Pick<ColumnCard, 'numbers'> {
  const found = column.kind === 'categorical' ? suspectNumbers(column.categories, decimal) : undefined
  if (found === undefined) return {}
  const { comma, points, signed } = found
  const isComma = comma === 'decimal' || comma === 'unclear'
  return { numbers: { ...found, byComma: format === 'csv' && isComma && !signed && !points } }
}

/** The most frequent ones, without sorting a dictionary of a million. */
function topCodes(counts: Float64Array): number[] {
  const top: number[] = []
  for (let code = 0; code < counts.length; code++) {
    if (counts[code] === 0) continue
    if (top.length === TOP && counts[code] <= counts[top[TOP - 1]]) continue
    top.push(code)
    top.sort((a, b) => counts[b] - counts[a] || a - b)
    if (top.length > TOP) top.pop()
  }
  return top
}
