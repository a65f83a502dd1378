// Columns: the typed form that every value from outside is brought into, and how to read one value back.

import type { TimeKind } from './times.ts'

export interface NumericColumn {
  readonly name: string
  readonly kind: 'numeric'
  /** NaN = missing; never infinite. */
  readonly values: Float64Array
  /** What the numbers stand for, where they are dates or times (times.ts). */
  readonly time?: TimeKind
  /** How the file writes its dates, "%m/%d/%Y", where that is not as ISO 8601 has them. */
  readonly format?: string
}

export interface BooleanColumn {
  readonly name: string
  readonly kind: 'boolean'
  /** -1 = missing, 0 = false, 1 = true. */
  readonly values: Int8Array
}

export interface CategoricalColumn {
  readonly name: string
  readonly kind: 'categorical'
  /** Indexes into `categories`; -1 = missing. */
  readonly codes: Int32Array
  readonly categories: readonly string[]
  /** The categories were given as numbers: "12" and "12.0" are the same. */
  readonly numbers?: true
}

export type Column = NumericColumn | BooleanColumn | CategoricalColumn
export type ColumnKind = Column['kind']

/** One value of a column; null = missing. */
export type Value = number | string | boolean | null

export function columnLength(column: Column): number {
  return column.kind === 'categorical' ? column.codes.length : column.values.length
}

/** The rows from `from` up to `to`, excluded; a view where there can be one. */
export function sliceColumn(column: Column, from: number, to: number): Column {
  if (column.kind === 'numeric') return { ...column, values: column.values.subarray(from, to) }
  if (column.kind === 'boolean') return { ...column, values: column.values.subarray(from, to) }
  return { ...column, codes: column.codes.subarray(from, to) }
}

/** With arrays of its own. */
export function copyColumn(column: Column): Column {
  if (column.kind === 'numeric') return { ...column, values: column.values.slice() }
  if (column.kind === 'boolean') return { ...column, values: column.values.slice() }
  return { ...column, codes: column.codes.slice() }
}

/** The given rows, in their order. */
export function gatherColumn(column: Column, rows: Int32Array): Column {
  const { length } = rows
  if (column.kind === 'numeric')
    return { ...column, values: gather(new Float64Array(length), column.values, rows) }
  if (column.kind === 'boolean')
    return { ...column, values: gather(new Int8Array(length), column.values, rows) }
  return { ...column, codes: gather(new Int32Array(length), column.codes, rows) }
}

function gather<T extends Float64Array | Int8Array | Int32Array>(into: T, values: T, rows: Int32Array): T {
  for (let index = 0; index < rows.length; index++) into[index] = values[rows[index]]
  return into
}

export function isWhollyMissing(column: Column): boolean {
  if (column.kind === 'numeric') return column.values.every(value => Number.isNaN(value))
  return (column.kind === 'boolean' ? column.values : column.codes).every(code => code < 0)
}

/** A column of a kind with nothing in it. */
export function missingColumn(name: string, kind: ColumnKind, rowCount: number): Column {
  if (kind === 'numeric') return { name, kind, values: new Float64Array(rowCount).fill(Number.NaN) }
  if (kind === 'boolean') return { name, kind, values: new Int8Array(rowCount).fill(-1) }
  return { name, kind, codes: new Int32Array(rowCount).fill(-1), categories: [] }
}

/** The value of one row, counted from 0. */
export function valueAt(column: Column, row: number): Value {
  switch (column.kind) {
    case 'numeric':
      return Number.isNaN(column.values[row]) ? null : column.values[row]
    case 'boolean':
      return column.values[row] < 0 ? null : column.values[row] === 1
    case 'categorical':
      return column.codes[row] < 0 ? null : column.categories[column.codes[row]]
  }
}

/** The kind that a value asks of its column; undefined for values that no column holds. */
export function kindOfValue(value: unknown): ColumnKind | 'missing' | undefined {
  switch (typeof value) {
    case 'number':
      return Number.isNaN(value) ? 'missing' : 'numeric'
    case 'bigint':
      return 'numeric'
    case 'boolean':
      return 'boolean'
    case 'string':
      // An empty cell of a CSV file: nobody could tell it from none.
      return value === '' ? 'missing' : 'categorical'
    case 'undefined':
      return 'missing'
    default:
      if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : 'numeric'
      return value === null ? 'missing' : undefined
  }
}

/** A value as an error message shows it. */
export function showValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}...` : value)
  if (typeof value === 'bigint') return `${value}n`
  if (Array.isArray(value)) return 'an array'
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'an invalid Date' : 'a Date'
  if (typeof value === 'object' && value !== null) return 'an object'
  if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`
  return String(value)
}
