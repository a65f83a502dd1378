// A line of many megabytes in a text file, found by looking at little of it. DuckDB refuses such a line, too, but tries
// every dialect of CSV on it first: 8 seconds for one of 50 MB.

import { type FileHandle, open } from 'node:fs/promises'

/** Most lines end within so many bytes. */
const GLANCE = 65_536

/** Is there a stretch of `length` bytes, at a multiple of it, without the end of a line? Every line of twice that has one. */
export async function hasLongLine(path: string, length: number): Promise<boolean> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const buffer = Buffer.alloc(Math.min(length, size))
    for (let from = 0; from + length <= size; from += length) {
      if (!(await endsLine(file, buffer.subarray(0, GLANCE), from)) && !(await endsLine(file, buffer, from)))
        return true
    }
    return false
  } finally {
    await file.close()
  }
}

async function endsLine(file: FileHandle, into: Buffer, from: number): Promise<boolean> {
  const { bytesRead } = await file.read(into, 0, into.length, from)
  const bytes = into.subarray(0, bytesRead)
  return bytes.includes(10) || bytes.includes(13)
}
