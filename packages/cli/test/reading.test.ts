// What is read is what was named: that file and no other, as it is in the file.

import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import type { Value } from '@featureboost/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OpenOptions, openData } from '../src/data/open.ts'
import { rowsOf } from './tableRows.ts'

let folder = ''
const at = (name: string) => join(folder, name)
const put = (name: string, content: string) => {
  writeFileSync(at(name), content)
  return at(name)
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'featureboost-reading-'))
})

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

/** Runs statements in a database of their own. */
async function duck(path: string, ...statements: string[]): Promise<void> {
  const instance = await DuckDBInstance.create(path)
  const connection = await instance.connect()
  for (const statement of statements) await connection.run(statement)
  connection.closeSync()
  instance.closeSync()
}

async function read(given: string | readonly string[] | undefined, options: OpenOptions = {}) {
  const data = await openData(given, options)
  try {
    const rows: Value[][] = []
    for await (const chunk of data.source.chunks()) rows.push(...rowsOf(chunk))
    return { names: data.names, rows }
  } finally {
    await data.close()
  }
}

describe('files that are read together', () => {
  it('have the same columns, in any order; one that only some have is refused by name', async () => {
    for (const format of ['csv', 'parquet']) {
      const write = (name: string, query: string) =>
        duck(':memory:', `copy (${query}) to '${at(`${name}.${format}`)}' (format ${format})`)
      await write('same1', 'select 1 as a, 2 as b')
      await write('same2', 'select 4 as b, 3 as a')
      await write('same3', 'select 5 as a, 6 as b, 7 as c')
      const files = ['same1', 'same2', 'same3'].map(name => at(`${name}.${format}`))
      expect((await read(files.slice(0, 2))).rows).toEqual([
        [1, 2],
        [3, 4],
      ])
      for (const [given, has, lacks] of [
        [files, 2, 0],
        [[files[2], files[1]], 2, 1],
      ] as const) {
        await expect(read(given)).rejects.toMatchObject({
          code: 'FB_FILE_FORMAT',
          message: expect.stringContaining(`${files[has]} has the column "c", and ${files[lacks]} has not`),
        })
      }
    }
  })
})

describe('a name that a file has', () => {
  it('is that file, though it is a pattern that others match, too', async () => {
    const others = ['a1', 'bx', 'cx', 'c1', 'c2', 'dxx', 'h1']
    for (const name of others) {
      put(`${name}.csv`, `other\n${name}\n`)
      put(`${name}.json`, `[{"other": "${name}"}]`)
      await duck(':memory:', `copy (select '${name}' as other) to '${at(`${name}.parquet`)}'`)
    }
    const canHave = (name: string) => process.platform !== 'win32' || !/[*?"]/.test(name)
    const names = ['a[1]', "h[1]'", 'c{1,2}', 'j]', 'b*', 'c?', 'd**', 'i"[', '[k]*?'].filter(canHave)
    for (const [index, name] of names.entries()) {
      put(`${name}.csv`, `day,n\n13/06/2024,${index}\n`)
      put(`${name}.json`, `[{"n": ${index}}]`)
      await duck(
        ':memory:',
        `copy (select ${index} as n) to '${at(`${name}.parquet`).replaceAll("'", "''")}'`,
      )
      expect((await read(at(`${name}.csv`), { except: ['day'] })).rows, name).toEqual([[index]])
      expect((await read(at(`${name}.csv`))).names, name).toEqual(['day', 'n'])
      expect((await read(at(`${name}.json`))).rows, name).toEqual([[index]])
      expect((await read(at(`${name}.parquet`))).rows, name).toEqual([[index]])
    }
    expect((await read([at("h[1]'.csv"), at('a[1].csv')], { only: ['n'] })).rows).toEqual([[1], [0]])
  })

  it('is that file, though it looks like an address or a place at home', async () => {
    const here = process.cwd()
    mkdirSync(at('addresses/~'), { recursive: true })
    mkdirSync(at('addresses/s3:'))
    process.chdir(at('addresses'))
    try {
      for (const name of ['~/x.csv', 's3:/x.csv', 's3://x.csv', 'file:x.csv']) {
        writeFileSync(name, `n\n${name.length}\n`)
        expect((await read(name)).rows, name).toEqual([[name.length]])
      }
      await duck('./~/x.duckdb', 'create table kept as select 1 as x')
      expect((await read('~/x.duckdb')).rows).toEqual([[1]])
    } finally {
      process.chdir(here)
    }
  })

  it('is found by a pattern, and then is that file', async () => {
    mkdirSync(at('found'))
    for (const [index, name] of ['p1', 'p[1]'].entries()) put(`found/${name}.csv`, `n\n${index}\n`)
    expect((await read(at('found/p*1*.csv'))).rows.flat().sort()).toEqual([0, 1])
    await expect(read(at('found/q*.csv'))).rejects.toThrow('no file matches')
  })

  it('lies in folders that give no column and replace none', async () => {
    mkdirSync(at('y=1/sex=Q'), { recursive: true })
    const path = at('y=1/sex=Q/h')
    put('y=1/sex=Q/h.csv', 'x,y\n5,0\n6,1\n')
    put('y=1/sex=Q/h.ndjson', '{"x":5,"y":0}\n{"x":6,"y":1}\n')
    await duck(':memory:', `copy (from (values (5, 0), (6, 1)) as t(x, y)) to '${path}.parquet'`)
    for (const ending of ['csv', 'ndjson', 'parquet']) {
      const expected = {
        names: ['x', 'y'],
        rows: [
          [5, 0],
          [6, 1],
        ],
      }
      expect(await read(`${path}.${ending}`), ending).toEqual(expected)
      expect(await read(at(`y=*/sex=*/h.${ending}`)), ending).toEqual(expected)
    }
  })
})

describe('what is in a file', () => {
  it('names no other: views of a database are refused, and read nothing in a query', async () => {
    const secret = put('secret.csv', 'line\nsecret\n')
    await duck(at('view.duckdb'), `create view rows as from '${secret}'`)
    await expect(read(at('view.duckdb'))).rejects.toThrow(/FB_FILE_ACCESS .*"rows" is a view/)
    await expect(read(at('view.duckdb'), { table: 'rows' })).rejects.toThrow(/FB_FILE_ACCESS/)
    await expect(read(at('view.duckdb'), { sql: 'from rows' })).rejects.toThrow(
      `FB_FILE_ACCESS: --sql reads ${secret}, which was not named as DATA.`,
    )
    await duck(
      at('both.duckdb'),
      'create table kept as select 1 as x',
      `create view rows as from '${secret}'`,
      'create view doubled as select 2 * x as x from kept',
    )
    expect((await read(at('both.duckdb'))).rows).toEqual([[1]])
    await expect(read(at('both.duckdb'), { table: 'doubled' })).rejects.toThrow(/"doubled" is a view/)
    expect((await read(at('both.duckdb'), { sql: 'from doubled' })).rows).toEqual([[2]])
  })

  it('is all that a query sees, unless the query alone names files', async () => {
    const [named, other] = [put('named[1].csv', 'n\n1\n'), put('other.csv', 'n\n2\n')]
    expect((await read(named, { sql: 'select n + 1 as n from data' })).rows).toEqual([[2]])
    for (const sql of [
      `from data union all from '${other}'`,
      `from read_text('${other}')`,
      `select n, (select count(*) from glob('${folder}/*')) as c from data`,
    ])
      await expect(read(named, { sql }), sql).rejects.toThrow(/FB_FILE_ACCESS.*not named as DATA/)
    expect((await read(undefined, { sql: `from '${other}'` })).rows).toEqual([[2]])
  })

  it.each([
    ['export database', (to: string) => `export database '${to}'`],
    ['copy', (to: string) => `copy (select 1) to '${to}'`],
    ['attach', (to: string) => `attach '${to}'`],
    ['set', () => 'set threads = 1'],
  ])('is not written by a query: %s is refused before it is run', async (_, sql) => {
    const path = put('one.csv', 'n\n1\n')
    for (const given of [path, undefined])
      await expect(read(given, { sql: sql(at('made')) })).rejects.toThrow('--sql must be one query')
    expect(existsSync(at('made'))).toBe(false)
  })

  it('is not written by functions that stand in for tables: those that do more than read are refused', async () => {
    const path = put('one.csv', 'n\n1\n')
    const logs = `enable_logging('QueryLog', storage = 'file', storage_path = '${at('logs')}')`
    for (const call of [
      logs,
      `system.main."Enable_Logging"('QueryLog')`,
      `enable_profiling(format = 'json', save_location = '${at('profile.json')}')`,
      'truncate_duckdb_logs()',
      `query('from ${logs.replaceAll("'", "''")}')`,
    ])
      for (const given of [path, undefined]) {
        const sql = `select a.* from '${path}' a, (select count(*) from ${call}) b`
        await expect(read(given, { sql }), sql).rejects.toThrow(
          /FB_SQL.*--sql calls (enable_|truncate_|query)/,
        )
      }
    await duck(
      at('calls.duckdb'),
      'create table kept as select 1 as x',
      `create view logged as select kept.* from kept, (select count(*) from ${logs})`,
    )
    await expect(read(at('calls.duckdb'), { sql: 'from logged' })).rejects.toThrow(
      /FB_SQL.*the view "logged" of .*calls\.duckdb calls enable_logging/,
    )
    expect((await read(at('calls.duckdb'))).rows).toEqual([[1]])
    await duck(at('macro.duckdb'), 'create table kept as select 1 as x')
    await duck(at('macro.duckdb'), 'create macro twice() as table select 2 * x as x from kept')
    expect((await read(at('macro.duckdb'), { sql: 'from twice()' })).rows).toEqual([[2]])
    expect([existsSync(at('logs')), existsSync(at('profile.json'))]).toEqual([false, false])
  })

  it.each([
    'with d as (from data) select n from d',
    'select n from data qualify row_number() over (order by n) = 1',
    'select n from data using sample 100%',
    'select list_sum(list_transform([n], x -> x + 0))::DOUBLE as n from data',
    'from (pivot data on n in (1) using max(n)) select "1" as n',
    "select a.n from data a positional join data b where a.n = b.n; -- 'the rest'",
  ])('is read by a query: %s', async sql => {
    expect((await read(put('query.csv', 'n\n1\n'), { sql })).rows).toEqual([[1]])
  })
})
