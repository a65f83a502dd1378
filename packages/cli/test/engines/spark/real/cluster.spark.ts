// The client against a real Spark: a master, two workers and a Connect server behind a token. First what a server answers, then what
// happens when a part of it, or the way to it, breaks. The faults come last, since they leave the cluster in other states.

import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Cluster, startCluster } from '../../../../../../scripts/spark/cluster.ts'
import { installSpark } from '../../../../../../scripts/spark/install.ts'
import { openSparkDriver } from '../../../../src/engines/spark/driver.ts'
import { SparkSession } from '../../../../src/engines/spark/session.ts'
import type { SparkProgress } from '../../../../src/engines/spark/sessionOptions.ts'
import { errorOf } from '../errorOf.ts'
import { CutProxy } from './cutProxy.ts'
import { doneTasks, signalled, slowRows, valuesOf } from './support.ts'

let cluster: Cluster
let session: SparkSession

beforeAll(async () => {
  cluster = await startCluster({ home: installSpark() })
  session = await SparkSession.open(cluster.address)
})

afterAll(async () => {
  await session?.close()
  await cluster?.stop()
})

describe('answers of a real server', () => {
  it('have every type, with its extremes and with null', async () => {
    const sql = `SELECT * FROM VALUES
      (1, true, -128Y, -32768S, -2147483648, -9223372036854775808L, CAST('NaN' AS FLOAT), CAST('-Infinity' AS DOUBLE),
       CAST('-99999999999999999999999999999999999.999' AS DECIMAL(38, 3)), 'ä€😀', X'00ff', DATE '0001-01-01',
       TIMESTAMP '1969-12-31 23:59:59.999999 UTC', TIMESTAMP_NTZ '2024-02-29 12:00:00.000001'),
      (2, false, 127Y, 32767S, 2147483647, 9223372036854775807L, 1.5F, 4.9E-324D,
       CAST('99999999999999999999999999999999999.999' AS DECIMAL(38, 3)), '', X'', DATE '9999-12-31',
       TIMESTAMP '1970-01-01 00:00:00 UTC', TIMESTAMP_NTZ '1970-01-01 00:00:00'),
      (3, null, null, null, null, null, null, null, null, null, null, null, null, null)
      AS t(k, b, i8, i16, i32, i64, f, d, n, s, x, day, at, wall) ORDER BY k`
    const { columns, rowCount } = await session.query(sql)
    expect(rowCount).toBe(3)
    const big = 10n ** 38n - 1n
    const days = (date: string) => Date.parse(`${date}T00:00:00Z`) / 86_400_000
    expect(columns.map(({ kind, name, values }) => [name, kind, [...values]])).toEqual([
      ['k', 'int32', [1, 2, 3]],
      ['b', 'boolean', [true, false, null]],
      ['i8', 'int8', [-128, 127, null]],
      ['i16', 'int16', [-32768, 32767, null]],
      ['i32', 'int32', [-2147483648, 2147483647, null]],
      ['i64', 'int64', [-(2n ** 63n), 2n ** 63n - 1n, null]],
      ['f', 'float', [Number.NaN, 1.5, null]],
      ['d', 'double', [Number.NEGATIVE_INFINITY, 5e-324, null]],
      ['n', 'decimal', [-big, big, null]],
      ['s', 'text', ['ä€😀', '', null]],
      [
        'x',
        'binary',
        [Buffer.from([0, 255]), Buffer.alloc(0), null].map(each => each && new Uint8Array(each)),
      ],
      ['day', 'date', [days('0001-01-01'), days('9999-12-31'), null]],
      ['at', 'timestamp', [-1n, 0n, null]],
      ['wall', 'timestamp', [BigInt(Date.UTC(2024, 1, 29, 12)) * 1000n + 1n, 0n, null]],
    ])
    expect(columns.find(({ name }) => name === 'n')?.scale).toBe(3)
    expect(columns.find(({ name }) => name === 'wall')?.zone).toBeUndefined()
    expect(columns.find(({ name }) => name === 'at')?.zone).toBeDefined()
  })

  it('have typed arrays, columns without a type, and no rows', async () => {
    const { columns } = await session.query('SELECT CAST(id AS INT) AS i, id, null AS nothing FROM range(3)')
    expect(columns.map(({ values }) => values)).toEqual([
      Int32Array.of(0, 1, 2),
      BigInt64Array.of(0n, 1n, 2n),
      [null, null, null],
    ])
    const driver = await openSparkDriver(cluster.address)
    const kinds = ['byte', 'word', 'double'] as const
    const numbers = 'SELECT CAST(id AS SMALLINT), CAST(id AS INT), CAST(id AS DOUBLE) FROM range(3)'
    expect(await driver.query(numbers, kinds)).toEqual([
      Uint8Array.of(0, 1, 2),
      Int32Array.of(0, 1, 2),
      Float64Array.of(0, 1, 2),
    ])
    expect(await driver.query(`${numbers} WHERE id > 5`, kinds)).toEqual([
      new Uint8Array(0),
      new Int32Array(0),
      new Float64Array(0),
    ])
    expect(driver.travelled).toMatchObject({ statementCount: 2, rowsReceived: 3 })
    await driver.close()
  })

  it('come in batches, whole', async () => {
    let [batches, rows, sum] = [0, 0, 0n]
    for await (const { columns, rowCount } of session.execute('SELECT id FROM range(1000000)')) {
      batches++
      rows += rowCount
      for (const value of columns[0].values as BigInt64Array) sum += value
    }
    expect(rows).toBe(1_000_000)
    expect(sum).toBe(499_999_500_000n)
    expect(batches).toBeGreaterThan(10)
  })

  it('come to many questions at once', async () => {
    const asked = [1, 2, 3, 4].map(each =>
      valuesOf(session, `SELECT sum(id * ${each}) AS s FROM range(1000)`),
    )
    expect((await Promise.all(asked)).flat()).toEqual([499_500n, 999_000n, 1_498_500n, 1_998_000n])
  })

  it('come to a statement that is sent compressed', async () => {
    const list = Array.from({ length: 7_000 }, (_, each) => each).join(', ')
    const before = session.travelled.bytesSent
    const sql = `SELECT count(*) AS n FROM range(9000) WHERE id IN (${list})`
    expect(await valuesOf(session, sql)).toEqual([7_000n])
    expect(session.travelled.bytesSent - before).toBeLessThan(sql.length)
  })

  it('are refused in words where Arrow batches are compressed or values nested', async () => {
    const other = await SparkSession.open(cluster.address)
    await other.setConfig({ 'spark.sql.execution.arrow.compression.codec': 'zstd' })
    expect((await errorOf(other.query('SELECT 1 AS a'))).message).toMatch(
      /^FB_SPARK_ANSWER.*compressed by zstd/,
    )
    await other.close()
    const error = await errorOf(session.query('SELECT array(1) AS list'))
    expect(error).toMatchObject({ code: 'FB_SPARK_ANSWER', details: { column: 'list' } })
  })

  it('come with progress', async () => {
    const told: SparkProgress[] = []
    await session.query(slowRows(8, 8, 1000), { onProgress: progress => told.push(progress) })
    expect(told.some(({ stages }) => stages.some(({ taskCount }) => taskCount === 8))).toBe(true)
    expect(
      told.every(({ stages }) => stages.every(({ doneCount, taskCount }) => doneCount <= taskCount)),
    ).toBe(true)
  })
})

describe('a session with a real server', () => {
  it('knows its version and its settings', async () => {
    expect(session.version).toMatch(/^4\.\d+\.\d+/)
    await session.setConfig({ 'spark.sql.shuffle.partitions': '3' })
    const found = await session.getConfig(['spark.sql.shuffle.partitions', 'featureboost.nothing'])
    expect([...found]).toEqual([
      ['spark.sql.shuffle.partitions', '3'],
      ['featureboost.nothing', undefined],
    ])
  })

  it('has views of its own, which go with it', async () => {
    const first = await SparkSession.open(cluster.address)
    await first.createView('of`one', 'SELECT 7 AS n')
    expect(await valuesOf(first, 'SELECT n FROM `of``one`')).toEqual([7])
    const hidden = await errorOf(session.query('SELECT n FROM `of``one`'))
    expect(hidden).toMatchObject({ code: 'FB_TABLE', condition: 'TABLE_OR_VIEW_NOT_FOUND' })
    await first.close()
    const [address] = cluster.address.split('/;')
    const again = `${address}/;token=${cluster.token};session_id=${first.id}`
    expect(await errorOf(SparkSession.open(again))).toMatchObject({ code: 'FB_SPARK_SESSION' })
  })

  it('leaves a session that is not ours, without our views', async () => {
    const id = '00112233-4455-6677-8899-aabbccddeeff'
    const first = await SparkSession.open(`${cluster.address};session_id=${id}`)
    await first.createView('ours', 'SELECT 1 AS n')
    await first.run('CREATE TEMPORARY VIEW theirs AS SELECT 2 AS n')
    await first.close()
    const second = await SparkSession.open(`${cluster.address};session_id=${id}`)
    expect(await valuesOf(second, 'SELECT n FROM theirs')).toEqual([2])
    expect(await errorOf(second.query('SELECT n FROM ours'))).toMatchObject({ code: 'FB_TABLE' })
    await second.close()
  })

  it.each([
    ['SELECT nosuch FROM range(1)', 'FB_SQL', 'UNRESOLVED_COLUMN.WITH_SUGGESTION', '42703'],
    ['SELEC 1', 'FB_SQL', 'PARSE_SYNTAX_ERROR', '42601'],
    ['SELECT * FROM nowhere.nothing', 'FB_TABLE', 'TABLE_OR_VIEW_NOT_FOUND', '42P01'],
    [
      'SELECT 2147483647 + CAST(id AS INT) FROM range(2)',
      'FB_SPARK_OVERFLOW',
      'ARITHMETIC_OVERFLOW',
      '22003',
    ],
    ["SELECT CAST('x' AS INT)", 'FB_SQL', 'CAST_INVALID_INPUT', '22018'],
    ["SELECT raise_error('stop') FROM range(2)", 'FB_SQL', 'USER_RAISED_EXCEPTION', 'P0001'],
  ])('is told what is wrong with %s', async (sql, code, condition, sqlState) => {
    const error = await errorOf(session.query(sql))
    expect(error).toMatchObject({ code, condition, sqlState, status: 13 })
    expect(error.message).toContain(`[${condition}]`)
  })

  it('is told that a place may not be written', async () => {
    const sql = "INSERT OVERWRITE DIRECTORY '/proc/featureboost' USING parquet SELECT 1 AS a"
    expect(await errorOf(session.run(sql))).toMatchObject({ code: 'FB_SPARK_PERMISSION' })
  })

  it('is not run where a query is given for a statement', async () => {
    expect(await errorOf(session.run('SELECT 1'))).toMatchObject({ code: 'FB_SQL' })
  })

  it('is refused with a wrong token, and without one', async () => {
    const [address] = cluster.address.split('/;')
    const wrong = await errorOf(SparkSession.open(`${address}/;token=wrong-one`))
    expect(wrong).toMatchObject({ code: 'FB_SPARK_TOKEN', status: 16 })
    expect(wrong.message).not.toContain('wrong-one')
    expect(await errorOf(SparkSession.open(address))).toMatchObject({ code: 'FB_SPARK_TOKEN', status: 16 })
  })
})

describe('a long statement', () => {
  it('is ended by a signal: the cores are free for the next one', async () => {
    const stop = new AbortController()
    const onProgress = ({ runningTasks }: SparkProgress) => {
      if (runningTasks > 0) stop.abort()
    }
    // Ten minutes, were it to run on.
    const long = session.query(slowRows(1200, 2, 1000), { onProgress, signal: stop.signal })
    expect(await errorOf(long)).toMatchObject({ code: 'FB_ABORTED' })
    expect(await valuesOf(session, 'SELECT sum(id) AS s FROM range(0, 10, 1, 2)')).toEqual([45n])
  })

  it('is ended where its rows are not read to the end', async () => {
    for await (const _ of session.execute(slowRows(1200, 600, 500))) break
    expect(await valuesOf(session, 'SELECT sum(id) AS s FROM range(0, 10, 1, 2)')).toEqual([45n])
  })

  it('is ended with all others of its session', async () => {
    const { promise: running, resolve } = signalled()
    const onProgress = ({ runningTasks }: SparkProgress) => {
      if (runningTasks > 0) resolve()
    }
    const ended = errorOf(session.query(slowRows(1200, 2, 1000), { onProgress }))
    await running
    expect(await session.interruptAll()).toBe(1)
    expect(await ended).toMatchObject({ code: 'FB_ABORTED', condition: 'OPERATION_CANCELED' })
  })
})

describe('a connection that is cut', () => {
  it('for 20 s: the statement is taken up again and has run once', async () => {
    const proxy = await CutProxy.start(cluster.port)
    const through = await SparkSession.open(`sc://127.0.0.1:${proxy.port}/;token=${cluster.token}`)
    await through.run('CREATE TABLE once (id BIGINT) USING parquet')
    const running = through.run(`INSERT INTO once ${slowRows(8, 4, 1000)}`)
    await sleep(2_000)
    proxy.cut()
    await sleep(20_000)
    proxy.mend()
    await running
    expect(through.travelled.reattachCount).toBeGreaterThan(0)
    expect(await valuesOf(through, 'SELECT count(*) AS n, sum(id) AS s FROM once')).toEqual([8n, 28n])
    await through.run('DROP TABLE once')
    await through.close()
    await proxy.stop()
  })

  it('in the middle of an answer, again and again: every row comes once', async () => {
    const proxy = await CutProxy.start(cluster.port)
    const through = await SparkSession.open(`sc://127.0.0.1:${proxy.port}/;token=${cluster.token}`)
    let [rows, sum, cuts] = [0, 0n, 0]
    for await (const { columns, rowCount } of through.execute('SELECT id FROM range(2000000)')) {
      rows += rowCount
      for (const value of columns[0].values as BigInt64Array) sum += value
      if (rows > 300_000 * (cuts + 1)) {
        cuts++
        proxy.cut()
        proxy.mend()
      }
    }
    expect(rows).toBe(2_000_000)
    expect(sum).toBe(1_999_999_000_000n)
    expect(through.travelled.reattachCount).toBeGreaterThan(0)
    await through.close()
    await proxy.stop()
  })

  it('without either end being told: silence is noticed', async () => {
    const proxy = await CutProxy.start(cluster.port)
    const through = await SparkSession.open(`sc://127.0.0.1:${proxy.port}/;token=${cluster.token}`, {
      silenceMs: 5_000,
    })
    const running = through.query(`SELECT count(*) AS n FROM (${slowRows(8, 4, 1000)})`)
    await sleep(1_500)
    proxy.freeze()
    expect((await running).columns[0].values).toEqual(BigInt64Array.of(8n))
    expect(through.travelled.reattachCount).toBeGreaterThan(0)
    await through.close()
    await proxy.stop()
  })
})

describe('a part of the cluster that is killed', () => {
  it('a worker, during a query: the answer is the same', async () => {
    let killed: Promise<void> | undefined
    const onProgress = (progress: SparkProgress) => {
      if (doneTasks(progress) > 0) killed ??= cluster.killWorker(0)
    }
    const sql = `SELECT id % 3 AS k, count(*) AS n, sum(id) AS s FROM (${slowRows(16, 16, 1000)}) GROUP BY id % 3 ORDER BY k`
    const { columns } = await session.query(sql, { onProgress })
    expect(killed).toBeDefined()
    await killed
    expect(columns.map(({ values }) => [...values])).toEqual([
      [0n, 1n, 2n],
      [6n, 5n, 5n],
      [45n, 35n, 40n],
    ])
    await cluster.startWorker(0)
  })

  it('the server, and started again: the session is gone, which is said; a new one is well', async () => {
    await session.createView('kept', 'SELECT 1 AS n')
    const running = errorOf(
      session.run(`INSERT OVERWRITE DIRECTORY '${cluster.folder}/out' USING parquet ${slowRows(8, 2, 1000)}`),
    )
    await sleep(1_500)
    await cluster.killServer()
    const brief = { attempts: 2, forMs: 1_000, firstMs: 50, mostMs: 50 }
    const nobody = await errorOf(SparkSession.open(cluster.address, { firstRetry: brief }))
    expect(nobody).toMatchObject({ code: 'FB_SPARK_UNREACHABLE' })
    await cluster.startServer()
    expect(await running).toMatchObject({ code: 'FB_SPARK_SESSION' })
    expect(await errorOf(session.query('SELECT n FROM kept'))).toMatchObject({ code: 'FB_SPARK_SESSION' })
    await session.close()
    session = await SparkSession.open(cluster.address)
    expect(await valuesOf(session, 'SELECT sum(id) AS s FROM range(10)')).toEqual([45n])
    expect(await errorOf(session.query('SELECT n FROM kept'))).toMatchObject({ code: 'FB_TABLE' })
  })
})
