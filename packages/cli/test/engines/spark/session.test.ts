// A session against a server that behaves: answers, settings, views, errors, what is sent and what is kept to ourselves.

import { inspect } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import { openSparkDriver } from '../../../src/engines/spark/driver.ts'
import { SparkError } from '../../../src/engines/spark/errors.ts'
import { SparkSession } from '../../../src/engines/spark/session.ts'
import type { SessionOptions } from '../../../src/engines/spark/sessionOptions.ts'
import { MessageWriter } from '../../../src/engines/spark/wire.ts'
import { errorOf } from './errorOf.ts'
import { type FakeOptions, FakeSpark, longs, rowsOf } from './fakeSpark.ts'

const open: { fakes: FakeSpark[]; sessions: SparkSession[] } = { fakes: [], sessions: [] }

async function start(options: FakeOptions = {}, choice: SessionOptions = {}) {
  const fake = await FakeSpark.start(options)
  open.fakes.push(fake)
  const session = await SparkSession.open(fake.address, choice)
  open.sessions.push(session)
  return { fake, session }
}

afterEach(async () => {
  for (const session of open.sessions.splice(0)) await session.close()
  for (const fake of open.fakes.splice(0)) await fake.stop()
})

describe('a session', () => {
  it('gives batches as they come, and all rows at once', async () => {
    const { session } = await start({ answer: () => longs([1, 2], [], [3]) })
    const batches = []
    for await (const { rowCount } of session.execute('SELECT n')) batches.push(rowCount)
    expect(batches).toEqual([2, 0, 1])
    const { columns, rowCount } = await session.query('SELECT n')
    expect(rowCount).toBe(3)
    expect(columns).toEqual([{ name: 'n', kind: 'int64', values: BigInt64Array.of(1n, 2n, 3n) }])
  })

  it('knows the version of the server and counts what travelled', async () => {
    const { session } = await start({ answer: () => longs([1]) })
    expect(session.version).toBe('4.1.4')
    const before = session.travelled
    expect(before).toMatchObject({ statementCount: 0, rowsReceived: 0, reattachCount: 0 })
    await session.query('SELECT n')
    const after = session.travelled
    expect(after).toMatchObject({ statementCount: 1, rowsReceived: 1, reattachCount: 0 })
    expect(after.bytesSent).toBeGreaterThan(before.bytesSent)
    expect(after.bytesReceived).toBeGreaterThan(before.bytesReceived)
  })

  it('sends the token and headers with every call, and shows the token nowhere', async () => {
    const token = 'very-secret'
    const fake = await FakeSpark.start({ token, answer: () => ({ status: 13, message: 'no' }) })
    open.fakes.push(fake)
    const session = await SparkSession.open(`${fake.address};x-databricks-cluster-id=7`)
    const error = await errorOf(session.query('SELECT 1'))
    await session.close()
    for (const { headers } of fake.calls)
      expect(headers).toMatchObject({ authorization: 'Bearer very-secret', 'x-databricks-cluster-id': '7' })
    expect(new Set(fake.calls.map(({ rpc }) => rpc))).toContain('ReleaseSession')
    for (const shown of [
      inspect(session, { depth: 9, showHidden: true }),
      JSON.stringify(session),
      error.stack,
      inspect(error),
    ])
      expect(shown).not.toContain(token)
  })

  it('says that a token is wrong or missing', async () => {
    const fake = await FakeSpark.start({ token: 'right' })
    open.fakes.push(fake)
    const wrong = await errorOf(SparkSession.open(fake.address.replace('right', 'wrong')))
    expect(wrong).toMatchObject({ code: 'FB_SPARK_TOKEN', status: 16 })
    expect(wrong.message).not.toContain('wrong')
    expect(await errorOf(SparkSession.open(`sc://127.0.0.1:${fake.port}`))).toMatchObject({
      code: 'FB_SPARK_TOKEN',
    })
  })

  it('sets and gets configuration', async () => {
    const { session } = await start()
    await session.setConfig({ 'spark.a': '1', 'spark.b': '' })
    const found = await session.getConfig(['spark.a', 'spark.b', 'spark.c'])
    expect([...found]).toEqual([
      ['spark.a', '1'],
      ['spark.b', ''],
      ['spark.c', undefined],
    ])
  })

  it('tells progress, and how far an answer has come', async () => {
    const stage = new MessageWriter()
      .integer(1, 3)
      .integer(2, 8)
      .integer(3, 9)
      .integer(4, 500)
      .integer(5, false)
    const progress = new MessageWriter().message(18, new MessageWriter().message(1, stage).integer(2, 2))
    const { session } = await start({ answer: () => [...longs([1, 2]), progress] })
    const told: unknown[] = []
    await session.query('SELECT n', { onProgress: each => told.push(each) })
    // Nine done of eight: a task was tried again.
    const stages = [{ stage: 3, taskCount: 8, doneCount: 8, bytesRead: 500, isDone: false }]
    expect(told).toEqual([{ stages, runningTasks: 2, rowsReceived: 2 }])
  })

  it('refuses a query where a statement is needed: the server would not run it', async () => {
    const relation = new MessageWriter().message(10, new MessageWriter().text(1, 'SELECT 1'))
    const { session } = await start({
      answer: () => [new MessageWriter().message(5, new MessageWriter().message(1, relation))],
    })
    expect(await errorOf(session.run('SELECT 1'))).toMatchObject({ code: 'FB_SQL' })
  })

  it('refuses rows that are not those that are due', async () => {
    const [first, , third] = longs([1], [2], [3])
    const { session } = await start({ answer: () => [first, third] })
    expect(await errorOf(session.query('SELECT n'))).toMatchObject({ code: 'FB_SPARK_ANSWER' })
  })

  it('refuses a part that has not the rows it claims to have', async () => {
    const part = new MessageWriter().integer(1, 5).bytes(2, new Uint8Array(0))
    const { session } = await start({ answer: () => [new MessageWriter().message(2, part)] })
    expect(await errorOf(session.query('SELECT n'))).toMatchObject({ code: 'FB_SPARK_ANSWER' })
  })

  it('cannot be used after it was closed, and can be closed twice', async () => {
    const { fake, session } = await start()
    await Promise.all([session.close(), session.close()])
    await session.close()
    expect(fake.count('ReleaseSession')).toBe(1)
    expect(await errorOf(session.run('DROP TABLE t'))).toMatchObject({ code: 'FB_ENGINE_CLOSED' })
    expect(await errorOf(session.query('SELECT 1'))).toMatchObject({ code: 'FB_ENGINE_CLOSED' })
    expect(await errorOf(session.getConfig(['a']))).toMatchObject({ code: 'FB_ENGINE_CLOSED' })
  })

  it('lets every operation go, and the session at its end', async () => {
    const { fake, session } = await start({ answer: () => longs([1]) })
    await session.query('SELECT 1')
    await session.run('CREATE TABLE t')
    await session.close()
    const released = fake.calls.filter(({ request, rpc }) => rpc === 'ReleaseExecute' && request.has(5))
    expect(released.map(({ request }) => request.text(3)).sort()).toEqual([...fake.operations.keys()].sort())
    expect(fake.calls.at(-1)?.rpc).toBe('ReleaseSession')
  })

  it('lets answers go now and then while a long one comes', async () => {
    const { fake, session } = await start({
      answer: () => longs(...Array.from({ length: 150 }, (_, each) => [each])),
    })
    expect((await session.query('SELECT n')).rowCount).toBe(150)
    await session.close()
    expect(fake.calls.filter(({ request, rpc }) => rpc === 'ReleaseExecute' && request.has(6))).toHaveLength(
      2,
    )
  })

  it('ends a statement whose rows nobody reads to the end', async () => {
    const { fake, session } = await start({ answer: () => longs([1], [2], [3]) })
    for await (const _ of session.execute('SELECT n')) break
    await session.close()
    expect(fake.calls.some(({ request, rpc }) => rpc === 'ReleaseExecute' && request.has(5))).toBe(true)
  })
})

describe('views of a session', () => {
  it('go with it', async () => {
    const { fake, session } = await start()
    await session.createView('a`b', 'SELECT 1')
    await session.dropView('c')
    await session.close()
    expect(fake.executed).toEqual([
      'CREATE OR REPLACE TEMPORARY VIEW `a``b` AS SELECT 1',
      'DROP VIEW IF EXISTS `c`',
    ])
    expect(fake.count('ReleaseSession')).toBe(1)
  })

  it('are dropped one by one where the session is not ours', async () => {
    const fake = await FakeSpark.start()
    open.fakes.push(fake)
    const session = await SparkSession.open(`${fake.address};session_id=00112233-4455-6677-8899-aabbccddeeff`)
    await session.createView('a', 'SELECT 1')
    await session.createView('b', 'SELECT 1')
    await session.dropView('a')
    await session.close()
    expect(fake.executed.slice(3)).toEqual(['DROP VIEW IF EXISTS `b`'])
    expect(fake.count('ReleaseSession')).toBe(0)
  })

  it('are dropped one by one where sessions cannot be let go, as before 4.0', async () => {
    const { fake, session } = await start({ serverSession: undefined, absent: ['ReleaseSession'] })
    await session.createView('a', 'SELECT 1')
    await session.close()
    expect(fake.executed.at(-1)).toBe('DROP VIEW IF EXISTS `a`')
  })

  it('are named where they may be left behind', async () => {
    const notes: string[] = []
    const fake = await FakeSpark.start()
    const session = await SparkSession.open(
      `${fake.address};session_id=00112233-4455-6677-8899-aabbccddeeff`,
      {
        onNote: note => notes.push(note),
      },
    )
    await session.createView('left', 'SELECT 1')
    await fake.stop()
    await session.close()
    expect(notes.join()).toMatch(/Views may be left in the session 00112233.*: left\. FB_SPARK_UNREACHABLE/)
  })
})

describe('an error of a statement', () => {
  it.each([
    ['TABLE_OR_VIEW_NOT_FOUND', '42P01', 'FB_TABLE'],
    ['ARITHMETIC_OVERFLOW', '22003', 'FB_SPARK_OVERFLOW'],
    ['INSUFFICIENT_PERMISSIONS', '42501', 'FB_SPARK_PERMISSION'],
    ['PARSE_SYNTAX_ERROR', '42601', 'FB_SQL'],
    ['INVALID_HANDLE.SESSION_CLOSED', 'HY000', 'FB_SPARK_SESSION'],
    ['INVALID_HANDLE.OPERATION_ABANDONED', 'HY000', 'FB_SPARK_LOST'],
    ['INVALID_CURSOR.POSITION_NOT_AVAILABLE', 'HY109', 'FB_SPARK_LOST'],
    ['OPERATION_CANCELED', 'HY008', 'FB_ABORTED'],
  ])('%s, %s is %s', async (condition, sqlState, code) => {
    const message = `[${condition}] Something is wrong. SQLSTATE: ${sqlState};\n'Project [secret plan]`
    const { fake, session } = await start({ answer: () => ({ status: 13, message, condition, sqlState }) })
    const error = await errorOf(session.query('SELECT 1'))
    expect(error).toBeInstanceOf(SparkError)
    expect(error).toMatchObject({ code, condition, sqlState, status: 13 })
    expect(error.message).toContain(`[${condition}] Something is wrong. SQLSTATE: ${sqlState}.`)
    expect(error.message).not.toContain('Project')
    expect(fake.executed).toHaveLength(1)
  })

  it.each([2, 13])('that ran out of memory says so, whatever its status: %i', async status => {
    const { session } = await start({ answer: () => ({ status, message: 'Java heap space', condition: '' }) })
    const error = await errorOf(session.query('SELECT 1'))
    expect(error).toMatchObject({ code: 'FB_MEMORY', status })
    expect(error.message).toMatch(
      /not enough memory for a statement: Java heap space\. .*spark\.driver\.memory/,
    )
  })

  it('is told in full, by the first cause that has a name', async () => {
    const answer = () => ({ status: 13, message: 'Job aborted.', condition: '', errorId: 'e-1' })
    const { session } = await start({ answer })
    const error = await errorOf(session.query('SELECT 1 / 0'))
    expect(error).toMatchObject({ code: 'FB_SQL', condition: 'DIVIDE_BY_ZERO', sqlState: '22012' })
    expect(error.message).toContain('told in full (e-1)')
  })

  it('is told in short by servers that have no more to say, with a note', async () => {
    const notes: string[] = []
    const answer = () => ({
      status: 13,
      message: '[DIVIDE_BY_ZERO] No.',
      condition: 'DIVIDE_BY_ZERO',
      errorId: 'e-1',
    })
    const { fake, session } = await start(
      { absent: ['FetchErrorDetails'], answer },
      { onNote: note => notes.push(note) },
    )
    for (let turn = 0; turn < 2; turn++)
      expect(await errorOf(session.query('SELECT 1'))).toMatchObject({
        code: 'FB_SQL',
        condition: 'DIVIDE_BY_ZERO',
      })
    expect(fake.count('FetchErrorDetails')).toBe(1)
    expect(notes).toEqual([expect.stringContaining('no FetchErrorDetails: errors are told in short')])
  })

  it('has its condition and SQLSTATE from the text, where the status has nothing else', async () => {
    const message = '[PARSE_SYNTAX_ERROR] Syntax error. SQLSTATE: 42601'
    const { session } = await start({ answer: () => ({ status: 13, message }) })
    const error = await errorOf(session.query('SELEC'))
    expect(error).toMatchObject({ condition: 'PARSE_SYNTAX_ERROR', sqlState: '42601' })
  })

  it('says so where a place may not be written', async () => {
    const message = 'Job aborted: java.io.IOException: Mkdirs failed to create file:/x'
    const { session } = await start({ answer: () => ({ status: 13, message }) })
    expect(await errorOf(session.run('INSERT'))).toMatchObject({ code: 'FB_SPARK_PERMISSION' })
  })
})

describe('the driver', () => {
  it('has columns of numbers, in order, and counts', async () => {
    const fake = await FakeSpark.start({
      answer: sql =>
        rowsOf([
          { name: 'a', kind: 'int32', values: [1, 2] },
          { name: 'b', kind: 'int32', values: [3, sql === 'missing' ? null : 4] },
        ]),
    })
    open.fakes.push(fake)
    const driver = await openSparkDriver(fake.address)
    await driver.run('CREATE TABLE t')
    const kinds = ['word', 'double'] as const
    expect(await driver.query('SELECT a, b', kinds)).toEqual([Int32Array.of(1, 2), Float64Array.of(3, 4)])
    expect(driver.travelled).toMatchObject({ statementCount: 2, rowsReceived: 2 })
    expect(await errorOf(driver.query('missing', kinds))).toMatchObject({ code: 'FB_SPARK_ANSWER' })
    expect(await errorOf(driver.query('SELECT a, b', ['word']))).toMatchObject({ code: 'FB_SPARK_ANSWER' })
    await driver.close()
    expect(driver.session.travelled.statementCount).toBe(4)
  })
})
