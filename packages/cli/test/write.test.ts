// writeScored: all columns as they came, in order, and the new one; the file is there whole or not at all.

import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Column } from '@featureboost/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type OpenOptions, openData } from '../src/data/open.ts'
import { stampFile } from '../src/data/stamps.ts'
import { type WriteOptions, writeScored } from '../src/data/write.ts'

let folder = ''
const at = (name: string) => join(folder, name)
const put = (name: string, content: string) => {
  writeFileSync(at(name), content)
  return at(name)
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'featureboost-write-'))
})

afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

/** Scores that are the row's number over 1000, in uneven pieces. */
async function* counting(rowCount: number): AsyncGenerator<Float64Array> {
  for (let from = 0; from < rowCount; from += 700) {
    yield Float64Array.from({ length: Math.min(700, rowCount - from) }, (_, row) => (from + row) / 1000)
  }
}

async function write(
  given: string,
  options: Partial<WriteOptions> & { out: string },
  open: OpenOptions = {},
) {
  const data = await openData(given, { ...open, out: options.out })
  try {
    await writeScored(data, counting(data.rowCount), { column: 'corrected', ...options })
  } finally {
    await data.close()
  }
}

describe('writeScored', () => {
  it('leaves the cells of a CSV as they were written', async () => {
    const path = put('in.csv', 'id,x,when,t\n007,1.50,01/02/2020,"a, ""b"""\n008,NA,,\n')
    await write(path, { out: at('out.csv') })
    expect(readFileSync(at('out.csv'), 'utf8')).toBe(
      'id,x,when,t,corrected\n007,1.50,01/02/2020,"a, ""b""",0.0\n008,NA,,,0.001\n',
    )
    await write(path, { out: at('out.csv.gz') })
    expect(gunzipSync(readFileSync(at('out.csv.gz'))).toString()).toContain('007,1.50')
  })

  it('writes columns that were not read, and keeps types and order in Parquet', async () => {
    const lines = Array.from({ length: 5000 }, (_, row) => `${row},${row % 2 === 0},t${row}`)
    const path = put('in.csv', `n,b,t\n${lines.join('\n')}\n`)
    await write(path, { out: at('out.parquet') }, { only: ['n'] })
    const data = await openData(at('out.parquet'))
    expect(data.columns.map(({ duckType, name }) => `${name} ${duckType}`)).toEqual([
      'n BIGINT',
      'b BOOLEAN',
      't VARCHAR',
      'corrected DOUBLE',
    ])
    for await (const { columns, rowCount } of data.source.chunks()) {
      const [numbers, , , scores] = columns as Extract<Column, { kind: 'numeric' }>[]
      for (let row = 0; row < rowCount; row++) expect(scores.values[row]).toBe(numbers.values[row] / 1000)
    }
    await data.close()
  })

  it('neutralises formulas on request, in cells and names, but no negative number', async () => {
    const path = put('in.csv', 't,=n,x\n=1+1,-5,+cmd\n@a,3,"\tb"\nplain,-1e3,-\n')
    await write(path, { out: at('safe.csv'), neutralise: true })
    const safe = readFileSync(at('safe.csv'), 'utf8')
    expect(safe).toBe("t,'=n,x,corrected\n'=1+1,-5,'+cmd,0.0\n'@a,3,'\tb,0.001\nplain,-1e3,'-,0.002\n")
    await write(path, { out: at('as-is.csv') })
    expect(readFileSync(at('as-is.csv'), 'utf8')).toContain('\n=1+1,-5,+cmd,')
    await expect(write(path, { out: at('x.parquet'), neutralise: true })).rejects.toMatchObject({
      exitCode: 2,
    })
  })

  it('does not overwrite unasked, nor leave half a file', async () => {
    const path = put('in.csv', 'a\n1\n2\n')
    put('mine.csv', 'precious')
    await expect(write(path, { out: at('mine.csv') })).rejects.toMatchObject({ exitCode: 2 })
    await write(path, { out: at('mine.csv'), overwrite: true })
    expect(readFileSync(at('mine.csv'), 'utf8')).toBe('a,corrected\n1,0.0\n2,0.001\n')
    await write(path, { out: path, overwrite: true })
    expect(readFileSync(path, 'utf8')).toBe('a,corrected\n1,0.0\n2,0.001\n')
    await expect(write(at('mine.csv'), { out: at('nowhere/x.csv'), column: 'c' })).rejects.toMatchObject({
      code: 'FB_OUTPUT_FOLDER',
      message: expect.stringContaining('could not be written'),
    })
    expect(readdirSync(folder).sort()).toEqual(['in.csv', 'mine.csv'])
  })

  it('refuses a name that is taken and a format it does not know', async () => {
    const path = put('in.csv', 'a,Corrected\n1,2\n')
    await expect(write(path, { out: at('o.csv') })).rejects.toThrow('has a column "corrected" already')
    await expect(write(path, { out: at('o.xlsx'), column: 'c' })).rejects.toThrow('says no format')
  })
})

describe('a file that is changed between two readings', () => {
  const [before, after] = ['id,x,y\n1,1.50,a\n2,2.50,b\n', 'id,x,y\n2,2.50,b\n1,1.50,a\n']

  it.each([
    ['written over with as many rows', (path: string) => writeFileSync(path, after), 'changed'],
    [
      'replaced by another with as many rows',
      (path: string) => {
        writeFileSync(`${path}.new`, after)
        renameSync(`${path}.new`, path)
      },
      'replaced',
    ],
    [
      'written over, and its time set back',
      (path: string) => {
        const { atime, mtime } = statSync(path)
        writeFileSync(path, after)
        utimesSync(path, atime, mtime)
      },
      'changed',
    ],
    ['removed', (path: string) => rmSync(path), 'removed'],
  ])('is refused where it was %s, and nothing is written', async (_, change, said) => {
    const path = put('in.csv', before)
    const data = await openData(path, { out: at('out.csv') })
    change(path)
    const writing = writeScored(data, counting(2), { out: at('out.csv'), column: 'score' })
    await expect(writing).rejects.toThrow(`FB_SOURCE ${path}: the file was ${said} while it was read.`)
    await data.close()
    expect(readdirSync(folder).filter(name => name.startsWith('out'))).toEqual([])
  })

  it('is not asked again for Parquet, which holds the rows that were scored', async () => {
    const path = put('in.csv', before)
    const data = await openData(path, { out: at('out.parquet') })
    writeFileSync(path, after)
    await writeScored(data, counting(2), { out: at('out.parquet'), column: 'score' })
    await data.close()
    const written = await openData(at('out.parquet'))
    for await (const { columns } of written.source.chunks())
      expect((columns[0] as Column & { values: Float64Array }).values).toEqual(Float64Array.of(1, 2))
    await written.close()
  })

  it('never gives a row the score of another, even if the file seems to be the same', async () => {
    const path = put('in.csv', before)
    const data = await openData(path, { out: at('out.csv') })
    writeFileSync(path, after)
    const input = { ...data.input!, stamps: [stampFile(path)] }
    await writeScored({ ...data, input }, counting(2), { out: at('out.csv'), column: 'score' })
    await data.close()
    expect(readFileSync(at('out.csv'), 'utf8')).toBe('id,x,y,score\n1,1.5,a,0.0\n2,2.5,b,0.001\n')
  })
})
