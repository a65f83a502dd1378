// Is a .gz file whole? DuckDB reads a file that was cut short as far as it goes and says nothing, so rows would be lost in
// silence. Unpacking it once more, without keeping anything, takes little next to reading it as a table.

import { createReadStream } from 'node:fs'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { CommandError } from '../errors.ts'

/** Throws where one of these files is packed with gzip and is damaged or cut short. */
export async function checkPacked(files: readonly string[]): Promise<void> {
  for (const file of files) if (/\.gz$/i.test(file)) await checkGzip(file)
}

async function checkGzip(file: string): Promise<void> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  try {
    await pipeline(
      createReadStream(file, { highWaterMark: 2 ** 20 }),
      createGunzip({ chunkSize: 2 ** 18 }),
      nowhere,
    )
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const what =
      code === 'Z_BUF_ERROR'
        ? 'is cut short: the end of the packed data is missing'
        : `could not be unpacked: ${message}`
    throw new CommandError(3, `${file} ${what}. Copy or download it again.`, { code: 'FB_FILE_FORMAT' })
  }
}
