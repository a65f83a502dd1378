// What callers give, looked at before anything is computed: programs without types hand over null, texts and tables that they have made
// themselves. A table that was made by hand is held against what a table is, column by column, once.

import { FeatureBoostError } from '../common/errors.ts'
import { columnLength, showValue } from './column.ts'
import { isColumnLike, readyColumn } from './ready.ts'
import type { TableSource } from './source.ts'
import { isBuilt, markBuilt, type Table } from './table.ts'

/** Refuses an argument that is not what it has to be. */
export function checkArgument(name: string, found: unknown, holds: boolean, expected: string): void {
  if (holds) return
  throw new FeatureBoostError('FB_ARGUMENT', `${name} is ${showValue(found)}.`, { found, expected })
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

export const checkOptionsObject = (options: unknown): void =>
  checkArgument('options', options, isObject(options) && !Array.isArray(options), 'an object of options')

/** Every option that is given is a number, but for those that are named. */
export function checkNumbers(options: object, ...others: readonly string[]): void {
  checkOptionsObject(options)
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || others.includes(name) || typeof value === 'number') continue
    throw new FeatureBoostError('FB_OPTION_VALUE', `option "${name}" is ${showValue(value)}.`, {
      found: value,
      expected: 'a number',
    })
  }
}

/** Names of columns, where there are any. */
export const checkNames = (option: string, names: unknown): void =>
  checkArgument(
    `option "${option}"`,
    names,
    names === undefined || (Array.isArray(names) && names.every(name => typeof name === 'string')),
    'a list of names',
  )

const ROWS = 'a table (makeTable, tableFromRows), or a source with chunks() that gives tables'

/** The same rows: a table that is one, a source whose chunks are looked at as they come, or a store, which looks itself. */
export function checkRows<T extends object>(rows: T | Table | TableSource): T | Table | TableSource {
  checkArgument('rows', rows, isObject(rows) && !Array.isArray(rows), ROWS)
  if ('columns' in rows) return checkTable(rows as Table)
  if ('chunks' in rows) return checkSource(rows as TableSource)
  const { profile } = rows as { readonly profile?: unknown }
  checkArgument('rows', rows, typeof profile === 'function', ROWS)
  return rows
}

const checkedSources = new WeakSet<object>()

function checkSource(source: TableSource): TableSource {
  if (checkedSources.has(source)) return source
  checkArgument('chunks of the rows', source.chunks, typeof source.chunks === 'function', 'a function')
  const checked: TableSource = {
    async *chunks() {
      const chunks = source.chunks() as unknown
      const isList = isObject(chunks) && (Symbol.asyncIterator in chunks || Symbol.iterator in chunks)
      checkArgument('what chunks() gives', chunks, isList, 'tables, one after the other')
      for await (const chunk of chunks as AsyncIterable<Table>) yield checkTable(chunk)
    },
  }
  checkedSources.add(checked)
  return checked
}

/** Names, kinds, arrays, lengths and codes: what cannot be relied on is refused. Arrays are not copied. */
export function checkTable(table: Table): Table {
  checkArgument('a table', table, isObject(table), 'an object with rowCount and columns')
  if (isBuilt(table)) return table
  const { columns, rowCount } = table as { readonly columns: unknown; readonly rowCount: unknown }
  checkArgument('rowCount of the table', rowCount, isCount(rowCount), 'a whole number from 0')
  checkArgument('columns of the table', columns, Array.isArray(columns), 'a list of columns')
  const names = new Set<string>()
  for (const column of columns as unknown[]) {
    const { name } = Object(column) as { readonly name?: unknown }
    checkArgument(
      'a column of the table',
      column,
      isColumnLike(column),
      'a column with name, kind and values',
    )
    checkArgument('the name of a column', name, typeof name === 'string' && name.trim() !== '', 'a text')
    if (names.has(name as string))
      throw new FeatureBoostError('FB_COLUMN_NAME', 'two columns have this name.', { column: name as string })
    names.add(name as string)
    const length = columnLength(readyColumn(name as string, column as never))
    if (length !== rowCount)
      throw new FeatureBoostError('FB_COLUMN_LENGTH', `has ${length} rows, but the table has ${rowCount}.`, {
        column: name as string,
        found: length,
        expected: 'as many values as the table has rows',
      })
  }
  markBuilt(table)
  return table
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0
