// Loading: an input becomes one table in DuckDB, under the names and in the order that it has.

import { FeatureBoostError } from '@featureboost/core'
import { OTHER_ENCODINGS } from '@featureboost/core/internal'
import { CommandError } from '../errors.ts'
import { temporaryFor } from '../files.ts'
import { ATTACHED, attach, chooseTable } from './attached.ts'
import {
  boundsRows,
  type Limits,
  longestLine,
  longestObject,
  longLine,
  lookAtFields,
  manyColumns,
  manyRows,
} from './bounds.ts'
import { type Database, inWords } from './database.ts'
import type { Input } from './input.ts'
import { checkJson } from './jsonShape.ts'
import { hasLongLine } from './longLine.ts'
import { checkPacked } from './packed.ts'
import { checkPages } from './pageChecksums.ts'
import { checkDefinitions, checkQuery, expandFiles } from './query.ts'
import { checkSameColumns } from './sameColumns.ts'
import { quoteFiles, quoteList, quoteName, quoteText } from './sql.ts'

/** The loaded table. */
export const TABLE = 'featureboost rows'
/** How a query names what DATA holds. */
const VIEW = 'data'

export interface LoadOptions {
  /** A table of a database file. */
  readonly table?: string
  /** A query; what DATA holds is the table "data", and tables of a database file have their own names. */
  readonly sql?: string
  /** Texts that mean "missing" in CSV, besides the empty one. */
  readonly missing?: readonly string[]
  /** Columns of a CSV that are text whatever they look like. */
  readonly text?: readonly string[]
  /** The decimal mark of a CSV. Default: a point. */
  readonly decimal?: ',' | '.'
  /** How dates of a CSV are written, "%m/%d/%Y". Default: whatever fits all of them. */
  readonly dateFormat?: string
  /** A file that rows will be written to. */
  readonly out?: string
  readonly limits: Limits
}

/** Creates the table TABLE from the input, or from a query that needs none. Gives the files that such a query names. */
export async function loadTable(
  database: Database,
  input: Input | undefined,
  options: LoadOptions,
): Promise<readonly string[]> {
  const { sql } = options
  if (input === undefined) {
    if (sql === undefined) throw new CommandError(2, 'No data: name a file, or - for stdin, or pass --sql.')
    const named = await checkQuery(database, sql)
    await createTable(database, sql, 'the query', options.limits)
    return await expandFiles(database, named)
  }
  if (input.format === 'duckdb') await attach(database, input)
  if (sql !== undefined) {
    const macros = input.format === 'duckdb' ? await checkDefinitions(database, input.name) : []
    await checkQuery(database, sql, macros)
  }
  // What is in the files decides nothing about which files are opened.
  const { out } = options
  await database.lock([...input.files, ...(out === undefined || out === '-' ? [] : [temporaryFor(out)])])
  if (input.format === 'duckdb') {
    await loadFromDatabase(database, input, options)
    return []
  }
  if (options.table !== undefined)
    throw new CommandError(
      2,
      `--table names a table of a database file, and ${input.name} is ${input.format}.`,
    )
  await loadFromFiles(database, input, options)
  return []
}

async function loadFromFiles(database: Database, input: Input, options: LoadOptions): Promise<void> {
  const { limits, sql } = options
  const load = async (scan: string) => {
    if (sql === undefined)
      return await createTable(database, `from ${boundRows(scan, limits)}`, input.name, limits)
    await database.run(`create or replace view ${quoteName(VIEW)} as from ${scan}`)
    await createTable(database, sql, 'the query', limits)
  }
  const what = `${input.name} could not be read as ${input.format}`
  await checkBefore(input, limits)
  if (input.format === 'parquet') for (const file of input.files) await checkPages(file)
  if (input.format !== 'json')
    await inWords(what, () => checkSameColumns(input.files, file => columnsOf(database, input, file, limits)))
  if (input.format !== 'csv') {
    return await inWords(what, () =>
      packedAfter(input, limits, () => load(scanSql(input, options))).catch(error => {
        throw /invalid UTF-8/i.test(String((error as Error).message)) ? notUtf8(input.name) : error
      }),
    )
  }
  for (const file of input.files) {
    const packed = /\.(gz|zst)$/i.test(file)
    if (!packed && (await hasLongLine(file, longestLine(limits)))) throw longLine(input.name, limits)
  }
  await refuseManyColumns(database, input, limits)
  await inWords(
    what,
    async () => {
      try {
        await packedAfter(input, limits, async () => load(await csvScan(database, input, options)))
      } catch (error) {
        // Types are guessed from the first rows; a later value may not fit. Then they are guessed from all rows.
        if (/Maximum line size/i.test(String((error as Error).message))) throw longLine(input.name, limits)
        if (/not utf-8 encoded/i.test(String((error as Error).message))) throw notUtf8(input.name)
        if (!/Conversion Error|could not convert/i.test(String((error as Error).message))) throw error
        await load(await csvScan(database, input, options, true))
      }
    },
    { hint: 'Is it a table with a header line and one row per line?' },
  )
}

/** What is packed is whole as far as it will be read; and neither too wide nor endless. */
async function checkBefore(input: Input, limits: Limits): Promise<void> {
  const isCsv = input.format === 'csv'
  if (isCsv) {
    for (const file of input.files) {
      const fields = await lookAtFields(file, limits)
      if (fields?.isSure && fields.count > limits.columns) throw manyColumns(input.name, fields.count, limits)
    }
  }
  if (input.format === 'json') await checkJson(input, limits)
  const bytes = longestLine(limits)
  await checkPacked(input.files, {
    // The header, and a line or two that end no row.
    ...(isCsv && boundsRows(limits) && { mostLines: limits.rows + LINES_MORE }),
    ...(isCsv && { longLine: { bytes, refusal: longLine(input.name, limits) } }),
  })
}

const LINES_MORE = 10

/**
 * Loads, then looks whether what was packed is whole, where that was not seen to the end before: too many rows are refused before all is
 * unpacked. Damage is a better reason than whatever it led to.
 */
async function packedAfter(input: Input, limits: Limits, load: () => Promise<void>): Promise<void> {
  const isSeen = !boundsRows(limits)
  try {
    await load()
  } catch (error) {
    if (!isSeen && !(error instanceof CommandError)) await checkPacked(input.files)
    throw error
  }
  if (!isSeen) await checkPacked(input.files)
}

/** Before types are looked for. Where a look at the header says so, DuckDB is asked how it would part it. */
async function refuseManyColumns(database: Database, { files, name }: Input, limits: Limits): Promise<void> {
  for (const file of files) {
    const fields = await lookAtFields(file, limits)
    if (fields !== undefined && fields.count <= limits.columns) continue
    if (fields?.isSure) throw manyColumns(name, fields.count, limits)
    // What cannot be read so is told when it is read as a table.
    const columns = await describe(database, headerSql(file, limits)).catch(() => [])
    if (columns.length > limits.columns) throw manyColumns(name, columns.length, limits)
  }
}

/** A CSV of which no more is looked at than tells its columns. */
const headerSql = (file: string, limits: Limits): string =>
  `from read_csv(${[quoteFiles([file]), 'all_varchar = true', 'sample_size = 20', ...csvOptions([file], limits)].join(', ')})`

/** Of one file. */
async function columnsOf(
  database: Database,
  { format }: Input,
  file: string,
  limits: Limits,
): Promise<string[]> {
  const scan = format === 'csv' ? headerSql(file, limits) : `from read_parquet(${quoteFiles([file])})`
  return (await describe(database, scan)).map(({ name }) => name)
}

const notUtf8 = (name: string): CommandError =>
  new CommandError(
    3,
    `${name} holds bytes that are no UTF-8. Say how it is encoded with --encoding: ${OTHER_ENCODINGS.join(', ')}.`,
    { code: 'FB_FILE_FORMAT' },
  )

function scanSql({ files, format }: Input, { limits }: LoadOptions): string {
  if (format === 'parquet') return `read_parquet(${quoteFiles(files)})`
  // Objects of many keys are rows, too, and no maps.
  return `read_json(${quoteFiles(files)}, maximum_object_size = ${longestObject(limits)}, map_inference_threshold = -1)`
}

/** The same rows of CSV files with every cell as the text that it is in the file. */
export const csvTextSql = ({ files }: Input, limits: Limits): string =>
  `read_csv(${[quoteFiles(files), 'all_varchar = true', ...csvOptions(files, limits)].join(', ')})`

const csvOptions = (files: readonly string[], limits: Limits): string[] => [
  'header = true',
  ...(files.every(file => /\.(tsv|tab)(\.gz|\.zst)?$/i.test(file)) ? ["delim = '\t'"] : []),
  `max_line_size = ${longestLine(limits)}`,
]

/** The header line is always there: columns are known by name. */
async function csvScan(
  database: Database,
  input: Input,
  { dateFormat, decimal, limits, missing = [], text = [] }: LoadOptions,
  allRows = false,
): Promise<string> {
  const { files } = input
  const options = [
    ...csvOptions(files, limits),
    `nullstr = ${quoteList(['', ...missing])}`,
    ...(dateFormat === undefined ? [] : [`dateformat = ${quoteText(dateFormat)}`]),
    ...(decimal === undefined ? [] : [`decimal_separator = ${quoteText(decimal)}`]),
    ...(allRows ? [`sample_size = ${boundsRows(limits) ? limits.rows + 1 : -1}`] : []),
  ]
  const scan = (more: string[]) => `read_csv(${[quoteFiles(files), ...options, ...more].join(', ')})`
  const columns = await describe(database, `from ${scan([])}`)
  const known = columns.filter(({ name }) => text.includes(name)).map(({ name }) => name)
  const flags = columns.filter(({ name, type }) => type === 'BOOLEAN' && !text.includes(name))
  const words = await wordColumns(
    database,
    flags.map(({ name }) => name),
    boundRows(csvTextSql(input, limits), limits),
    missing,
  )
  const types = [...known, ...words].map(name => `${quoteText(name)}: 'VARCHAR'`)
  return scan(types.length === 0 ? [] : [`types = {${types.join(', ')}}`])
}

/** So many rows, and one more where there are more. */
const boundRows = (scan: string, limits: Limits): string =>
  boundsRows(limits) ? `(from ${scan} limit ${limits.rows + 1})` : scan

/** Columns that DuckDB takes for truth values but that have words of their own, "Yes" and "No": text, as in every other file. */
async function wordColumns(
  database: Database,
  flags: readonly string[],
  textSql: string,
  missing: readonly string[],
): Promise<string[]> {
  if (flags.length === 0) return []
  const plain = quoteList(['true', 'false', '', ...missing.map(word => word.toLowerCase())])
  const parts = flags.map(
    (name, index) =>
      `count(*) filter (not list_contains(${plain}, lower(${quoteName(name)}))) as words_${index}`,
  )
  const [row] = await database.query(`select ${parts.join(', ')} from ${textSql}`)
  return flags.filter((_, index) => Number(row[`words_${index}`]) > 0)
}

async function loadFromDatabase(database: Database, { name }: Input, options: LoadOptions): Promise<void> {
  const { limits, sql, table } = options
  if (sql === undefined) {
    const source = await chooseTable(database, name, table)
    return await createTable(database, `from ${boundRows(source, limits)}`, name, limits)
  }
  await database.run(`use ${quoteName(ATTACHED)}`)
  try {
    await createTable(database, sql, 'the query', limits)
  } finally {
    await database.run('use memory')
  }
}

/** `query` must give rows; `what` is said in messages. Too many columns are refused before a row is read. */
async function createTable(database: Database, query: string, what: string, limits: Limits): Promise<void> {
  const run = async () => {
    const columns = await describe(database, query)
    if (columns.length > limits.columns) throw manyColumns(what, columns.length, limits)
    await database.run(`create or replace table memory.main.${quoteName(TABLE)} as ${query}`)
    const [count] = await database.queryColumn(`select count(*)::DOUBLE from memory.main.${quoteName(TABLE)}`)
    if ((count as number) > limits.rows) throw manyRows(what, limits)
  }
  if (what !== 'the query') return await run()
  await inWords(
    '--sql could not be run',
    () =>
      run().catch(error => {
        throw notNamed(error) ?? error
      }),
    { code: 'FB_SQL' },
  )
}

/** What DuckDB says of a file that is not open to it, in our words. */
function notNamed(error: Error): FeatureBoostError | undefined {
  const [, file] = /Permission Error: Cannot access \w+ "(.*)" - file system/s.exec(error.message) ?? []
  if (file === undefined) return undefined
  return new FeatureBoostError('FB_FILE_ACCESS', `--sql reads ${file}, which was not named as DATA.`, {
    expected: 'the table "data", or tables of the database',
    hint: 'Name the file as DATA; or name none there, and all of them in the query.',
  })
}

export async function describe(
  database: Database,
  query: string,
): Promise<{ readonly name: string; readonly type: string }[]> {
  const rows = await database.query(`describe ${query}`)
  return rows.map(row => ({ name: row.column_name as string, type: row.column_type as string }))
}
