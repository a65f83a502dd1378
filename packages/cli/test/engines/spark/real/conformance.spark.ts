// The SQL engine on a real Spark: every question answered as the definitions say, all of it where the rows are.

import { memoryEngine } from '@featureboost/core'
import { makeRandom, type Tree } from '@featureboost/core/internal'
import { CONFORMANCE, type EngineRows } from '@featureboost/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Cluster, startCluster } from '../../../../../../scripts/spark/cluster.ts'
import { installSpark } from '../../../../../../scripts/spark/install.ts'
import { openSparkDriver, type SparkDriver } from '../../../../src/engines/spark/driver.ts'
import { engineOf } from './rows.ts'

/** Some dozen statements each. */
const ROUNDS = { count: 1 }

/** As many as are moved by many trees. */
const ROWS = 500

let cluster: Cluster
let driver: SparkDriver

beforeAll(async () => {
  cluster = await startCluster({
    home: installSpark(),
    local: true,
    settings: { 'spark.sql.shuffle.partitions': '2' },
  })
  driver = await openSparkDriver(cluster.address)
})

afterAll(async () => {
  await driver?.close()
  await cluster?.stop()
})

describe('the SQL engine on Spark conforms to the definitions', () => {
  for (const { check, title } of CONFORMANCE)
    it(title, () => check(async rows => await engineOf(driver, rows), ROUNDS))

  it('and moves rows by a thousand trees', async () => {
    const random = makeRandom(7)
    const draw = (size: number) => Array.from({ length: ROWS }, () => random.integer(size))
    const rows: EngineRows = {
      rowCount: ROWS,
      bins: [20, 9, 30].map(size => Uint8Array.from(draw(size))),
      binCounts: [20, 9, 30],
      coarseOf: [20, 9, 30].map(size => Uint8Array.from({ length: size }, (_, bin) => bin)),
      coarseCounts: [20, 9, 30],
      signals: [],
      label: Int32Array.from(draw(2), bit => bit * 2 ** 24),
      start: Int32Array.from(draw(2 ** 24)),
    }
    const grow = (depth: number, next: { leaf: number }): Tree => {
      if (depth === 0) return { leaf: next.leaf++ }
      const feature = random.integer(3)
      const split = { kind: 'atMost', feature, bin: random.integer(8), missing: false } as const
      return { split, yes: grow(depth - 1, next), no: grow(depth - 1, next) }
    }
    const trees = Array.from({ length: 1000 }, () => ({
      tree: grow(4, { leaf: 0 }),
      steps: Array.from({ length: 16 }, () => random.integer(2 ** 18) - 2 ** 17),
    }))
    const [there, here] = [await engineOf(driver, rows), await memoryEngine({ threads: 1 })(rows)]
    for (const engine of [there, here]) await engine.apply({ kind: 'forest', clip: 1, trees })
    expect(await there.losses()).toEqual(await here.losses())
    expect(await there.fingerprint()).toBe(await here.fingerprint())
    const levels = { fold: 0, levels: 20, trees: [{ leaf: 0 }] } as const
    expect(await there.levelSums(levels)).toEqual(await here.levelSums(levels))
    const tables = await driver.session.query('SHOW TABLES')
    expect(tables.columns.flatMap(({ values }) => Array.from(values as string[])).join()).not.toContain(
      'steps_',
    )
    await here.close()
    await there.close()
  })
})
