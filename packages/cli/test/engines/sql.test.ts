// The arithmetic of the SQL: logits, checksums and samples to the bit, and text for both dialects.

import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { type Engine, referenceEngine } from '@featureboost/core'
import {
  type EngineRows,
  makeBinScorer,
  makeRandom,
  movedSql,
  ONE,
  type Update,
} from '@featureboost/core/internal'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { duckdbEngine } from '../../src/engines/duckdb/engine.ts'
import { readColumns } from '../../src/engines/duckdb/numbers.ts'
import { WorkDatabase } from '../../src/engines/duckdb/work.ts'
import { DUCKDB } from '../../src/engines/sql/duckdb.ts'
import { SPARK } from '../../src/engines/sql/spark.ts'

const forest = (step: number, more: Partial<Extract<Update, { kind: 'forest' }>> = {}): Update => ({
  kind: 'forest',
  clip: 1,
  trees: [{ tree: { leaf: 0 }, steps: [step] }],
  ...more,
})

/** All of the 2^24 where EVERY_UNIT is set, which takes minutes; else one in a prime number of them, and both ends. */
const STRIDE = process.env.EVERY_UNIT === undefined ? 997 : 1

describe('the logit scale in SQL', () => {
  let instance: DuckDBInstance
  let connection: DuckDBConnection
  beforeAll(async () => {
    instance = await DuckDBInstance.create(':memory:')
    connection = await instance.connect()
    await connection.run(
      `CREATE TABLE units AS SELECT range::INTEGER AS p FROM range(0, ${ONE + 1}, ${STRIDE})
       UNION ALL SELECT range::INTEGER FROM range(0, 3000) UNION ALL SELECT range::INTEGER FROM range(${ONE - 3000}, ${ONE + 1})`,
    )
  })
  afterAll(() => {
    connection.closeSync()
    instance.closeSync()
  })

  const steps = [1, -1, 12_345, -8_388_608, ONE, 3.7 * ONE, -11.3 * ONE, 31 * ONE, -40 * ONE].map(Math.round)
  const updates: Update[] = [
    ...steps.map(step => forest(step)),
    ...[ONE / 2, 1.37 * ONE, -2 * ONE, 900 * ONE].map(scale => forest(77_777, { scale: Math.round(scale) })),
    forest(-5000, { link: 'identity', clip: 0 }),
    { kind: 'curve', from: [0, 5, 6, 9_000_000, ONE], to: [10, 4_000, 3_000, 9_000_001, ONE - 7] },
    { kind: 'polynomial', tree: { leaf: 0 }, degree: 3, values: [1000, -70_000, 31, 90_001] },
  ]

  it.each(updates)('moves every prediction to the bit: %j', async update => {
    const [p, q] = await readColumns(
      connection,
      `SELECT p, q FROM (${movedSql(DUCKDB, 'SELECT * FROM units', update, [2])})`,
      ['word', 'word'],
    )
    const bins = [new Uint8Array(p.length)]
    const expected = makeBinScorer([update], [2], 0)(bins, [], p)
    const wrong = q.findIndex((moved, row) => moved !== expected[row])
    expect(wrong < 0 ? 'none' : `${p[wrong]} moves to ${q[wrong]}, not to ${expected[wrong]}`).toBe('none')
  })
})

describe('rows that are hashed in SQL', () => {
  let work: WorkDatabase
  beforeAll(async () => {
    work = await WorkDatabase.open({ threads: 2 })
  })
  afterAll(() => work.close())

  it('have the checksum of rows in memory, with and without weights, folds and signals', async () => {
    for (let seed = 0; seed < 8; seed++) {
      const rows = generatedRows(seed)
      const expected = await referenceEngine(rows).fingerprint()
      for (const far of [true, false]) {
        const engine = await duckdbEngine(work, { far })(rows as never)
        expect(await engine.fingerprint()).toBe(expected)
        const range = { features: [1, 3], signals: [0, Math.min(1, rows.signals.length)] } as const
        expect(await engine.fingerprint(range)).toBe(await referenceEngine(rows).fingerprint(range))
        await engine.close()
      }
    }
  })

  it('are sampled as rows in memory are', async () => {
    const rows = generatedRows(3)
    const request = { rowLimit: 40, parts: 3, keys: true }
    const engine = await duckdbEngine(work)(rows as never)
    const sorted = (keys: Int32Array | undefined) => [...keys!].sort((a, b) => a - b)
    const [found, expected] = await Promise.all([
      engine.sample!(request),
      referenceEngine(rows).sample(request),
    ])
    expect(sorted(found.key)).toEqual(sorted(expected.key))
    await engine.close()
  })
})

describe('sums that are kept while predictions do not move', () => {
  const LEAF = { leaf: 0 } as const
  const ALL = [0, 1, 2]
  const PAIRS: readonly (readonly [number, number])[] = [
    [0, 1],
    [1, 2],
  ]
  const values = (levels: number) => ({
    levelValues: Int32Array.from({ length: levels }, (_, level) =>
      Math.floor(((level + 0.3) * ONE) / levels),
    ),
  })
  const signs = Int32Array.from({ length: 20 }, (_, level) => (level % 3) - 1)

  /** Questions after the first that need no statement of their own; those about rounding, another one. */
  const follow = (fold: number): ((engine: Engine) => Promise<unknown>)[] => [
    ...[20, 10, 4, 1].flatMap(levels =>
      [{}, values(levels)].flatMap(more => [
        (engine: Engine) => engine.jointHistogram({ fold, levels, pairs: PAIRS, ...more }),
        (engine: Engine) =>
          engine.histogram({ fold, levels, tree: LEAF, features: ALL, resolution: 'coarse', ...more }),
      ]),
    ),
    engine => engine.jointHistogram({ fold, levels: 1, pairs: PAIRS, levelSigns: signs }),
    engine =>
      engine.histogram({
        ...{ fold, levels: 1, tree: LEAF, features: [2, 0], resolution: 'coarse', levelSigns: signs },
      }),
    ...[1, 2, 3, 20, 64, 100, 4800].flatMap(levels =>
      [{}, values(levels)].map(
        more => (engine: Engine) => engine.levelSums({ fold, levels, trees: [LEAF], ...more }),
      ),
    ),
  ]

  it.each([0, 1, 4, 5])('answer as sums that are counted anew, from few statements (rows %d)', async seed => {
    const work = await WorkDatabase.open({ threads: 2 })
    try {
      const rows = generatedRows(seed)
      const reference = referenceEngine(rows)
      const asked: string[] = []
      const engine = await duckdbEngine(work, { onAsked: ({ question }) => asked.push(question) })(
        rows as never,
      )
      const fold = rows.fold === undefined ? 0 : 1
      for (const step of [0, 123_456]) {
        if (step !== 0) for (const each of [engine, reference]) await each.apply(forest(step))
        asked.length = 0
        for (const ask of follow(fold)) expect(await ask(engine)).toEqual(await ask(reference))
        expect(asked).toEqual(['jointHistogram', 'levelSums'])
      }
      // Levels that are not made of those that are kept.
      const seven = { fold, levels: 7, trees: [LEAF] }
      expect(await engine.levelSums(seven)).toEqual(await reference.levelSums(seven))
      await engine.close()
    } finally {
      await work.close()
    }
  })
})

function generatedRows(seed: number): EngineRows {
  const random = makeRandom(seed)
  const rowCount = 500
  const words = (draw: () => number) => Int32Array.from({ length: rowCount }, draw)
  const bytes = (count: number) => Uint8Array.from({ length: rowCount }, () => random.integer(count))
  const binCounts = [3, 64, 256]
  return {
    rowCount,
    bins: binCounts.map(bytes),
    binCounts,
    coarseOf: binCounts.map(count => Uint8Array.from({ length: count }, (_, bin) => bin >> 3)),
    coarseCounts: binCounts.map(count => ((count - 1) >> 3) + 1),
    signals: seed % 4 > 1 ? [words(() => random.integer(2 * ONE) - ONE)] : [],
    label: words(() => random.integer(2) * ONE),
    start: words(() => random.integer(ONE + 1)),
    ...(seed % 2 === 1 && { weight: words(() => random.integer(2 ** 19)) }),
    ...(seed > 3 && { fold: bytes(2) }),
    key: words(() => random.integer(2 ** 32)),
  }
}

describe('the dialects', () => {
  const question = {
    source: 'SELECT f0, l, r FROM rows',
    groups: [
      {
        offset: 0,
        keys: [
          { column: 'f0', size: 4 },
          { column: 'l', size: 3 },
        ],
      },
      { offset: 12, keys: [{ column: 'l', size: 3 }] },
    ],
    sums: ['*', 'r'],
  }

  it('count all groups from one reading of the source', () => {
    const duckdb = DUCKDB.cells(question, 'asked')
    expect(duckdb.before).toEqual(['CREATE TEMP TABLE asked AS SELECT f0, l, r FROM rows'])
    expect(duckdb.queries[0]).toContain('GROUP BY f0, l) UNION ALL SELECT')
    expect(duckdb.after).toEqual(['DROP TABLE IF EXISTS asked'])
    const spark = SPARK.cells(question, 'asked')
    expect(spark.before).toEqual([])
    expect(spark.queries[0]).toContain(
      'explode(array((CAST(f0 AS BIGINT)) * 3 + l, CAST(l AS BIGINT) + 12)) AS cell FROM (SELECT f0, l, r FROM rows)',
    )
    expect(spark.queries[0].match(/GROUP BY/g)).toHaveLength(1)
  })

  it('of Spark count groups of many cells one by one, where there are many rows', () => {
    const groups = [50_000, 10_000, 10_000, 80_000, 80_000].map((size, offset) => ({
      offset,
      keys: [{ column: 'f0', size }],
    }))
    const readings = (rowCount: number) =>
      SPARK.cells({ ...question, groups, rowCount }, 'asked').queries[0].match(/GROUP BY/g)?.length
    expect([1e6, 1e7].map(readings)).toEqual([1, 4])
  })

  it('write whole numbers, tables and products each in its own way', () => {
    expect(DUCKDB.divide('a', 7)).toBe('((a) // (7))')
    expect(SPARK.divide('a', 7)).toBe('((a) DIV (7))')
    expect(DUCKDB.lookUp([5, -6], 'i')).toBe('([5, -6]::BIGINT[])[CAST(i AS BIGINT) + 1]')
    expect(SPARK.lookUp([5, -6], 'i')).toBe('array(5L, -6L)[CAST(i AS INT)]')
    expect(SPARK.timesModulo('x', -1)).toContain('4294967295L')
  })
})
