// The server: node:http, a handful of routes, limits on everything that comes in. Decision 0025.

import { timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { writeNumbers } from '../arrow/write.ts'
import { CommandError } from '../errors.ts'
import { ARROW_TYPE, rowsFromArrow } from './arrowRows.ts'
import { decode, linger, Patience, readBody } from './body.ts'
import { Line } from './line.ts'
import { Metrics, type Value } from './metrics.ts'
import { LIMITS, type ServeLimits } from './options.ts'
import { JSON_TYPE, type Look, PAGES } from './pages.ts'
import type { Recorder } from './record.ts'
import { asRefusal, type Refusal, refuse } from './refusal.ts'
import { type AskedRows, parseJson, rowsOf } from './rows.ts'
import type { Served, Shelf } from './shelf.ts'
import { answerStream } from './stream.ts'

export interface ServeOptions {
  readonly host?: string
  /** 0: one that is free. */
  readonly port?: number
  /** Absent: nobody is asked for one. */
  readonly token?: string | undefined
  readonly limits?: Partial<ServeLimits>
  readonly recorder?: Recorder | undefined
  /** Every answer: its route, status, and how long it took. */
  readonly onAnswer?: ((answer: Answered) => void) | undefined
}

export interface Answered {
  readonly method: string
  readonly route: string
  readonly status: number
  readonly milliseconds: number
  readonly rows: number
}

/** One request from its head to its answer. */
interface Visit {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly startedAt: number
  route: string
  rows: number
}

const RETRY = { 'Retry-After': '1' }
const BUSY = refuse(503, 'FB_SERVE_BUSY', 'there is too much to do.', { headers: RETRY })
const ENDING = refuse(503, 'FB_SERVE_BUSY', 'the server is about to end.', { headers: RETRY })

export class PredictionServer {
  readonly metrics = new Metrics()
  readonly #shelf: Shelf
  readonly #options: ServeOptions
  readonly #limits: ServeLimits
  readonly #server: Server
  readonly #token: Buffer | undefined
  /** What is ready to be predicted. */
  readonly #line: Line
  /** Counters, kept where they are found many thousand times a second. */
  readonly #answers = new Map<string, Map<number, Value>>()
  readonly #rows = new WeakMap<Served, Value>()
  readonly #shed: Value
  readonly #patience: Patience
  #isEnding = false

  constructor(shelf: Shelf, options: ServeOptions = {}) {
    this.#shelf = shelf
    this.#options = options
    this.#limits = { ...LIMITS, ...options.limits }
    this.#patience = new Patience(this.#limits.patience)
    this.#line = new Line(this.#limits)
    this.#shed = this.metrics.value('shed_total')
    this.#token = options.token === undefined ? undefined : Buffer.from(`Bearer ${options.token}`)
    this.#server = createServer(
      { keepAliveTimeout: 72_000, headersTimeout: this.#limits.patience, requestTimeout: 0 },
      (request, response) => this.#answer(request, response),
    )
    this.#server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
      if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
      const status =
        error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400
      this.metrics.add('requests_total', { route: 'none', status: String(status) })
      socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
    })
  }

  get url(): string {
    const { address, family, port } = this.#server.address() as AddressInfo
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
  }

  listen(): Promise<void> {
    const { host = '127.0.0.1', port = 0 } = this.#options
    return new Promise((resolve, reject) => {
      this.#server.once('error', (error: NodeJS.ErrnoException) => {
        const reason = error.code === 'EADDRINUSE' ? 'it is taken' : error.message
        reject(new CommandError(2, `${host}:${port} cannot be used: ${reason}.`))
      })
      this.#server.listen({ host, port, backlog: 1024 }, () => resolve())
    })
  }

  /** Takes no more requests, answers those under way, and ends; after the time of grace it ends whatever is left. */
  async close(): Promise<void> {
    this.#isEnding = true
    const late = setTimeout(() => this.#server.closeAllConnections(), this.#limits.grace)
    await new Promise<void>(resolve => {
      this.#server.close(() => resolve())
      this.#server.closeIdleConnections()
    })
    clearTimeout(late)
    this.#patience.close()
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    // The last answer of this connection was given.
    if (request.socket.writableEnded) return void request.socket.destroy()
    const visit: Visit = { request, response, startedAt: performance.now(), route: 'none', rows: 0 }
    try {
      this.#visit(visit)
    } catch (error) {
      this.#refuse(visit, error)
    }
  }

  #visit(visit: Visit): void {
    const { request } = visit
    const path = (request.url ?? '').split('?', 1)[0]
    if (path === '/health') {
      visit.route = path
      allow(request, 'GET, HEAD')
      const status = this.#isEnding ? 503 : 200
      const body = JSON.stringify({ status: this.#isEnding ? 'ending' : 'ready' })
      this.#send(visit, status, JSON_TYPE, body)
      return
    }
    this.#checkToken(request)
    const model = path === '/predict' ? this.#shelf.find() : this.#modelAt(path)
    if (model !== undefined) {
      visit.route = path === '/predict' ? path : '/models/:name/predict'
      allow(request, 'POST')
      this.#predict(visit, model)
      return
    }
    const page = Object.hasOwn(PAGES, path) ? PAGES[path] : undefined
    if (page !== undefined) visit.route = path
    if (page === undefined)
      throw refuse(404, 'FB_SERVE_ADDRESS', 'there is nothing at this address.', {
        hint: `Models: ${this.#shelf.all.map(({ name }) => name).join(', ')}. /docs describes the requests.`,
      })
    allow(request, 'GET, HEAD')
    const { body, type } = page(this.#look())
    this.#send(visit, 200, type, body)
  }

  /** Of an address such as /models/loans/predict. */
  #modelAt(path: string): Served | undefined {
    const [, name] = /^\/models\/([\w.-]+)\/predict$/.exec(path) ?? []
    return name === undefined ? undefined : this.#shelf.find(name)
  }

  #checkToken({ headers }: IncomingMessage): void {
    if (this.#token === undefined) return
    const given = Buffer.from(headers.authorization ?? '')
    if (given.length === this.#token.length && timingSafeEqual(given, this.#token)) return
    const words = headers.authorization === undefined ? 'there is no token' : 'the token is another one'
    throw refuse(401, 'FB_SERVE_TOKEN', `${words}.`, {
      headers: { 'WWW-Authenticate': 'Bearer' },
      hint: 'Send the header "Authorization: Bearer TOKEN".',
    })
  }

  #predict(visit: Visit, served: Served): void {
    const { request, response } = visit
    if (this.#isEnding) {
      this.#shed.now++
      throw ENDING
    }
    if (this.#line.isFull) {
      this.#line.refuseLater(() => this.#turnAway(visit))
      return
    }
    const type = mediaType(request.headers['content-type'])
    if (type === 'application/x-ndjson') {
      const rows = answerStream(request, response, served, this.#limits, this.#options.recorder)
      rows.then(
        ({ predicted, refused }) => {
          visit.rows = predicted
          this.#count(visit, served)
          if (refused > 0) this.metrics.add('refused_rows_total', { model: served.name }, refused)
          this.#done(visit, 200)
        },
        error => this.#refuse(visit, error),
      )
      return
    }
    if (type !== 'application/json' && type !== ARROW_TYPE)
      throw refuse(415, 'FB_SERVE_BODY', `a body of type "${type}" is not read.`, {
        hint: `Send application/json, one row per line as application/x-ndjson, or ${ARROW_TYPE}.`,
      })
    readBody(
      request,
      this.#limits.bodyBytes,
      this.#patience,
      bytes => this.#queue(visit, served, type, bytes),
      error => this.#refuse(visit, error),
    )
  }

  #queue(visit: Visit, served: Served, type: string, bytes: Buffer): void {
    const work = () => {
      try {
        this.#predictRows(visit, served, this.#rowsIn(bytes, type, served))
      } catch (error) {
        this.#refuse(visit, error)
      }
    }
    this.#line.push(work, () => this.#turnAway(visit))
  }

  #turnAway(visit: Visit): void {
    this.#shed.now++
    this.#refuse(visit, BUSY)
  }

  #rowsIn(bytes: Buffer, type: string, served: Served): AskedRows {
    const { rows } = this.#limits
    if (type === ARROW_TYPE) return { rows: rowsFromArrow(bytes, served, rows), isOne: false }
    return rowsOf(parseJson(decode(bytes)), served, rows)
  }

  #predictRows(visit: Visit, served: Served, { isOne, rows }: AskedRows): void {
    const { hash } = served.model
    visit.rows = rows.length
    if (isOne && !wantsArrow(visit.request)) {
      const prediction = served.predictor.predictRow(rows[0])
      this.#options.recorder?.add(served, rows, [prediction])
      this.#count(visit, served)
      this.#send(visit, 200, JSON_TYPE, `{"prediction":${prediction},"model":"${hash}"}`)
      return
    }
    const predictions = served.predictor.predictRows(rows)
    this.#options.recorder?.add(served, rows, predictions)
    this.#count(visit, served)
    if (wantsArrow(visit.request)) {
      const model = ['X-Featureboost-Model', hash]
      this.#send(visit, 200, ARROW_TYPE, writeNumbers('prediction', predictions), model)
    } else this.#send(visit, 200, JSON_TYPE, `{"predictions":[${predictions.join()}],"model":"${hash}"}`)
  }

  #count({ rows }: Visit, served: Served): void {
    let counter = this.#rows.get(served)
    if (counter === undefined) {
      counter = this.metrics.value('rows_total', { model: served.name })
      this.#rows.set(served, counter)
    }
    counter.now += rows
  }

  #answersOf(route: string, status: number): Value {
    const known = this.#answers.get(route)?.get(status)
    if (known !== undefined) return known
    const counter = this.metrics.value('requests_total', { route, status: String(status) })
    this.#answers.set(route, (this.#answers.get(route) ?? new Map()).set(status, counter))
    return counter
  }

  #refuse(visit: Visit, error: unknown): void {
    const { body, headers, status }: Refusal = asRefusal(error)
    const { request, response } = visit
    if (response.headersSent || response.destroyed) {
      response.destroy()
      this.#done(visit, status)
      return
    }
    const more = Object.entries(headers).flat()
    // What is left of a large body, or of one that trickles in, is not waited for: the connection ends with the answer.
    const isLast = status === 408 || isLarge(request)
    if (isLast) linger(request.socket, this.#limits.patience)
    this.#send(visit, status, JSON_TYPE, body, isLast ? [...more, ...CLOSE] : more)
    request.resume()
  }

  /** Headers in one list, name after name: Node takes it as it is. */
  #send(
    visit: Visit,
    status: number,
    type: string,
    body: string | Buffer,
    more: readonly string[] = NO_HEADERS,
  ): void {
    const { request, response } = visit
    const length = String(Buffer.byteLength(body))
    const headers = ['Content-Type', type, 'Content-Length', length, ...SAFE, ...more]
    if (type.startsWith('text/html')) headers.push(...INERT)
    if (this.#isEnding && !more.includes('Connection')) headers.push(...CLOSE)
    response.writeHead(status, headers)
    response.end(request.method === 'HEAD' ? undefined : body)
    this.#done(visit, status)
  }

  #done({ request, route, rows, startedAt }: Visit, status: number): void {
    const milliseconds = performance.now() - startedAt
    this.#answersOf(route, status).now++
    this.metrics.observe(milliseconds / 1000)
    this.#options.onAnswer?.({ method: request.method ?? '', route, status, milliseconds, rows })
  }

  /** What pages show, as it is now. */
  #look(): Look {
    const { metrics } = this
    const models = this.#shelf.all
    metrics.set('queue_length', {}, this.#line.length)
    metrics.set('resident_memory_bytes', {}, process.memoryUsage.rss())
    metrics.clear('model_info')
    for (const { loadedAt, model, name } of models) {
      metrics.set('model_info', { model: name, hash: model.hash }, 1)
      metrics.set('model_loaded_timestamp_seconds', { model: name }, loadedAt.getTime() / 1000)
    }
    return { models, metrics, hasToken: this.#token !== undefined, url: this.url }
  }
}

const NO_HEADERS: readonly string[] = []
const CLOSE: readonly string[] = ['Connection', 'close']
const SAFE: readonly string[] = ['Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff']
const INERT: readonly string[] = ['Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'"]

/** More than one packet or two, or nobody knows. */
const isLarge = ({ complete, headers }: IncomingMessage): boolean =>
  !complete &&
  (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 2 ** 16)

/** Named among what it accepts; whoever takes anything gets JSON. */
const wantsArrow = ({ headers }: IncomingMessage): boolean => headers.accept?.includes(ARROW_TYPE) ?? false

/** Without its parameters. */
const mediaType = (given = ''): string =>
  given === 'application/json' ? given : given.split(';', 1)[0].trim().toLowerCase()

function allow({ method }: IncomingMessage, methods: string): void {
  if (method === methods || methods.split(', ').includes(method ?? '')) return
  throw refuse(405, 'FB_SERVE_ADDRESS', `${method} is not for this address.`, { headers: { Allow: methods } })
}
