// What comes back from an address, and how: answers that are none, large ones, and TLS.

import { createServer, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { SparkSession } from '../../../src/engines/spark/session.ts'
import type { SessionOptions } from '../../../src/engines/spark/sessionOptions.ts'
import { TEST_CERTIFICATE, TEST_KEY } from './certificate.ts'
import { errorOf } from './errorOf.ts'
import { endings, QUICK, start } from './fakeSession.ts'
import { type FakeOptions, FakeSpark, longs } from './fakeSpark.ts'

describe('what is no answer', () => {
  const page = (status: number) => (_: string, stream: import('node:http2').ServerHttp2Stream) => {
    stream.respond({ ':status': status, 'content-type': 'text/html' })
    stream.end('<html>no</html>')
    return true
  }

  const openError = async (options: FakeOptions, choice: SessionOptions = {}) => {
    const fake = await FakeSpark.start(options)
    endings.push(() => fake.stop())
    return errorOf(SparkSession.open(fake.address, { firstRetry: { ...QUICK, attempts: 3 }, ...choice }))
  }

  it.each([
    ['a page', 200, 'FB_SPARK_ANSWER'],
    ['a page that is not found', 404, 'FB_SPARK_ANSWER'],
    ['a page that asks who we are', 401, 'FB_SPARK_TOKEN'],
    ['a page that forbids', 403, 'FB_SPARK_PERMISSION'],
    ['a page of a proxy whose server is gone', 503, 'FB_SPARK_UNREACHABLE'],
  ])('%s, %d, is %s', async (_, status, code) => {
    expect(await openError({ handle: page(status) })).toMatchObject({ code })
  })

  it('wrong frames are refused', async () => {
    const handle: FakeOptions['handle'] = (_, stream) => {
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' })
      stream.end(Buffer.from('nothing of this kind'))
      return true
    }
    expect(await openError({ handle })).toMatchObject({ code: 'FB_SPARK_ANSWER' })
  })

  it('an answer that never comes is given up, each try through a connection of its own', async () => {
    let calls = 0
    const handle: FakeOptions['handle'] = () => ++calls > 0
    const error = await openError({ handle }, { deadlineMs: 40 })
    expect(error).toMatchObject({ code: 'FB_SPARK_UNREACHABLE', status: 4 })
    // Fewer where the machine is too busy to make a connection in time.
    expect(calls).toBeLessThanOrEqual(3)
  })

  it('nobody there is said', async () => {
    const fake = await FakeSpark.start()
    const { address } = fake
    await fake.stop()
    const error = await errorOf(SparkSession.open(address, { firstRetry: QUICK }))
    expect(error).toMatchObject({ code: 'FB_SPARK_UNREACHABLE' })
    expect(error.message).toMatch(/nobody listens there \(ECONNREFUSED\)/)
  })

  it('a machine that takes connections and says nothing is given up', async () => {
    const sockets = new Set<Socket>()
    const server = createServer(socket => sockets.add(socket.on('error', () => {})))
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    endings.push(async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    })
    const { port } = server.address() as import('node:net').AddressInfo
    const options = { deadlineMs: 40, firstRetry: { ...QUICK, attempts: 2 } }
    const error = await errorOf(SparkSession.open(`sc://127.0.0.1:${port}`, options))
    expect(error).toMatchObject({ code: 'FB_SPARK_UNREACHABLE' })
  })
})

describe('large messages', () => {
  const many = Array.from({ length: 50_000 }, (_, each) => each)

  it('come whole', async () => {
    const { session } = await start({ answer: () => longs(many, many) })
    expect((await session.query('SELECT n')).rowCount).toBe(100_000)
  })

  it('are refused above the limit', async () => {
    const { session } = await start({ answer: () => longs(many) }, { messageLimit: 100_000 })
    expect(await errorOf(session.query('SELECT n'))).toMatchObject({ code: 'FB_SPARK_LIMIT' })
    expect(await errorOf(session.query(`SELECT '${'x'.repeat(100_000)}'`))).toMatchObject({
      code: 'FB_SPARK_LIMIT',
    })
  })

  it('come compressed', async () => {
    const { session } = await start({ answer: () => longs(new Array(50_000).fill(7)), compress: true })
    expect((await session.query('SELECT n')).rowCount).toBe(50_000)
    expect(session.travelled.bytesReceived).toBeLessThan(20_000)
  })

  it('are sent compressed, and as they are to servers that cannot unpack them', async () => {
    const sql = `SELECT '${'x'.repeat(100_000)}'`
    const { fake, session } = await start({ answer: () => longs([1]) })
    await session.query(sql)
    expect(fake.executed).toEqual([sql])
    expect(session.travelled.bytesSent).toBeLessThan(10_000)
    const handle: FakeOptions['handle'] = (_, stream, headers) => {
      if (headers['grpc-encoding'] !== 'gzip') return false
      stream.respond(
        {
          ':status': 200,
          'content-type': 'application/grpc',
          'grpc-status': '12',
          'grpc-message': 'gzip is not supported',
        },
        { endStream: true },
      )
      return true
    }
    const other = await start({ answer: () => longs([1]), handle })
    await other.session.query(sql)
    expect(other.fake.executed).toEqual([sql])
  })
})

describe('TLS', () => {
  const tls = { cert: TEST_CERTIFICATE, key: TEST_KEY }

  it('carries a session where the certificate is trusted', async () => {
    const { session } = await start(
      { answer: () => longs([1]), tls, token: 't' },
      { certificates: TEST_CERTIFICATE },
    )
    expect((await session.query('SELECT n')).rowCount).toBe(1)
  })

  it('is refused at once where it is not trusted, before the token is sent', async () => {
    const fake = await FakeSpark.start({ tls, token: 't' })
    endings.push(() => fake.stop())
    const error = await errorOf(SparkSession.open(fake.address))
    expect(error).toMatchObject({ code: 'FB_SPARK_UNREACHABLE' })
    expect(error.message).toMatch(/certificate is not trusted/)
    expect(fake.calls).toEqual([])
  })

  it('is said to be missing where the server does not speak it', async () => {
    const fake = await FakeSpark.start()
    endings.push(() => fake.stop())
    const error = await errorOf(SparkSession.open(`sc://127.0.0.1:${fake.port}/;use_ssl=true`))
    expect(error).toMatchObject({ code: 'FB_SPARK_UNREACHABLE' })
  })
})
