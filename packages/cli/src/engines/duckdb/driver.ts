// DuckDB, in this process, as the SQL engine needs it: statements on one connection, answers as typed arrays, and a quick way in for
// columns of numbers.

import type { DuckDBConnection } from '@duckdb/node-api'
import duckdb from '@duckdb/node-bindings'
import type { NumberColumns, NumberKind, SqlDriver } from '../sql/driver.ts'
import { DUCKDB } from '../sql/duckdb.ts'

type Values = Uint8Array | Int32Array | Float64Array

const ARRAYS = { byte: Uint8Array, word: Int32Array, double: Float64Array } as const

/**
 * So many bits of keys may be counted in plain arrays; DuckDB's own bound is 12. Of 18 bits an array takes some ten megabytes, once for
 * each thread.
 */
export const COUNTED_BITS = 18

export function duckdbDriver(connection: DuckDBConnection, close: () => Promise<void>): SqlDriver {
  return {
    dialect: DUCKDB,
    async run(sql) {
      await connection.run(sql)
    },
    async query(sql, kinds) {
      return (await readColumns(connection, sql, kinds)) as never
    },
    close,
  }
}

/** All rows of a query, column by column. */
async function readColumns(
  connection: DuckDBConnection,
  sql: string,
  kinds: readonly NumberKind[],
): Promise<Values[]> {
  const result = await connection.stream(sql)
  const pieces: Values[][] = kinds.map(() => [])
  for (;;) {
    const vectors = (await result.fetchChunk())?.chunk
    const rowCount = vectors === undefined ? 0 : duckdb.data_chunk_get_size(vectors)
    if (vectors === undefined || rowCount === 0) break
    for (const [index, kind] of kinds.entries()) {
      const array = ARRAYS[kind]
      const bytes = rowCount * array.BYTES_PER_ELEMENT
      const data = duckdb.vector_get_data(duckdb.data_chunk_get_vector(vectors, index), bytes)
      pieces[index].push(new array(data.buffer as ArrayBuffer, data.byteOffset, rowCount).slice())
    }
  }
  return kinds.map((kind, index) => join(kind, pieces[index]))
}

function join(kind: NumberKind, pieces: readonly Values[]): NumberColumns[NumberKind] {
  const joined = new ARRAYS[kind](pieces.reduce((sum, piece) => sum + piece.length, 0))
  let offset = 0
  for (const piece of pieces) {
    joined.set(piece, offset)
    offset += piece.length
  }
  return joined
}

export interface AppendedColumn {
  readonly name: string
  readonly kind: NumberKind
}

/** A new table of numbers, filled chunk by chunk; each chunk has the columns in order. */
export async function appendTable(
  connection: DuckDBConnection,
  { catalog, name }: { readonly catalog: string | null; readonly name: string },
  columns: readonly AppendedColumn[],
  chunks: AsyncIterable<readonly Values[]> | Iterable<readonly Values[]>,
): Promise<void> {
  const types = { byte: DUCKDB.byteType, word: DUCKDB.wordType, double: DUCKDB.doubleType }
  const place = catalog === null ? name : `"${catalog}".main.${name}`
  await connection.run(
    `CREATE TABLE ${place} (${columns.map(each => `${each.name} ${types[each.kind]}`).join(', ')})`,
  )
  const appender = await connection.createAppender(name, 'main', catalog)
  const most = duckdb.vector_size()
  const logical = columns.map(each => duckdb.create_logical_type(TYPE_IDS[each.kind]))
  const chunk = duckdb.create_data_chunk(logical)
  for await (const values of chunks) {
    const rowCount = values[0].length
    for (let from = 0; from < rowCount; from += most) {
      const count = Math.min(most, rowCount - from)
      duckdb.data_chunk_reset(chunk)
      for (const [index, column] of values.entries()) {
        const size = column.BYTES_PER_ELEMENT
        const vector = duckdb.data_chunk_get_vector(chunk, index)
        const offset = column.byteOffset + from * size
        duckdb.copy_data_to_vector(vector, 0, column.buffer as ArrayBuffer, offset, count * size)
      }
      duckdb.data_chunk_set_size(chunk, count)
      appender.appendDataChunk({ chunk } as never)
    }
  }
  appender.closeSync()
}

const TYPE_IDS = {
  byte: duckdb.Type.UTINYINT,
  word: duckdb.Type.INTEGER,
  double: duckdb.Type.DOUBLE,
} as const
