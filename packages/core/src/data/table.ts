// Tables: named columns of one length, made from arrays, from ready columns or from rows.

import { FeatureBoostError } from '../common/errors.ts'
import { didYouMean } from '../common/nearest.ts'
import { type Column, columnLength, showValue, type Value } from './column.ts'
import { columnFromValues } from './infer.ts'
import { type ColumnLike, isColumnLike, readyColumn } from './ready.ts'

export {
  type BooleanColumn,
  type CategoricalColumn,
  type Column,
  type NumericColumn,
  type Value,
  valueAt,
} from './column.ts'
export type { ColumnLike } from './ready.ts'

/** Columns of one length. */
export interface Table {
  readonly rowCount: number
  readonly columns: readonly Column[]
}

/**
 * null, undefined and NaN are missing; a Float64Array is adopted without copying. Strings that are dates as ISO 8601 has them, all of
 * them, are dates, and "true" and "false" are truth values, as in a file: the same rows give the same model.
 */
export type ColumnInput = ArrayLike<Value | Date | bigint | undefined> | ColumnLike

/** Tables that were built, or looked at, here: their columns are what they say. */
const built = new WeakSet<Table>()
export const isBuilt = (table: Table): boolean => built.has(table)
export function markBuilt(table: Table): Table {
  built.add(table)
  return table
}

/**
 * Makes a table of columns: arrays of numbers, truth values, texts or dates, in which null, NaN and the
 * empty text are missing. In a record the key names the column, whatever name a ready column carries.
 */
export function makeTable(columns: Readonly<Record<string, ColumnInput>> | readonly Column[]): Table {
  if (typeof columns !== 'object' || columns === null) throw notColumns(columns)
  if (!isColumnList(columns)) {
    return tableOf(Object.entries(columns).map(([name, input]) => columnFromInput(name, input)))
  }
  const built = columns.map(column => {
    if (!isColumnLike(column)) throw notAColumn(column)
    return readyColumn(checkName(column.name), column)
  })
  return tableOf(built)
}

/**
 * Makes a table of objects, one for each row. Columns are the union of all keys, in the order first
 * seen; an absent key is a missing value.
 */
export function tableFromRows(rows: readonly Readonly<Record<string, unknown>>[]): Table {
  if (!Array.isArray(rows)) throw notRows(rows)
  const names = new Set<string>()
  for (const [index, row] of rows.entries()) {
    if (typeof row !== 'object' || row === null || Array.isArray(row)) throw notARow(index, row)
    for (const name of Object.keys(row)) names.add(name)
  }
  const columns = Array.from(names, name => {
    const values = rows.map(row => (Object.hasOwn(row, name) ? row[name] : undefined))
    return columnFromValues(checkName(name), values)
  })
  return markBuilt({ rowCount: rows.length, columns })
}

/** `role` says in the error message what the column was wanted for. */
export function findColumn(table: Table, name: string, role?: string): Column {
  const found = table.columns.find(column => column.name === name)
  if (found !== undefined) return found
  const wanted = role === undefined ? '' : ` (named as ${role})`
  const hint = didYouMean(
    name,
    table.columns.map(column => column.name),
  )
  throw new FeatureBoostError('FB_COLUMN_UNKNOWN', `the table has no such column${wanted}.`, {
    column: name,
    hint,
  })
}

const isColumnList = (columns: object): columns is readonly Column[] => Array.isArray(columns)

function columnFromInput(name: string, input: ColumnInput): Column {
  checkName(name)
  if (isArrayLike(input)) return columnFromValues(name, input)
  if (isColumnLike(input)) return readyColumn(name, input)
  throw new FeatureBoostError('FB_COLUMN_KIND', `found ${showValue(input)} instead of a column.`, {
    column: name,
    found: input,
    expected: 'an array, a typed array or a ready column',
  })
}

function isArrayLike(input: unknown): input is ArrayLike<unknown> {
  if (typeof input !== 'object' || input === null || !('length' in input)) return false
  return Number.isSafeInteger(input.length) && (input.length as number) >= 0
}

function tableOf(columns: readonly Column[]): Table {
  const names = new Set<string>()
  const rowCount = columns.length === 0 ? 0 : columnLength(columns[0])
  for (const column of columns) {
    if (names.has(column.name)) {
      throw new FeatureBoostError('FB_COLUMN_NAME', 'two columns have this name.', { column: column.name })
    }
    names.add(column.name)
    if (columnLength(column) !== rowCount) throw lengthsDiffer(columns[0], column)
  }
  return markBuilt({ rowCount, columns })
}

function checkName(name: unknown): string {
  if (typeof name === 'string' && name.trim() !== '') return name
  const message = `a column is named ${showValue(name)}.`
  throw new FeatureBoostError('FB_COLUMN_NAME', message, {
    found: name,
    expected: 'a name that is not empty',
  })
}

function lengthsDiffer(first: Column, other: Column): FeatureBoostError {
  const message = `has ${columnLength(other)} rows, but column "${first.name}" has ${columnLength(first)}.`
  return new FeatureBoostError('FB_COLUMN_LENGTH', message, {
    column: other.name,
    found: columnLength(other),
    expected: 'columns of one length',
  })
}

function notAColumn(found: unknown): FeatureBoostError {
  return new FeatureBoostError('FB_COLUMN_KIND', `found ${showValue(found)} in the list of columns.`, {
    found,
    expected: 'ready columns with name, kind and values',
    hint: 'For an array of rows use tableFromRows.',
  })
}

const notColumns = (found: unknown): FeatureBoostError =>
  new FeatureBoostError('FB_ARGUMENT', `columns are ${showValue(found)}.`, {
    found,
    expected: 'an object with an array for each column, or a list of ready columns',
  })

const notRows = (found: unknown): FeatureBoostError =>
  new FeatureBoostError('FB_ARGUMENT', `rows are ${showValue(found)}.`, {
    found,
    expected: 'an array of objects, one for each row',
  })

function notARow(index: number, found: unknown): FeatureBoostError {
  return new FeatureBoostError('FB_COLUMN_KIND', `found ${showValue(found)} instead of a row.`, {
    row: index + 1,
    found,
    expected: 'an object with one value per column',
  })
}
