// Limits that hold while data is read: what goes beyond one is refused when that is seen, not after all of it was read.

import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { formatCount, MOST_COLUMNS } from '@featureboost/core/internal'
import { CommandError } from '../errors.ts'

export interface Limits {
  readonly columns: number
  readonly cellBytes: number
  readonly rows: number
  /** Different texts in one column. */
  readonly categories: number
}

export const DEFAULT_LIMITS: Limits = {
  columns: MOST_COLUMNS,
  cellBytes: 1_000_000,
  rows: 1_000_000_000,
  categories: 1_000_000,
}

/** Is the number of rows one that somebody asked for? Then no more are read than tell that there are more. */
export const boundsRows = ({ rows }: Limits): boolean => rows < DEFAULT_LIMITS.rows

/** DuckDB's own limit, or more where cells may be larger. */
export const longestLine = ({ cellBytes }: Limits): number => Math.max(2_000_000, 2 * cellBytes)

/** Of one row of JSON. */
export const longestObject = ({ cellBytes }: Limits): number => Math.max(2 ** 24, 2 * cellBytes)

export const beyond = (message: string): CommandError =>
  new CommandError(3, message, { code: 'FB_FILE_LIMIT' })

export const longLine = (name: string, limits: Limits): CommandError =>
  beyond(
    `${name} has a line of more than ${formatCount(longestLine(limits))} bytes. Is a quotation mark left open? Raise --max-cell (now ${formatCount(limits.cellBytes)} bytes) if it is meant to be so long.`,
  )

export const manyRows = (name: string, { rows }: Limits): CommandError =>
  beyond(
    `${name} has more than ${formatCount(rows)} rows; at most ${formatCount(rows)} are read. Raise --max-rows.`,
  )

export const manyColumns = (name: string, count: number, { columns }: Limits): CommandError =>
  beyond(
    `${name} has ${formatCount(count)} columns; at most ${formatCount(columns)} are read. Leave some out with --sql, or raise --max-columns.`,
  )

export const manyCategories = (column: string, { categories }: Limits): CommandError =>
  beyond(
    `Column "${column}" has more than ${formatCount(categories)} different texts: it seems to hold names or ids, which make no groups. Leave it out with --except ${JSON.stringify(column)}, or raise --max-categories.`,
  )

const DELIMITERS = [',', ';', '\t', '|']

/** The delimiter that a header line has most of. */
export const commonestDelimiter = (header: string): string =>
  DELIMITERS.reduce((best, next) => (countFields(header, next) > countFields(header, best) ? next : best))

/** Delimiters outside quotation marks, and one more. */
export const countFields = (record: string, delimiter: string): number =>
  record
    .split('"')
    .reduce((sum, part, index) => sum + (index % 2 === 0 ? part.split(delimiter).length - 1 : 0), 1)

interface Fields {
  /** Of the first line, by its commonest delimiter. */
  readonly count: number
  /** Has the second line as many? Then there is no other way to part them. */
  readonly isSure: boolean
}

/**
 * How many fields a text file has, by a look at its first lines: DuckDB takes ten seconds to say so of 5,000 columns. Undefined where
 * it cannot be unpacked here.
 */
export async function lookAtFields(file: string, limits: Limits): Promise<Fields | undefined> {
  if (/\.zst$/i.test(file)) return undefined
  const lines = await firstLines(file, 2, 2 * longestLine(limits))
  if (lines === undefined) return undefined
  const [header = '', next = ''] = lines
  const delimiter = commonestDelimiter(header)
  const count = countFields(header, delimiter)
  return { count, isSure: countFields(next, delimiter) === count }
}

/** Fields of the first line that is not empty; undefined where it cannot be unpacked here. */
export async function countFieldsOfHeader(file: string, limits: Limits): Promise<number | undefined> {
  if (/\.zst$/i.test(file)) return undefined
  const lines = await firstLines(file, EMPTY_LINES, 2 * longestLine(limits))
  const header = lines?.find(line => line.trim() !== '')
  return header === undefined ? undefined : countFields(header, commonestDelimiter(header))
}

/** So many may stand above a header, at most. */
const EMPTY_LINES = 20

/** Of a text file, packed with gzip or not, as latin-1; undefined where it cannot be read or unpacked. */
export async function firstLines(
  file: string,
  wanted: number,
  mostBytes: number,
): Promise<string[] | undefined> {
  const stream = createReadStream(file)
  const plain = /\.gz$/i.test(file) ? stream.pipe(createGunzip()) : stream
  stream.on('error', error => plain.destroy(error))
  const texts: string[] = []
  let [length, ends] = [0, 0]
  try {
    for await (const bytes of plain) {
      const text = (bytes as Buffer).toString('latin1')
      texts.push(text)
      length += text.length
      ends += text.split('\n').length - 1
      if (ends >= wanted || length > mostBytes) break
    }
  } catch {
    // What is wrong with it is told when it is read as a table.
    return undefined
  } finally {
    stream.destroy()
  }
  return texts.join('').split(/\r?\n|\r/, wanted)
}
