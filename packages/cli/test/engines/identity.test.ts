// One table, one model: byte for byte from the memory engine and from DuckDB, where rows come in chunks and are surveyed with a ledger.

import {
  FeatureBoostError,
  type FitOptions,
  fit,
  fitWithTrace,
  functions,
  linear,
  type TableSource,
  tableFromRows,
  trees,
  verify,
} from '@featureboost/core'
import { makeRandom } from '@featureboost/core/internal'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { duckdbEngine } from '../../src/engines/duckdb/engine.ts'
import { WorkDatabase } from '../../src/engines/duckdb/work.ts'
import { classArbitrary, type Row, roleArbitrary, rowsArbitrary } from './tables.ts'

const sourceOf = (rows: readonly Row[], size: number): TableSource => ({
  async *chunks() {
    for (let from = 0; from < rows.length; from += size) yield tableFromRows(rows.slice(from, from + size))
  },
})

const random = makeRandom(31)
const rows = Array.from({ length: 900 }, (_, index) => {
  const score = random.integer(200) / 200
  return {
    age: random.next() < 0.1 ? null : random.integer(40),
    region: random.next() < 0.1 ? null : 'nesw'[random.integer(4)],
    member: random.next() < 0.1 ? null : random.next() < 0.5,
    joined: new Date(Date.UTC(2020, 0, 1 + random.integer(900), random.integer(2) * 12)),
    person: `p${index >> 2}`,
    count: random.integer(4),
    weight: random.integer(5) / 3,
    side: random.next() < 0.3 ? 'holdout' : 'fit',
    score,
    y: random.next() < score ** 2 ? 1 : 0,
  }
})
// Copies, of all weights, and one row of no weight that is like another.
const withCopies = [
  ...rows,
  ...rows.slice(0, 120),
  ...rows.slice(60, 90),
  { ...rows[7], count: 0, weight: 0 },
]

const others = ['person', 'count', 'weight', 'side']
const base = { label: 'y', prediction: 'score', epsilon: 0.2, except: others } satisfies FitOptions
const rounds = { ...base, method: 'rounds', roundLimit: 4 } as const
const without = (...names: string[]) => others.filter(name => !names.includes(name))

const CASES: [string, FitOptions][] = [
  ['the defaults', base],
  ['a forest alone', { ...base, method: 'forest' }],
  ['rounds', rounds],
  ['rounds to the certificate', { ...rounds, stop: 'certificate' }],
  ['weights that are counts', { ...base, weight: 'count', except: without('count') }],
  ['weights that are fractions', { ...rounds, weight: 'weight', except: without('weight') }],
  ['no prediction', { label: 'y', epsilon: 0.2, except: [...others, 'score'] }],
  [
    'no prediction, with weights',
    { label: 'y', epsilon: 0.2, weight: 'weight', except: [...without('weight'), 'score'] },
  ],
  ['a split by id', { ...base, groupBy: 'person', except: without('person') }],
  ['ids and weights', { ...rounds, groupBy: 'person', weight: 'count', except: without('person', 'count') }],
  ['a fold column', { ...rounds, fold: 'side', except: without('side') }],
  ['independent copies', { ...rounds, copies: 'independent' }],
  ['nothing held out', { ...base, holdout: 0 }],
  ['linear auditors', { ...rounds, auditors: linear(), stop: 'certificate' }],
  ['functions', { ...rounds, auditors: functions({ old: row => (Number(row.age) > 20 ? 1 : -1) }) }],
  ['greedy trees', { ...rounds, auditors: trees({ depth: 3 }) }],
  ['another method', { ...base, method: 'isotonic' }],
]

describe('a model from DuckDB', () => {
  let work: WorkDatabase
  beforeAll(async () => {
    work = await WorkDatabase.open({ threads: 2, memory: '500MB' })
  })
  afterAll(() => work.close())

  it.each(CASES)('is that of the memory engine, byte for byte: %s', async (_, options) => {
    const expected = await outcomeOf(tableFromRows(withCopies), options)
    expect(expected).toMatch(/^\{/)
    expect(await outcomeOf(sourceOf(withCopies, 250), { ...options, engine: duckdbEngine(work) })).toBe(
      expected,
    )
  })

  it.each(CASES.slice(0, 3))('is the same with everything as SQL: %s', async (_, options) => {
    const expected = await outcomeOf(tableFromRows(withCopies), options)
    const engine = duckdbEngine(work, { far: true })
    expect(await outcomeOf(sourceOf(withCopies, 250), { ...options, engine })).toBe(expected)
  })

  it('is the same where cuts are learned from a sample of the rows', async () => {
    const draw = makeRandom(5)
    const many = Array.from({ length: 140_000 }, () => {
      const score = draw.integer(50) / 50
      return { a: draw.integer(4000), score, count: draw.integer(3), y: draw.next() < score ? 1 : 0 }
    })
    const options = { ...rounds, weight: 'count', except: [], roundLimit: 1 } satisfies FitOptions
    const expected = await outcomeOf(tableFromRows(many), options)
    expect(expected).toMatch(/^\{/)
    expect(await outcomeOf(sourceOf(many, 60_000), { ...options, engine: duckdbEngine(work) })).toBe(expected)
  })

  it('is the same where a part of a forest is kept, with groups; in any order, by any threads', async () => {
    const draw = makeRandom(52)
    const many = Array.from({ length: 20_000 }, () => {
      const [a, b, c, score] = [
        draw.integer(40),
        draw.integer(30),
        draw.integer(20),
        0.1 + 0.35 * draw.next(),
      ]
      const chance = score + (a > 20 ? 0.016 : -0.016) + (b % 7 < 3 ? 0.01 : -0.008)
      return { a, b, c, score, y: draw.next() < chance ? 1 : 0 }
    })
    const options = { label: 'y', prediction: 'score' } satisfies FitOptions
    const { model, trace } = await fitWithTrace(tableFromRows(many), { ...options, threads: 1 })
    expect(trace.forestShare).toBeGreaterThan(0)
    expect(trace.forestShare).toBeLessThan(1)
    expect(trace.groups).toHaveLength(2)
    const shuffled = many.map((row, index) => ({ row, place: (index * 7919) % many.length }))
    shuffled.sort((a, b) => a.place - b.place)
    const turned = tableFromRows(shuffled.map(({ row }) => row))
    expect(await outcomeOf(turned, { ...options, threads: 3 })).toBe(model.toText())
    expect(await outcomeOf(sourceOf(many, 3_000), { ...options, engine: duckdbEngine(work) })).toBe(
      model.toText(),
    )
  })

  it('is the same for every class of updates, with and without weights and scores', async () => {
    await fc.assert(
      fc.asyncProperty(
        rowsArbitrary(40),
        classArbitrary,
        roleArbitrary,
        fc.boolean(),
        async (rows, each, roles, heldOut) => {
          const options = {
            ...{ label: 'y', ...roles, ...each, epsilon: 0.4, method: 'rounds', roundLimit: 2 },
            ...(heldOut ? { stop: 'validation', holdout: 0.3 } : { stop: 'certificate' }),
          } as FitOptions
          const expected = await outcomeOf(tableFromRows(rows), options)
          expect(await outcomeOf(sourceOf(rows, 17), { ...options, engine: duckdbEngine(work) })).toBe(
            expected,
          )
        },
      ),
      { numRuns: 15 },
    )
  })

  it('is verified from DuckDB, and other rows are told from its own', async () => {
    const model = await fit(sourceOf(withCopies, 100), { ...base, engine: duckdbEngine(work) })
    expect((await verify(model, sourceOf(withCopies, 333), { engine: duckdbEngine(work) })).matches).toBe(
      true,
    )
    const changed = sourceOf(withCopies.slice(1), 333)
    expect((await verify(model, changed, { engine: duckdbEngine(work) })).matches).toBe(false)
  })
})

describe('rows that cannot be used', () => {
  let work: WorkDatabase
  beforeAll(async () => {
    work = await WorkDatabase.open()
  })
  afterAll(() => work.close())

  const bad: [string, Row[], FitOptions][] = [
    ['a label of 2', rows.with(500, { ...rows[500], y: 2 }), base],
    ['no label', rows.with(300, { ...rows[300], y: null } as never), base],
    ['a score of 1.5', rows.with(10, { ...rows[10], score: 1.5 }), base],
    [
      'a negative weight',
      rows.with(700, { ...rows[700], weight: -1 }),
      { ...rounds, weight: 'weight', except: without('weight') },
    ],
    [
      'weights of nothing',
      rows.map(row => ({ ...row, weight: 0 })),
      { ...rounds, weight: 'weight', except: without('weight') },
    ],
    ['one label only', rows.map(row => ({ ...row, y: 1 })), base],
    [
      'a fold of no name',
      rows.with(3, { ...rows[3], side: 'test' }),
      { ...rounds, fold: 'side', except: without('side') },
    ],
    [
      'nothing to fit',
      rows.map(row => ({ ...row, side: 'holdout' })),
      { ...rounds, fold: 'side', except: without('side') },
    ],
    ['a column that is not there', rows, { ...base, label: 'outcome' }],
    ['no rows', [], base],
  ]

  it.each(bad)('are refused in the same words: %s', async (_, given, options) => {
    const expected = await failureOf(sourceOf(given, 250), options)
    expect(expected).toMatch(/^FB_/)
    expect(await failureOf(sourceOf(given, 250), { ...options, engine: duckdbEngine(work) })).toBe(expected)
  })

  it('are refused when another reading gives others', async () => {
    let reading = 0
    const source: TableSource = {
      async *chunks() {
        const shift = reading++ < 2 ? 0 : 1
        yield tableFromRows(rows.map(row => ({ ...row, age: row.age === null ? null : row.age + shift })))
      },
    }
    expect(await failureOf(source, { ...base, engine: duckdbEngine(work) })).toContain(
      'FB_SOURCE column "age"',
    )
  })
})

const outcomeOf = (rows: Parameters<typeof fit>[0], options: FitOptions): Promise<string> =>
  fit(rows, options).then(
    model => model.toText(),
    error => {
      if (error instanceof FeatureBoostError && error.code !== 'FB_OPTION_METHOD') return error.message
      throw error
    },
  )

const failureOf = (rows: TableSource, options: FitOptions): Promise<string> =>
  fit(rows, options).then(
    () => 'no failure',
    (error: Error) => error.message,
  )
