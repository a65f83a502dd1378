// Data in words that people have: read as asked for, and asked for where it is not said. What commands do with it: wordsCommands.test.ts.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { DuckDBInstance } from '@duckdb/node-api'
import type { Value } from '@featureboost/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OpenOptions, openData } from '../src/data/open.ts'
import { rowsOf } from './tableRows.ts'

let folder = ''
const put = (name: string, content: string | Buffer) => {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'featureboost-words-'))
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

async function read(path: string, options: OpenOptions = {}) {
  const data = await openData(path, options)
  try {
    const rows: Value[][] = []
    for await (const chunk of data.source.chunks()) rows.push(...rowsOf(chunk))
    const { leftOut, notes, rowCount } = data
    return { leftOut, notes, rowCount, rows }
  } finally {
    await data.close()
  }
}

const refusal = (path: string, options: OpenOptions = {}) =>
  read(path, options).then(
    () => 'it was read',
    (error: Error & { exitCode?: number }) => `${error.exitCode}: ${error.message}`,
  )

describe('encodings', () => {
  const text = 'city,n\nMünster,1\nPreis €,2\n'
  const rows = [
    ['Münster', 1],
    ['Preis €', 2],
  ]
  const utf16 = (big: boolean, mark: boolean) => {
    const bytes = Buffer.from(`${mark ? '\ufeff' : ''}${text}`, 'utf16le')
    return big ? bytes.swap16() : bytes
  }

  it('are read as said, packed or not, and asked for by what is found', async () => {
    const latin = put('latin.csv', Buffer.from(text.replace(' €', ''), 'latin1'))
    expect(await refusal(latin)).toMatch(
      /^3: .*no UTF-8\. Say how .* --encoding: latin-1, windows-1252, utf-16/,
    )
    expect((await read(latin, { encoding: 'latin-1' })).rows[0]).toEqual(rows[0])
    const windows = Buffer.from(text.replace('€', '\x80'), 'latin1')
    expect((await read(put('w.csv', windows), { encoding: 'windows-1252' })).rows).toEqual(rows)
    const packed = put('w.csv.gz', gzipSync(windows))
    expect((await read(packed, { encoding: 'windows-1252' })).rows).toEqual(rows)
    for (const [big, mark] of [
      [false, true],
      [true, true],
      [false, false],
      [true, false],
    ]) {
      const path = put(`u${big}${mark}.csv`, utf16(big, mark))
      expect(await refusal(path)).toMatch(/^3: .* is text in UTF-16\. Say --encoding utf-16\./)
      expect((await read(path, { encoding: 'utf-16' })).rows).toEqual(rows)
    }
    const json = put('latin.ndjson', Buffer.from('{"city":"Münster","n":1}\n', 'latin1'))
    expect(await refusal(json)).toContain('--encoding')
    expect((await read(json, { encoding: 'latin-1' })).rows).toEqual([['Münster', 1]])
  })

  it('are refused where the bytes are of another one, and where the file is no text', async () => {
    const odd = put('odd.csv', Buffer.concat([utf16(false, true), Buffer.from([0])]))
    expect(await refusal(odd, { encoding: 'utf-16' })).toMatch(/^3: .*could not be read as utf-16/)
    const instance = await DuckDBInstance.create(':memory:')
    const connection = await instance.connect()
    await connection.run(`copy (select 1 as a) to '${join(folder, 'a.parquet')}'`)
    connection.closeSync()
    instance.closeSync()
    const said = await refusal(join(folder, 'a.parquet'), { encoding: 'latin-1' })
    expect(said).toMatch(/^2: FB_USAGE: --encoding is for text files/)
    const ragged = put('ragged.csv', Buffer.from('a,b\nü,1\nü\n', 'latin1'))
    expect(await refusal(ragged, { encoding: 'latin-1' })).not.toContain('decoded-')
  })
})

describe('files that are no tables', () => {
  it.each([
    [
      'book.xlsx',
      'PK\x03\x04..........................[Content_Types].xml',
      /an Excel workbook \(\.xlsx\)\. Save the/,
    ],
    ['book.csv', 'PK\x03\x04..........................xl/workbook.xml', /an Excel workbook/],
    ['old.xls', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', /an Excel workbook \(\.xls\)/],
    ['a.zip', 'PK\x03\x04....................a.csv', /a ZIP archive\. Unpack it/],
    ['a.feather', 'ARROW1\x00\x00', /an Arrow file .*to_parquet/],
    ['b.csv', 'ARROW1\x00\x00', /an Arrow file/],
    ['c.arrow', '\xff\xff\xff\xff\x10\x00', /an Arrow stream/],
    ['shop.db', 'SQLite format 3\x00', /an SQLite database/],
    [
      'a.csv',
      gzipSync('a,b\n1,2\n').toString('latin1'),
      /packed with gzip\. Give it a name that ends in \.gz/,
    ],
  ])('are named as what they are: %s', async (name, bytes, said) => {
    expect(await refusal(put(name, Buffer.from(bytes, 'latin1')))).toMatch(
      new RegExp(`^3: .*${name} is ${said.source}`),
    )
  })
})

describe('tables whose header looks like another file', () => {
  it.each(['FEA1,y', 'ARROW1,y', 'BZhang,y', 'SQLite,y'])('are read: %s', async header => {
    expect((await read(put('like.csv', `${header}\n1,2\n`))).rows).toEqual([[1, 2]])
  })
})

describe('decimal commas and written numbers', () => {
  const lines = (make: (row: number) => string, count = 60) =>
    `price;n\n${Array.from({ length: count }, (_, row) => `${make(row)};${row % 7}`).join('\n')}\n`

  it('are read with --decimal, which is asked for', async () => {
    const path = put(
      'comma.csv',
      lines(row => `${row},${row % 10}5`),
    )
    const said = await refusal(path)
    expect(said).toMatch(
      /^3: FB_COLUMN_KIND: Column "price" holds numbers with a decimal comma, such as "0,05", as text.*pass --decimal ,;/,
    )
    const { rows } = await read(path, { decimal: ',' })
    expect(rows.slice(0, 3).map(([price]) => price)).toEqual([0.05, 1.15, 2.25])
    const mixed = put(
      'mixed.csv',
      lines(row => (row % 2 ? `${row}.5` : `${row},5`)),
    )
    expect(await refusal(mixed, { decimal: ',' })).toContain('points where decimal commas were expected')
  })

  it.each([
    ['$30,198.13', (row: number) => `$30,${198 + row}.13`, 30_198.13],
    ['30,198.13', (row: number) => `30,${198 + row}.13`, 30_198.13],
    ['€1.234,50', (row: number) => `€1.${234 + row},50`, 1234.5],
    ['£12', (row: number) => `£${12 + row}`, 12],
  ])('such as %s are refused with a query that reads them', async (example, make, value) => {
    const path = put('money.csv', lines(make))
    const said = await refusal(path)
    expect(said).toContain(`such as "${example}"`)
    const [, sql] = /--sql "([^"]+)"/.exec(said)!
    expect((await read(path, { sql })).rows[0][0]).toBe(value)
    expect((await read(path, { except: ['price'] })).rows[0]).toEqual([0])
    expect((await read(path, { categorical: ['price'] })).rows[0][0]).toBe(example)
  })

  it('whose comma may be both are asked about, and few of them are noted only', async () => {
    const path = put(
      'unclear.csv',
      lines(row => `1,${200 + row}`),
    )
    const said = await refusal(path)
    expect(said).toMatch(/--decimal , if the comma begins the decimals, or --sql ".*" if it parts thousands/)
    expect((await read(path, { decimal: ',' })).rows[0][0]).toBe(1.2)
    const few = await read(
      put(
        'few.csv',
        lines(row => `${5 + (row % 4)}%`),
      ),
    )
    expect(few.notes.join(' ')).toContain(
      '"price" holds numbers with a currency or percent sign, such as "5%"',
    )
    const named = put('odd.csv', lines(row => `$1,${100 + row}.00`).replace('price', '"my ""price"""'))
    const [, query] = /--sql "(.+)"; else/.exec(await refusal(named))!
    expect((await read(named, { sql: query.replaceAll('\\"', '"') })).rows[1][0]).toBe(1101)
  })
})

describe('rows without a label', () => {
  it('are left out where that is asked for, and counted', async () => {
    const path = put('labels.csv', 'y,x\n1,1\n,2\n0,3\n,4\n')
    expect(await read(path, { complete: 'y' })).toMatchObject({
      leftOut: 2,
      rowCount: 2,
      rows: [
        [1, 1],
        [0, 3],
      ],
    })
    expect(await refusal(put('none.csv', 'y,x\n,1\n,2\n'), { complete: 'y' })).toMatch(
      /^3: .*"y" has no value/,
    )
    expect(await refusal(path, { complete: 'label' })).toContain('no column "label"')
  })
})
