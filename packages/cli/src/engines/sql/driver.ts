// What the SQL engine needs of a database: to run a statement, and to read the answer of a query as columns of numbers.

import type { Dialect } from './dialect.ts'

/** How a column of an answer is read: a byte, a word of 32 bits, or a double. */
export type NumberKind = 'byte' | 'word' | 'double'

export interface NumberColumns {
  byte: Uint8Array
  word: Int32Array
  double: Float64Array
}

export interface SqlDriver {
  readonly dialect: Dialect
  run(sql: string): Promise<void>
  /** One column for each kind; the query casts to the types of the dialect. No value is missing. */
  query<K extends readonly NumberKind[]>(
    sql: string,
    kinds: K,
  ): Promise<{ readonly [I in keyof K]: NumberColumns[K[I]] }>
  /** The same, piece by piece. */
  each(
    sql: string,
    kinds: readonly NumberKind[],
    see: (columns: readonly NumberColumns[NumberKind][]) => void,
  ): Promise<void>
  /**
   * Only of a database in this process: a new table with one column of words, written piece by piece from what `work` makes of the rows of
   * a SELECT, in their order. Where the database is elsewhere, no row leaves it.
   */
  transform?(
    table: string,
    column: string,
    select: string,
    kinds: readonly NumberKind[],
    work: (columns: readonly NumberColumns[NumberKind][]) => Int32Array,
  ): Promise<void>
  /** Only of a database in this process: all rows of a SELECT, piece by piece. */
  scan?(
    select: string,
    kinds: readonly NumberKind[],
    see: (columns: readonly NumberColumns[NumberKind][]) => void,
  ): Promise<void>
  close(): Promise<void>
}
