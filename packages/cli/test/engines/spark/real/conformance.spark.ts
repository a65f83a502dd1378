// The SQL engine on a real Spark: every question answered as the definitions say, all of it where the rows are.

import { CONFORMANCE } from '@featureboost/core/testing'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { type Cluster, startCluster } from '../../../../../../scripts/spark/cluster.ts'
import { installSpark } from '../../../../../../scripts/spark/install.ts'
import { openSparkDriver, type SparkDriver } from '../../../../src/engines/spark/driver.ts'
import { engineOf } from './rows.ts'

/** Some dozen statements each. */
const ROUNDS = { count: 1 }

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
})
