// Rows out of DuckDB: every reading streams over the loaded table and copies DuckDB's vectors into typed arrays, which are
// filled again for every chunk. So the table exists once, in DuckDB, and JavaScript holds one chunk of it.

import duckdb from '@duckdb/node-bindings'
import type { Column, Table } from '@featureboost/core'
import { asBadData, type Database } from './database.ts'
import { booleanSql, type DataColumn, numberSql } from './kinds.ts'
import { quoteName } from './sql.ts'

/** A column with the dictionary that its codes point into. */
export interface ReadColumn extends DataColumn {
  readonly categories?: readonly string[]
  /** SQL of the code, -1 where missing; absent where every value is missing. */
  readonly codeSql?: string
  /** There is no value in any row, and the type may be one that no kind can hold. */
  readonly isEmpty?: true
}

type Values = Float64Array | Int8Array | Int32Array

export async function* readChunks(
  database: Database,
  table: string,
  columns: readonly ReadColumn[],
  rowsPerChunk: number,
): AsyncGenerator<Table> {
  const connection = await database.connect()
  try {
    const selected = columns.map(selectSql).join(', ')
    const result = await connection.stream(`select ${selected} from ${quoteName(table)}`)
    const buffers = columns.map(column => newValues(column, rowsPerChunk))
    let filled = 0
    for (;;) {
      const vectors = (await result.fetchChunk())?.chunk
      const rowCount = vectors === undefined ? 0 : duckdb.data_chunk_get_size(vectors)
      if (vectors === undefined || rowCount === 0) break
      const views = buffers.map((buffer, index) =>
        viewOf(buffer, duckdb.data_chunk_get_vector(vectors, index), rowCount),
      )
      for (let from = 0; from < rowCount; ) {
        const count = Math.min(rowCount - from, rowsPerChunk - filled)
        for (const [index, buffer] of buffers.entries())
          buffer.set(views[index].subarray(from, from + count), filled)
        from += count
        filled += count
        if (filled === rowsPerChunk) {
          yield tableOf(columns, buffers, filled)
          filled = 0
        }
      }
    }
    if (filled > 0) yield tableOf(columns, buffers, filled)
  } catch (error) {
    throw asBadData(error, 'The rows could not be read')
  } finally {
    connection.closeSync()
  }
}

function selectSql(column: ReadColumn): string {
  if (column.kind === 'numeric') return column.isEmpty ? `'nan'::DOUBLE` : numberSql(column)
  if (column.kind === 'boolean') return booleanSql(column)
  return column.codeSql ?? '-1::INTEGER'
}

function newValues({ kind }: ReadColumn, length: number): Values {
  if (kind === 'numeric') return new Float64Array(length)
  return kind === 'boolean' ? new Int8Array(length) : new Int32Array(length)
}

/** DuckDB's own memory: valid until the next chunk is fetched. */
function viewOf(like: Values, vector: duckdb.Vector, rowCount: number): Values {
  const { buffer, byteOffset } = duckdb.vector_get_data(vector, rowCount * like.BYTES_PER_ELEMENT)
  if (like instanceof Float64Array) return new Float64Array(buffer, byteOffset, rowCount)
  if (like instanceof Int8Array) return new Int8Array(buffer, byteOffset, rowCount)
  return new Int32Array(buffer, byteOffset, rowCount)
}

function tableOf(columns: readonly ReadColumn[], buffers: readonly Values[], rowCount: number): Table {
  return {
    rowCount,
    columns: columns.map(({ categories = [], format, kind, name, time }, index) => {
      const values = buffers[index].subarray(0, rowCount)
      return (
        kind === 'categorical'
          ? { name, kind, codes: values, categories }
          : {
              name,
              kind,
              values,
              ...(time !== undefined && { time }),
              ...(format !== undefined && { format }),
            }
      ) as Column
    }),
  }
}
