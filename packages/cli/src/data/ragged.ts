// Why a CSV file came out as one column, or without rows: DuckDB looks for a dialect in which all lines have equally many
// fields, and where one line has more or fewer it ends up with something odd and says nothing of the line.

import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { formatCount } from '@featureboost/core/internal'
import { CommandError } from '../errors.ts'
import { commonestDelimiter, countFields } from './bounds.ts'
import type { Input } from './input.ts'

/** Lines looked at: as many as DuckDB guesses from. */
const LINES = 20_480

/** Throws with the line and the numbers where lines have other numbers of fields than the header; returns where all agree. */
export async function refuseRagged({ files, name }: Input): Promise<void> {
  for (const file of files) {
    if (!/\.(gz|zst)$/i.test(file)) await refuseRaggedFile(file, files.length === 1 ? name : file)
  }
}

async function refuseRaggedFile(file: string, name: string): Promise<void> {
  const stream = createReadStream(file, 'utf8')
  let delimiter: string | undefined
  let expected = 0
  let record = ''
  let [line, start] = [0, 1]
  for await (const text of createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })) {
    line++
    if (line > LINES) break
    record = record === '' ? text : `${record}\n${text}`
    // A quoted field goes on in the next line.
    if ((record.split('"').length - 1) % 2 === 1) continue
    if (record.trim() !== '') {
      delimiter ??= commonestDelimiter(record)
      const found = countFields(record, delimiter)
      if (expected === 0) expected = found
      else if (found !== expected) {
        stream.destroy()
        throw new CommandError(
          3,
          `${name}, line ${formatCount(start)}: ${fields(found)} where the header line has ${formatCount(expected)}. Mend the line; values that hold ${JSON.stringify(delimiter)} must stand in quotation marks.`,
          { code: 'FB_FILE_FORMAT' },
        )
      }
    }
    record = ''
    start = line + 1
  }
  stream.destroy()
}

const fields = (count: number): string => (count === 1 ? '1 field' : `${formatCount(count)} fields`)
