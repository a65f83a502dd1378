// Is a .gz file whole? DuckDB reads a file that was cut short as far as it goes and says nothing, so rows would be lost in silence; and there
// are damaged ones that it never comes back from. So a file is unpacked once before DuckDB sees it, without keeping anything, which takes
// little next to reading it as a table.

import { createReadStream } from 'node:fs'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { CommandError } from '../errors.ts'

interface Unpacking {
  /** Beyond so many lines no more is unpacked: what is read of the file is whole. */
  readonly mostLines?: number
  /** What is said of a longer line; default: a line may have any length. */
  readonly longLine?: { readonly bytes: number; readonly refusal: CommandError }
}

/** Throws where one of these files is packed with gzip and is damaged or cut short. */
export async function checkPacked(files: readonly string[], unpacking: Unpacking = {}): Promise<void> {
  for (const file of files) if (/\.gz$/i.test(file)) await checkGzip(file, unpacking)
}

const ENOUGH = Symbol('enough')
const NEWLINE = 10

async function checkGzip(file: string, unpacking: Unpacking): Promise<void> {
  try {
    await pipeline(
      createReadStream(file, { highWaterMark: 2 ** 20 }),
      createGunzip({ chunkSize: 2 ** 18 }),
      lookOver(unpacking),
    )
  } catch (error) {
    if (error === ENOUGH) return
    if (error instanceof CommandError) throw error
    const { code, message } = error as NodeJS.ErrnoException
    const what =
      code === 'Z_BUF_ERROR'
        ? 'is cut short: the end of the packed data is missing'
        : `could not be unpacked: ${message}`
    throw new CommandError(3, `${file} ${what}. Copy or download it again.`, { code: 'FB_FILE_FORMAT' })
  }
}

/** Takes bytes and keeps none. */
function lookOver({ longLine, mostLines = Number.POSITIVE_INFINITY }: Unpacking): Writable {
  let [lines, length] = [0, 0]
  return new Writable({
    write: (bytes: Buffer, _encoding, done) => {
      const last = bytes.lastIndexOf(NEWLINE)
      length = last < 0 ? length + bytes.length : bytes.length - 1 - last
      if (longLine !== undefined && length > longLine.bytes) return done(longLine.refusal)
      if (mostLines < Number.POSITIVE_INFINITY) lines += countNewlines(bytes)
      done(lines > mostLines ? (ENOUGH as never) : null)
    },
  })
}

function countNewlines(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) count++
  return count
}
