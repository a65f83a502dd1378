// What is read is what was named: that file and no other, as it is in the file.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
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
