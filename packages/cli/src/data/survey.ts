// One pass over the loaded table: what it tells of each column, and what no column may hold.

import { formatCount, PLAIN_NUMBER } from '@featureboost/core/internal'
import { CommandError } from '../errors.ts'
import type { Limits } from './bounds.ts'
import type { Database } from './database.ts'
import { CLOCK_TEXT, isFloating, isInteger, isText, isWide, MOMENT_TEXT, plainText } from './kinds.ts'
import { TABLE } from './load.ts'
import { quoteName, quoteText } from './sql.ts'

/** A column as DuckDB describes it. */
export interface NamedType {
  readonly name: string
  readonly type: string
}

/** What one pass over the table tells of a column. */
export interface Facts {
  readonly present: number
  /** Bytes of the longest text. */
  readonly longest: number | null
  readonly infinite: number | null
  /** Of whole numbers; as doubles, near enough. */
  readonly low: number | null
  readonly high: number | null
  /** Of whole numbers and of texts: about. */
  readonly distinct: number | null
  /** Of texts: how many are dates, how many times of day, and how many "true" or "false". */
  readonly moments: number | null
  readonly clocks: number | null
  readonly truths: number | null
  /** Of texts that may be numbers that are names: how many are plain numbers. */
  readonly plain: number | null
}

export async function surveyColumns(
  database: Database,
  columns: readonly NamedType[],
  limits: Limits,
  categorical: readonly string[] = [],
): Promise<Facts[]> {
  const parts = columns.flatMap(({ name, type }, index) => {
    const column = quoteName(name)
    const fact = (sql: string, key: keyof Facts) => `(${sql})::DOUBLE as ${key}_${index}`
    return [
      fact(`count(${isText(type) ? plainText(column) : column})`, 'present'),
      ...(type === 'VARCHAR' ? [fact(`max(strlen(${column}))`, 'longest')] : []),
      ...(isText(type)
        ? [
            fact(`count(*) filter (${isMomentSql(column)})`, 'moments'),
            fact(
              `count(*) filter (regexp_full_match(${column}::VARCHAR, ${quoteText(CLOCK_TEXT)}))`,
              'clocks',
            ),
            fact(`count(*) filter (lower(${column}::VARCHAR) in ('true', 'false'))`, 'truths'),
            fact(`approx_count_distinct(${column})`, 'distinct'),
          ]
        : []),
      ...(isText(type) && categorical.includes(name)
        ? [
            fact(
              `count(*) filter (regexp_full_match(${column}::VARCHAR, ${quoteText(PLAIN_NUMBER)}))`,
              'plain',
            ),
          ]
        : []),
      ...(isFloating(type) ? [fact(`count(*) filter (isinf(${column}))`, 'infinite')] : []),
      ...(isInteger(type) || isWide(type)
        ? [
            fact(`min(${column})`, 'low'),
            fact(`max(${column})`, 'high'),
            fact(`approx_count_distinct(${column})`, 'distinct'),
          ]
        : []),
    ]
  })
  if (parts.length === 0) return []
  const [row] = await database.query(`select ${parts.join(', ')} from ${quoteName(TABLE)}`)
  const facts = columns.map((_, index) => {
    const read = (key: keyof Facts) => (row[`${key}_${index}`] ?? null) as number | null
    return {
      present: read('present') ?? 0,
      longest: read('longest'),
      infinite: read('infinite'),
      low: read('low'),
      high: read('high'),
      distinct: read('distinct'),
      moments: read('moments'),
      clocks: read('clocks'),
      truths: read('truths'),
      plain: read('plain'),
    }
  })
  for (const [index, { infinite, longest }] of facts.entries()) {
    const { name } = columns[index]
    if (longest !== null && longest > limits.cellBytes) throw longCell(name, longest, limits)
    if (infinite !== null && infinite > 0) throw await infiniteValues(database, name, infinite)
  }
  return facts
}

/** A cheap look first: most texts are no dates. */
const isMomentSql = (column: string): string =>
  `regexp_full_match(${column}::VARCHAR, ${quoteText(MOMENT_TEXT)}) and try_cast(${column}::VARCHAR as TIMESTAMPTZ) is not null`

const longCell = (name: string, bytes: number, limits: Limits): CommandError =>
  new CommandError(
    3,
    `Column "${name}" has a cell of ${formatCount(bytes)} bytes; at most ${formatCount(limits.cellBytes)} are read. Leave the column out with --except, or raise --max-cell.`,
    { code: 'FB_FILE_LIMIT' },
  )

async function infiniteValues(database: Database, name: string, count: number): Promise<CommandError> {
  const [row] = await database.queryColumn(
    `select min(rowid)::DOUBLE + 1 from ${quoteName(TABLE)} where isinf(${quoteName(name)})`,
  )
  return new CommandError(
    3,
    `Column "${name}", row ${formatCount(row as number)}: an infinite number, the first of ${formatCount(count)}. Expected finite numbers, or nothing where a value is missing. Leave the column out with --except, or replace them with --sql.`,
    { code: 'FB_NOT_FINITE' },
  )
}
