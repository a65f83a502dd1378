// Checksums of a Parquet file's pages, where it has any: DuckDB does not look at them, and would read a damaged page as other numbers. A
// file without them costs one small read for each piece of a column; one with them is read once more, at the speed of the drive.

import { type FileHandle, open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { formatCount } from '@featureboost/core/internal'
import { CommandError } from '../errors.ts'
import { ThriftReader, type ThriftStruct, type ThriftValue } from './thrift.ts'

/** Throws FB_FILE_FORMAT where a page is not what its checksum says. What is no Parquet file is left to DuckDB, which says why. */
export async function checkPages(path: string): Promise<void> {
  const file = await open(path)
  try {
    const chunks = await readChunks(file)
    if (chunks === undefined || !(await hasChecksums(file, chunks))) return
    for (const chunk of chunks) await checkChunk(file, chunk, path)
  } finally {
    await file.close()
  }
}

/** A piece of a column: its pages, side by side. */
interface Chunk {
  readonly column: string
  readonly from: number
  readonly to: number
  readonly values: number
  readonly encodings: readonly ThriftValue[]
}

const END = Buffer.from('PAR1')

/** By the footer; undefined where it cannot be read. */
async function readChunks(file: FileHandle): Promise<Chunk[] | undefined> {
  const { size } = await file.stat()
  if (size < 12) return undefined
  const tail = await readAt(file, size - 8, 8)
  const length = tail.readUInt32LE(0)
  if (!tail.subarray(4).equals(END) || length > size - 12) return undefined
  try {
    const footer = new ThriftReader(await readAt(file, size - 8 - length, length)).struct()
    return structs(footer.get(4)).flatMap(group =>
      structs(group.get(1)).flatMap(column => chunkOf(column, size)),
    )
  } catch {
    return undefined
  }
}

/** None where the column lies in another file, or is encrypted. */
function chunkOf(column: ThriftStruct, size: number): Chunk[] {
  const data = column.get(3)
  if (column.has(1) || !(data instanceof Map)) return []
  const [first, dictionary, length] = [9, 11, 7].map(field => numberIn(data, field))
  const from = dictionary !== undefined && dictionary > 0 ? Math.min(dictionary, first!) : first!
  if (!(from >= 4 && from + length! <= size)) throw new RangeError('pages beyond the end')
  const path = (data.get(3) as Buffer[]).map(String).join('.')
  const encodings = data.get(2) as ThriftValue[]
  return [{ column: path, from, to: from + length!, values: numberIn(data, 5)!, encodings }]
}

interface Page {
  readonly type: number
  readonly crc: number | undefined
  /** Of data pages. */
  readonly values: number | undefined
  readonly encoding: ThriftValue | undefined
  /** Where its bytes lie. */
  readonly from: number
  readonly to: number
}

const [DATA, DATA_V2] = [0, 3]

/** Headers with statistics of long texts are longer than this, and read again. */
const HEADER_BYTES = 256
const MAX_HEADER_BYTES = 2 ** 24

async function readPage(file: FileHandle, from: number, to: number): Promise<Page | undefined> {
  for (let length = HEADER_BYTES; ; length *= 16) {
    const bytes = await readAt(file, from, Math.min(length, to - from))
    const reader = new ThriftReader(bytes)
    try {
      const header = reader.struct()
      const details = (header.get(5) ?? header.get(8)) as ThriftStruct | undefined
      const size = numberIn(header, 3)
      if (size === undefined || size < 0 || from + reader.at + size > to) return undefined
      return {
        type: numberIn(header, 1) ?? -1,
        crc: numberIn(header, 4),
        values: details && numberIn(details, 1),
        encoding: details?.get(header.has(5) ? 2 : 4),
        from: from + reader.at,
        to: from + reader.at + size,
      }
    } catch {
      if (length >= to - from || length >= MAX_HEADER_BYTES) return undefined
    }
  }
}

/** Has any piece a first page with one? */
async function hasChecksums(file: FileHandle, chunks: readonly Chunk[]): Promise<boolean> {
  for (const { from, to } of chunks) {
    if (from < to && (await readPage(file, from, to))?.crc !== undefined) return true
  }
  return false
}

/** Every page of a piece, and that they are all of it. */
async function checkChunk(file: FileHandle, chunk: Chunk, path: string): Promise<void> {
  const { column, encodings, from, to } = chunk
  let [values, at, number, isSummed] = [0, from, 0, false]
  while (at < to) {
    number++
    const page = await readPage(file, at, to)
    if (page === undefined) throw damaged(path, column, number, 'has a header that cannot be read')
    const isData = page.type === DATA || page.type === DATA_V2
    isSummed = number === 1 ? page.crc !== undefined : isSummed || page.crc !== undefined
    if (page.crc === undefined && isSummed && isData)
      throw damaged(path, column, number, 'has no checksum, and those before it have one')
    if (page.crc !== undefined && (await checksumOf(file, page.from, page.to)) !== page.crc >>> 0)
      throw damaged(path, column, number, 'does not match its checksum')
    if (isData && !encodings.includes(page.encoding!))
      throw damaged(path, column, number, 'is encoded as the file does not say')
    if (isData) values += page.values ?? 0
    at = page.to
  }
  if (isSummed && values !== chunk.values)
    throw damaged(
      path,
      column,
      number,
      `ends a piece of ${formatCount(chunk.values)} values with ${formatCount(values)} of them`,
    )
}

const BLOCK = 2 ** 22

async function checksumOf(file: FileHandle, from: number, to: number): Promise<number> {
  let sum = 0
  for (let at = from; at < to; at += BLOCK) sum = crc32(await readAt(file, at, Math.min(BLOCK, to - at)), sum)
  return sum >>> 0
}

async function readAt(file: FileHandle, from: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, from)
  return buffer.subarray(0, bytesRead)
}

const structs = (value: ThriftValue | undefined): ThriftStruct[] => value as unknown as ThriftStruct[]

const numberIn = (struct: ThriftStruct, field: number): number | undefined => {
  const value = struct.get(field)
  return typeof value === 'number' ? value : undefined
}

const damaged = (path: string, column: string, page: number, what: string): CommandError =>
  new CommandError(
    3,
    `${path} is damaged: page ${formatCount(page)} of a piece of column "${column}" ${what}. Copy or download it again.`,
    { code: 'FB_FILE_FORMAT' },
  )
