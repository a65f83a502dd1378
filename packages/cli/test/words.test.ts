// Data in words that people have, from a file to every command: read as asked for, asked for where it is not said, and remembered.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { DuckDBInstance } from '@duckdb/node-api'
import type { Value } from '@featureboost/core'
import { makeRandom } from '@featureboost/core/internal'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OpenOptions, openData } from '../src/data/open.ts'
import { at as atLoans, openLoans, put as putLoans, run } from './loans.ts'
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
    expect(said).toMatch(/^2: --encoding is for text files/)
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
      /^3: Column "price" holds numbers with a decimal comma, such as "0,05", as text.*pass --decimal ,;/,
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

describe('commands', () => {
  openLoans()
  const random = makeRandom(6)
  const rows = Array.from({ length: 700 }, (_, row) => {
    const [branch, sex] = [[7, 12, 30][random.integer(3)], random.integer(2) === 0 ? 'f' : 'm']
    const percent = random.integer(1001) / 10
    const isGood = 100 * random.next() < (branch === 12 ? 0.5 : 1) * (sex === 'f' ? 0.5 : 1) * percent
    return {
      branch,
      sex,
      age: 18 + random.integer(50),
      region: ['north', 'south', 'east', ''][random.integer(4)],
      'a,b': random.integer(40),
      percent,
      outcome: row % 100 === 99 ? '' : isGood ? 'good' : 'bad',
    }
  })
  const names = Object.keys(rows[0]) as (keyof (typeof rows)[0])[]
  const csv = [names.map(name => `"${name}"`), ...rows.map(row => names.map(name => row[name]))]
    .map(cells => cells.join(','))
    .join('\n')
  const WORDS = [
    '--label',
    'outcome',
    '--positive',
    'good',
    '--prediction',
    'percent',
    '--score-scale',
    'percent',
  ]
  const ALL = [...WORDS, '--categorical', 'branch', '--drop-missing-labels', '--quiet']

  beforeAll(() => {
    putLoans('words.csv', csv)
    putLoans('groups.json', GROUPS_FILE)
    const { status, stderr } = run('fit', 'words.csv', ...ALL, '--out', 'words.fb.json')
    expect(stderr).toBe('')
    expect(status).toBe(0)
  }, 60_000)

  it('ask for what is not said, one after the other', () => {
    const said = (...args: string[]) =>
      run('fit', 'words.csv', '--out', 'never.fb.json', '--quiet', ...args).stderr
    expect(said('--label', 'outcome')).toContain('Say --positive bad or --positive good')
    expect(said('--label', 'outcome', '--positive', 'good')).toContain('--drop-missing-labels')
    expect(said('--label', 'outcome', '--positive', 'god', '--drop-missing-labels')).toContain(
      'Did you mean "good"?',
    )
    const scored = [
      '--label',
      'outcome',
      '--positive',
      'good',
      '--drop-missing-labels',
      '--prediction',
      'percent',
    ]
    expect(said(...scored)).toContain('--score-scale percent')
    expect(said(...scored, '--score-scale', 'percents')).toContain('Did you mean percent?')
  })

  it('say how many rows were left out, in words and in JSON', () => {
    const sentence = /7 of 700 rows have no label in "outcome" and are left out/
    const json = (...args: string[]) => JSON.parse(run(...args, '--json', '--quiet').stdout)
    const model = ['--model', 'words.fb.json']
    expect(run('verify', 'words.csv', ...model, '--quiet')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(sentence),
    })
    expect(json('verify', 'words.csv', ...model)).toMatchObject({
      rows: 693,
      rowsWithoutLabel: 7,
      matches: true,
    })
    expect(json('audit', 'words.csv', ...model)).toMatchObject({ rows: 693, rowsWithoutLabel: 7 })
    expect(json('audit', 'words.csv', ...model, '--categorical', '["a,b", "sex"]')).toMatchObject({
      rows: 693,
    })
    expect(json('audit', 'words.csv', ...ALL)).toMatchObject({ rows: 693, rowsWithoutLabel: 7 })
    expect(run('audit', 'words.csv', ...ALL, '--format', 'markdown').stdout.replaceAll('\n', ' ')).toMatch(
      sentence,
    )
    expect(json('report', 'words.csv', ...model, '--out', 'w.html')).toMatchObject({
      rows: 693,
      rowsWithoutLabel: 7,
      auditedRows: 'held-out',
    })
    const methods = ['--methods', 'platt,isotonic', '--folds', '3']
    expect(json('compare', 'words.csv', ...ALL, ...methods)).toMatchObject({ rows: 693, rowsWithoutLabel: 7 })
    expect(json('fit', 'words.csv', ...ALL, '--out', 'again.fb.json')).toMatchObject({
      columns: expect.arrayContaining([expect.objectContaining({ name: 'branch', kind: 'categorical' })]),
      rows: 693,
      rowsWithoutLabel: 7,
    })
    expect(json('audit', 'loans.csv', '--label', 'defaulted', '--prediction', 'score')).not.toHaveProperty(
      'rowsWithoutLabel',
    )
  })

  it('read new rows as the model does, and say so where they are others', () => {
    const predicted = run('predict', 'words.csv', '--model', 'words.fb.json', '--quiet')
      .stdout.trimEnd()
      .split('\n')
    expect(predicted).toHaveLength(701)
    const scores = predicted.slice(1).map(line => Number(line.split(',').at(-1)))
    expect(scores.every(score => score >= 0 && score <= 1)).toBe(true)
    putLoans('more.csv', csv.replace(/,[\d.]+,good/, ',100.5,good'))
    const { status, stderr } = run('predict', 'more.csv', '--model', 'words.fb.json', '--quiet')
    expect(status).toBe(3)
    expect(stderr).toMatch(
      /100\.5 is not a percentage\. Expected a number from 0 to 100, because the model was fitted/,
    )
    const other = run('audit', 'words.csv', '--model', 'words.fb.json', '--score-scale', 'logit', '--quiet')
    expect(other).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('the model was fitted to scores of the scale percent'),
    })
    expect(run('show', 'words.fb.json').stdout.replaceAll(/\s+/g, ' ')).toContain(
      'predicts "outcome" = "good", corrects "percent" (in percent)',
    )
  })

  it('take a column whose name has a comma wherever a list is', () => {
    const list = '["a,b"]'
    const ok = (...args: string[]) => {
      const { status, stderr } = run(...args, '--quiet')
      expect(stderr).toBe('')
      expect(status).toBe(0)
    }
    const out = ['--out', 'listed.fb.json', '--force', '--no-audit']
    ok('fit', 'words.csv', ...ALL.slice(0, -1), '--except', list, ...out)
    ok(
      'fit',
      'words.csv',
      ...WORDS,
      '--drop-missing-labels',
      '--features',
      '["a,b", "sex"]',
      '--categorical',
      list,
      ...out,
    )
    ok('fit', 'words.csv', ...ALL.slice(0, -1), '--auditors', `groups:${list}`, '--method', 'rounds', ...out)
    ok('audit', 'words.csv', ...ALL.slice(0, -1), '--groups', list)
    const wrong = run('audit', 'words.csv', ...ALL, '--groups', '["a,b"')
    expect(wrong).toMatchObject({ status: 2, stderr: expect.stringContaining('a JSON list such as') })
  })

  it('look at declared groups in the audit before and after a fit, by columns or by a file', () => {
    const fit = ['fit', 'words.csv', ...ALL, '--holdout', '0.5', '--out', 'g.fb.json', '--force', '--json']
    const groupsOf = (...args: string[]): string[] =>
      JSON.parse(run(...fit, ...args).stdout).audit.groups.map(
        ({ before }: { before: { group: string } }) => before.group,
      )
    const bySex = groupsOf('--groups', 'sex')
    expect(bySex.length).toBeGreaterThan(0)
    expect(bySex.every(group => /^(everyone|sex = [fm])/.test(group))).toBe(true)
    const named = groupsOf('--groups', '@groups.json')
    expect(named.length).toBeGreaterThan(0)
    const audited = run(
      'audit',
      'words.csv',
      ...ALL,
      '--groups',
      '@groups.json',
      '--listed',
      '200',
      '--bins',
      '2',
      '--json',
    )
    const { notEnoughEvidence, worst } = JSON.parse(audited.stdout)
    const words = [...worst, ...notEnoughEvidence].map(({ group }: { group: string }) => group)
    for (const group of ['sex = f', 'age < 25', 'region is missing', 'sex = m and age >= 60', 'young women'])
      expect(
        words.some(each => each.startsWith(group)),
        `${group}: ${words.join('; ')}`,
      ).toBe(true)
    const none = run(...fit, '--groups', 'sex', '--no-audit')
    expect(none).toMatchObject({ status: 2, stderr: expect.stringContaining('--auditors groups:') })
    const lost = run(...fit, '--groups', 'sec')
    expect(lost).toMatchObject({
      status: 3,
      stderr: expect.stringContaining('"sec" is no feature. Did you mean "sex"?'),
    })
    const hash = () => JSON.parse(readFileSync(atLoans('g.fb.json'), 'utf8')).hash
    groupsOf('--groups', 'sex')
    const before = hash()
    groupsOf()
    expect(hash()).toBe(before)
  })

  it('tell ids of units from groups', () => {
    const { stderr } = run(
      'fit',
      'words.csv',
      ...ALL.slice(0, -1),
      '--group-by',
      'sex',
      '--holdout',
      '0.5',
      '--out',
      'ids.fb.json',
      '--no-audit',
    )
    expect(stderr).toMatch(/Column "sex" has 2 values only\. --group-by is for ids of units.*--groups/)
    const ids = run(
      'fit',
      'words.csv',
      ...ALL.slice(0, -1),
      '--group-by',
      'a,b',
      '--out',
      'ids2.fb.json',
      '--no-audit',
    )
    expect(ids.stderr).not.toContain('--group-by is for ids')
  })

  it('refuse words that contradict each other', () => {
    const said = (...args: string[]) => run('fit', 'words.csv', ...ALL, '--out', 'never.fb.json', ...args)
    expect(said('--except', 'branch')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('--categorical and in --except'),
    })
    expect(said('--features', 'sex')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('not in --features'),
    })
    const report = run(
      'report',
      'words.csv',
      '--model',
      'words.fb.json',
      '--positive',
      'bad',
      '--out',
      'never.html',
    )
    expect(report).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('--positive and --categorical'),
    })
  })
})

/** The example of docs/command-line.md. */
const GROUPS_FILE = /```json\n(\[[^`]*"where"[^`]*\])\n```/.exec(
  readFileSync(new URL('../../../docs/command-line.md', import.meta.url), 'utf8'),
)![1]
