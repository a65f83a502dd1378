// From DuckDB's types to the kinds of columns, and the SQL that brings a column into its kind.
//
// Numbers become doubles. Whole numbers beyond 2^53, which doubles cannot tell apart, become categories: they are ids.
// Dates and timestamps become days since 1970-01-01 (UTC), with fractions, times seconds since midnight: numbers that say what they
// are, so that groups are made by cutting them ("before 2021"). Text, enums and UUIDs become categories, unless all of it is dates, times of
// day, or "true" and "false": Parquet and JSON files have such text where a CSV file has no types. Nested types are refused.

import { quoteName } from './sql.ts'

/** What the numbers of a column stand for. */
export type TimeKind = 'date' | 'timestamp' | 'time'

export type Kind = 'numeric' | 'boolean' | 'categorical'

export interface DataColumn {
  readonly name: string
  readonly kind: Kind
  /** As DuckDB names it: "BIGINT", "DECIMAL(4,2)". */
  readonly duckType: string
  /** Of numbers that are dates or times. */
  readonly time?: TimeKind
  /** How a CSV file writes its dates, where that is not as ISO 8601 has them. */
  readonly format?: string
}

const NUMBER = /^(U?(TINY|SMALL|BIG|HUGE)INT|U?INTEGER|FLOAT|DOUBLE|DECIMAL(\(.*\))?|BIGNUM)$/
const TEXT = /^(VARCHAR|UUID|ENUM\(.*\))$/s
const WIDE = /^(U?(BIG|HUGE)INT|BIGNUM|DECIMAL\(\d+,0\))$/
const INTEGER = /^(U?(TINY|SMALL|BIG|HUGE)INT|U?INTEGER)$/
const DATE = /^DATE$/
const MOMENT = /^TIMESTAMP(_S|_MS|_NS)?( WITH TIME ZONE)?$/
const TIME = /^TIME(_NS)?( WITH TIME ZONE)?$/

export const isFloating = (type: string): boolean => type === 'FLOAT' || type === 'DOUBLE'
export const isWide = (type: string): boolean => WIDE.test(type)
export const isInteger = (type: string): boolean => INTEGER.test(type)
export const isText = (type: string): boolean => TEXT.test(type)

/** Undefined: no kind of column can hold it. */
export function kindOf(type: string): Kind | undefined {
  if (type === 'BOOLEAN') return 'boolean'
  if (TEXT.test(type)) return 'categorical'
  return [NUMBER, DATE, MOMENT, TIME].some(pattern => pattern.test(type)) ? 'numeric' : undefined
}

export function timeOf(type: string): TimeKind | undefined {
  if (DATE.test(type)) return 'date'
  if (MOMENT.test(type)) return 'timestamp'
  return TIME.test(type) ? 'time' : undefined
}

/** A double; NaN where missing. Text is that of dates. */
export function numberSql({ duckType, name, time }: DataColumn): string {
  const column = quoteName(name)
  return `coalesce(${time === undefined ? `${column}::DOUBLE` : timeSql(column, duckType, time)}, 'nan'::DOUBLE)`
}

/** Without what is empty: that is missing, as in a CSV file, which has no other way to say it. `column` is SQL. */
export const plainText = (column: string): string => `nullif(${column}::VARCHAR, '')`

/** Whole millionths of a second, divided once: the same double from every type. */
function timeSql(column: string, duckType: string, time: TimeKind): string {
  if (time === 'time') return `epoch(${isText(duckType) ? `${plainText(column)}::TIME` : column})`
  // By days: the millionths of a second of a far date are more than 64 bits hold.
  if (DATE.test(duckType)) return `(${column} - DATE '1970-01-01')::DOUBLE`
  const moment = isText(duckType) ? `${plainText(column)}::TIMESTAMPTZ` : column
  return `epoch_us(${moment})::DOUBLE / 86400000000.0`
}

/** Dates and moments as ISO 8601 has them. */
export const MOMENT_TEXT = String.raw`\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}(:?\d{2})?)?)?`

/** Times of day. */
export const CLOCK_TEXT = String.raw`([01]?\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?`

/** A byte; -1 where missing. */
export const booleanSql = ({ duckType, name }: DataColumn): string => {
  const flag = isText(duckType) ? `lower(${plainText(quoteName(name))}) = 'true'` : quoteName(name)
  return `coalesce((${flag})::TINYINT, -1::TINYINT)`
}

/** Text; NULL where missing. */
export const textSql = ({ duckType, name }: DataColumn): string =>
  isText(duckType) ? plainText(quoteName(name)) : `${quoteName(name)}::VARCHAR`
