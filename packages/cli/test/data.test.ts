// openData: every format gives the same typed rows, in order, at every reading; what cannot be read is said in words.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { DuckDBInstance } from '@duckdb/node-api'
import type { Value } from '@featureboost/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OpenOptions, openData } from '../src/data/open.ts'
import { rowsOf } from './tableRows.ts'

let folder = ''
const at = (name: string) => join(folder, name)
const put = (name: string, content: string | Buffer) => {
  writeFileSync(at(name), content)
  return at(name)
}

/** Runs statements in a database of their own, in the folder. */
async function duck(path: string, ...statements: string[]): Promise<void> {
  const instance = await DuckDBInstance.create(path)
  const connection = await instance.connect()
  for (const statement of statements) await connection.run(statement)
  connection.closeSync()
  instance.closeSync()
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'featureboost-data-'))
})

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

async function read(given: Parameters<typeof openData>[0], options: OpenOptions = {}) {
  const data = await openData(given, options)
  try {
    const rows: Value[][] = []
    for await (const chunk of data.source.chunks()) rows.push(...rowsOf(chunk))
    const { columns, notes, rowCount } = data
    expect(rows).toHaveLength(rowCount)
    return { columns, kinds: columns.map(({ kind, name }) => `${name}: ${kind}`), notes, rowCount, rows }
  } finally {
    await data.close()
  }
}

const refusal = async (given: Parameters<typeof openData>[0], options: OpenOptions = {}) => {
  const error = await read(given, options).then(
    () => undefined,
    (error: Error & { exitCode?: number }) => error,
  )
  return { exitCode: error?.exitCode, message: error?.message ?? 'it was read' }
}

const CSV = 'age,job,first,score\n31,clerk,true,0.25\n,"a ""b"", c",false,0.5\n54,,,1\n'
const ROWS = [
  [31, 'clerk', true, 0.25],
  [null, 'a "b", c', false, 0.5],
  [54, null, null, 1],
]

describe('formats', () => {
  it('reads CSV, TSV, gz, NDJSON, JSON, Parquet and a database alike', async () => {
    put('people.csv', CSV)
    put('people.csv.gz', gzipSync(CSV))
    put(
      'people.tsv',
      'age\tjob\tfirst\tscore\n31\tclerk\ttrue\t0.25\n\t"a ""b"", c"\tfalse\t0.5\n54\t\t\t1\n',
    )
    const objects = ROWS.map(([age, job, first, score]) => JSON.stringify({ age, job, first, score }))
    put('people.ndjson', objects.join('\n'))
    put('people.json', `[${objects.join(',')}]`)
    await duck(
      at('people.duckdb'),
      `create table people as from read_csv('${at('people.csv')}')`,
      `copy people to '${at('people.parquet')}'`,
    )
    put('no-extension', CSV)
    for (const name of ['csv', 'csv.gz', 'tsv', 'ndjson', 'json', 'parquet', 'duckdb']) {
      const { kinds, rows } = await read(at(`people.${name}`))
      expect(rows, name).toEqual(ROWS)
      expect(kinds, name).toEqual(['age: numeric', 'job: categorical', 'first: boolean', 'score: numeric'])
    }
    expect((await read(at('no-extension'))).rows).toEqual(ROWS)
  })

  it('reads several files and patterns in order, a literal name with brackets, and a query over them', async () => {
    for (const part of [1, 2, 3]) put(`part${part}.csv`, `n\n${part}0\n${part}1\n`)
    const all = [10, 11, 20, 21, 30, 31]
    expect((await read(at('part*.csv'))).rows.flat()).toEqual(all)
    expect((await read([at('part3.csv'), at('part1.csv')])).rows.flat()).toEqual([30, 31, 10, 11])
    put('odd[1].csv', 'n\n7\n')
    expect((await read(at('odd[1].csv'))).rows).toEqual([[7]])
    const sql = 'select n + 1 as m from data where n > 11 order by n desc; -- the rest'
    expect((await read(at('part*.csv'), { sql })).rows.flat()).toEqual([32, 31, 22, 21])
    const own = `select * from '${at('part1.csv')}'`
    expect((await read(undefined, { sql: own })).rows.flat()).toEqual([10, 11])
  })

  it('chooses a table of a database, whatever its name', async () => {
    await duck(
      at('two.duckdb'),
      'create table "a ""b"" c" as select 1 as x',
      'create table orders as select 2 as x',
    )
    expect((await read(at('two.duckdb'), { table: 'a "b" c' })).rows).toEqual([[1]])
    expect((await read(at('two.duckdb'), { sql: 'select x * 10 as y from orders' })).rows).toEqual([[20]])
    expect((await refusal(at('two.duckdb'))).message).toContain('a "b" c, orders. Choose one with --table')
    const mistyped = await refusal(at('two.duckdb'), { table: 'order' })
    expect(mistyped).toMatchObject({ exitCode: 3 })
    expect(mistyped.message).toContain('Did you mean "orders"?')
  })
})

describe('rows', () => {
  it('gives the same rows in the same order at every reading, in chunks of any length, two readings at once', async () => {
    const count = 10_000
    // Long stretches without a value: DuckDB stores those as one constant.
    const lines = Array.from({ length: count }, (_, row) =>
      [row, row < 5000 ? '' : row / 4, row < 5000 ? '' : `t${row % 7}`, row < 5000 ? '' : row % 2 === 0].join(
        ',',
      ),
    )
    const path = put('long.csv', `i,x,t,b\n${lines.join('\n')}\n`)
    const expected = Array.from({ length: count }, (_, row) =>
      row < 5000 ? [row, null, null, null] : [row, row / 4, `t${row % 7}`, row % 2 === 0],
    )
    const data = await openData(path, { chunkRows: 1500 })
    const readings = await Promise.all(
      [1, 2].map(async () => {
        const rows: Value[][] = []
        const sizes: number[] = []
        for await (const chunk of data.source.chunks()) {
          rows.push(...rowsOf(chunk))
          sizes.push(chunk.rowCount)
        }
        return { rows, sizes }
      }),
    )
    await data.close()
    for (const { rows, sizes } of readings) {
      expect(rows).toEqual(expected)
      expect(sizes).toEqual([...Array(6).fill(1500), 1000])
    }
  })

  it('works with any column name', async () => {
    const names = ['a"b', "it's", 'select', 'naïve Spalte', '日本', 'x; drop table y', 'a\nb']
    const quoted = names.map(name => `"${name.replaceAll('"', '""')}"`).join(',')
    const path = put('names.csv', `${quoted}\n${names.map((_, index) => `v${index}`).join(',')}\n`)
    const { columns, rows } = await read(path)
    expect(columns.map(({ name }) => name)).toEqual(names)
    expect(rows).toEqual([names.map((_, index) => `v${index}`)])
    expect((await read(path, { only: ['select', 'a"b'] })).rows).toEqual([['v2', 'v0']])
  })

  it('turns dates and timestamps into days, times into seconds, large whole numbers into categories', async () => {
    const sql = `select * from (values
      (date '1970-01-02', timestamp '1970-01-01 00:00:01.5', time '00:01:00', 9007199254740993, 1.25::decimal(4,2), 3::hugeint),
      (null, null, null, 9007199254740992, null, null)) as t(d, ts, t, big, dec, h)`
    const { columns, kinds, rows } = await read(undefined, { sql })
    expect(columns.map(({ time }) => time).slice(0, 4)).toEqual(['date', 'timestamp', 'time', undefined])
    expect(rows).toEqual([
      [1, 1.5 / 86_400, 60, '9007199254740993', 1.25, 3],
      [null, null, null, '9007199254740992', null, null],
    ])
    expect(kinds[3]).toBe('big: categorical')
  })

  it('guesses types again from all rows where a late value does not fit', async () => {
    const rows = Array.from({ length: 30_000 }, (_, row) => (row === 29_000 ? 'late' : `${row}`))
    const { kinds } = await read(put('late.csv', `a,b\n${rows.map(value => `${value},1`).join('\n')}\n`))
    expect(kinds).toEqual(['a: categorical', 'b: numeric'])
  })

  it('keeps text as it is where a model wants text', async () => {
    const path = put('codes.csv', 'code,n\n1.50,1\n7,2\n')
    expect((await read(path)).rows[0]).toEqual([1.5, 1])
    expect((await read(path, { text: ['code', 'absent'] })).rows).toEqual([
      ['1.50', 1],
      ['7', 2],
    ])
  })

  it('reads a column without a value, in every format', async () => {
    expect((await read(put('void.csv', 'a,b\n1,\n2,\n'))).rows).toEqual([
      [1, null],
      [2, null],
    ])
    expect((await read(put('void.ndjson', '{"a":1,"b":null}\n{"a":2,"b":null}'))).rows).toEqual([
      [1, null],
      [2, null],
    ])
  })

  it('notes ids, constants and numbers that are text', async () => {
    const lines = Array.from(
      { length: 20 },
      (_, row) => `${row},u${row},same,${row % 4 === 0 ? 'NA' : row % 3}`,
    )
    const path = put('notes.csv', `n,user,c,x\n${lines.join('\n')}\n`)
    const { notes } = await read(path)
    expect(notes).toEqual([
      expect.stringContaining('"n" counts the rows'),
      expect.stringContaining('"user" has another value in every row'),
      expect.stringContaining('"c" is the same in every row'),
      expect.stringContaining(`"x" is text because of "NA": pass --missing 'NA'`),
    ])
    expect((await read(path, { missing: ['NA'] })).kinds[3]).toBe('x: numeric')
  })
})

describe('refusals, each with code 3', () => {
  const refuses = async (
    given: Parameters<typeof openData>[0],
    said: string | RegExp,
    options: OpenOptions = {},
  ) => {
    const { exitCode, message } = await refusal(given, options)
    expect(message).toMatch(said)
    expect(message).toMatch(/^FB_[A-Z_]+: /)
    expect(exitCode).toBe(3)
  }

  it('files that are not there, are folders, or are empty', async () => {
    put('people2.csv', CSV)
    await refuses(
      at('peopel2.csv'),
      /^FB_FILE_MISSING: .*there is no such file\. Did you mean .*people2\.csv\?/,
    )
    await refuses(at('nowhere/x.csv'), /^FB_FILE_MISSING: .*nor a folder/)
    await refuses(at('none*.csv'), /^FB_FILE_MISSING: .*no file matches/)
    mkdirSync(at('sub'))
    await refuses(at('sub'), /^FB_FILE_FORMAT: .*is a folder\. Name its files/)
    await refuses(put('empty.csv', ''), /^FB_NO_ROWS: .*empty\.csv is empty/)
    await refuses(put('header.csv', 'a,b\n'), /^FB_NO_ROWS: .*header\.csv has no rows/)
  })

  it('broken Parquet, text that is no table, mixed formats', async () => {
    await duck(':memory:', `copy (select range as x from range(5000)) to '${at('whole.parquet')}'`)
    put('broken.parquet', 'PAR1 and then something else')
    await refuses(at('broken.parquet'), /broken\.parquet could not be read as parquet: .*magic bytes/)
    put('broken.json', '{"a": 1')
    await refuses(at('broken.json'), /could not be read as json/)
    await refuses([at('whole.parquet'), put('one.csv', 'a\n1\n')], /is parquet and .* is csv/)
  })

  it('columns and cells beyond the limits', async () => {
    const wide = Array.from({ length: 2001 }, (_, index) => `c${index}`)
    const path = put('wide.csv', `${wide.join(',')}\n${wide.map(() => 1).join(',')}\n`)
    await refuses(path, /has 2,001 columns; at most 2,000 are read/)
    const cell = put('cell.csv', `a,b\n1,${'x'.repeat(1_200_000)}\n`)
    await refuses(cell, /"b" has a cell of 1,200,000 bytes; at most 1,000,000/)
    expect((await read(cell, { limits: { cellBytes: 2_000_000 } })).rowCount).toBe(1)
    expect((await read(cell, { except: ['b'] })).rows).toEqual([[1]])
    await refuses(put('line.csv', `a,b\n1,${'x'.repeat(5_000_000)}\n`), /a line of more than 2,000,000 bytes/)
    await refuses(put('rows.csv', 'a\n1\n2\n3\n'), /has more than 2 rows; at most 2 are read/, {
      limits: { rows: 2 },
    })
  })

  it('columns and queries that are not there or cannot be read', async () => {
    const path = put('people3.csv', CSV)
    await refuses(path, /no column "scor"\. Did you mean "score"\?/, { only: ['scor'] })
    await refuses(path, /no column "jobb"/, { except: ['jobb'] })
    await refuses(path, /--sql could not be read: Parser Error/, { sql: 'selec 1' })
    await refuses(path, /--sql could not be run: .*agee.*"age"/, { sql: 'select agee from data' })
    await refuses(path, /must be one query/, { sql: 'select 1; select 2' })
    await refuses(path, /must be one query/, { sql: 'create table t as select 1' })
  })

  it('nested types and infinite numbers, unless the column is left out', async () => {
    const sql = `select 1 as a, [1, 2] as list, {'x': 1} as record, 'infinity'::double as huge`
    await refuses(undefined, /"list" is of type INTEGER\[\]/, { sql, except: ['huge'] })
    await refuses(undefined, /"record" is of type STRUCT/, { sql, except: ['huge', 'list'] })
    await refuses(undefined, /"huge", row 1: an infinite number/, { sql, only: ['a', 'huge'] })
    expect((await read(undefined, { sql, only: ['a'] })).rows).toEqual([[1]])
  })
})
