// Hashes of texts, each computed once: a table of the different texts of every column of texts, which rows are joined to.

import { cast } from '@featureboost/core/internal'
import { LANES } from '../hash.ts'
import type { StoreDialect } from './storeDialect.ts'

/** A column of texts, by its name in the table of given rows and the number by which its texts are known. */
export interface TextColumn {
  readonly column: string
  readonly number: number
}

export function textTableSql(dialect: StoreDialect, given: string, columns: readonly TextColumn[]): string {
  const different = columns
    .map(
      ({ column, number }) =>
        `SELECT DISTINCT ${cast(number, dialect.wordType)} AS c, ${column} AS v FROM ${given} WHERE ${column} IS NOT NULL`,
    )
    .join(' UNION ALL ')
  const hashes = LANES.map(lane => `${dialect.textHash('v', lane)} AS h${lane.name}`)
  return `SELECT c, v, ${hashes.join(', ')} FROM (${different})`
}

/** Rows with the hashes of their texts, t0a and t0b for the column of number 0. */
export const joinedTextsSql = (given: string, texts: string, columns: readonly TextColumn[]): string =>
  columns.reduce(
    (rows, { column, number: n }) =>
      `${rows} LEFT JOIN (SELECT v AS t${n}v, ha AS t${n}a, hb AS t${n}b FROM ${texts} WHERE c = ${n}) ON ${column} = t${n}v`,
    `SELECT * FROM ${given}`,
  )
