// Some rows of a table.

import type { Column, Table } from '@featureboost/core'

/** The rows that are marked by 1. */
export function rowsOf(table: Table, marked: Uint8Array): Table {
  const picked = new Int32Array(marked.reduce((sum, mark) => sum + mark, 0))
  let count = 0
  for (let row = 0; row < marked.length; row++) if (marked[row] === 1) picked[count++] = row
  return { rowCount: picked.length, columns: table.columns.map(column => pick(column, picked)) }
}

function pick(column: Column, rows: Int32Array): Column {
  if (column.kind === 'categorical')
    return { ...column, codes: gather(column.codes, new Int32Array(rows.length), rows) }
  if (column.kind === 'boolean')
    return { ...column, values: gather(column.values, new Int8Array(rows.length), rows) }
  return { ...column, values: gather(column.values, new Float64Array(rows.length), rows) }
}

function gather<T extends { [row: number]: number }>(from: T, into: T, rows: Int32Array): T {
  for (let index = 0; index < rows.length; index++) into[index] = from[rows[index]]
  return into
}
