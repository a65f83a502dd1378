// Data that DuckDB cannot be given as they are: what would end the process, or never end, is refused before; what DuckDB says of values is told
// as what it is; and lines above the header are not passed over in silence.

import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { FeatureBoostError } from '@featureboost/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asBadData } from '../src/data/database.ts'
import { type OpenOptions, openData } from '../src/data/open.ts'
import { CommandError } from '../src/errors.ts'

let folder = ''
const put = (name: string, content: string | Buffer) => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'featureboost-damaged-'))
})

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

const refuses = (path: string, code: string, said: RegExp, options: OpenOptions = {}) =>
  expect(openData(path, options)).rejects.toMatchObject({ code, message: expect.stringMatching(said) })

async function opened(path: string) {
  const data = await openData(path)
  await data.close()
  return data
}

describe('JSON', () => {
  const deep = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}\n`

  it('that nests so deep that a parser would run out of stack is refused, packed or not', async () => {
    const said = /^FB_FILE_LIMIT: .*more than 100 deep/
    await refuses(put('deep.ndjson', deep(100_000)), 'FB_FILE_LIMIT', said)
    await refuses(put('deep.ndjson.gz', gzipSync(deep(100_000))), 'FB_FILE_LIMIT', said)
    await refuses(put('lists.json', '['.repeat(1_000_000)), 'FB_FILE_LIMIT', said)
    // Within the limit, it is no table, and that is said.
    await refuses(put('nested.ndjson', deep(99)), 'FB_COLUMN_KIND', /type STRUCT/)
  })

  it('is not mistaken for deep by brackets in its texts', async () => {
    const path = put('brackets.ndjson', `${JSON.stringify({ a: `${'['.repeat(500)}"\\` })}\n{"a":"x"}\n`)
    expect((await opened(path)).rowCount).toBe(2)
  })

  it('with a text that has no end is refused where that is seen', async () => {
    const path = put('text.ndjson', '{"a":"')
    truncateSync(path, 2 ** 25)
    await refuses(
      path,
      'FB_FILE_LIMIT',
      /a text of more than 16,777,216 bytes\. Is a quotation mark left open/,
    )
  })

  it('with more keys in one object than columns are read is refused before DuckDB sees it', async () => {
    const keys = (count: number) =>
      `{${Array.from({ length: count }, (_, index) => `"k${index}":1`).join()}}\n`
    await refuses(put('keys.ndjson', keys(2001)), 'FB_FILE_LIMIT', /an object of more than 2,000 values/)
    expect((await opened(put('most.ndjson', keys(2000)))).names).toHaveLength(2000)
  })
})

describe('lines above the header', () => {
  const noteOf = async (text: string) =>
    (await opened(put('above.csv', text))).notes.filter(note => note.includes('passed over'))

  it('are passed over, and that is said', async () => {
    const [note] = await noteOf('My table\na,b,c\n1,2,3\n4,5,6\n')
    expect(note).toMatch(/above\.csv: line 1 was passed over, .* Line 2 is taken for the header: a, b, c\./)
  })

  it('are told where a row is taken for the header, too', async () => {
    const [note] = await noteOf('a\n1,2\n3,4\n')
    expect(note).toMatch(/Line 2 is taken for the header: 1, 2\. If it is a row, give every column a name/)
  })

  it.each(['\n\na,b\n1,2\n', 'a,b\n1,2\n', '"a\nb",c\n1,2\n', 'a\n1\n2\n', '\ufeffa;b\n1;2\n'])(
    'are none where the table begins with the file, or after empty lines: %j',
    async text => {
      expect(await noteOf(text)).toEqual([])
    },
  )
})

describe('what DuckDB says of values', () => {
  it('is bad data, and what others say is not', () => {
    const told = asBadData(
      new Error('Conversion Error: Could not convert DATE'),
      'The rows could not be read',
    )
    expect(told).toBeInstanceOf(CommandError)
    expect(told).toMatchObject({ exitCode: 3, code: 'FB_FILE_FORMAT' })
    expect((told as Error).message).toBe(
      'FB_FILE_FORMAT: The rows could not be read: Conversion Error: Could not convert DATE.',
    )
    expect(asBadData(new Error('Out of Memory Error: no'), 'x')).toMatchObject({ code: 'FB_MEMORY' })
    const others = [new TypeError('x is undefined'), new Error('INTERRUPT Error: Interrupted!')]
    others.push(new FeatureBoostError('FB_NO_ROWS', 'none.'), new Error('3 scores for 4 rows'))
    for (const error of others) expect(asBadData(error, 'x')).toBe(error)
  })
})
