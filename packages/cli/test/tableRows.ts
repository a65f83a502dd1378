// The rows of a table, as plain values.

import type { Column, Table, Value } from '@featureboost/core'

export const rowsOf = (table: Table): Value[][] =>
  Array.from({ length: table.rowCount }, (_, row) => table.columns.map(column => cellOf(column, row)))

function cellOf(column: Column, row: number): Value {
  if (column.kind === 'numeric') return Number.isNaN(column.values[row]) ? null : column.values[row]
  if (column.kind === 'boolean') return column.values[row] < 0 ? null : column.values[row] === 1
  return column.codes[row] < 0 ? null : column.categories[column.codes[row]]
}
