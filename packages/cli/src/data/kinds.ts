// From DuckDB's types to the kinds of columns, and the SQL that brings a column into its kind.
//
// Numbers become doubles. Whole numbers beyond 2^53, which doubles cannot tell apart, become categories: they are ids.
// Dates become days since 1970-01-01, timestamps seconds since then (UTC), times seconds since midnight: numbers, so that
// groups are made by cutting them ("before 2021"). Text, enums and UUIDs become categories. Nested types are refused.

import { quoteName } from './sql.ts'

export type Kind = 'numeric' | 'boolean' | 'categorical'

export interface DataColumn {
  readonly name: string
  readonly kind: Kind
  /** As DuckDB names it: "BIGINT", "DECIMAL(4,2)". */
  readonly duckType: string
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

/** A double; NaN where missing. */
export function numberSql({ duckType, name }: DataColumn): string {
  const column = quoteName(name)
  const number = NUMBER.test(duckType)
    ? `${column}::DOUBLE`
    : `epoch(${column})${DATE.test(duckType) ? ' / 86400' : ''}`
  return `coalesce(${number}, 'nan'::DOUBLE)`
}

/** A byte; -1 where missing. */
export const booleanSql = ({ name }: DataColumn): string =>
  `coalesce(${quoteName(name)}::TINYINT, -1::TINYINT)`

/** Text; NULL where missing. */
export const textSql = ({ duckType, name }: DataColumn): string =>
  duckType === 'VARCHAR' ? quoteName(name) : `${quoteName(name)}::VARCHAR`
