// Text that is not UTF-8, decoded into a file of our own that is. Node does it, one file after the other: DuckDB has some of these
// encodings, too, but looks at types and lines before it decodes.

import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { TextDecoder } from 'node:util'
import { createGunzip } from 'node:zlib'
import { type Encoding, isBigEndian } from '@featureboost/core/internal'
import { CommandError } from '../errors.ts'
import { boundBytes, mostKeptBytes } from './boundBytes.ts'
import type { Limits } from './bounds.ts'

/** The path of the decoded file, in a folder below `folder`. */
export async function decodeFile(
  path: string,
  encoding: Encoding,
  folder: string,
  limits: Limits,
): Promise<string> {
  if (/\.zst$/i.test(path))
    throw new CommandError(
      3,
      `${path}: --encoding cannot unpack .zst. Unpack it first, or pack it with gzip.`,
      { code: 'FB_FILE_FORMAT' },
    )
  const packed = /\.gz$/i.test(path)
  const decoded = join(await mkdtemp(join(folder, 'decoded-')), basename(path).replace(/\.gz$/i, ''))
  const [from, to] = [createReadStream(path), createWriteStream(decoded)]
  try {
    const bound = boundBytes({ name: path, most: await mostKeptBytes(folder), limits })
    if (packed) await pipeline(from, createGunzip(), bound, decode(encoding), to)
    else await pipeline(from, bound, decode(encoding), to)
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw new CommandError(3, `${path} could not be read as ${encoding}: ${(error as Error).message}.`, {
      code: 'FB_FILE_FORMAT',
    })
  }
  return decoded
}

/** Bytes of one encoding to text; stray bytes are refused and never replaced. */
const decode = (encoding: Encoding) =>
  async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
    let decoder: TextDecoder | undefined
    for await (const bytes of chunks) {
      // The decoders of the web take latin-1 for windows-1252.
      if (encoding === 'latin-1') yield bytes.toString('latin1')
      else {
        decoder ??= decoderFor(encoding, bytes)
        yield decoder.decode(bytes, { stream: true })
      }
    }
    if (decoder !== undefined) yield decoder.decode()
  }

const decoderFor = (encoding: Encoding, bytes: Uint8Array): TextDecoder =>
  new TextDecoder(encoding === 'utf-16' && isBigEndian(bytes) ? 'utf-16be' : encoding, { fatal: true })
