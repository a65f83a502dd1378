// What DATA names: files of one format, a database, or stdin. Found and looked at before anything is read.

import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, open, readdir, rename, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { type Encoding, FOREIGN_BYTES, isUtf16, nearestName } from '@featureboost/core/internal'
import { CommandError } from '../errors.ts'
import { isDevice, unreadable } from '../files.ts'
import { boundBytes, mostKeptBytes } from './boundBytes.ts'
import { type Limits, longLine } from './bounds.ts'
import { type Database, inWords } from './database.ts'
import { decodeFile } from './encoding.ts'
import { refuseForeign } from './foreign.ts'
import { quoteText } from './sql.ts'
import { type FileStamp, refuseChanged, stampFile } from './stamps.ts'

export type Format = 'csv' | 'parquet' | 'json' | 'duckdb'

export interface Input {
  readonly format: Format
  readonly files: readonly string[]
  /** For messages. */
  readonly name: string
  /** The files as they were before anything was read. */
  readonly stamps: readonly FileStamp[]
}

const FORMATS: readonly (readonly [RegExp, Format])[] = [
  [/\.(csv|tsv|tab|txt)(\.gz|\.zst)?$/i, 'csv'],
  [/\.(parquet|pq)$/i, 'parquet'],
  [/\.(json|ndjson|jsonl)(\.gz|\.zst)?$/i, 'json'],
  [/\.(duckdb|ddb|db)$/i, 'duckdb'],
]

/** `given`: paths, patterns with *, ? and [] where no file has that name, or - for stdin. Text in another encoding is decoded. */
export async function findInput(
  database: Database,
  given: readonly string[],
  limits: Limits,
  encoding: Encoding = 'utf-8',
): Promise<Input> {
  const input = await nameInput(database, given, limits)
  const isText = input.format === 'csv' || input.format === 'json'
  for (const file of input.files) {
    const name = input.files.length === 1 ? input.name : file
    const bytes = await firstBytes(file)
    if (!isText || !/\.(gz|zst)$/i.test(file)) refuseForeign(name, bytes)
    if (isText && encoding !== 'utf-16' && isUtf16(bytes))
      throw new CommandError(3, `${name} is text in UTF-16. Say --encoding utf-16.`, {
        code: 'FB_FILE_FORMAT',
      })
  }
  if (encoding === 'utf-8') return input
  if (!isText)
    throw new CommandError(2, `--encoding is for text files, and ${input.name} is ${input.format}.`)
  const files: string[] = []
  for (const file of input.files) files.push(await decodeFile(file, encoding, database.folder, limits))
  refuseChanged(input.stamps)
  return { ...input, files, stamps: files.map(stampFile) }
}

async function nameInput(database: Database, given: readonly string[], limits: Limits): Promise<Input> {
  const isStdin = (path: string) => path === '-' || path === '/dev/stdin'
  if (given.some(isStdin)) {
    if (given.length > 1) throw new CommandError(2, 'stdin (-) cannot be read together with files.')
    const file = await spool(process.stdin, database.folder, 'stdin', limits)
    return { format: await formatOf(file), files: [file], name: 'stdin', stamps: [stampFile(file)] }
  }
  const files: string[] = []
  for (const path of given) files.push(...(await expand(database, path, limits)))
  const stamps = files.map(stampFile)
  const formats = await Promise.all(files.map(formatOf))
  const other = formats.findIndex(format => format !== formats[0])
  if (other >= 0) {
    throw new CommandError(
      3,
      `${files[0]} is ${formats[0]} and ${files[other]} is ${formats[other]}: files read together are of one format.`,
      { code: 'FB_FILE_FORMAT' },
    )
  }
  const name = files.length === 1 ? files[0] : `${files[0]} and ${files.length - 1} more`
  return { format: formats[0], files, name, stamps }
}

async function expand(database: Database, path: string, limits: Limits): Promise<string[]> {
  const found = await stat(path).catch(error => {
    // A pattern is no file; what is not there is told below.
    if (/[*?[]/.test(path) || ['ENOENT', 'ENOTDIR'].includes(error.code)) return undefined
    throw unreadable(path, error)
  })
  if (found?.isDirectory())
    throw new CommandError(3, `${path} is a folder. Name its files, such as '${join(path, '*.parquet')}'.`, {
      code: 'FB_FILE_FORMAT',
    })
  if (found?.isCharacterDevice() || found?.isBlockDevice()) throw isDevice(path)
  if (found !== undefined && !found.isFile()) {
    return [await spool(createReadStream(path), database.folder, basename(path), limits)]
  }
  if (found !== undefined) {
    if (found.size === 0) throw new CommandError(3, `${path} is empty.`, { code: 'FB_NO_ROWS' })
    return [path]
  }
  if (!/[*?[]/.test(path)) throw await missingFile(path)
  const files = await inWords(`${path} could not be searched`, () =>
    database.queryColumn(`select file from glob(${quoteText(path)}) order by file`),
  )
  if (files.length === 0) throw new CommandError(3, `${path}: no file matches.`, { code: 'FB_FILE_MISSING' })
  return files as string[]
}

async function missingFile(path: string): Promise<CommandError> {
  const folder = dirname(path)
  const names = await readdir(folder).catch(() => undefined)
  if (names === undefined)
    return new CommandError(3, `${path}: there is no such file, nor a folder ${folder}.`, {
      code: 'FB_FILE_MISSING',
    })
  const close = nearestName(basename(path), names)
  const hint = close === undefined ? '' : ` Did you mean ${folder === '.' ? close : join(folder, close)}?`
  return new CommandError(3, `${path}: there is no such file.${hint}`, { code: 'FB_FILE_MISSING' })
}

/** By its name; by its first bytes where the name says nothing. */
async function formatOf(path: string): Promise<Format> {
  const known = FORMATS.find(([pattern]) => pattern.test(path))
  return known === undefined ? sniffFormat(await firstBytes(path)) : known[1]
}

function sniffFormat(bytes: Buffer): Format {
  const text = bytes.toString('latin1')
  if (text.startsWith('PAR1')) return 'parquet'
  if (text.slice(8, 12) === 'DUCK') return 'duckdb'
  return /^(\xef\xbb\xbf)?\s*(\{|\[\s*\{)/.test(text) ? 'json' : 'csv'
}

async function firstBytes(path: string): Promise<Buffer> {
  const file = await open(path).catch(error => {
    throw unreadable(path, error)
  })
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(FOREIGN_BYTES), 0, FOREIGN_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

const GZIP = Buffer.from([0x1f, 0x8b])
const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

const isPacked = (bytes: Buffer): boolean =>
  [GZIP, ZSTD].some(mark => bytes.subarray(0, mark.length).equals(mark))

/** What can be read only once, stdin or a pipe, is kept in a file until the data is closed. */
async function spool(stream: Readable, folder: string, name: string, limits: Limits): Promise<string> {
  const kept = join(await mkdtemp(join(folder, 'spool-')), name)
  const endless = (first: Buffer) =>
    isPacked(first) || sniffFormat(first) !== 'csv' ? undefined : longLine(name, limits)
  const bound = async () => boundBytes({ name, most: await mostKeptBytes(folder), limits, endless })
  await inWords(`${name} could not be read`, async () =>
    pipeline(stream, await bound(), createWriteStream(kept)),
  )
  const bytes = await firstBytes(kept)
  if (bytes.length === 0) throw new CommandError(3, `${name} is empty.`, { code: 'FB_NO_ROWS' })
  if (bytes.subarray(0, 2).equals(GZIP)) {
    const plain = `${kept}.plain`
    await inWords(`${name} could not be unpacked`, async () =>
      pipeline(createReadStream(kept), createGunzip(), await bound(), createWriteStream(plain)),
    )
    await rename(plain, kept)
  }
  const named = `${kept}.${sniffFormat(await firstBytes(kept))}`
  await rename(kept, named)
  return named
}
