// A made-up table as files: text by hand, Parquet and a database by DuckDB. scripts/formats/write.py writes Parquet by pyarrow and pandas.

import { writeFileSync } from 'node:fs'
import { DuckDBInstance } from '@duckdb/node-api'
import { quoteName, quoteText } from '../../packages/cli/src/data/sql.ts'
import type { Cell, ColumnKind, MadeColumn } from './table.ts'

export function writeText(path: string, columns: readonly MadeColumn[], mark: string): string {
  const rows = columns[0].cells.map((_, row) => columns.map(({ cells }) => quoted(cells[row], mark)))
  const names = columns.map(({ name }) => quoted(name, mark))
  writeFileSync(path, `${[names, ...rows].map(cells => cells.join(mark)).join('\n')}\n`)
  return path
}

/** -0 has a sign in every file. */
const written = (cell: Cell): string => (Object.is(cell, -0) ? '-0.0' : String(cell))

const quoted = (cell: Cell, mark: string): string => {
  if (cell === null) return ''
  const text = written(cell)
  return /^$|["\r\n]|^\s|\s$/.test(text) || text.includes(mark) ? `"${text.replaceAll('"', '""')}"` : text
}

export function writeNdjson(path: string, columns: readonly MadeColumn[]): string {
  const lines = columns[0].cells.map((_, row) => {
    const fields = columns.map(
      ({ cells, kind, name }) => `${JSON.stringify(name)}:${jsonOf(cells[row], kind)}`,
    )
    return `{${fields.join(',')}}`
  })
  writeFileSync(path, `${lines.join('\n')}\n`)
  return path
}

const jsonOf = (cell: Cell, kind: ColumnKind): string =>
  cell === null || kind === 'big' || typeof cell === 'number'
    ? cell === null
      ? 'null'
      : written(cell)
    : JSON.stringify(cell)

const TYPES: Readonly<Record<ColumnKind, string>> = {
  int: 'BIGINT',
  float: 'DOUBLE',
  single: 'FLOAT',
  big: 'BIGINT',
  bool: 'BOOLEAN',
  text: 'VARCHAR',
  digits: 'VARCHAR',
  answer: 'VARCHAR',
  date: 'DATE',
  moment: 'TIMESTAMP',
  zoned: 'TIMESTAMPTZ',
  time: 'TIME',
  empty: 'VARCHAR',
}

/** A database with one table, and a Parquet file of it. */
export async function writeDuck(
  database: string,
  parquet: string,
  columns: readonly MadeColumn[],
): Promise<void> {
  const instance = await DuckDBInstance.create(database)
  const connection = await instance.connect()
  const types = columns.map(({ kind, name }) => `${quoteName(name)} ${TYPES[kind]}`)
  await connection.run(`create table rows (${types.join(', ')})`)
  const rows = columns[0].cells.map(
    (_, row) => `(${columns.map(({ cells, kind }) => literal(cells[row], kind)).join(', ')})`,
  )
  await connection.run(`insert into rows values ${rows.join(', ')}`)
  await connection.run(`copy rows to ${quoteText(parquet)}`)
  connection.closeSync()
  instance.closeSync()
}

const literal = (cell: Cell, kind: ColumnKind): string =>
  cell === null ? 'null' : `${quoteText(written(cell))}::${TYPES[kind]}`
