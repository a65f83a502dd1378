// Rows with their columns in the form that the model learned them in: a date that came as text is a date again, a truth value that came
// as a word is one. Cuts and categories are then learned from what they were learned from before.

import type { Column } from '../data/column.ts'
import { isSource, type TableSource } from '../data/source.ts'
import type { Table } from '../data/table.ts'
import type { ModelData } from '../model/data.ts'
import { convertColumn } from '../quantize/convert.ts'
import type { FeatureSchema } from '../quantize/schema.ts'
import type { RowStore } from '../store/store.ts'

/** How a file writes its dates is no fact of the rows: others may have them in a file that writes them otherwise. */
function inFormatOf(schema: FeatureSchema, column: Column): Column {
  if (column.kind !== 'numeric' || column.time === undefined || schema.kind !== 'numeric') return column
  const { format: _, ...plain } = column
  return { ...plain, ...(schema.format !== undefined && { format: schema.format }) }
}

/** A store keeps its rows as it has them. */
export function asLearned(
  { encoding }: ModelData,
  rows: Table | TableSource | RowStore,
): Table | TableSource | RowStore {
  if ('profile' in rows) return rows
  const schemas = new Map(encoding.features.map(schema => [schema.name, schema]))
  const convert = (table: Table): Table => ({
    ...table,
    columns: table.columns.map(column => {
      const schema = schemas.get(column.name)
      return schema === undefined ? column : inFormatOf(schema, convertColumn(schema, column))
    }),
  })
  if (!isSource(rows)) return convert(rows)
  return {
    async *chunks() {
      for await (const chunk of rows.chunks()) yield convert(chunk)
    },
  }
}
