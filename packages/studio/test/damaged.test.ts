// Damaged files that were once read in two ways, or were not refused in words: each was found by the fuzzer (scripts/reliability/fuzz), and is
// kept as it was found. Now every one is refused, or read alike by the page and by the command line.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inFolder, readOrRefuse } from './alike.ts'

const at = (name = '') => new URL(`damaged/${name}`, import.meta.url)

/** What comes of them. The page refuses more: it says no where readers do not agree. */
const OUTCOMES: Readonly<Record<string, string>> = {
  // A year of six digits, which is one for DuckDB: the page is not sure, and leaves the column out.
  'far-year.csv': 'accepted by both',
  // One moment with a year of two digits: DuckDB reads it as one, the page is not sure of the column.
  'short-year.json': 'accepted by both',
  // Days since 1970 are whole numbers however many there are.
  'far-date.parquet': 'accepted by both',
  // Lines that DuckDB passes over; bytes that it takes for part of a cell or not.
  'header-lost.csv': 'command line only',
  'header-of-one.csv': 'command line only',
  'line-end-in-name.csv': 'command line only',
  'mark-within.csv': 'command line only',
  'space-before-mark.csv': 'command line only',
  'names-alike.ndjson': 'command line only',
  // The schema says one thing and the rows another.
  'renamed-piece.parquet': 'command line only',
  'other-type.parquet': 'command line only',
  // No statement of SQL can hold a zero byte.
  'zero-in-name.csv': 'page only (FB_COLUMN_NAME)',
  'zero-in-name.ndjson': 'page only (FB_COLUMN_NAME)',
  // DuckDB never came back from it.
  'never-ends.csv.gz': 'refused by both',
}

describe('a damaged file that a fuzzer found', () => {
  it.each(readdirSync(at()))('is read alike or refused: %s', async name => {
    const outcome = await inFolder(folder => readOrRefuse(name, readFileSync(at(name)), join(folder, name)))
    expect(outcome).toBe(OUTCOMES[name])
  })
})
