// One process with two threads that ends every stream after a second, or after a little of its answer, as servers do with long
// ones: the client goes on where it was.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Cluster, startCluster } from '../../../../../../scripts/spark/cluster.ts'
import { installSpark } from '../../../../../../scripts/spark/install.ts'
import { SparkSession } from '../../../../src/engines/spark/session.ts'
import { slowRows, valuesOf } from './support.ts'

let cluster: Cluster

beforeAll(async () => {
  cluster = await startCluster({
    home: installSpark(),
    local: true,
    settings: {
      'spark.connect.execute.reattachable.senderMaxStreamDuration': '1s',
      'spark.connect.execute.reattachable.senderMaxStreamSize': '300k',
    },
  })
})

afterAll(async () => {
  await cluster?.stop()
})

it('a statement that outlives its streams runs once', async () => {
  const session = await SparkSession.open(cluster.address)
  await session.run('CREATE TABLE once (id BIGINT) USING parquet')
  await session.run(`INSERT INTO once ${slowRows(12, 2, 1000)}`)
  expect(session.travelled.reattachCount).toBeGreaterThan(2)
  expect(await valuesOf(session, 'SELECT count(*) AS n, sum(id) AS s FROM once')).toEqual([12n, 66n])
  await session.close()
})

it('an answer that comes in many streams is whole', async () => {
  const session = await SparkSession.open(cluster.address)
  const { columns, rowCount } = await session.query('SELECT id FROM range(500000)')
  expect(rowCount).toBe(500_000)
  expect((columns[0].values as BigInt64Array).every((value, row) => value === BigInt(row))).toBe(true)
  expect(session.travelled.reattachCount).toBeGreaterThan(5)
  await session.close()
})
