// A worker that dies during a fit costs time and changes nothing: on a master and two workers, each a process of its own.

import { setTimeout as sleep } from 'node:timers/promises'
import { type FitOptions, fit, tableFromRows } from '@featureboost/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Cluster, startCluster } from '../../../../../../scripts/spark/cluster.ts'
import { installSpark } from '../../../../../../scripts/spark/install.ts'
import { SPARK_STORE } from '../../../../src/engines/spark/storeDialect.ts'
import { SparkWork } from '../../../../src/engines/spark/work.ts'
import { sqlStore } from '../../../../src/engines/sql/store/store.ts'
import { STORE_ROWS, tableSql } from '../../storeRows.ts'

let cluster: Cluster
let work: SparkWork

beforeAll(async () => {
  cluster = await startCluster({ home: installSpark() })
  work = await SparkWork.open(cluster.address)
})

afterAll(async () => {
  await work?.close()
  await cluster?.stop()
})

it('a worker is killed during a fit: the model is that of rows in memory', { timeout: 900_000 }, async () => {
  const text = { type: 'STRING', quote: SPARK_STORE.quoteText, create: 'USING parquet' }
  for (const sql of tableSql('loans', STORE_ROWS, text)) await work.driver.run(sql)
  const options: FitOptions = {
    label: 'y',
    prediction: 'score',
    epsilon: 0.2,
    method: 'rounds',
    roundLimit: 1,
    features: ['age', 'region'],
  }
  const expected = await fit(tableFromRows(STORE_ROWS), options)
  const fitting = fit(sqlStore(work, 'SELECT * FROM loans'), options)
  // Killed once some statements are behind it and others are to come.
  while (work.driver.travelled.statementCount < 8) await sleep(50)
  await cluster.killWorker(0)
  await cluster.startWorker(0)
  expect((await fitting).toText()).toBe(expected.toText())
})
