// Plain values -> one typed column. The kind is inferred from the values; null, undefined, NaN and '' are missing.

import { FeatureBoostError } from '../common/errors.ts'
import { formatCount } from '../common/text.ts'
import {
  type BooleanColumn,
  type CategoricalColumn,
  type Column,
  type ColumnKind,
  kindOfValue,
  type NumericColumn,
  showValue,
} from './column.ts'
import { daysOf, hasClock, parseTime, type TimeKind } from './times.ts'

export function columnFromValues(name: string, values: ArrayLike<unknown>): Column {
  if (values instanceof Float64Array) return numericColumn(name, values)
  if (isNumberView(values)) return numericColumn(name, new Float64Array(values))
  switch (inferKind(name, values)) {
    case 'numeric':
      return numericFromValues(name, values)
    case 'boolean':
      return booleanFromValues(name, values)
    case 'categorical':
      return typedColumn(columnFromTexts(name, values))
  }
}

/** Adopts the array, once every value in it is found to be finite or NaN. */
export function numericColumn(name: string, values: Float64Array): NumericColumn {
  for (let row = 0; row < values.length; row++) {
    const value = values[row]
    if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) {
      throw new FeatureBoostError('FB_NOT_FINITE', `${value} is not a finite number.`, {
        column: name,
        row: row + 1,
        found: value,
        expected: 'a finite number, or NaN or null for a missing value',
      })
    }
  }
  return { name, kind: 'numeric', values }
}

function isNumberView(values: ArrayLike<unknown>): values is ArrayLike<number> {
  return ArrayBuffer.isView(values) && typeof values[0] !== 'bigint'
}

/** A column without any value counts as numeric. Dates do not stand among numbers. */
function inferKind(name: string, values: ArrayLike<unknown>): ColumnKind {
  let kind: ColumnKind | undefined
  let firstRow = 0
  for (let row = 0; row < values.length; row++) {
    const value = values[row]
    const found = kindOfValue(value)
    if (found === 'missing') continue
    if (found === undefined) throw notAValue(name, row, value)
    if (kind === undefined) {
      kind = found
      firstRow = row
    } else if (found !== kind || value instanceof Date !== values[firstRow] instanceof Date)
      throw mixedKinds(name, row, value, firstRow, values[firstRow])
  }
  return kind ?? 'numeric'
}

function notAValue(column: string, row: number, found: unknown): FeatureBoostError {
  return new FeatureBoostError('FB_COLUMN_KIND', `found ${showValue(found)}.`, {
    column,
    row: row + 1,
    found,
    expected: 'a number, a string, a boolean, a Date or null',
  })
}

function mixedKinds(
  column: string,
  row: number,
  found: unknown,
  firstRow: number,
  first: unknown,
): FeatureBoostError {
  const place = `row ${formatCount(firstRow + 1)}`
  const message = `found ${showValue(found)}, but ${place} holds ${showValue(first)}.`
  return new FeatureBoostError('FB_COLUMN_KIND', message, {
    column,
    row: row + 1,
    found,
    expected: 'values of one kind: all numbers, all booleans, all strings or all Dates',
  })
}

function numericFromValues(name: string, values: ArrayLike<unknown>): NumericColumn {
  const numbers = new Float64Array(values.length)
  let isTime = false
  for (let row = 0; row < numbers.length; row++) {
    const value = values[row]
    if (typeof value === 'number') numbers[row] = value
    else if (value instanceof Date) {
      isTime = true
      numbers[row] = daysOf(0, value.getTime() * 1000)
    } else numbers[row] = typeof value === 'bigint' ? safeNumber(name, row, value) : Number.NaN
  }
  const column = numericColumn(name, numbers)
  return isTime ? { ...column, time: momentKind(numbers) } : column
}

/** Dates, unless one of them has a time of day. */
export const momentKind = (days: Float64Array): TimeKind =>
  days.some(value => !Number.isNaN(value) && hasClock(value)) ? 'timestamp' : 'date'

/**
 * Text that is dates, all of it, or times of day, or "true" and "false", is what it says: files without types hold the same rows, and the same
 * model has to come out of all of them.
 */
export function typedColumn(column: CategoricalColumn): Column {
  const { categories, codes, name } = column
  if (categories.length === 0) return column
  const values = timesOf(column, 'timestamp')
  if (values !== undefined) return { name, kind: 'numeric', values, time: momentKind(values) }
  const clocks = timesOf(column, 'time')
  if (clocks !== undefined) return { name, kind: 'numeric', values: clocks, time: 'time' }
  const flags = categories.map(category => TRUTH.get(category.toLowerCase()))
  if (flags.some(flag => flag === undefined)) return column
  return { name, kind: 'boolean', values: Int8Array.from(codes, code => (code < 0 ? -1 : flags[code]!)) }
}

/** Every text as a time; undefined where one of them is none. */
export function timesOf(
  { categories, codes }: CategoricalColumn,
  kind: TimeKind,
  format?: string,
): Float64Array | undefined {
  const times: number[] = []
  for (const category of categories) {
    const time = category.length <= LONGEST_TIME ? parseTime(category, kind, format) : undefined
    if (time === undefined) return undefined
    times.push(time)
  }
  return Float64Array.from(codes, code => (code < 0 ? Number.NaN : times[code]))
}

const TRUTH = new Map([
  ['true', 1],
  ['false', 0],
])

/** "2024-06-14 12:30:00.123456789+05:30", and some room. */
const LONGEST_TIME = 40

function safeNumber(column: string, row: number, value: bigint): number {
  const number = Number(value)
  if (Number.isSafeInteger(number)) return number
  throw new FeatureBoostError('FB_COLUMN_KIND', `${value}n is too large to be kept exactly as a number.`, {
    column,
    row: row + 1,
    found: value,
    expected: 'integers between -(2^53 - 1) and 2^53 - 1',
    hint: 'If these are identifiers, pass them as strings.',
  })
}

function booleanFromValues(name: string, values: ArrayLike<unknown>): BooleanColumn {
  const flags = new Int8Array(values.length)
  for (let row = 0; row < flags.length; row++) {
    const value = values[row]
    flags[row] = typeof value === 'boolean' ? Number(value) : -1
  }
  return { name, kind: 'boolean', values: flags }
}

/** Categories are sorted by code unit order, so that codes do not depend on the order of rows. */
export function columnFromTexts(name: string, values: ArrayLike<unknown>): CategoricalColumn {
  const seen = new Map<string, number>()
  const codes = new Int32Array(values.length)
  for (let row = 0; row < codes.length; row++) {
    const value = values[row]
    if (typeof value !== 'string' || value === '') {
      codes[row] = -1
      continue
    }
    const known = seen.get(value)
    codes[row] = known ?? seen.size
    if (known === undefined) seen.set(value, seen.size)
  }
  const categories = [...seen.keys()].sort()
  const sortedCode = new Int32Array(categories.length)
  for (const [code, category] of categories.entries()) sortedCode[seen.get(category)!] = code
  for (let row = 0; row < codes.length; row++) if (codes[row] >= 0) codes[row] = sortedCode[codes[row]]
  return { name, kind: 'categorical', codes, categories }
}
