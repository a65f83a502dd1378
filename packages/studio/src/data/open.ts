// A file that was dropped or chosen, as a table: unpacked where it is packed, read by its format.

import type { Table } from '@featureboost/core'
import {
  asCategories,
  type Encoding,
  findForeign,
  formatCount,
  isUtf16,
  textsAsCategories,
} from '@featureboost/core/internal'
import { appendColumn } from './csv/append.ts'
import { readCsv } from './csv/read.ts'
import { toUtf8 } from './encoding.ts'
import { readJson } from './json.ts'
import type { LoadedTable, TellRows } from './loaded.ts'
import { readParquet } from './parquet.ts'
import { DataProblem } from './problem.ts'

export type Format = 'csv' | 'parquet' | 'json'

/** How a file is written, where that has to be said. */
export interface FileWords {
  /** Texts of a CSV that mean "missing", besides the empty one. */
  readonly missing?: readonly string[]
  /** The decimal mark of a CSV, where it is no point. */
  readonly decimal?: ','
  /** Of text, where it is not utf-8. */
  readonly encoding?: Exclude<Encoding, 'utf-8'>
}

interface OpenFileOptions extends FileWords {
  /** Columns whose numbers are names. */
  readonly categorical?: readonly string[]
  /** Columns of a CSV that are text whatever they look like. */
  readonly text?: readonly string[]
  readonly tell?: TellRows
}

/** What a page can hold at once. */
const LARGEST_BYTES = 2_000_000_000

export async function openFile(
  name: string,
  blob: Blob,
  options: OpenFileOptions = {},
): Promise<LoadedTable & { readonly format: Format }> {
  if (blob.size === 0) throw new DataProblem('The file is empty.')
  refuseOther(name)
  const packed = await unpack(blob)
  refuseForeign(packed)
  const bytes = decode(name, packed, options.encoding)
  const format = formatOf(name, bytes)
  const loaded = withCategories(await read(format, name, bytes, options), options.categorical)
  if (loaded.table.columns.length === 0) throw new DataProblem('No column of the file can be read.')
  return { ...loaded, format }
}

const withCategories = (loaded: LoadedTable, categorical: readonly string[] = []): LoadedTable => ({
  ...loaded,
  table: readCategories(loaded.table, categorical),
})

/** Numbers that are names become categories, and so does text that is such numbers. */
export const readCategories = (table: Table, categorical: readonly string[]): Table => ({
  ...table,
  columns: table.columns.map(column => {
    if (!categorical.includes(column.name)) return column
    return column.kind === 'categorical' ? textsAsCategories(column) : asCategories(column)
  }),
})

/** Bytes that tell whether it is text in UTF-16. */
const TELLING_BYTES = 4096

/** Text as UTF-8, whatever it was; a Parquet file is as it is. */
function decode(name: string, bytes: Uint8Array, encoding: Encoding = 'utf-8'): Uint8Array {
  if (formatOf(name, bytes) === 'parquet') {
    if (encoding === 'utf-8') return bytes
    throw new DataProblem('An encoding is for text files, and this is Parquet.', 'encoding')
  }
  if (encoding !== 'utf-16' && isUtf16(bytes.subarray(0, TELLING_BYTES)))
    throw new DataProblem('This is text in UTF-16. Say that it is encoded as utf-16.', 'encoding')
  if (encoding !== 'utf-16') refuseBinary(bytes)
  return toUtf8(bytes, encoding)
}

const DATABASE = 'Databases are read by the command line only: featureboost fit FILE --table NAME ...'

/** By the first bytes, whatever the name is. */
function refuseForeign(bytes: Uint8Array): void {
  if (bytes.length > 12 && String.fromCharCode(...bytes.subarray(8, 12)) === 'DUCK')
    throw new DataProblem(DATABASE)
  const found = findForeign(bytes)
  if (found !== undefined) throw new DataProblem(`This is ${found.what}. ${found.todo}`)
}

/** Text has hardly any bytes that are no signs; whatever else it is, it is no table. */
function refuseBinary(bytes: Uint8Array): void {
  const first = bytes.subarray(0, TELLING_BYTES)
  const strange = first.reduce((sum, byte) => sum + Number(byte < 9 || (byte > 13 && byte < 32)), 0)
  if (strange > 0.05 * first.length)
    throw new DataProblem('This is a binary file of a kind that is not read here. Save its table as CSV.')
}

async function read(
  format: Format,
  name: string,
  bytes: Uint8Array,
  { categorical = [], decimal, missing, tell, text = [] }: OpenFileOptions,
): Promise<LoadedTable> {
  if (format === 'parquet') return await readParquet(bytes, tell)
  if (format === 'json') return readJson(bytes, tell)
  return readCsv(bytes, {
    ...(missing !== undefined && { missing }),
    ...(decimal !== undefined && { decimal }),
    text: [...categorical, ...text],
    ...(tell !== undefined && { tell }),
    ...delimiterOf(name),
  })
}

/** By the name, where that says it. */
const delimiterOf = (name: string): { readonly delimiter?: string } =>
  /\.(tsv|tab)(\.gz)?$/i.test(name) ? { delimiter: '\t' } : {}

/** A CSV file with one more column; undefined where the file is none. */
export async function appendToFile(
  name: string,
  blob: Blob,
  column: string,
  values: ArrayLike<number>,
  { encoding }: FileWords = {},
): Promise<Blob | undefined> {
  const bytes = toUtf8(await unpack(blob), encoding ?? 'utf-8')
  if (formatOf(name, bytes) !== 'csv') return undefined
  return appendColumn(bytes, column, values, delimiterOf(name).delimiter)
}

/** Formats that the command line reads and a page does not. */
function refuseOther(name: string): void {
  if (/\.(duckdb|ddb)$/i.test(name)) throw new DataProblem(DATABASE)
  if (/\.zst$/i.test(name))
    throw new DataProblem('Pages cannot unpack .zst. Unpack it first, or pack it as .gz.')
  if (/\.(xlsx?|ods)$/i.test(name)) throw new DataProblem('Spreadsheets are not read. Save the sheet as CSV.')
}

async function unpack(blob: Blob): Promise<Uint8Array> {
  const head = new Uint8Array(await blob.slice(0, 2).arrayBuffer())
  if (head[0] !== 0x1f || head[1] !== 0x8b) {
    refuseLarge(blob.size)
    return new Uint8Array(await blob.arrayBuffer())
  }
  const parts: Uint8Array[] = []
  let size = 0
  try {
    const unpacked = blob
      .stream()
      .pipeThrough(new DecompressionStream('gzip')) as unknown as AsyncIterable<Uint8Array>
    for await (const part of unpacked) {
      size += part.length
      refuseLarge(size)
      parts.push(part)
    }
  } catch (error) {
    if (error instanceof DataProblem) throw error
    throw new DataProblem('The packed file is damaged or cut short. Copy or download it again.')
  }
  const bytes = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

function refuseLarge(size: number): void {
  if (size <= LARGEST_BYTES) return
  throw new DataProblem(
    `The file is larger than ${formatCount(LARGEST_BYTES)} bytes, which is too much for a page. The command line reads files of any size.`,
  )
}

/** By its name; by its first bytes where the name says nothing. */
function formatOf(name: string, bytes: Uint8Array): Format {
  if (/\.(csv|tsv|tab|txt)(\.gz)?$/i.test(name)) return 'csv'
  if (/\.(parquet|pq)$/i.test(name)) return 'parquet'
  if (/\.(json|ndjson|jsonl)(\.gz)?$/i.test(name)) return 'json'
  const text = new TextDecoder('latin1').decode(bytes.subarray(0, 64))
  if (text.startsWith('PAR1')) return 'parquet'
  return /^(\xef\xbb\xbf)?\s*(\{|\[\s*\{)/.test(text) ? 'json' : 'csv'
}
