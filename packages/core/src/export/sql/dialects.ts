// The databases that models are exported to: how each of them names columns, writes texts, and reads what a column holds. DuckDB,
// PostgreSQL and Spark run in our tests; BigQuery and Snowflake have not been run.

import {
  type Arithmetic,
  BIGQUERY_ARITHMETIC,
  DUCKDB_ARITHMETIC,
  POSTGRES_ARITHMETIC,
  SNOWFLAKE_ARITHMETIC,
  SPARK_ARITHMETIC,
} from './arithmetic.ts'
import { cast } from './select.ts'
import { sparkForest } from './sparkForest.ts'

export const DIALECT_NAMES = ['duckdb', 'postgres', 'spark', 'bigquery', 'snowflake'] as const
export type DialectName = (typeof DIALECT_NAMES)[number]

export interface Warehouse extends Arithmetic {
  readonly textType: string
  /** A name of a column, quoted. */
  name(column: string): string
  /** A text, quoted. */
  text(value: string): string
  /** A double; not a number is NULL. */
  number(column: string): string
  isInfinite(double: string): string
  /** Microseconds since 1970-01-01 in UTC, of a date or a moment. */
  moment(column: string, kind: 'date' | 'timestamp'): string
  /** Microseconds since midnight. */
  clock(column: string): string
  /** The double that a text stands for, or NULL where it is no number; `pattern` is a regular expression for numbers. */
  numberIn(text: string, pattern: string): string
  /** A whole row of `source` as one value, and all its columns again; undefined where there is no such thing. */
  readonly wholeRow?: { pack(source: string): string; unpack(row: string): string }
  /** Ends a SELECT that is not to be merged with the one around it: what it computes would be computed again and again. */
  readonly fence: string
  /** A whole number that is the same for every row, without the database knowing it. */
  unknown?(units: number): string
  /** The most SELECTs, one upon the other, that are sure to be planned. */
  readonly mostSelects?: number
}

const doubled =
  (mark: string) =>
  (text: string): string =>
    `${mark}${text.replaceAll(mark, mark + mark)}${mark}`

/** With a backslash before what ends a text, and for what a line cannot hold. */
const backslashed = (text: string): string =>
  `'${text.replace(/['\\\p{Cc}]/gu, letter =>
    letter === "'" || letter === '\\'
      ? `\\${letter}`
      : `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )}'`

const DUCKDB: Warehouse = {
  ...DUCKDB_ARITHMETIC,
  textType: 'VARCHAR',
  name: doubled('"'),
  text: doubled("'"),
  number: column => `NULLIF(CAST(${column} AS DOUBLE), CAST('NaN' AS DOUBLE))`,
  isInfinite: double => `isinf(${double})`,
  moment: column => `epoch_us(${column})`,
  clock: column => `epoch_us(CAST(${column} AS TIME))`,
  numberIn: (text, pattern) =>
    `CASE WHEN regexp_full_match(${text}, '${pattern}') THEN TRY_CAST(${text} AS DOUBLE) END`,
  wholeRow: { pack: source => source, unpack: row => `${row}.*` },
  fence: '',
}

const POSTGRES: Warehouse = {
  ...POSTGRES_ARITHMETIC,
  textType: 'TEXT',
  name: doubled('"'),
  text: doubled("'"),
  number: column => `NULLIF(CAST(${column} AS DOUBLE PRECISION), CAST('NaN' AS DOUBLE PRECISION))`,
  isInfinite: double =>
    `${double} IN (CAST('Infinity' AS DOUBLE PRECISION), CAST('-Infinity' AS DOUBLE PRECISION))`,
  // Seconds as a decimal number, exactly.
  moment: column => `CAST(EXTRACT(EPOCH FROM ${column}) * 1000000 AS BIGINT)`,
  clock: column => `CAST(EXTRACT(EPOCH FROM CAST(${column} AS TIME)) * 1000000 AS BIGINT)`,
  numberIn: (text, pattern) =>
    `CASE WHEN ${text} ~ '^(${pattern})$' THEN CAST(${text} AS DOUBLE PRECISION) END`,
  wholeRow: { pack: source => source, unpack: row => `(${row}).*` },
  fence: ' OFFSET 0',
}

const SPARK: Warehouse = {
  ...SPARK_ARITHMETIC,
  forest: sparkForest,
  textType: 'STRING',
  name: doubled('`'),
  text: backslashed,
  number: column => `nanvl(CAST(${column} AS DOUBLE), CAST(NULL AS DOUBLE))`,
  isInfinite: double => `abs(${double}) = CAST('Infinity' AS DOUBLE)`,
  // A date has no zone; a moment without one is read in that of the session.
  moment: (column, kind) =>
    kind === 'date'
      ? `(CAST(unix_date(CAST(${column} AS DATE)) AS BIGINT) * 86400000000L)`
      : `unix_micros(CAST(${column} AS TIMESTAMP))`,
  clock: column => `unix_micros(CAST(concat('1970-01-01 ', ${column}, '+00:00') AS TIMESTAMP))`,
  numberIn: (text, pattern) =>
    `CASE WHEN ${text} RLIKE '^(${pattern.replaceAll('\\', '\\\\')})$' THEN CAST(${text} AS DOUBLE) END`,
  wholeRow: { pack: source => `struct(${source}.*)`, unpack: row => `${row}.*` },
  fence: '',
  // What is known to be constant is written out wherever it is used, and so is what is made of it: the text doubles with every step.
  unknown: units => `CAST(${units} + shiftright(monotonically_increasing_id(), 63) AS INT)`,
  // It resolves one of them at a time, and gives up after 100 rounds (spark.sql.analyzer.maxIterations).
  mostSelects: 90,
}

const BIGQUERY: Warehouse = {
  ...BIGQUERY_ARITHMETIC,
  textType: 'STRING',
  name: column => `\`${column.replace(/[`\\]/g, '\\$&')}\``,
  text: backslashed,
  number: column => `IF(IS_NAN(CAST(${column} AS FLOAT64)), NULL, CAST(${column} AS FLOAT64))`,
  isInfinite: double => `IS_INF(${double})`,
  moment: column => `UNIX_MICROS(CAST(${column} AS TIMESTAMP))`,
  clock: column => `TIME_DIFF(CAST(${column} AS TIME), TIME '00:00:00', MICROSECOND)`,
  numberIn: (text, pattern) =>
    `IF(REGEXP_CONTAINS(${text}, r'^(${pattern})$'), SAFE_CAST(${text} AS FLOAT64), NULL)`,
  wholeRow: { pack: source => source, unpack: row => `${row}.*` },
  fence: '',
}

const SNOWFLAKE: Warehouse = {
  ...SNOWFLAKE_ARITHMETIC,
  textType: 'VARCHAR',
  // Names that need no quotes are kept in capitals there.
  name: column => doubled('"')(/^[A-Za-z_]\w*$/.test(column) ? column.toUpperCase() : column),
  text: backslashed,
  number: column => `NULLIF(CAST(${column} AS FLOAT), CAST('NaN' AS FLOAT))`,
  isInfinite: double => `ABS(${double}) = CAST('inf' AS FLOAT)`,
  moment: column => `DATE_PART(EPOCH_MICROSECOND, CAST(${column} AS TIMESTAMP_NTZ))`,
  clock: column => `DATEDIFF(MICROSECOND, CAST('00:00:00' AS TIME), CAST(${column} AS TIME))`,
  numberIn: (text, pattern) =>
    `IFF(REGEXP_LIKE(${text}, '${pattern.replaceAll('\\', '\\\\')}'), TRY_TO_DOUBLE(${text}), NULL)`,
  fence: '',
}

export const WAREHOUSES: Readonly<Record<DialectName, Warehouse>> = {
  duckdb: DUCKDB,
  postgres: POSTGRES,
  spark: SPARK,
  bigquery: BIGQUERY,
  snowflake: SNOWFLAKE,
}

export const asText = (warehouse: Warehouse, column: string): string => cast(column, warehouse.textType)
