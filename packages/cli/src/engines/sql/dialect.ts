// What differs between databases. All else is SQL that each of them reads alike; nothing but a dialect knows which one it is.

import type { Arithmetic } from '@featureboost/core/internal'

/** Sums of the rows of a SELECT, group by group. */
export interface CellsQuestion {
  /** A SELECT with all columns that the groups and the sums name. */
  readonly source: string
  readonly groups: readonly CellGroup[]
  /** Columns to be summed up, all of them whole numbers; ROWS counts the rows. */
  readonly sums: readonly string[]
  /** Of the source, at most. Absent: few. */
  readonly rowCount?: number
}

/** Cells of one group lie at its offset, its keys read as digits, the last one the lowest. */
export interface CellGroup {
  readonly offset: number
  readonly keys: readonly CellKey[]
}

export interface CellKey {
  readonly column: string
  /** The column holds whole numbers from 0 to below this. */
  readonly size: number
}

/** Stands for the number of rows among sums. */
export const ROWS = '*'

/** Queries whose answers belong together; they may need something before them, and leave something to be removed. */
export interface Statements {
  readonly before: readonly string[]
  readonly queries: readonly string[]
  readonly after: readonly string[]
}

export interface Dialect extends Arithmetic {
  readonly name: string
  readonly byteType: string
  xor(a: string, b: string): string
  /** The product of a whole number below 2^32 and a constant below 2^32, modulo 2^32. */
  timesModulo(value: string, constant: number): string
  /** Of a whole number that is not negative. */
  modulo32(value: string): string
  /** A word as a whole number from 0 to below 2^32. */
  unsigned(word: string): string
  /** Rows (cell, sum, sum ...), all as doubles, of the cells that have rows; all groups, from one reading of the source. `name` is free. */
  cells(question: CellsQuestion, name: string): Statements
  /** Where predictions are kept: beside the rows, one narrow table for each state; or with all columns of the rows, as a table of its own. */
  readonly states: 'beside' | 'whole'
  /** A table from a SELECT. */
  createTable(name: string, select: string): string
  /** Rows and a table that is beside them, row by row. */
  beside(rows: string, narrow: string): string
}

/** The number of a cell, in `longType`. */
export const cellSql = ({ keys, offset }: CellGroup, type: string): string =>
  keys.reduce(
    (cell, { column, size }) =>
      cell === '' ? `CAST(${column} AS ${type})` : `(${cell}) * ${size} + ${column}`,
    '',
  ) + (offset === 0 ? '' : ` + ${offset}`)

export const sumSql = (column: string): string => (column === ROWS ? 'COUNT(*)' : `SUM(${column})`)
