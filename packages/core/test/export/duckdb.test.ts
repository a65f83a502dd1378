// A model as SQL, run by DuckDB: the same units as `predict`, row by row.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exportModel, fit, Model } from '../../src/index.ts'
import { ZOO, zooTable } from '../model/zoo.ts'
import { type ExportCase, exportCases, hostileRows } from './generate.ts'
import { type Database, openDatabase, UNIT, unitsOf } from './rows.ts'

let cases: ExportCase[] = []
let database: Database
beforeAll(async () => {
  cases = await exportCases(16)
  database = await openDatabase()
})
afterAll(() => database.close())

const ask = async (sql: string): Promise<Record<string, unknown>[]> =>
  (await database.connection.runAndReadAll(sql)).getRowObjectsJS()

const numbersOf = (rows: readonly Record<string, unknown>[], column = 'corrected') =>
  rows.map(row => (row[column] as number) * UNIT)

describe('the SELECT', () => {
  it('says what predict says, to the unit, on hostile rows', async () => {
    for (const each of cases) {
      const rows = hostileRows(each.model, 400, 2)
      await database.load(each.model, rows)
      const { content } = exportModel(each.model, {
        to: 'sql',
        dialect: 'duckdb',
        key: ['id'],
        ...(each.rounded !== undefined && { rounded: each.rounded }),
      })
      const found = await ask(`SELECT * FROM (${(content as string).replace(/;\s*$/, '')}) ORDER BY id`)
      expect(numbersOf(found), each.name).toEqual(unitsOf(each, rows))
    }
  })

  it('keeps every column of the table, whatever it is called, where no key is named', async () => {
    const each = cases[cases.length - 1]
    const rows = hostileRows(each.model, 50, 3)
    await database.load(each.model, rows)
    const { content } = exportModel(each.model, {
      to: 'sql',
      dialect: 'duckdb',
      view: 'scored',
      as: 'the "new" one',
      ...(each.rounded !== undefined && { rounded: each.rounded }),
    })
    await database.connection.run(content as string)
    const before = await ask('SELECT * FROM data ORDER BY id')
    const found = await ask('SELECT * FROM scored ORDER BY id')
    expect(found.map(({ 'the "new" one': _, ...row }) => row)).toEqual(before)
    expect(numbersOf(found, 'the "new" one')).toEqual(unitsOf(each, rows))
  })

  it('is NULL where predict refuses the row', async () => {
    const model = await fit(zooTable(), ZOO.table)
    const { content } = exportModel(model, { to: 'sql', dialect: 'duckdb', key: ['id'] })
    await database.connection.run(`
      CREATE OR REPLACE TABLE data AS
      SELECT 1 AS id, 0.5 AS score, 30 AS age, 1.0 AS income, 'south' AS region, true AS member, DATE '2021-01-01' AS since
      UNION ALL SELECT 2, NULL, 30, 1.0, 'south', true, NULL
      UNION ALL SELECT 3, 1.5, 30, 1.0, 'south', true, NULL
      UNION ALL SELECT 4, 'NaN'::DOUBLE, 30, 1.0, 'south', true, NULL`)
    const found = await ask((content as string).replace(/;\s*$/, ''))
    expect(found.map(row => row.corrected === null)).toEqual([false, true, true, true])
  })

  it('adds a forest up in batches of trees, never in one expression', async () => {
    const model = await fit(zooTable(), ZOO.default)
    const forest = model.data.updates.find(update => update.kind === 'forest')!
    const trees = Array.from({ length: 500 }, (_, index) => forest.trees[index % forest.trees.length])
    const steps = trees.map(({ tree, steps }) => ({ tree, steps: steps.map(step => step >> 6) }))
    const large = new Model({ ...model.data, updates: [{ ...forest, trees: steps }] })
    const each = { name: 'large', model: large }
    const rows = hostileRows(large, 6000, 4)
    await database.load(large, rows)
    const { content } = exportModel(large, { to: 'sql', dialect: 'duckdb', key: ['id'] })
    const found = await ask(`SELECT * FROM (${(content as string).replace(/;\s*$/, '')}) ORDER BY id`)
    expect(numbersOf(found)).toEqual(unitsOf(each, rows))
    // Nowhere do more than a few dozen conditions stand in one column.
    const longest = Math.max(
      ...(content as string).split(' AS mo_sum').map(part => part.split('CASE').length),
    )
    expect(longest).toBeLessThan(4 * 64)
  })
})
