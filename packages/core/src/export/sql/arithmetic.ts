// What databases call the arithmetic that predictions need. All else is SQL that each of them reads alike.

import type { ForestTree } from '../../update/update.ts'

/** Names of columns and their SQL. */
export type Columns = Readonly<Record<string, string>>

export interface Arithmetic {
  readonly wordType: string
  readonly longType: string
  readonly doubleType: string
  /** Of whole numbers; the first is not negative, the second positive. */
  divide(a: string, b: string | number): string
  /** The largest whole number that is not above a double. */
  floor(double: string): string
  /** Of a whole number that is not negative. */
  shiftRight(value: string, bits: number): string
  /** 2 to a whole number from -60 to 60, exactly, as a double. */
  powerOfTwo(exponent: string): string
  /** An entry of a table of whole numbers, counted from 0. */
  lookUp(table: ArrayLike<number>, index: string): string
  /** Layers that end with `mo_sum0`, the steps of all trees; absent where CASEs, a few trees at a time, do well. */
  forest?(trees: readonly ForestTree[], binCounts: readonly number[]): Columns[]
}

/** 2 to the exponent, from a way to shift 1 to the left by so many bits. */
const shifted =
  (shift: (exponent: string) => string, doubleType: string) =>
  (exponent: string): string =>
    `(CASE WHEN ${exponent} >= 0 THEN CAST(${shift(exponent)} AS ${doubleType}) ` +
    `ELSE 1E0 / CAST(${shift(`-(${exponent})`)} AS ${doubleType}) END)`

export const DUCKDB_ARITHMETIC: Arithmetic = {
  wordType: 'INTEGER',
  longType: 'BIGINT',
  doubleType: 'DOUBLE',
  divide: (a, b) => `((${a}) // (${b}))`,
  floor: double => `CAST(floor(${double}) AS BIGINT)`,
  shiftRight: (value, bits) => `((${value}) >> ${bits})`,
  powerOfTwo: shifted(exponent => `1::BIGINT << CAST(${exponent} AS BIGINT)`, 'DOUBLE'),
  lookUp: (table, index) => `([${Array.from(table).join(', ')}]::BIGINT[])[CAST(${index} AS BIGINT) + 1]`,
}

export const SPARK_ARITHMETIC: Arithmetic = {
  wordType: 'INT',
  longType: 'BIGINT',
  doubleType: 'DOUBLE',
  divide: (a, b) => `((${a}) DIV (${b}))`,
  floor: double => `CAST(FLOOR(${double}) AS BIGINT)`,
  shiftRight: (value, bits) => `shiftright(${value}, ${bits})`,
  powerOfTwo: shifted(exponent => `shiftleft(CAST(1 AS BIGINT), CAST(${exponent} AS INT))`, 'DOUBLE'),
  lookUp: (table, index) =>
    `array(${Array.from(table, value => `${value}L`).join(', ')})[CAST(${index} AS INT)]`,
}

export const POSTGRES_ARITHMETIC: Arithmetic = {
  wordType: 'INTEGER',
  longType: 'BIGINT',
  doubleType: 'DOUBLE PRECISION',
  divide: (a, b) => `((${a}) / (${b}))`,
  floor: double => `CAST(floor(${double}) AS BIGINT)`,
  shiftRight: (value, bits) => `((${value}) >> ${bits})`,
  powerOfTwo: shifted(exponent => `CAST(1 AS BIGINT) << CAST(${exponent} AS INTEGER)`, 'DOUBLE PRECISION'),
  lookUp: (table, index) =>
    `(CAST('{${Array.from(table).join(',')}}' AS BIGINT[]))[CAST(${index} AS INTEGER) + 1]`,
}

export const BIGQUERY_ARITHMETIC: Arithmetic = {
  wordType: 'INT64',
  longType: 'INT64',
  doubleType: 'FLOAT64',
  divide: (a, b) => `DIV(${a}, ${b})`,
  floor: double => `CAST(FLOOR(${double}) AS INT64)`,
  shiftRight: (value, bits) => `((${value}) >> ${bits})`,
  powerOfTwo: shifted(exponent => `1 << (${exponent})`, 'FLOAT64'),
  lookUp: (table, index) => `[${Array.from(table).join(', ')}][OFFSET(${index})]`,
}

export const SNOWFLAKE_ARITHMETIC: Arithmetic = {
  wordType: 'NUMBER(38, 0)',
  longType: 'NUMBER(38, 0)',
  doubleType: 'FLOAT',
  // A division of whole numbers is rounded there, so what is left over goes first.
  divide: (a, b) => `CAST(((${a}) - MOD(${a}, ${b})) / (${b}) AS NUMBER(38, 0))`,
  floor: double => `CAST(FLOOR(${double}) AS NUMBER(38, 0))`,
  shiftRight: (value, bits) => `BITSHIFTRIGHT(${value}, ${bits})`,
  powerOfTwo: shifted(exponent => `BITSHIFTLEFT(1, ${exponent})`, 'FLOAT'),
  lookUp: (table, index) =>
    `CAST(GET(ARRAY_CONSTRUCT(${Array.from(table).join(', ')}), ${index}) AS NUMBER(38, 0))`,
}
