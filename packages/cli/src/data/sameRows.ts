// Scores belong to the rows that were read first, as values; cells that are written as they stand in the file come from another
// reading, as text. While they are written, every row of it is held against the row that was scored.

import type { DataColumn } from './kinds.ts'
import type { LoadOptions } from './load.ts'
import { quoteList, quoteName, quoteText } from './sql.ts'

/** What DuckDB says when a row is another. */
const OTHER_ROW = 'featureboost: another row'

export const isOtherRow = (error: unknown): boolean => String((error as Error).message).includes(OTHER_ROW)

/** Types whose text has one reading; how dates are written is the file's affair. */
const COMPARED = ['VARCHAR', 'BIGINT', 'BOOLEAN', 'DOUBLE']

/** A condition that holds for a row `r` of text like the row `t` of values, and ends the query at the first that is not. */
export function sameRowSql(
  columns: readonly DataColumn[],
  { decimal = '.', missing = [] }: Pick<LoadOptions, 'decimal' | 'missing'>,
): string {
  const words = quoteList(['', ...missing])
  const differences = columns
    .filter(({ duckType }) => COMPARED.includes(duckType) && (duckType !== 'DOUBLE' || decimal === '.'))
    .map(({ duckType, name }) => {
      const [cell, value] = ['r', 't'].map(side => `${side}.${quoteName(name)}`)
      const text = `case when list_contains(${words}, ${cell}) then null else ${cell} end`
      return `${value} is distinct from try_cast(${text} as ${duckType})`
    })
  const differs = ['s.score is null', ...differences].join(' or ')
  return `case when ${differs} then error(${quoteText(OTHER_ROW)})::BOOLEAN else true end`
}
