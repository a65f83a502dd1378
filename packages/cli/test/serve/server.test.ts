// The server answers as the library does, and refuses by a code what it cannot take, without a stack and without falling over.

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { readModel } from '@featureboost/core'
import { makeRandom } from '@featureboost/core/internal'
import { describe, expect, it } from 'vitest'
import { asJson, KINDS, ROWS, start, zooFile } from './started.ts'

const NDJSON = { 'Content-Type': 'application/x-ndjson' }
const bodyOf = async (response: Response) => (await response.json()) as Record<string, unknown>
const errorOf = async (response: Response) =>
  ({ status: response.status, ...((await bodyOf(response)).error as object) }) as {
    status: number
    code: string
    message: string
    row?: number
    column?: string
  }

const headOf = (type: string, bytes: number) =>
  `POST /predict HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: ${bytes}\r\n\r\n`

/** What a client hears that reads nothing before it has sent all. */
async function heardAtTheEnd(url: string, type: string, body: Buffer): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let heard = ''
  socket.on('error', error => {
    heard += error.message
  })
  const closed = once(socket, 'close')
  socket.write(headOf(type, body.length))
  await new Promise(resolve => socket.write(body, resolve))
  socket.on('data', data => {
    heard += data
  })
  await closed
  return heard
}

/** What the server says to these bytes: the first of it, or all until it hangs up. */
async function heardAfter(url: string, bytes: string, toTheEnd = false): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let heard = ''
  socket.on('data', data => {
    heard += data
  })
  socket.write(bytes)
  await once(socket, toTheEnd ? 'close' : 'data')
  socket.destroy()
  return heard
}

describe('predictions over HTTP', () => {
  it.each(KINDS)('are those of the library, one by one, together and in a stream: %s', async kind => {
    const model = readModel(readFileSync(zooFile(kind), 'utf8'))
    const expected = ROWS.map(row => model.predictRow(row))
    const { post } = await start([kind])
    const together = await bodyOf(await post(asJson(ROWS)))
    expect(together).toEqual({ predictions: expected, model: model.hash })
    expect(
      await bodyOf(await post(asJson({ rows: ROWS.slice(0, 2) }), {}, `/models/${kind}/predict`)),
    ).toEqual({
      predictions: expected.slice(0, 2),
      model: model.hash,
    })
    expect(await bodyOf(await post(asJson(ROWS[0])))).toEqual({
      prediction: expected[0],
      model: model.hash,
    })
    const lines = await (await post(ROWS.map(asJson).join('\n'), NDJSON)).text()
    expect(lines).toBe(expected.map(prediction => `{"prediction":${prediction}}\n`).join(''))
  })

  it('of the first model are at /predict, those of every model under its name', async () => {
    const { post, server } = await start(['default', 'platt'])
    const models = (await (await fetch(`${server.url}/models`)).json()) as { name: string; hash: string }[]
    expect(models.map(({ name }) => name)).toEqual(['default', 'platt'])
    expect((await bodyOf(await post(asJson(ROWS[0])))).model).toBe(models[0].hash)
    expect((await bodyOf(await post(asJson(ROWS[0]), {}, '/models/platt/predict'))).model).toBe(
      models[1].hash,
    )
    const missing = await errorOf(await post(asJson(ROWS[0]), {}, '/models/other/predict'))
    expect(missing).toMatchObject({ status: 404, code: 'FB_SERVE_ADDRESS' })
    expect(missing.message).toContain('Models: default, platt.')
  })
})

describe('a request is refused', () => {
  const { score: _, ...scoreless } = ROWS[0]
  it.each([
    ['no JSON', '{"age":', 400, 'FB_SERVE_BODY'],
    ['no rows', '7', 400, 'FB_SERVE_BODY'],
    ['no text', '"rows"', 400, 'FB_SERVE_BODY'],
    ['nothing', '', 400, 'FB_SERVE_BODY'],
    ['rows that are no list', '{"rows":{}}', 400, 'FB_SERVE_BODY'],
    ['a row that is no object', asJson([ROWS[0], 3]), 422, 'FB_ARGUMENT'],
    ['a column that is not there', asJson(scoreless), 422, 'FB_COLUMN_UNKNOWN'],
    ['a list in a column', asJson({ ...ROWS[0], age: [1] }), 422, 'FB_COLUMN_KIND'],
    ['a score that is none', asJson({ ...ROWS[0], score: 2 }), 422, 'FB_PREDICTION_RANGE'],
    ['text for a number', asJson({ ...ROWS[0], age: 'old' }), 422, 'FB_COLUMN_KIND'],
    ['deep JSON', '['.repeat(100_000), 400, 'FB_SERVE_BODY'],
    ['__proto__', '{"__proto__":{"age":3}}', 422, 'FB_COLUMN_UNKNOWN'],
  ])('for %s', async (_, body, status, code) => {
    const { post } = await start()
    const error = await errorOf(await post(body))
    expect(error).toMatchObject({ status, code })
    expect(error.message).not.toMatch(/\n {4}at |node:|\.ts:/)
  })

  it('with the row that is wrong, among many and in a stream that goes on', async () => {
    const { post, server } = await start()
    const wrong = [...ROWS.slice(0, 12), { ...ROWS[0], region: 5 }]
    expect(await errorOf(await post(asJson(wrong)))).toMatchObject({ status: 422, row: 13, column: 'region' })
    const lines = [asJson(ROWS[0]), 'nonsense', '', asJson(ROWS[1])].join('\n')
    const answers = (await (await post(lines, NDJSON)).text())
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(answers.map(each => Object.keys(each)[0])).toEqual(['prediction', 'error', 'prediction'])
    expect(server.metrics.toText()).toContain('featureboost_refused_rows_total{model="default"} 1')
  })

  it('for another type, method or address, which say what is taken', async () => {
    const { post, server } = await start()
    expect(await errorOf(await post('a,b', { 'Content-Type': 'text/csv' }))).toMatchObject({ status: 415 })
    const get = await fetch(`${server.url}/predict`)
    expect([get.status, get.headers.get('Allow')]).toEqual([405, 'POST'])
    const put = await fetch(`${server.url}/metrics`, { method: 'PUT', body: 'x' })
    expect([put.status, put.headers.get('Allow')]).toEqual([405, 'GET, HEAD'])
    for (const path of ['/', '/predict/', '/models/../etc', '/__proto__', '/constructor'])
      expect((await fetch(`${server.url}${path}`)).status).toBe(404)
  })

  it('without the token; health alone needs none', async () => {
    const token = 'a token of some length'.replaceAll(' ', '-')
    const { post, server } = await start(['default'], { token })
    const none = await post(asJson(ROWS[0]))
    expect(none.headers.get('WWW-Authenticate')).toBe('Bearer')
    expect(await errorOf(none)).toMatchObject({ status: 401, code: 'FB_SERVE_TOKEN' })
    for (const wrong of [`Bearer ${token}x`, `Bearer ${token.slice(1)}`, token, `bearer ${token}`, 'Bearer'])
      expect((await post(asJson(ROWS[0]), { Authorization: wrong })).status).toBe(401)
    expect((await post(asJson(ROWS[0]), { Authorization: `Bearer ${token}` })).status).toBe(200)
    expect((await fetch(`${server.url}/metrics`)).status).toBe(401)
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
  })
})

describe('limits', () => {
  it('hold for bodies that say their length, for those that do not, and for rows', async () => {
    const { post, server } = await start(['default'], { limits: { bodyBytes: 4000, rows: 3 } })
    expect(await errorOf(await post(' '.repeat(5000)))).toMatchObject({ status: 413, code: 'FB_SERVE_LIMIT' })
    const unsaid =
      'POST /predict HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n'
    expect(await heardAfter(server.url, `${unsaid}1388\r\n${' '.repeat(5000)}\r\n`)).toMatch(
      /^HTTP\/1\.1 413 /,
    )
    expect(await errorOf(await post(asJson(ROWS.slice(0, 4))))).toMatchObject({ status: 413 })
    expect((await post(asJson(ROWS.slice(0, 3)))).status).toBe(200)
    expect((await post(asJson(ROWS[0]), NDJSON)).status).toBe(200)
  })

  it.each([
    ['one body', 'application/json'],
    ['one line of a stream', 'application/x-ndjson'],
  ])('are told to clients that read only when all is sent: %s', async (_, type) => {
    const { server } = await start(['default'], { limits: { bodyBytes: 4000 } })
    const body = Buffer.alloc(2 ** 24, 32)
    const answers = Array.from({ length: 5 }, () => heardAtTheEnd(server.url, type, body))
    for (const answer of await Promise.all(answers))
      expect(answer).toMatch(/^HTTP\/1\.1 413 [\s\S]*FB_SERVE_LIMIT/)
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
  })

  it('are told, and who goes on sending for ever is cut off', async () => {
    const { server } = await start(['default'], { limits: { bodyBytes: 4000, patience: 200 } })
    const { hostname, port } = new URL(server.url)
    const socket = connect(Number(port), hostname)
    // Writing fails in the end.
    socket.on('error', () => {})
    const closed = new Promise(resolve => socket.once('close', resolve))
    const send = () => {
      if (!socket.destroyed) socket.write(Buffer.alloc(2 ** 16, 32), () => setImmediate(send))
    }
    socket.write(headOf('application/json', 2 ** 40), send)
    await closed
  })

  it('end requests that do not come to their end', async () => {
    const { server } = await start(['default'], { limits: { patience: 300 } })
    const { hostname, port } = new URL(server.url)
    const head =
      'POST /predict HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{'
    const socket = connect(Number(port), hostname)
    socket.write(head)
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 408 /)
    // Whoever goes on to trickle finds the connection closed.
    expect(answer.toString()).toMatch(/^Connection: close\r$/m)
    socket.destroy()
  })

  it('turn requests away when too many wait, and take them again', async () => {
    const { post, server } = await start(['default'], { limits: { queue: 4 } })
    const answers = await Promise.all(Array.from({ length: 200 }, () => post(asJson(ROWS))))
    const statuses = new Set(answers.map(({ status }) => status))
    expect([...statuses].every(status => status === 200 || status === 503)).toBe(true)
    for (const busy of answers.filter(({ status }) => status === 503))
      expect(busy.headers.get('Retry-After')).toBe('1')
    expect((await post(asJson(ROWS[0]))).status).toBe(200)
    const body = asJson(ROWS[0])
    const request = `POST /predict HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`
    const last = `${request}Connection: close\r\n\r\n${body}`
    const heard = await heardAfter(server.url, `${`${request}\r\n${body}`.repeat(49)}${last}`, true)
    const told = [...heard.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)
    expect([told.length, told[0], new Set(told)]).toEqual([50, '200', new Set(['200', '503'])])
    const none = await start(['default'], { limits: { queue: 0 } })
    expect(await errorOf(await none.post(asJson(ROWS[0])))).toMatchObject({
      status: 503,
      code: 'FB_SERVE_BUSY',
    })
    expect(none.server.metrics.toText()).toContain('featureboost_shed_total 1')
    expect(server.metrics.toText()).toContain('featureboost_requests_total{route="/predict",status="200"}')
  })

  it('let requests under way be answered when the server ends, and take no others', async () => {
    const { server } = await start(['default'], { limits: { grace: 3000 } })
    const { hostname, port } = new URL(server.url)
    const socket = connect(Number(port), hostname)
    const body = asJson(ROWS[0])
    socket.write(
      `POST /predict HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 9)}`,
    )
    // The head has been read.
    await once(socket, 'data')
    const ended = server.close()
    socket.write(body.slice(9))
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 [\s\S]*Connection: close/)
    await ended
    await expect(fetch(`http://${hostname}:${port}/health`)).rejects.toThrow()
    socket.destroy()
  })
})

describe('what nobody should send', () => {
  it('gets a refusal or an answer, and the server lives on', async () => {
    const { post, server } = await start(['default'], { limits: { patience: 500 } })
    const { hostname, port } = new URL(server.url)
    const random = makeRandom(9)
    const good = `POST /predict HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${asJson(ROWS[0]).length}\r\nConnection: close\r\n\r\n${asJson(ROWS[0])}`
    for (let turn = 0; turn < 300; turn++) {
      const bytes = Buffer.from(good)
      for (let flip = 0; flip < 1 + random.integer(6); flip++)
        bytes[random.integer(bytes.length)] = random.integer(256)
      const socket = connect(Number(port), hostname)
      let heard = ''
      socket.on('data', data => {
        heard += data
      })
      socket.on('error', () => {})
      socket.end(random.next() < 0.2 ? bytes.subarray(0, random.integer(bytes.length)) : bytes)
      await once(socket, 'close')
      expect(heard).toMatch(/^(HTTP\/1\.1 (200|4\d\d) |$)/)
      expect(heard).not.toMatch(/\n {4}at |node_modules/)
    }
    expect((await post(asJson(ROWS[0]))).status).toBe(200)
  })
})

describe('pages', () => {
  it('describe what is served, from the columns of the models', async () => {
    const { server } = await start(['default', 'platt'])
    const api = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
      openapi: string
      paths: Record<string, unknown>
      components: { schemas: Record<string, { required: string[]; properties: object }> }
    }
    expect(api.openapi).toBe('3.1.0')
    expect(Object.keys(api.paths)).toEqual([
      '/predict',
      '/models/default/predict',
      '/models/platt/predict',
      '/models',
      '/health',
      '/metrics',
    ])
    expect(api.components.schemas.row_default.required.sort()).toEqual(Object.keys(ROWS[0]).sort())
    const docs = await fetch(`${server.url}/docs`)
    expect(docs.headers.get('Content-Security-Policy')).toContain("default-src 'none'")
    expect(await docs.text()).toContain('/models/platt/predict')
    const metrics = await fetch(`${server.url}/metrics`)
    expect(metrics.headers.get('Content-Type')).toContain('version=0.0.4')
    const text = await metrics.text()
    expect(text).toMatch(/featureboost_model_info\{model="default",hash="[0-9a-f]{64}"\} 1/)
    for (const line of text.trimEnd().split('\n'))
      expect(line).toMatch(/^(# (HELP|TYPE) featureboost_\w+ .+|featureboost_\w+(\{[^}]*\})? [\d.e+-]+)$/)
    const head = await fetch(`${server.url}/models`, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
  })
})
