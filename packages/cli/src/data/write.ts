// Scored rows to a file: every column as it came, in row order, and the new one last. The file is there whole or not at all.

import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { DOUBLE, DuckDBDataChunk } from '@duckdb/node-api'
import duckdb from '@duckdb/node-bindings'
import { FeatureBoostError } from '@featureboost/core'
import { formatCount } from '@featureboost/core/internal'
import { CommandError, unwritten } from '../errors.ts'
import { replaceFile } from '../files.ts'
import { checkOutput } from '../outputs.ts'
import { asBadData, type Database, reasonOf } from './database.ts'
import { isText } from './kinds.ts'
import { describe, TABLE } from './load.ts'
import type { OpenedData } from './open.ts'
import { isOtherRow } from './sameRows.ts'
import { quoteName, quoteText } from './sql.ts'
import { refuseChanged } from './stamps.ts'

interface WordColumn {
  readonly column: string
  readonly names: readonly string[]
  /** Ascending, one less than names. */
  readonly from: readonly number[]
}

export interface WriteOptions {
  /** A path that ends in .parquet, .csv, .tsv or .csv.gz; - is CSV on stdout. */
  readonly out: string
  /** The name of the new column. */
  readonly column: string
  /** Columns of words that follow from the score: the name at place i + 1 from the number at place i on. */
  readonly more?: readonly WordColumn[]
  /** Puts an apostrophe before text that a spreadsheet would run as a formula. CSV only. */
  readonly neutralise?: boolean
  readonly overwrite?: boolean
  readonly signal?: AbortSignal
}

const SCORES = 'featureboost scores'
/** The most rows of a DuckDB vector. */
const VECTOR_ROWS = 2048

type OutFormat = { readonly kind: 'csv' | 'parquet'; readonly sql: string }

/** Throws where the writing would fail for what is asked: before the work, not after it. */
export function checkWrite({ names }: Pick<OpenedData, 'names'>, options: WriteOptions): void {
  const { column, more = [], neutralise, out } = options
  const { kind } = outFormat(out)
  if (kind === 'parquet' && neutralise)
    throw new CommandError(2, 'Formulas are neutralised in CSV only: no spreadsheet runs cells of Parquet.')
  const taken = new Set(names.map(name => name.toLowerCase()))
  if (taken.has(column.toLowerCase()))
    throw new CommandError(2, `The data has a column "${column}" already. Choose another name with --as.`)
  taken.add(column.toLowerCase())
  for (const each of more) {
    if (taken.has(each.column.toLowerCase()))
      throw new CommandError(
        2,
        `There is a column "${each.column}" already, which is to hold actions. Give the losses names of their own, or choose another name with --as.`,
      )
    taken.add(each.column.toLowerCase())
  }
  if (out !== '-') checkOutput(out, '--out', options.overwrite ?? false)
}

/** `scores` has one number for each row, in row order, in pieces of any length. */
export async function writeScored(
  data: OpenedData,
  scores: AsyncIterable<Float64Array>,
  options: WriteOptions,
): Promise<void> {
  checkWrite(data, options)
  const { database } = data
  const count = await appendScores(database, scores)
  if (count !== data.rowCount)
    throw new Error(`${formatCount(count)} scores for ${formatCount(data.rowCount)} rows`)
  const format = outFormat(options.out)
  const copy = async (path: string) => {
    await copyRows(data, format, path, options)
    options.signal?.throwIfAborted()
  }
  const { overwrite = false } = options
  if (options.out !== '-') return await replaceFile(options.out, copy, { overwrite })
  const spool = join(database.folder, 'out')
  await copy(spool)
  await pipeline(createReadStream(spool), process.stdout, { end: false }).catch(error => {
    // Who reads has had enough: not a failure.
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw unwritten(error)
  })
}

function outFormat(out: string): OutFormat {
  const csv = (more = ''): OutFormat => ({
    kind: 'csv',
    sql: `format csv, header true${more}`,
  })
  if (out === '-' || /\.csv$/i.test(out)) return csv()
  if (/\.csv\.gz$/i.test(out)) return csv(', compression gzip')
  if (/\.(tsv|tab)$/i.test(out)) return csv(", delimiter '\t'")
  if (/\.(parquet|pq)$/i.test(out)) return { kind: 'parquet', sql: 'format parquet, compression zstd' }
  throw new CommandError(
    2,
    `--out ${out}: its name says no format. Expected .parquet, .csv, .tsv, .csv.gz, or - for CSV on stdout.`,
  )
}

async function appendScores(database: Database, scores: AsyncIterable<Float64Array>): Promise<number> {
  await database.run(`create or replace table ${quoteName(SCORES)} (score DOUBLE)`)
  const connection = await database.connect()
  try {
    const appender = await connection.createAppender(SCORES)
    let count = 0
    for await (const piece of scores) {
      for (let from = 0; from < piece.length; from += VECTOR_ROWS) {
        const values = piece.slice(from, from + VECTOR_ROWS)
        const chunk = DuckDBDataChunk.create([DOUBLE], values.length)
        const vector = duckdb.data_chunk_get_vector(chunk.chunk, 0)
        duckdb.copy_data_to_vector(vector, 0, values.buffer as ArrayBuffer, 0, values.byteLength)
        appender.appendDataChunk(chunk)
      }
      count += piece.length
    }
    appender.closeSync()
    return count
  } finally {
    connection.closeSync()
  }
}

/**
 * From CSV to CSV, cells stay as they were written (1.50 does not become 1.5), if the files can be read as text the same
 * way. A positional join pairs rows by their place and reads all sides in order.
 */
async function copyRows(
  data: OpenedData,
  format: OutFormat,
  path: string,
  options: WriteOptions,
): Promise<void> {
  const { database, textSql } = data
  if (format.kind === 'csv' && textSql !== undefined) {
    const isWritten =
      (await hasSameRows(data, textSql)) && (await copyText(data, textSql, format, path, options))
    // Ending the look at the text is one way to come here.
    options.signal?.throwIfAborted()
    refuseChanged(data.input?.stamps ?? [])
    if (isWritten) return
  }
  await copyFrom(database, quoteName(TABLE), format, path, options)
}

/** False where the text is not that of the rows, although no file was changed: it is read in another way. */
async function copyText(
  { database, input, sameRowSql }: OpenedData,
  textSql: string,
  format: OutFormat,
  path: string,
  options: WriteOptions,
): Promise<boolean> {
  try {
    await copyFrom(database, textSql, format, path, options, sameRowSql)
    return true
  } catch (error) {
    refuseChanged(input?.stamps ?? [])
    if (isOtherRow(error)) return false
    throw error
  }
}

async function hasSameRows({ database, names, rowCount }: OpenedData, textSql: string): Promise<boolean> {
  try {
    const columns = await describe(database, `from ${textSql}`)
    if (columns.length !== names.length || columns.some(({ name }, index) => name !== names[index]))
      return false
    return (await database.queryColumn(`select count(*)::DOUBLE from ${textSql}`))[0] === rowCount
  } catch (error) {
    // A drive that fails is no other way of reading.
    if (/^IO Error/.test((error as Error).message))
      throw asBadData(error, 'The cells could not be read again')
    return false
  }
}

async function copyFrom(
  database: Database,
  rows: string,
  format: OutFormat,
  path: string,
  { column, more = [], neutralise = false, out }: WriteOptions,
  condition?: string,
): Promise<void> {
  const columns = await describe(database, `from ${rows}`)
  const header = (name: string) => quoteName(neutralise && FORMULA.test(name) ? `'${name}` : name)
  const selected = columns.map(({ name, type }) => {
    const cell = `r.${quoteName(name)}`
    return `${neutralise && isText(type) ? neutralSql(cell) : cell} as ${header(name)}`
  })
  const words = more.map(each => `, ${wordSql(each, neutralise)} as ${header(each.column)}`).join('')
  const scored = `${rows} r positional join ${quoteName(SCORES)} s`
  const joined =
    condition === undefined ? scored : `${scored} positional join ${quoteName(TABLE)} t where ${condition}`
  const query = `select ${selected.join(', ')}, s.score as ${header(column)}${words} from ${joined}`
  try {
    await database.run(`copy (${query}) to ${quoteText(path)} (${format.sql}, use_tmp_file false)`)
  } catch (error) {
    if (isOtherRow(error)) throw error
    throw new FeatureBoostError('FB_FILE_WRITE', `could not be written: ${reasonOf(error)}`, { path: out })
  }
}

/** Numbers are quoted: a plain one would be a decimal, with fewer digits. */
function wordSql({ from, names }: WordColumn, neutralise: boolean): string {
  const word = (name: string) => quoteText(neutralise && FORMULA.test(name) ? `'${name}` : name)
  const cases = from.map(
    (least, index) => `when s.score >= '${least}'::DOUBLE then ${word(names[index + 1])}`,
  )
  return `case ${cases.reverse().join(' ')} else ${word(names[0])} end`
}

/** What spreadsheets take for a formula: text that begins so and is no number. */
const FORMULA = /^[=+\-@\t\r\n]/

const neutralSql = (cell: string): string =>
  `case when regexp_matches(${cell}::VARCHAR, '^[=+\\-@\\t\\r\\n]') and try_cast(${cell}::VARCHAR as DOUBLE) is null then '''' || ${cell} else ${cell}::VARCHAR end`
