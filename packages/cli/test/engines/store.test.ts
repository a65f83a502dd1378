// Rows that stay in a database: checked, hashed, split and cut there, and the model is that of the rows in memory, byte for byte. On DuckDB
// here; on Spark in spark/real/.

import {
  audit,
  type FitOptions,
  fit,
  functions,
  linear,
  readModel,
  tableFromRows,
  trees,
  verify,
} from '@featureboost/core'
import { addColumns, hashString, makeRandom } from '@featureboost/core/internal'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WorkDatabase } from '../../src/engines/duckdb/work.ts'
import { doubleBitsSql } from '../../src/engines/sql/doubleBits.ts'
import { LANES } from '../../src/engines/sql/hash.ts'
import { predictRows } from '../../src/engines/sql/store/predictRows.ts'
import { sqlStore } from '../../src/engines/sql/store/store.ts'
import { duckdbPlace } from './duckdbStore.ts'
import { STORE_ROWS, type StoreRow, tableSql } from './storeRows.ts'

const others = ['person', 'count', 'weight', 'side']
const base = { label: 'y', prediction: 'score', epsilon: 0.2, except: others } satisfies FitOptions
const rounds = { ...base, method: 'rounds', roundLimit: 3 } as const
const without = (...names: string[]) => others.filter(name => !names.includes(name))

const CASES: [string, FitOptions][] = [
  ['the defaults', base],
  ['a forest alone', { ...base, method: 'forest' }],
  ['rounds to the certificate', { ...rounds, stop: 'certificate' }],
  ['weights that are counts', { ...base, weight: 'count', except: without('count') }],
  ['weights that are fractions', { ...rounds, weight: 'weight', except: without('weight') }],
  ['no prediction', { label: 'y', epsilon: 0.2, except: [...others, 'score'] }],
  ['a split by id', { ...base, groupBy: 'person', except: without('person') }],
  ['ids and weights', { ...rounds, groupBy: 'person', weight: 'count', except: without('person', 'count') }],
  ['a fold column', { ...rounds, fold: 'side', except: without('side') }],
  ['independent copies', { ...rounds, copies: 'independent' }],
  [
    'independent copies with weights',
    { ...rounds, copies: 'independent', weight: 'weight', except: without('weight') },
  ],
  ['nothing held out', { ...base, holdout: 0 }],
  ['linear auditors', { ...rounds, auditors: linear(), stop: 'certificate' }],
  ['greedy trees', { ...rounds, auditors: trees({ depth: 3 }) }],
]

let work: WorkDatabase
let place: ReturnType<typeof duckdbPlace>
const text = { type: 'VARCHAR', quote: (value: string) => `'${value.replaceAll("'", "''")}'` }
let tables = 0

async function storeOf(rows: readonly StoreRow[]) {
  const name = `given_${++tables}`
  const [create, insert] = tableSql(name, rows, text)
  await work.connection.run(create)
  if (rows.length > 0) await work.connection.run(insert)
  return sqlStore(place, `SELECT * FROM ${name}`)
}

beforeAll(async () => {
  work = await WorkDatabase.open({ threads: 2, memory: '500MB' })
  place = duckdbPlace(work)
})
afterAll(() => work.close())

describe('a model of rows that stay in a database', () => {
  it.each(CASES)('is that of rows in memory, byte for byte: %s', async (_, options) => {
    const expected = (await fit(tableFromRows(STORE_ROWS), options)).toText()
    expect((await fit(await storeOf(STORE_ROWS), options)).toText()).toBe(expected)
  })

  it('is the same where cuts are learned from a sample of the rows', async () => {
    const draw = makeRandom(5)
    const many = Array.from({ length: 140_000 }, () => {
      const score = draw.integer(50) / 50
      return {
        a: draw.integer(4000),
        b: draw.next() < 0.001 ? 'rare' : 'usual',
        score,
        y: Number(draw.next() < score),
      }
    })
    await work.connection.run('CREATE TABLE many (a INTEGER, b VARCHAR, score DOUBLE, y INTEGER)')
    const appender = await work.connection.createAppender('many')
    for (const { a, b, score, y } of many) {
      appender.appendInteger(a)
      appender.appendVarchar(b)
      appender.appendDouble(score)
      appender.appendInteger(y)
      appender.endRow()
    }
    appender.closeSync()
    const options = { ...rounds, except: [], roundLimit: 1 } satisfies FitOptions
    const expected = (await fit(tableFromRows(many), options)).toText()
    expect((await fit(sqlStore(place, 'SELECT * FROM many'), options)).toText()).toBe(expected)
  })

  it('is verified there, and other rows are told from its own', async () => {
    const model = await fit(tableFromRows(STORE_ROWS), base)
    expect((await verify(model, await storeOf(STORE_ROWS))).matches).toBe(true)
    expect((await verify(model, await storeOf(STORE_ROWS.slice(1)))).matches).toBe(false)
  })

  it.each([
    ['copies that are one', {}],
    ['weights', { weight: 'weight', except: without('weight') }],
    ['independent copies', { copies: 'independent', weight: 'count', except: without('count') }],
  ] as const)('is audited as rows in memory are: %s', async (_, more) => {
    const options = { label: 'y', prediction: 'score', except: others, draws: 20, ...more } as const
    const expected = await audit(tableFromRows(STORE_ROWS), options)
    expect(await audit(await storeOf(STORE_ROWS), options)).toEqual(expected)
    // Rows of weight 0 are in a table, and in chunks they are not: nobody may see the difference.
    const source = { chunks: () => [STORE_ROWS.slice(0, 400), STORE_ROWS.slice(400)].map(tableFromRows) }
    expect(await audit(source, options)).toEqual(expected)
  })
})

describe('a model applied where rows are', () => {
  it.each([
    ['a forest and groups', base],
    ['rounds', { ...rounds, stop: 'certificate', epsilon: 0.05, roundLimit: 9 }],
    ['linear updates', { ...rounds, auditors: linear(), stop: 'certificate', epsilon: 0.1 }],
    [
      'the base rate',
      { label: 'y', epsilon: 0.05, method: 'rounds', stop: 'certificate', except: [...others, 'score'] },
    ],
  ] satisfies [string, FitOptions][])('predicts what it predicts in memory: %s', async (_, options) => {
    const model = readModel((await fit(tableFromRows(STORE_ROWS), options)).toText())
    expect(model.data.updates.length).toBeGreaterThan(0)
    await storeOf(STORE_ROWS)
    const query = `SELECT rowid AS nr, * FROM given_${tables}`
    for (const bins of [undefined, model.certificate.claim.bins]) {
      const table = `predicted_${tables}_${bins ?? 0}`
      expect(await predictRows(place, query, model, { table, column: 'corrected', bins })).toBe(
        STORE_ROWS.length,
      )
      const [found] = await place.driver.values(`SELECT corrected FROM ${table} ORDER BY nr`)
      const expected = (bins === undefined ? model : model.round(bins)).predict(tableFromRows(STORE_ROWS))
      expect(Float64Array.from(found as number[])).toEqual(expected)
    }
  })

  it('predicts by a forest of more trees than go into one statement', async () => {
    const rows = STORE_ROWS.map((row, index) => ({
      ...row,
      y: (row.age ?? 0) % 16 < 7 || index % 5 === 0 ? 1 : 0,
    }))
    const model = await fit(tableFromRows(rows), { ...base, method: 'forest' })
    const forests = model.data.updates.filter(update => update.kind === 'forest')
    expect(Math.max(...forests.map(({ trees }) => trees.length))).toBeGreaterThan(256)
    await storeOf(rows)
    const query = `SELECT rowid AS nr, * FROM given_${tables}`
    await predictRows(place, query, model, { table: 'by_many_trees', column: 'corrected', bins: undefined })
    const [found] = await place.driver.values('SELECT corrected FROM by_many_trees ORDER BY nr')
    expect(Float64Array.from(found as number[])).toEqual(model.predict(tableFromRows(rows)))
    const [left] = await place.driver.values(
      "SELECT table_name FROM duckdb_tables() WHERE table_name LIKE '%steps%'",
    )
    expect(left ?? []).toHaveLength(0)
  })

  it('refuses scores that are none, and a column that is there already', async () => {
    const model = await fit(tableFromRows(STORE_ROWS), { ...base, method: 'rounds', roundLimit: 1 })
    await storeOf(STORE_ROWS.with(3, { ...STORE_ROWS[3], score: 1.5 }))
    const ask = (column: string) =>
      predictRows(place, `SELECT * FROM given_${tables}`, model, { table: 'never', column, bins: undefined })
    await expect(ask('corrected')).rejects.toThrow(/FB_PREDICTION_RANGE column "score": 1 of 851 rows/)
    await expect(ask('age')).rejects.toThrow(/FB_COLUMN_TWICE column "age"/)
  })
})

describe('rows that cannot be used', () => {
  it('are refused before any is copied where there are more than sums are exact for', async () => {
    const before = place.statements.length
    const many = sqlStore(place, 'SELECT range AS x, range % 2 AS y FROM range(268435457)')
    await expect(fit(many, { label: 'y' })).rejects.toMatchObject({ code: 'FB_WEIGHT_RANGE' })
    expect(place.statements.slice(before)).toEqual([])
  })

  const row = STORE_ROWS[5]
  const bad: [string, StoreRow[], FitOptions, RegExp][] = [
    [
      'a label of 2',
      STORE_ROWS.with(5, { ...row, y: 2 }),
      base,
      /^FB_LABEL_RANGE column "y": 2 is not a label.*Bad rows: 1 \(age /,
    ],
    [
      'no label',
      STORE_ROWS.with(5, { ...row, y: null } as never),
      base,
      /^FB_MISSING_VALUE column "y": the label is missing/,
    ],
    [
      'a score of 1.5',
      STORE_ROWS.with(5, { ...row, score: 1.5 }),
      base,
      /^FB_PREDICTION_RANGE column "score": 1.5 is not/,
    ],
    [
      'a negative weight',
      STORE_ROWS.with(5, { ...row, weight: -1 }),
      { ...rounds, weight: 'weight', except: without('weight') },
      /^FB_WEIGHT_RANGE column "weight": -1 is negative/,
    ],
    [
      'weights of nothing',
      STORE_ROWS.map(each => ({ ...each, weight: 0 })),
      { ...rounds, weight: 'weight', except: without('weight') },
      /^FB_WEIGHT_RANGE column "weight": every weight is 0/,
    ],
    ['one label only', STORE_ROWS.map(each => ({ ...each, y: 1 })), base, /^FB_LABEL_CONSTANT/],
    [
      'a fold of no name',
      STORE_ROWS.with(5, { ...row, side: 'test' }),
      { ...rounds, fold: 'side', except: without('side') },
      /^FB_FOLD_VALUE column "side": "test" is not a fold/,
    ],
    [
      'nothing to fit',
      STORE_ROWS.map(each => ({ ...each, side: 'holdout' })),
      { ...rounds, fold: 'side', except: without('side') },
      /^FB_NO_ROWS: the fold "fit" has no rows/,
    ],
    [
      'a label of words',
      STORE_ROWS,
      { ...base, label: 'region', except: [...others, 'y'] },
      /^FB_COLUMN_KIND column "region": the label holds strings, such as/,
    ],
    [
      'a column that is not there',
      STORE_ROWS,
      { ...base, label: 'outcome' },
      /^FB_COLUMN_UNKNOWN column "outcome"/,
    ],
    ['no rows', [], base, /^FB_NO_ROWS: the table has no rows/],
    [
      'an id that no double holds',
      STORE_ROWS.with(5, { ...row, age: 2 ** 54 }),
      base,
      /^FB_COLUMN_KIND column "age": 1 rows hold whole numbers beyond 2\^53/,
    ],
    [
      'an infinite number',
      STORE_ROWS.with(5, { ...row, income: Number.POSITIVE_INFINITY }),
      base,
      /^FB_NOT_FINITE column "income"/,
    ],
    [
      'dates that are text',
      STORE_ROWS.map(each => ({ ...each, region: '2024-06-14' })),
      base,
      /^FB_COLUMN_KIND column "region": the column holds dates or times as text/,
    ],
    [
      'an auditor that is code',
      STORE_ROWS,
      { ...rounds, auditors: functions({ f: () => 1 }) },
      /^FB_ENGINE_ROWS: the function "f" is code/,
    ],
  ]

  it.each(bad)('are refused: %s', async (_, rows, options, words) => {
    await expect(fit(await storeOf(rows), options)).rejects.toThrow(words)
  })

  it('are refused for an audit by segments, which needs rows', async () => {
    const options = { label: 'y', prediction: 'score', except: others, segmentDepth: 1 }
    await expect(audit(await storeOf(STORE_ROWS), options)).rejects.toThrow(/^FB_ENGINE_ROWS: the MCE/)
  })
})

it('the bits of doubles are put together exactly, the smallest and the largest among them', async () => {
  const draw = makeRandom(3)
  const edges = [0, 1, 2, 3, 0.1, Math.PI, 2 ** 52, 2 ** 53, 5e-324, 2 ** -1022, Number.MAX_VALUE, 2 ** 1023]
  const near = edges.flatMap(value => [value, value * (1 + 2 ** -52), value * (1 - 2 ** -53)])
  const drawn = Array.from({ length: 3000 }, () => (draw.next() + 0.5) * 2 ** (draw.integer(2090) - 1070))
  const numbers = [...near, ...drawn]
    .filter(Number.isFinite)
    .flatMap(value => [value, -value])
    .map(value => value + 0)
  const listed = numbers.map((value, index) => `(${index}, '${value}'::DOUBLE)`).join(', ')
  const rows = addColumns(
    `SELECT * FROM (VALUES ${listed}) AS t(nr, x)`,
    ...doubleBitsSql(place.driver.dialect, { x: 'x' }),
  )
  const [high, low] = await place.driver.query(
    `SELECT CAST(x_h AS DOUBLE), CAST(x_l AS DOUBLE) FROM (${rows}) ORDER BY nr`,
    ['double', 'double'],
  )
  const view = new DataView(new ArrayBuffer(8))
  for (const [index, value] of numbers.entries()) {
    view.setFloat64(0, value)
    expect([value, high[index], low[index]]).toEqual([value, view.getUint32(0), view.getUint32(4)])
  }
})

it('texts have the hash that they have in memory', async () => {
  const { dialect } = place.driver
  for (const word of ['a', 'nørth', '𝒲est', "it's", 'a longer text, with a comma']) {
    const [found] = await place.driver
      .values(
        `SELECT ${LANES.map(lane => `CAST(${dialect.textHash('v', lane)} AS DOUBLE)`).join(', ')} FROM (SELECT ${dialect.quoteText(word)} AS v)`,
      )
      .then(columns => [columns.map(column => column[0])])
    expect(found).toEqual([hashString(word).a >>> 0, hashString(word).b >>> 0])
  }
})
