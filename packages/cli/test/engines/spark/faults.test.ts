// A session against a server that fails: connections that break at every moment, calls that it does not have, answers that are none. A
// statement never runs twice.

import { connect, createServer, type Socket } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SparkSession } from '../../../src/engines/spark/session.ts'
import { errorOf } from './errorOf.ts'
import { endings, QUICK, start } from './fakeSession.ts'
import { FakeSpark, type Fault, longs } from './fakeSpark.ts'

const PARTS = [[1, 2], [3], [4], [5, 6, 7]]
const ALL = BigInt64Array.from(PARTS.flat().map(BigInt))

describe('a statement whose connection breaks', () => {
  const fault: fc.Arbitrary<Fault> = fc.record({
    after: fc.integer({ min: 0, max: 5 }),
    how: fc.constantFrom('cut' as const, 'reset', 'end', 'unavailable', 'goaway'),
  })

  it('is taken up again after the last answer that came, and runs once, whenever and however it breaks', async () => {
    const { fake, session } = await start({ answer: () => longs(...PARTS) })
    let statements = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(fault, { maxLength: 6 }),
        fc.integer({ min: 0, max: 2 }),
        async (faults, lost) => {
          fake.faults = [...faults]
          fake.lostRequests = lost
          const { columns, rowCount } = await session.query('SELECT n')
          expect(rowCount).toBe(ALL.length)
          expect(columns[0].values).toEqual(ALL)
          expect(fake.executed).toHaveLength(++statements)
        },
      ),
      { numRuns: 60 },
    )
    expect(session.travelled.reattachCount).toBeGreaterThan(50)
  })

  it('is sent again by the same id where it never came', async () => {
    const { fake, session } = await start({ answer: () => longs([1]) })
    fake.lostRequests = 1
    await session.query('SELECT n')
    const ids = fake.calls.filter(({ rpc }) => rpc === 'ExecutePlan').map(({ request }) => request.text(6))
    expect(ids).toHaveLength(2)
    expect(new Set(ids).size).toBe(1)
    expect(fake.executed).toHaveLength(1)
  })

  it('is taken up where it turns out to be there already', async () => {
    const { fake, session } = await start({ answer: () => longs([1]) })
    // The first sending is said to be lost, and is there when the second one comes.
    fake.faults = [{ after: 0, how: 'cut' }]
    fake.unseen = 1
    expect((await session.query('SELECT n')).rowCount).toBe(1)
    expect(fake.count('ExecutePlan')).toBe(2)
    expect(fake.executed).toHaveLength(1)
  })

  it('is taken up after silence, through another connection', async () => {
    const { fake, session } = await start({ answer: () => longs(...PARTS) }, { silenceMs: 60 })
    fake.faults = [{ after: 2, how: 'silent' }]
    expect((await session.query('SELECT n')).columns[0].values).toEqual(ALL)
    expect(fake.executed).toHaveLength(1)
    expect(session.travelled.reattachCount).toBeGreaterThan(0)
  })

  it('is given up after so many tries', async () => {
    const { fake, session } = await start({ answer: () => longs([1]) }, { retry: { ...QUICK, attempts: 5 } })
    fake.faults = new Array(50).fill({ after: 0, how: 'unavailable' })
    const error = await errorOf(session.query('SELECT n'))
    expect(error).toMatchObject({ code: 'FB_SPARK_UNREACHABLE', status: 14 })
    expect(fake.faults).toHaveLength(45)
  })

  it('is given up after so much time', async () => {
    const retry = { attempts: 1000, forMs: 30, firstMs: 8, mostMs: 8 }
    const { fake, session } = await start({ answer: () => longs([1]) }, { retry })
    fake.faults = new Array(1000).fill({ after: 0, how: 'unavailable' })
    expect(await errorOf(session.query('SELECT n'))).toMatchObject({ code: 'FB_SPARK_UNREACHABLE' })
    expect(fake.faults.length).toBeGreaterThan(900)
  })

  it('is given up where its stream ends again and again without a word', async () => {
    const { fake, session } = await start({ answer: () => longs([1]) }, { retry: { ...QUICK, attempts: 5 } })
    fake.faults = new Array(50).fill({ after: 0, how: 'end' })
    expect(await errorOf(session.query('SELECT n'))).toMatchObject({ code: 'FB_SPARK_UNREACHABLE' })
  })
})

describe('a server that was started again', () => {
  it('does not know the session, which is said with a code; nothing is sent again', async () => {
    const { fake, session } = await start({ answer: () => longs([1]) })
    await session.query('SELECT n')
    fake.restart()
    expect(await errorOf(session.query('SELECT n'))).toMatchObject({
      code: 'FB_SPARK_SESSION',
      condition: 'INVALID_HANDLE.SESSION_CHANGED',
    })
    expect(await errorOf(session.run('CREATE TABLE t'))).toMatchObject({ code: 'FB_SPARK_SESSION' })
    expect(fake.executed).toHaveLength(1)
  })

  it('during a statement, the same', async () => {
    const { fake, session } = await start({ answer: () => 'never' })
    const running = errorOf(session.run('INSERT'))
    while (fake.executed.length === 0) await new Promise(resolve => setTimeout(resolve, 1))
    fake.restart()
    expect(await running).toMatchObject({ code: 'FB_SPARK_SESSION' })
    expect(fake.executed).toEqual(['INSERT'])
  })

  it('is noticed by a mark where sessions have no names, as before 4.0', async () => {
    const { fake, session } = await start({ answer: () => 'never', serverSession: undefined })
    const running = errorOf(session.run('INSERT'))
    while (fake.executed.length === 0) await new Promise(resolve => setTimeout(resolve, 1))
    fake.restart()
    expect(await running).toMatchObject({ code: 'FB_SPARK_SESSION' })
    expect(fake.executed).toEqual(['INSERT'])
  })

  it('is another one for all we know where no mark could be left: then nothing is sent again, either', async () => {
    const { fake, session } = await start({
      answer: () => 'never',
      serverSession: undefined,
      absent: ['Config'],
    })
    const running = errorOf(session.run('INSERT'))
    while (fake.executed.length === 0) await new Promise(resolve => setTimeout(resolve, 1))
    fake.restart()
    expect((await running).code).toMatch(/^FB_SPARK_(LOST|ANSWER)$/)
    expect(fake.executed).toEqual(['INSERT'])
  })
})

describe('a server without calls to take statements up again', () => {
  const absent = ['ReattachExecute', 'ReleaseExecute', 'ReleaseSession', 'FetchErrorDetails'] as const

  it('is asked plainly, which is said once', async () => {
    const notes: string[] = []
    const { fake, session } = await start(
      { absent, answer: () => longs(...PARTS) },
      { onNote: note => notes.push(note) },
    )
    for (let turn = 0; turn < 3; turn++)
      expect((await session.query('SELECT n')).columns[0].values).toEqual(ALL)
    expect(fake.executed).toHaveLength(3)
    expect(fake.count('ReattachExecute')).toBe(1)
    expect(notes[0]).toMatch(
      /has no ReattachExecute: a statement whose connection breaks is lost, and is not sent again/,
    )
    expect(notes.filter(note => note.includes('ReattachExecute'))).toHaveLength(1)
  })

  it('may be silent for as long as it likes', async () => {
    const { fake, session } = await start({ absent, answer: () => 'never' }, { silenceMs: 10 })
    const stop = new AbortController()
    const running = errorOf(session.query('SELECT n', { signal: stop.signal }))
    setTimeout(() => stop.abort(), 60)
    expect(await running).toMatchObject({ code: 'FB_ABORTED' })
    expect(fake.executed).toHaveLength(1)
  })

  it('loses a statement whose connection breaks, and it is not sent again', async () => {
    const { fake, session } = await start({ absent, answer: () => longs(...PARTS) })
    for (const how of ['cut', 'unavailable'] as const) {
      fake.faults = [{ after: 1, how }]
      expect(await errorOf(session.query('SELECT n'))).toMatchObject({ code: 'FB_SPARK_LOST' })
    }
    expect(fake.executed).toHaveLength(2)
    // Afterwards the next one is well.
    expect((await session.query('SELECT n')).rowCount).toBe(ALL.length)
  })
})

describe('a statement that is cancelled', () => {
  it('is ended on the server, and let go', async () => {
    const { fake, session } = await start({ answer: () => 'never' })
    const stop = new AbortController()
    const running = errorOf(session.query('SELECT n', { signal: stop.signal }))
    while (fake.executed.length === 0) await new Promise(resolve => setTimeout(resolve, 1))
    stop.abort()
    expect(await running).toMatchObject({ code: 'FB_ABORTED' })
    await session.close()
    const [id] = fake.operations.keys()
    const interrupt = fake.calls.find(({ rpc }) => rpc === 'Interrupt')
    expect(interrupt?.request.text(6)).toBe(id)
    expect(interrupt?.request.count(4)).toBe(3)
    expect(fake.calls.some(({ request, rpc }) => rpc === 'ReleaseExecute' && request.text(3) === id)).toBe(
      true,
    )
  })

  it('while it is being sent is given up, and the next one is well', async () => {
    let isDeaf = true
    const { fake, session } = await start(
      // Nobody reads, so that most of the statement waits on our side.
      { answer: () => longs([1]), handle: rpc => isDeaf && rpc === 'ExecutePlan' },
      { compressFrom: Number.POSITIVE_INFINITY },
    )
    const stop = new AbortController()
    const running = errorOf(session.query(`SELECT '${'x'.repeat(2_000_000)}'`, { signal: stop.signal }))
    setTimeout(() => stop.abort(), 30)
    expect(await running).toMatchObject({ code: 'FB_ABORTED' })
    isDeaf = false
    expect((await session.query('SELECT n')).rowCount).toBe(1)
    expect(fake.executed).toEqual(['SELECT n'])
  })

  it('before it began is not sent', async () => {
    const { fake, session } = await start()
    expect(await errorOf(session.query('SELECT n', { signal: AbortSignal.abort() }))).toMatchObject({
      code: 'FB_ABORTED',
    })
    expect(fake.executed).toEqual([])
  })

  it('while the server cannot be reached is given up at once', async () => {
    const patient = { attempts: 1000, forMs: 1e9, firstMs: 1, mostMs: 1e9 }
    const { fake, session } = await start({ answer: () => longs([1]) }, { retry: patient })
    fake.faults = new Array(50).fill({ after: 0, how: 'unavailable' })
    const stop = new AbortController()
    const running = errorOf(session.query('SELECT n', { signal: stop.signal }))
    while (fake.faults.length > 48) await new Promise(resolve => setTimeout(resolve, 1))
    stop.abort()
    expect(await running).toMatchObject({ code: 'FB_ABORTED' })
  })

  it('says where a server cannot end it', async () => {
    const notes: string[] = []
    const { fake, session } = await start(
      { absent: ['Interrupt'], answer: () => 'never' },
      { onNote: each => notes.push(each) },
    )
    const stop = new AbortController()
    const running = errorOf(session.query('SELECT n', { signal: stop.signal }))
    while (fake.executed.length === 0) await new Promise(resolve => setTimeout(resolve, 1))
    stop.abort()
    expect(await running).toMatchObject({ code: 'FB_ABORTED' })
    expect(notes.join()).toMatch(/no Interrupt: a statement that was cancelled may go on for a while/)
  })
})

describe('a connection that is cut for a while', () => {
  it('is made again when it is back, and the statement goes on', async () => {
    const fake = await FakeSpark.start({ answer: () => longs(...PARTS) })
    endings.push(() => fake.stop())
    let isDown = false
    const sockets = new Set<Socket>()
    const proxy = createServer(socket => {
      if (isDown) {
        socket.destroy()
        return
      }
      const server = connect(fake.port, '127.0.0.1')
      for (const each of [socket, server]) sockets.add(each.on('error', () => {}))
      socket.pipe(server).pipe(socket)
    })
    await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
    endings.push(async () => void proxy.close())
    const { port } = proxy.address() as import('node:net').AddressInfo
    const session = await SparkSession.open(`sc://127.0.0.1:${port}`, { retry: QUICK })
    endings.unshift(() => session.close())
    fake.faults = [{ after: 2, how: 'silent' }]
    const running = session.query('SELECT n')
    while (fake.executed.length === 0) await new Promise(resolve => setTimeout(resolve, 1))
    isDown = true
    for (const socket of sockets) socket.destroy()
    setTimeout(() => {
      isDown = false
    }, 30)
    expect((await running).columns[0].values).toEqual(ALL)
    expect(fake.executed).toHaveLength(1)
  })
})
