// How much is read of what can be read only once, a pipe or stdin, and of what was packed: bytes are let through until they are too many.

import { statfs } from 'node:fs/promises'
import { Transform } from 'node:stream'
import { formatCount } from '@featureboost/core/internal'
import type { CommandError } from '../errors.ts'
import { beyond, type Limits, longestLine } from './bounds.ts'

/** Bytes that are kept of what can be read only once, at most: half of what is free there, and no more than this. */
const MOST_KEPT_BYTES = 2 ** 36

export async function mostKeptBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return Math.min(MOST_KEPT_BYTES, Math.floor((bavail * bsize) / 2))
}

const NEWLINE = 10

interface Bounds {
  /** For messages. */
  readonly name: string
  /** Bytes, at most. */
  readonly most: number
  /** What is said of a line without an end, by the first bytes; undefined where what follows need not be lines. */
  readonly endless?: (first: Buffer) => CommandError | undefined
  readonly limits: Limits
}

/** Lets bytes through until they are too many, or a line is too long. */
export function boundBytes({ endless, limits, most, name }: Bounds): Transform {
  let [count, line] = [0, 0]
  let refusal: CommandError | undefined
  return new Transform({
    transform(bytes: Buffer, _encoding, done) {
      if (count === 0) refusal = endless?.(bytes)
      count += bytes.length
      const last = bytes.lastIndexOf(NEWLINE)
      line = last < 0 ? line + bytes.length : bytes.length - 1 - last
      if (refusal !== undefined && line > longestLine(limits)) done(refusal)
      else if (count > most) done(manyBytes(name, most))
      else done(null, bytes)
    },
  })
}

const manyBytes = (name: string, most: number): CommandError =>
  beyond(
    `${name} has more than ${formatCount(most)} bytes, and no more are kept of a pipe or of what was packed. Write it to a file, unpacked, and name that; or set TMPDIR to a folder with more space.`,
  )
