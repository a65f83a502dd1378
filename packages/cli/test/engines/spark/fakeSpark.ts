// A small Spark Connect server on loopback that fails as it is told. It keeps operations as a real one does: they run once, keep
// their answers, and can be taken up again after a given one.

import { once } from 'node:events'
import {
  createSecureServer,
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import type { AddressInfo } from 'node:net'
import { FrameReader, writeFrame } from '../../../src/engines/spark/frames.ts'
import type { Rpc } from '../../../src/engines/spark/messages.ts'
import { MessageReader, MessageWriter } from '../../../src/engines/spark/wire.ts'
import { type MadeColumn, writeArrow } from './arrowWriter.ts'

/** What happens to a stream of answers, after so many of them. */
export interface Fault {
  readonly after: number
  readonly how: 'cut' | 'reset' | 'end' | 'unavailable' | 'silent' | 'goaway'
}

export interface FakeError {
  readonly status: number
  readonly message: string
  readonly condition?: string
  readonly sqlState?: string
  readonly errorId?: string
}

export type FakeAnswer = readonly MessageWriter[] | FakeError | 'never'

export interface FakeOptions {
  /** The name of the session on the server; undefined for servers before 4.0. */
  readonly serverSession?: string | undefined
  readonly absent?: readonly Rpc[]
  readonly token?: string
  readonly answer?: (sql: string) => FakeAnswer
  /** Takes over a call where it answers true. */
  readonly handle?: (rpc: string, stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => boolean
  readonly compress?: boolean
  readonly tls?: { readonly key: string; readonly cert: string }
}

export interface FakeCall {
  readonly rpc: Rpc
  readonly request: MessageReader
  readonly headers: IncomingHttpHeaders
}

interface FakeOperation {
  readonly sql: string
  readonly answer: FakeAnswer
  readonly responses: { readonly id: string; readonly bytes: Uint8Array }[]
}

const CLIENT_SESSION: Partial<Record<Rpc, number>> = {
  ExecutePlan: 8,
  ReattachExecute: 6,
  Config: 8,
  AnalyzePlan: 17,
}

export class FakeSpark {
  readonly calls: FakeCall[] = []
  /** Statements in the order in which they were begun: one that runs twice stands here twice. */
  readonly executed: string[] = []
  faults: Fault[] = []
  /** So many requests to execute come to nothing: the connection breaks before they are read. */
  lostRequests = 0
  /** So many times an operation is said not to be there, though it is. */
  unseen = 0
  readonly config = new Map<string, string>()
  readonly operations = new Map<string, FakeOperation>()
  serverSession: string | undefined
  readonly #options: FakeOptions
  readonly #server: Http2Server
  readonly #sessions = new Set<ServerHttp2Session>()

  constructor(options: FakeOptions = {}) {
    this.#options = options
    this.serverSession = 'serverSession' in options ? options.serverSession : 'server-1'
    this.#server = options.tls === undefined ? createServer() : createSecureServer(options.tls)
    this.#server.on('session', session => {
      this.#sessions.add(session)
      session.on('close', () => this.#sessions.delete(session)).on('error', () => {})
    })
    this.#server.on('stream', (stream, headers) => void this.#take(stream, headers))
  }

  static async start(options: FakeOptions = {}): Promise<FakeSpark> {
    const fake = new FakeSpark(options)
    fake.#server.listen(0, '127.0.0.1')
    await once(fake.#server, 'listening')
    return fake
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  get address(): string {
    const { tls, token } = this.#options
    return `sc://127.0.0.1:${this.port}/;${token ? `token=${token};` : ''}${tls ? 'use_ssl=true' : ''}`
  }

  /** Started again: it knows nothing of what was. */
  restart(): void {
    this.operations.clear()
    this.config.clear()
    if (this.serverSession !== undefined) this.serverSession = `${this.serverSession}+`
    this.cutAll()
  }

  cutAll(): void {
    for (const session of this.#sessions) session.destroy()
  }

  count(rpc: Rpc): number {
    return this.calls.filter(call => call.rpc === rpc).length
  }

  async stop(): Promise<void> {
    this.cutAll()
    this.#server.close()
    await once(this.#server, 'close')
  }

  async #take(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Promise<void> {
    stream.on('error', () => {})
    const rpc = String(headers[':path']).split('/').at(-1) as Rpc
    if (this.#options.handle?.(rpc, stream, headers)) return
    const pieces: Buffer[] = []
    try {
      for await (const piece of stream) pieces.push(piece as Buffer)
    } catch {
      return
    }
    const encoding = String(headers['grpc-encoding'] ?? 'identity')
    const [bytes] = new FrameReader(2 ** 27).add(Buffer.concat(pieces), encoding)
    const request = new MessageReader(bytes)
    this.calls.push({ rpc, request, headers })
    const refusal = this.#refusal(rpc, request, headers)
    if (refusal === undefined) this.#answer(rpc, request, stream)
    else fail(stream, refusal)
  }

  #refusal(rpc: Rpc, request: MessageReader, headers: IncomingHttpHeaders): FakeError | undefined {
    const { absent, token } = this.#options
    if (absent?.includes(rpc)) return { status: 12, message: `no ${rpc} here` }
    if (token !== undefined && headers.authorization !== `Bearer ${token}`)
      return { status: 16, message: 'Invalid authentication token' }
    const observed = request.text(CLIENT_SESSION[rpc] ?? 2000)
    if (observed === '' || this.serverSession === undefined || observed === this.serverSession)
      return undefined
    return handleError('SESSION_CHANGED')
  }

  #answer(rpc: Rpc, request: MessageReader, stream: ServerHttp2Stream): void {
    if (rpc === 'ExecutePlan') this.#execute(request, stream)
    else if (rpc === 'ReattachExecute') this.#reattach(request, stream)
    else this.#reply(stream, this.#reaction(rpc, request))
  }

  #reaction(rpc: Rpc, request: MessageReader): MessageWriter {
    switch (rpc) {
      case 'AnalyzePlan':
        return new MessageWriter()
          .message(8, new MessageWriter().text(1, '4.1.4'))
          .text(15, this.serverSession)
      case 'Config':
        return this.#configure(request).text(4, this.serverSession)
      case 'Interrupt':
        return new MessageWriter().text(2, request.text(6) || 'all')
      case 'FetchErrorDetails':
        return detailsOf(request.text(3))
      default:
        return new MessageWriter()
    }
  }

  #configure(request: MessageReader): MessageWriter {
    const operation = request.message(3)
    const answer = new MessageWriter()
    for (const pair of operation?.message(1)?.messages(1) ?? []) this.config.set(pair.text(1), pair.text(2))
    for (const key of operation?.message(4)?.texts(1) ?? [])
      answer.message(2, new MessageWriter().text(1, key).text(2, this.config.get(key)))
    return answer
  }

  #execute(request: MessageReader, stream: ServerHttp2Stream): void {
    if (this.lostRequests > 0) {
      this.lostRequests--
      stream.session?.destroy()
      return
    }
    const id = request.text(6)
    if (this.operations.has(id)) {
      fail(stream, handleError('OPERATION_ALREADY_EXISTS'))
      return
    }
    const plan = request.message(3)
    const sql = plan?.message(1)?.message(10)?.text(1) ?? plan?.message(2)?.message(5)?.text(1) ?? ''
    this.executed.push(sql)
    const answer = this.#options.answer?.(sql) ?? []
    const isReattachable = request.message(5)?.message(1)?.count(1) === 1
    const ends = isReattachable && !this.#options.absent?.includes('ReattachExecute')
    const writers = isRows(answer)
      ? [...answer, ...(ends ? [new MessageWriter().message(14, new MessageWriter())] : [])]
      : []
    const responses = writers.map((writer, index) => ({
      id: `${id}-${index}`,
      bytes: writer.text(13, `${id}-${index}`).text(15, this.serverSession).finish(),
    }))
    this.operations.set(id, { sql, answer, responses })
    this.#send(stream, this.operations.get(id)!, 0)
  }

  #reattach(request: MessageReader, stream: ServerHttp2Stream): void {
    const operation = this.unseen-- > 0 ? undefined : this.operations.get(request.text(3))
    const last = request.text(5)
    const from = last === '' ? 0 : (operation?.responses.findIndex(({ id }) => id === last) ?? 0) + 1
    if (operation === undefined) fail(stream, handleError('OPERATION_NOT_FOUND'))
    else this.#send(stream, operation, from)
  }

  #send(stream: ServerHttp2Stream, { answer, responses }: FakeOperation, from: number): void {
    const fault = this.faults.shift()
    const until = fault === undefined ? responses.length : Math.min(responses.length, from + fault.after)
    respond(stream, { compress: this.#options.compress ?? false })
    const frames = responses
      .slice(from, until)
      .map(({ bytes }) => writeFrame(bytes, { compress: this.#options.compress ?? false }).bytes)
    const goOn = () => {
      if (fault !== undefined) this.#fail(stream, fault)
      else if (answer !== 'never') finish(stream, isRows(answer) ? undefined : answer)
    }
    // Node loops for ever where a stream with unwritten bytes is reset, so that what comes next waits for them.
    if (frames.length === 0) goOn()
    else stream.write(Buffer.concat(frames), goOn)
  }

  #fail(stream: ServerHttp2Stream, { how }: Fault): void {
    if (how === 'cut') stream.session?.destroy()
    else if (how === 'reset') stream.close(8)
    else if (how === 'end') finish(stream)
    else if (how === 'unavailable') finish(stream, { status: 14, message: 'for the moment' })
    else if (how === 'goaway') {
      stream.session?.goaway(0)
      finish(stream, { status: 14, message: 'going away' })
    }
  }

  #reply(stream: ServerHttp2Stream, message: MessageWriter): void {
    respond(stream, { compress: false })
    stream.write(writeFrame(message.finish(), { compress: false }).bytes)
    finish(stream)
  }
}

const handleError = (name: string): FakeError => {
  const condition = `INVALID_HANDLE.${name}`
  return { status: 13, message: `[${condition}] The handle is invalid.`, condition }
}

const isRows = (answer: FakeAnswer): answer is readonly MessageWriter[] => Array.isArray(answer)

const trailersOf = new WeakMap<ServerHttp2Stream, Record<string, string>>()

function respond(stream: ServerHttp2Stream, { compress }: { readonly compress: boolean }): void {
  if (stream.destroyed) return
  stream.respond(
    { ':status': 200, 'content-type': 'application/grpc', ...(compress && { 'grpc-encoding': 'gzip' }) },
    { waitForTrailers: true },
  )
  stream.on('wantTrailers', () => stream.sendTrailers(trailersOf.get(stream) ?? { 'grpc-status': '0' }))
}

function finish(stream: ServerHttp2Stream, error?: FakeError): void {
  if (error !== undefined) trailersOf.set(stream, trailersFor(error))
  stream.end()
}

/** Without a message there are no headers of their own: the status stands in the first ones. */
export function fail(stream: ServerHttp2Stream, error: FakeError): void {
  if (!stream.destroyed)
    stream.respond(
      { ':status': 200, 'content-type': 'application/grpc', ...trailersFor(error) },
      { endStream: true },
    )
}

function trailersFor({ condition, errorId, message, sqlState, status }: FakeError): Record<string, string> {
  const info = new MessageWriter().text(1, 'org.apache.spark.sql.AnalysisException')
  const facts = { classes: '["java.lang.Exception"]', errorClass: condition, errorId, sqlState }
  for (const [key, value] of Object.entries(facts))
    if (value !== undefined) info.message(3, new MessageWriter().text(1, key).text(2, value))
  const any = new MessageWriter().text(1, 'type.googleapis.com/google.rpc.ErrorInfo').message(2, info)
  const details = new MessageWriter().integer(1, status).text(2, message).message(3, any).finish()
  return {
    'grpc-status': String(status),
    'grpc-message': encodeURIComponent(message),
    ...(condition !== undefined && { 'grpc-status-details-bin': Buffer.from(details).toString('base64') }),
  }
}

/** The text of an error as a whole, by its id: the first error has no name of its own, its cause has. */
function detailsOf(errorId: string): MessageWriter {
  const throwable = new MessageWriter().text(1, 'DIVIDE_BY_ZERO').text(4, '22012')
  const cause = new MessageWriter()
    .text(2, `[DIVIDE_BY_ZERO] Division by zero, told in full (${errorId}).`)
    .message(5, throwable)
  const first = new MessageWriter()
    .text(1, 'org.apache.spark.SparkException')
    .text(2, 'Job aborted.')
    .integer(4, 1)
  return new MessageWriter().integer(1, 0).message(2, first).message(2, cause)
}

/** Answers of a query: one message for every part. */
export function rowsOf(...parts: readonly (readonly MadeColumn[])[]): MessageWriter[] {
  let first = 0
  return parts.map(columns => {
    const rowCount = columns[0]?.values.length ?? 0
    const batch = new MessageWriter().integer(1, rowCount).bytes(2, writeArrow(columns)).integer(3, first)
    first += rowCount
    return new MessageWriter().message(2, batch)
  })
}

/** A column of int64 in parts of the given values. */
export const longs = (...parts: readonly (readonly number[])[]): MessageWriter[] =>
  rowsOf(...parts.map(values => [{ name: 'n', kind: 'int64' as const, values: values.map(BigInt) }]))
