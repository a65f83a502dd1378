// openData: a file, several, stdin, a table of a database or a query, as a source of typed chunks that can be read again
// and again, always the same rows in the same order.

import type { TableSource } from '@featureboost/core'
import { didYouMean, type Encoding } from '@featureboost/core/internal'
import { CommandError } from '../errors.ts'
import { DEFAULT_LIMITS, type Limits, manyCategories } from './bounds.ts'
import { asBadData, Database, inWords } from './database.ts'
import { checkDateFormat, readDateFormat } from './dateFormat.ts'
import { findInput, type Input } from './input.ts'
import {
  type DataColumn,
  isFloating,
  isText,
  isWide,
  type Kind,
  kindOf,
  type TimeKind,
  textSql,
  timeOf,
} from './kinds.ts'
import { csvTextSql, describe, type LoadOptions, loadTable, TABLE } from './load.ts'
import { notesOn } from './notes.ts'
import { refuseRagged } from './ragged.ts'
import { type ReadColumn, readChunks } from './read.ts'
import { sameRowSql } from './sameRows.ts'
import { notesOnSkipped } from './skipped.ts'
import { quoteName } from './sql.ts'
import { refuseChanged } from './stamps.ts'
import { type Facts, type NamedType, surveyColumns } from './survey.ts'
import { writtenNumbersIn } from './written.ts'

export type { DataColumn, Kind } from './kinds.ts'

export interface OpenOptions extends Omit<LoadOptions, 'limits'> {
  /** How text files are encoded. Default: as UTF-8. */
  readonly encoding?: Encoding
  /** Columns whose numbers are names: text stays as it is, unless all of it is numbers. */
  readonly categorical?: readonly string[]
  /** Rows without a value in this column are left out. */
  readonly complete?: string
  /** Columns to read, in this order; default: all. Columns that are not read may hold anything. */
  readonly only?: readonly string[]
  /** Columns to read besides those of `only`, where they are there. */
  readonly ifThere?: readonly string[]
  /** Columns not to read. */
  readonly except?: readonly string[]
  readonly limits?: Partial<Limits>
  /** What DuckDB may take for the rows, "500MB"; beyond it they are in a temporary file. Default: four fifths of the machine's. */
  readonly memory?: string
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
  /** Rows that were left out, because they have no label. */
  readonly leftOut: number
  readonly source: TableSource
  /** What a person may want to know of the columns: ids, constants, numbers that are text. */
  readonly notes: readonly string[]
  /** For the writer. */
  readonly database: Database
  readonly input: Input | undefined
  /** Files that a query names which has no input. */
  readonly queried: readonly string[]
  /** The files' own cells as text; undefined where the rows are not those of CSV files. */
  readonly textSql: string | undefined
  /** Ends a query over rows `r` of that text, rows `t` of the table and scores `s` where `r` is not `t`. */
  readonly sameRowSql: string
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
  const database = await Database.open(options.memory)
  const interrupt = () => database.interrupt()
  options.signal?.addEventListener('abort', interrupt, { once: true })
  const close = async () => {
    options.signal?.removeEventListener('abort', interrupt)
    await database.close()
  }
  try {
    const input = paths.length === 0 ? undefined : await findInput(database, paths, limits, options.encoding)
    const { categorical = [], complete, text = [] } = options
    const queried = await loadTable(database, input, { ...options, text: [...text, ...categorical], limits })
    if (input !== undefined) refuseChanged(input.stamps)
    const all = await describe(database, `from ${quoteName(TABLE)}`)
    const names = all.map(({ name }) => name)
    refuseNames(names)
    const isCsv = input?.format === 'csv' && options.sql === undefined
    if (isCsv && all.length === 1) await refuseRagged(input)
    const chosen = chooseColumns(all, options)
    const name = input?.name ?? 'the query'
    const rowCount = await countRows(database)
    if (isCsv && rowCount === 0) await refuseRagged(input)
    if (rowCount === 0) throw new CommandError(3, `${name} has no rows.`, { code: 'FB_NO_ROWS' })
    const leftOut = complete === undefined ? 0 : await leaveOut(database, all, complete, rowCount)
    const facts = await surveyColumns(database, chosen, limits, categorical)
    const dates = isCsv ? await readDateFormat(database, input, chosen, { ...options, limits }) : undefined
    const skipped = isCsv ? await notesOnSkipped(database, input, names, limits) : []
    const columns: ReadColumn[] = []
    for (const [index, column] of chosen.entries()) {
      const planned = await planColumn(database, index, column, facts[index], { ...options, limits })
      const isDate = planned.time === 'date' && dates?.format !== undefined
      columns.push(isDate ? { ...planned, format: dates.format } : planned)
    }
    if (input !== undefined) refuseChanged(input.stamps)
    const written = columns.flatMap(column => writtenNumbersIn(column, options, isCsv))
    return {
      columns: columns.map(({ duckType, format, kind, name, time }) => ({
        // Numbers that are names are categories for whoever asks what there is.
        ...{ name, kind: categorical.includes(name) && kind === 'numeric' ? 'categorical' : kind, duckType },
        ...(time !== undefined && { time }),
        ...(format !== undefined && { format }),
      })),
      names,
      rowCount: rowCount - leftOut,
      leftOut,
      source: { chunks: () => readChunks(database, TABLE, columns, options.chunkRows ?? CHUNK_ROWS) },
      notes: [
        ...skipped,
        ...(dates?.notes ?? []),
        ...written,
        ...columns.flatMap((column, index) => notesOn(column, facts[index], rowCount - leftOut)),
      ],
      database,
      input,
      queried,
      textSql: isCsv ? csvTextSql(input, limits) : undefined,
      sameRowSql: sameRowSql(columns, options),
      close,
    }
  } catch (error) {
    await close()
    if (options.signal?.aborted) throw new CommandError(130, 'Interrupted while the data was read.')
    throw asBadData(error, 'The data could not be read')
  }
}

function chooseColumns(
  all: readonly NamedType[],
  { categorical = [], complete, except, ifThere = [], only }: OpenOptions,
): readonly NamedType[] {
  const names = all.map(({ name }) => name)
  const named = [
    ...(only ?? []),
    ...(except ?? []),
    ...categorical,
    ...(complete === undefined ? [] : [complete]),
  ]
  for (const name of named) {
    if (!names.includes(name))
      throw new CommandError(3, `The data has no column "${name}". ${didYouMean(name, names)}`, {
        code: 'FB_COLUMN_UNKNOWN',
      })
  }
  const more = ifThere.filter(name => names.includes(name) && !only?.includes(name))
  const wanted = only === undefined ? all : [...only, ...more].map(name => all[names.indexOf(name)])
  return wanted.filter(({ name }) => !except?.includes(name))
}

/** No statement can hold such a name, so the column could not be asked for. */
function refuseNames(names: readonly string[]): void {
  const name = names.find(each => each.includes('\0'))
  if (name !== undefined)
    throw new CommandError(
      3,
      `The name of a column, ${JSON.stringify(name)}, holds a zero byte. Is the file damaged, or in another encoding?`,
      { code: 'FB_COLUMN_NAME' },
    )
}

/** Takes rows without this value out of the loaded table, and says how many. */
async function leaveOut(
  database: Database,
  all: readonly NamedType[],
  name: string,
  rowCount: number,
): Promise<number> {
  const { type } = all.find(column => column.name === name)!
  const column = quoteName(name)
  const missing = `${column} is null${isFloating(type) ? ` or isnan(${column})` : ''}`
  const [count] = await database.queryColumn(
    `select count(*)::DOUBLE from ${quoteName(TABLE)} where ${missing}`,
  )
  if (count === rowCount)
    throw new CommandError(3, `Column "${name}" has no value in any row.`, { code: 'FB_MISSING_VALUE' })
  if (count !== 0) await database.run(`delete from ${quoteName(TABLE)} where ${missing}`)
  return count as number
}

async function countRows(database: Database): Promise<number> {
  const [count] = await database.queryColumn(`select count(*)::DOUBLE from ${quoteName(TABLE)}`)
  return count as number
}

/** Kind, and for categories their sorted dictionary, which DuckDB keeps as an ENUM. */
async function planColumn(
  database: Database,
  index: number,
  { name, type }: NamedType,
  facts: Facts,
  options: OpenOptions & { readonly limits: Limits },
): Promise<ReadColumn> {
  const kind = chooseKind(name, type, facts, options)
  const time = kind === 'numeric' && facts.present > 0 ? (timeOf(type) ?? timeOfText(facts, type)) : undefined
  const column: DataColumn = { name, kind, duckType: type, ...(time !== undefined && { time }) }
  if (facts.present === 0) return { ...column, isEmpty: true }
  if (kind !== 'categorical') return column
  const code = quoteName(`featureboost codes ${index}`)
  const value = textSql(column)
  const categories = await inWords(`Column "${name}" could not be read`, async () => {
    if (await isBeyond(database, value, facts, options.limits)) throw manyCategories(name, options.limits)
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

/** How far off a count is that is only about right. */
const COUNT_ERROR = 1.2

/** Are there more different texts than are read? They are counted only where that may be. */
async function isBeyond(
  database: Database,
  value: string,
  { distinct, present }: Facts,
  { categories }: Limits,
): Promise<boolean> {
  if (present <= categories || (distinct ?? present) * COUNT_ERROR <= categories) return false
  const [count] = await database.queryColumn(
    `select count(distinct ${value})::DOUBLE from ${quoteName(TABLE)}`,
  )
  return (count as number) > categories
}

function timeOfText({ clocks, moments, present }: Facts, type: string): TimeKind | undefined {
  if (!isText(type)) return undefined
  if (clocks === present) return 'time'
  return moments === present ? 'timestamp' : undefined
}

function chooseKind(
  name: string,
  type: string,
  facts: Facts,
  { categorical = [], text = [] }: OpenOptions,
): Kind {
  if (text.includes(name)) return 'categorical'
  // Whatever type a file gives to nothing: a column without a value is the same column in all of them.
  if (facts.present === 0) return 'numeric'
  if (isText(type)) {
    if (facts.moments === facts.present || facts.clocks === facts.present) return 'numeric'
    if (facts.truths === facts.present) return 'boolean'
    // As from a file with types: the library makes categories of numbers, the same from everywhere.
    if (categorical.includes(name) && facts.plain === facts.present) return 'numeric'
  }
  const kind = kindOf(type)
  const wide = isWide(type) && Math.max(-(facts.low ?? 0), facts.high ?? 0) > Number.MAX_SAFE_INTEGER
  if (kind !== undefined) return wide ? 'categorical' : kind
  throw new CommandError(
    3,
    `Column "${name}" is of type ${type}, which is no number, text, date or truth value. Leave it out with --except, or take it apart with --sql.`,
    { code: 'FB_COLUMN_KIND' },
  )
}
