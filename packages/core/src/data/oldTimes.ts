// Dates and times as models of version 1 have them: days for dates, seconds for moments, and nobody says which.

import type { Column } from './column.ts'
import { isSource, type TableSource } from './source.ts'
import type { Table } from './table.ts'

export const oldTimes = (table: Table): Table => ({ ...table, columns: table.columns.map(oldColumn) })

export function withOldTimes<T extends object>(rows: T | Table | TableSource): T | Table | TableSource {
  if ('columns' in rows) return oldTimes(rows)
  if (!('chunks' in rows) || !isSource(rows as Table | TableSource)) return rows
  const source = rows as TableSource
  return {
    async *chunks() {
      for await (const chunk of source.chunks()) yield oldTimes(chunk)
    },
  }
}

/** Days were days; a moment had seconds. */
function oldColumn(column: Column): Column {
  if (column.kind !== 'numeric' || column.time === undefined) return column
  const { name, time, values } = column
  if (time !== 'timestamp') return { name, kind: 'numeric', values }
  return { name, kind: 'numeric', values: values.map(days => Math.round(days * 86_400e6) / 1e6) }
}
