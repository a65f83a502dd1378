// openData: a file, several, stdin, a table of a database or a query, as a source of typed chunks that can be read again
// and again, always the same rows in the same order.

import type { TableSource } from '@featureboost/core'
import { didYouMean, formatCount } from '@featureboost/core/internal'
import { CommandError } from '../errors.ts'
import { Database, inWords } from './database.ts'
import { checkDateFormat, readDateFormat } from './dateFormat.ts'
import { findInput, type Input } from './input.ts'
import {
  CLOCK_TEXT,
  type DataColumn,
  isFloating,
  isInteger,
  isText,
  isWide,
  type Kind,
  kindOf,
  MOMENT_TEXT,
  plainText,
  type TimeKind,
  textSql,
  timeOf,
} from './kinds.ts'
import { csvTextSql, describe, type Limits, type LoadOptions, loadTable, TABLE } from './load.ts'
import { refuseRagged } from './ragged.ts'
import { type ReadColumn, readChunks } from './read.ts'
import { quoteName, quoteText } from './sql.ts'

export type { DataColumn, Kind } from './kinds.ts'

const DEFAULT_LIMITS: Limits = { columns: 2000, cellBytes: 1_000_000, rows: 1_000_000_000 }

export interface OpenOptions extends Omit<LoadOptions, 'limits'> {
  /** Columns to read, in this order; default: all. Columns that are not read may hold anything. */
  readonly only?: readonly string[]
  /** Columns to read besides those of `only`, where they are there. */
  readonly ifThere?: readonly string[]
  /** Columns not to read. */
  readonly except?: readonly string[]
  readonly limits?: Partial<Limits>
  /** Rows per chunk. */
  readonly chunkRows?: number
  /** Ends the loading, and later the writing. */
  readonly signal?: AbortSignal
}

export interface OpenedData {
  /** What is read, in order. */
  readonly columns: readonly DataColumn[]
  /** All that is there, read or not. */
  readonly names: readonly string[]
  readonly rowCount: number
  readonly source: TableSource
  /** What a person may want to know of the columns: ids, constants, numbers that are text. */
  readonly notes: readonly string[]
  /** For the writer. */
  readonly database: Database
  readonly input: Input | undefined
  /** The files' own cells as text; undefined where the rows are not those of CSV files. */
  readonly textSql: string | undefined
  close(): Promise<void>
}

const CHUNK_ROWS = 65_536

/** `given`: a path, a pattern, - for stdin, several of them, or nothing where `sql` names its own files. */
export async function openData(
  given: string | readonly string[] | undefined,
  options: OpenOptions = {},
): Promise<OpenedData> {
  checkDateFormat(options.dateFormat)
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const paths = given === undefined ? [] : typeof given === 'string' ? [given] : given
  const database = await Database.open()
  const interrupt = () => database.interrupt()
  options.signal?.addEventListener('abort', interrupt, { once: true })
  const close = async () => {
    options.signal?.removeEventListener('abort', interrupt)
    await database.close()
  }
  try {
    const input = paths.length === 0 ? undefined : await findInput(database, paths)
    await loadTable(database, input, { ...options, limits })
    const all = await describe(database, `from ${quoteName(TABLE)}`)
    const names = all.map(({ name }) => name)
    const isCsv = input?.format === 'csv' && options.sql === undefined
    if (isCsv && all.length === 1) await refuseRagged(input)
    const chosen = chooseColumns(all, options)
    const name = input?.name ?? 'the query'
    const rowCount = await countRows(database, name, limits)
    if (isCsv && rowCount === 0) await refuseRagged(input)
    if (rowCount === 0) throw new CommandError(3, `${name} has no rows.`)
    const facts = await surveyColumns(database, chosen, limits)
    const dates = isCsv ? await readDateFormat(database, input, chosen, { ...options, limits }) : undefined
    const columns: ReadColumn[] = []
    for (const [index, column] of chosen.entries()) {
      const planned = await planColumn(database, index, column, facts[index], options.text ?? [])
      const isDate = planned.time === 'date' && dates?.format !== undefined
      columns.push(isDate ? { ...planned, format: dates.format } : planned)
    }
    return {
      columns: columns.map(({ duckType, format, kind, name, time }) => ({
        ...{ name, kind, duckType },
        ...(time !== undefined && { time }),
        ...(format !== undefined && { format }),
      })),
      names,
      rowCount,
      source: { chunks: () => readChunks(database, TABLE, columns, options.chunkRows ?? CHUNK_ROWS) },
      notes: [
        ...(dates?.notes ?? []),
        ...columns.flatMap((column, index) => notesOn(column, facts[index], rowCount)),
      ],
      database,
      input,
      textSql: isCsv ? csvTextSql(input, limits) : undefined,
      close,
    }
  } catch (error) {
    await close()
    if (options.signal?.aborted) throw new CommandError(130, 'Interrupted while the data was read.')
    throw error
  }
}

interface NamedType {
  readonly name: string
  readonly type: string
}

function chooseColumns(
  all: readonly NamedType[],
  { except, ifThere = [], only }: OpenOptions,
): readonly NamedType[] {
  const names = all.map(({ name }) => name)
  for (const name of [...(only ?? []), ...(except ?? [])]) {
    if (!names.includes(name))
      throw new CommandError(3, `The data has no column "${name}". ${didYouMean(name, names)}`)
  }
  const more = ifThere.filter(name => names.includes(name) && !only?.includes(name))
  const wanted = only === undefined ? all : [...only, ...more].map(name => all[names.indexOf(name)])
  return wanted.filter(({ name }) => !except?.includes(name))
}

async function countRows(database: Database, name: string, limits: Limits): Promise<number> {
  const [count] = await database.queryColumn(`select count(*)::DOUBLE from ${quoteName(TABLE)}`)
  const rowCount = count as number
  if (rowCount > limits.rows)
    throw new CommandError(
      3,
      `${name} has ${formatCount(rowCount)} rows; at most ${formatCount(limits.rows)} are read.`,
    )
  return rowCount
}

/** What one pass over the table tells of a column. */
interface Facts {
  readonly present: number
  /** Bytes of the longest text. */
  readonly longest: number | null
  readonly infinite: number | null
  /** Of whole numbers; as doubles, near enough. */
  readonly low: number | null
  readonly high: number | null
  readonly distinct: number | null
  /** Of texts: how many are dates, how many times of day, and how many "true" or "false". */
  readonly moments: number | null
  readonly clocks: number | null
  readonly truths: number | null
}

async function surveyColumns(
  database: Database,
  columns: readonly NamedType[],
  limits: Limits,
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
  )

async function infiniteValues(database: Database, name: string, count: number): Promise<CommandError> {
  const [row] = await database.queryColumn(
    `select min(rowid)::DOUBLE + 1 from ${quoteName(TABLE)} where isinf(${quoteName(name)})`,
  )
  return new CommandError(
    3,
    `Column "${name}", row ${formatCount(row as number)}: an infinite number, the first of ${formatCount(count)}. Expected finite numbers, or nothing where a value is missing. Leave the column out with --except, or replace them with --sql.`,
  )
}

/** Kind, and for categories their sorted dictionary, which DuckDB keeps as an ENUM. */
async function planColumn(
  database: Database,
  index: number,
  { name, type }: NamedType,
  facts: Facts,
  text: readonly string[],
): Promise<ReadColumn> {
  const kind = chooseKind(name, type, facts, text)
  const time = kind === 'numeric' && facts.present > 0 ? (timeOf(type) ?? timeOfText(facts, type)) : undefined
  const column: DataColumn = { name, kind, duckType: type, ...(time !== undefined && { time }) }
  if (facts.present === 0) return { ...column, isEmpty: true }
  if (kind !== 'categorical') return column
  const code = quoteName(`featureboost codes ${index}`)
  const value = textSql(column)
  const categories = await inWords(`Column "${name}" could not be read`, async () => {
    await database.run(
      `create type ${code} as enum (select distinct ${value} from ${quoteName(TABLE)} where ${value} is not null order by 1)`,
    )
    return await database.queryColumn(`select unnest(enum_range(null::${code}))::VARCHAR`)
  })
  return {
    ...column,
    categories: categories as string[],
    codeSql: `coalesce(enum_code((${value})::${code})::INTEGER, -1)`,
  }
}

function timeOfText({ clocks, present }: Facts, type: string): TimeKind | undefined {
  if (!isText(type)) return undefined
  return clocks === present ? 'time' : 'timestamp'
}

function chooseKind(name: string, type: string, facts: Facts, text: readonly string[]): Kind {
  if (text.includes(name)) return 'categorical'
  // Whatever type a file gives to nothing: a column without a value is the same column in all of them.
  if (facts.present === 0) return 'numeric'
  if (isText(type)) {
    if (facts.moments === facts.present || facts.clocks === facts.present) return 'numeric'
    if (facts.truths === facts.present) return 'boolean'
  }
  const kind = kindOf(type)
  const wide = isWide(type) && Math.max(-(facts.low ?? 0), facts.high ?? 0) > Number.MAX_SAFE_INTEGER
  if (kind !== undefined) return wide ? 'categorical' : kind
  throw new CommandError(
    3,
    `Column "${name}" is of type ${type}, which is no number, text, date or truth value. Leave it out with --except, or take it apart with --sql.`,
  )
}

/** Texts that often stand for a missing number. */
const MISSING_WORDS = [
  'NA',
  'N/A',
  'n/a',
  'na',
  'NaN',
  'nan',
  'null',
  'NULL',
  'None',
  '?',
  '.',
  '-',
  'missing',
]

function notesOn({ categories, duckType, kind, name }: ReadColumn, facts: Facts, rowCount: number): string[] {
  if (facts.present === 0) return [`Column "${name}" has no value in any row.`]
  const id = `looks like an id: leave it out with --except, or hold its rows out together with --group-by.`
  if (kind === 'numeric') {
    const { distinct, high, low } = facts
    if (low === null || high === null || distinct === null) return []
    if (low === high && facts.present === rowCount) return [constantNote(name)]
    const counts = high - low + 1 === rowCount && distinct > 0.9 * rowCount && rowCount > 10
    return counts ? [`Column "${name}" counts the rows, so it ${id}`] : []
  }
  if (categories === undefined) return []
  if (categories.length === 1 && facts.present === rowCount) return [constantNote(name)]
  if (categories.length === facts.present && rowCount > 10)
    return [`Column "${name}" has another value in every row, so it ${id}`]
  if (!isText(duckType)) return []
  const words = categories.filter(category => MISSING_WORDS.includes(category.trim()))
  const numbers = categories.length > words.length + 1 && categories.every(isNumberOr(words))
  return words.length > 0 && numbers
    ? [
        `Column "${name}" is text because of ${words.map(word => `"${word}"`).join(', ')}: pass ${words.map(word => `--missing '${word}'`).join(' ')} to have numbers.`,
      ]
    : []
}

const constantNote = (name: string): string => `Column "${name}" is the same in every row.`

const isNumberOr =
  (words: readonly string[]) =>
  (text: string): boolean =>
    words.includes(text) || (text.trim() !== '' && Number.isFinite(Number(text)))
