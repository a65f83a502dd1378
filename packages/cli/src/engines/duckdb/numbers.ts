// Columns of numbers out of DuckDB and into it, without a value object for each of them: DuckDB's own vectors and typed arrays.

import type { DuckDBConnection, DuckDBResult } from '@duckdb/node-api'
import duckdb from '@duckdb/node-bindings'
import type { NumberColumns, NumberKind } from '../sql/driver.ts'
import { DUCKDB } from '../sql/duckdb.ts'

export type Numbers = Uint8Array | Int32Array | Float64Array

const ARRAYS = { byte: Uint8Array, word: Int32Array, double: Float64Array } as const
const SQL_TYPES = { byte: DUCKDB.byteType, word: DUCKDB.wordType, double: DUCKDB.doubleType }
const TYPE_IDS = { byte: duckdb.Type.UTINYINT, word: duckdb.Type.INTEGER, double: duckdb.Type.DOUBLE }

type ColumnsOf<K extends readonly NumberKind[]> = { readonly [I in keyof K]: NumberColumns[K[I]] }

/** The rows of a table or of a plain SELECT, a few thousand at a time. The connection is busy until they are all read. */
export async function* streamColumns<K extends readonly NumberKind[]>(
  connection: DuckDBConnection,
  sql: string,
  kinds: K,
): AsyncGenerator<ColumnsOf<K>> {
  yield* columnsOf(await connection.stream(sql), kinds)
}

async function* columnsOf<K extends readonly NumberKind[]>(
  result: DuckDBResult,
  kinds: K,
): AsyncGenerator<ColumnsOf<K>> {
  for (;;) {
    const vectors = (await result.fetchChunk())?.chunk
    const rowCount = vectors === undefined ? 0 : duckdb.data_chunk_get_size(vectors)
    if (vectors === undefined || rowCount === 0) return
    yield kinds.map((kind, index) => {
      const array = ARRAYS[kind]
      const vector = duckdb.data_chunk_get_vector(vectors, index)
      const data = duckdb.vector_get_data(vector, rowCount * array.BYTES_PER_ELEMENT)
      return new array(data.buffer as ArrayBuffer, data.byteOffset, rowCount).slice()
    }) as never
  }
}

/** The rows of a query, piece by piece. Not as a stream: DuckDB 1.5 waits forever in one of several grouped SELECTs. */
export async function eachColumns(
  connection: DuckDBConnection,
  sql: string,
  kinds: readonly NumberKind[],
  see: (columns: readonly Numbers[]) => void,
): Promise<void> {
  for await (const columns of columnsOf(await connection.run(sql), kinds)) see(columns)
}

/** All rows of a query, column by column. */
export async function readColumns<K extends readonly NumberKind[]>(
  connection: DuckDBConnection,
  sql: string,
  kinds: K,
): Promise<ColumnsOf<K>> {
  const pieces: Numbers[][] = kinds.map(() => [])
  await eachColumns(connection, sql, kinds, columns => {
    for (const [index, list] of pieces.entries()) list.push(columns[index])
  })
  return kinds.map((kind, index) => join(kind, pieces[index])) as never
}

function join(kind: NumberKind, pieces: readonly Numbers[]): Numbers {
  const joined = new ARRAYS[kind](pieces.reduce((sum, piece) => sum + piece.length, 0))
  let offset = 0
  for (const piece of pieces) {
    joined.set(piece, offset)
    offset += piece.length
  }
  return joined
}

export interface NamedKind {
  readonly name: string
  readonly kind: NumberKind
}

export interface Appender {
  /** One array for each column, of one length. */
  append(values: readonly Numbers[]): void
  close(): void
}

/** A new table, to be filled from the first row to the last. */
export async function createByAppending(
  connection: DuckDBConnection,
  table: string,
  columns: readonly NamedKind[],
): Promise<Appender> {
  const types = columns.map(({ kind, name }) => `${name} ${SQL_TYPES[kind]}`)
  await connection.run(`CREATE TABLE ${table} (${types.join(', ')})`)
  const appender = await connection.createAppender(table)
  const most = duckdb.vector_size()
  const chunk = duckdb.create_data_chunk(
    columns.map(({ kind }) => duckdb.create_logical_type(TYPE_IDS[kind])),
  )
  const appendPart = (values: readonly Numbers[], from: number, count: number) => {
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
  return {
    append(values) {
      const rowCount = values[0].length
      for (let from = 0; from < rowCount; from += most)
        appendPart(values, from, Math.min(most, rowCount - from))
    },
    close: () => appender.closeSync(),
  }
}
