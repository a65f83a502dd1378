// gRPC over HTTP/2 as Node has it. A channel keeps one connection, makes another where that is gone, and carries calls: one request
// message out, response messages in, a status at the end.

import { type ClientHttp2Stream, constants, type IncomingHttpHeaders } from 'node:http2'
import { Connection } from './connection.ts'
import { cancelled, SparkError } from './errors.ts'
import { FrameReader, writeFrame } from './frames.ts'
import { RpcError, STATUS, troubleOf } from './status.ts'

export interface ChannelOptions {
  readonly origin: string
  readonly headers: Readonly<Record<string, string>>
  /** The most bytes of one message, either way. */
  readonly messageLimit: number
  /** Messages of at least so many bytes are sent compressed. */
  readonly compressFrom: number
  readonly connectMs: number
  /** Certificates to trust besides those of the system, as PEM. */
  readonly certificates?: string | undefined
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined
  /** The whole call may take so long. */
  readonly deadlineMs?: number
  /** Nothing may come for so long. */
  readonly silenceMs?: number
}

/** Bytes of messages as they travelled: with their frames, and compressed where they were. */
export interface Traffic {
  sent: number
  received: number
}

export class Channel {
  readonly traffic: Traffic = { sent: 0, received: 0 }
  readonly #options: ChannelOptions
  #connection: Connection | undefined
  #compresses = true
  #isClosed = false

  constructor(options: ChannelOptions) {
    this.#options = options
  }

  /** A call with one answer. */
  async call(path: string, request: Uint8Array, options: CallOptions): Promise<Uint8Array> {
    let answer: Uint8Array | undefined
    for await (const message of this.stream(path, request, options)) answer = message
    if (answer === undefined) throw new RpcError({ status: STATUS.internal, message: 'there was no answer' })
    return answer
  }

  /** Messages as they come. Throws an RpcError where the call did not end well. */
  async *stream(path: string, request: Uint8Array, options: CallOptions): AsyncGenerator<Uint8Array> {
    if (this.#isClosed)
      throw new SparkError({ code: 'FB_ENGINE_CLOSED', message: 'the session has been closed.' })
    const { compressFrom, messageLimit } = this.#options
    if (request.length > messageLimit) {
      throw new SparkError({
        code: 'FB_SPARK_LIMIT',
        message: `a statement has ${request.length} bytes, and ${messageLimit} may be sent.`,
      })
    }
    const frame = writeFrame(request, { compress: this.#compresses && request.length >= compressFrom })
    try {
      yield* this.#send(path, frame.bytes, frame.isCompressed, options)
    } catch (error) {
      // A server that cannot unpack a message has not read it, so that it may be sent once more as it is.
      const isRefusal = frame.isCompressed && error instanceof RpcError && isAboutCompression(error)
      if (!isRefusal) throw error
      this.#compresses = false
      yield* this.#send(path, writeFrame(request, { compress: false }).bytes, false, options)
    }
  }

  /** The next call goes through a connection of its own; calls under way fail. */
  drop(): void {
    this.#connection?.end()
    this.#connection = undefined
  }

  close(): void {
    this.#isClosed = true
    this.drop()
  }

  #connect(): Connection {
    if (this.#connection === undefined || this.#connection.isGone) {
      const { certificates, connectMs, origin } = this.#options
      this.#connection = new Connection(origin, { certificates, connectMs })
    }
    return this.#connection
  }

  async *#send(
    path: string,
    bytes: Uint8Array,
    isCompressed: boolean,
    options: CallOptions,
  ): AsyncGenerator<Uint8Array> {
    if (options.signal?.aborted) throw cancelled()
    const connection = this.#connect()
    const stream = connection.request({
      ...this.#options.headers,
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
      'grpc-accept-encoding': 'gzip',
      ...(isCompressed && { 'grpc-encoding': 'gzip' }),
      ...(options.deadlineMs !== undefined && { 'grpc-timeout': `${options.deadlineMs}m` }),
    })
    const call = new Call(stream, options)
    try {
      stream.end(bytes)
      this.traffic.sent += bytes.length
      yield* this.#messages(call)
    } catch (error) {
      if (error instanceof SparkError) throw error
      call.failure ??= error as Error
    } finally {
      call.end()
      connection.release()
    }
    if (options.signal?.aborted) throw cancelled()
    const trouble = call.trouble(connection)
    if (trouble !== undefined) throw trouble
  }

  async *#messages(call: Call): AsyncGenerator<Uint8Array> {
    const frames = new FrameReader(this.#options.messageLimit)
    for await (const piece of call.pieces()) {
      if (!call.isGrpc) return
      this.traffic.received += piece.length
      yield* frames.add(piece, call.encoding)
    }
    if (!call.isBroken) frames.end()
  }
}

const isAboutCompression = ({ message, status }: RpcError): boolean =>
  status === STATUS.unimplemented && /compress|encoding|gzip/i.test(message)

/** One stream of HTTP/2: what is known of it, and the clocks that end it. */
class Call {
  failure: Error | undefined
  readonly #stream: ClientHttp2Stream
  readonly #options: CallOptions
  readonly #onAbort = () => this.end()
  readonly #deadline: NodeJS.Timeout | undefined
  #headers: IncomingHttpHeaders | undefined
  #trailers: IncomingHttpHeaders | undefined
  #late: 'silent' | 'deadline' | undefined

  constructor(stream: ClientHttp2Stream, options: CallOptions) {
    this.#stream = stream
    this.#options = options
    stream.on('response', headers => {
      this.#headers = headers
    })
    stream.on('trailers', trailers => {
      this.#trailers = trailers
    })
    stream.on('error', error => {
      this.failure ??= error
    })
    options.signal?.addEventListener('abort', this.#onAbort, { once: true })
    if (options.deadlineMs !== undefined)
      this.#deadline = setTimeout(() => this.#giveUp('deadline'), options.deadlineMs)
  }

  get encoding(): string {
    return String(this.#headers?.['grpc-encoding'] ?? 'identity')
  }

  /** A proxy may answer with a page. */
  get isGrpc(): boolean {
    return String(this.#headers?.['content-type'] ?? 'application/grpc').startsWith('application/grpc')
  }

  get isBroken(): boolean {
    return this.failure !== undefined || this.#late !== undefined || this.#trailers === undefined
  }

  /** The clock of silence runs only while we wait, not while a piece is being worked on. */
  async *pieces(): AsyncGenerator<Uint8Array> {
    const pieces = this.#stream[Symbol.asyncIterator]()
    for (;;) {
      const { silenceMs } = this.#options
      const timer = silenceMs === undefined ? undefined : setTimeout(() => this.#giveUp('silent'), silenceMs)
      const next = await pieces.next().finally(() => clearTimeout(timer))
      if (next.done) return
      yield next.value as Uint8Array
    }
  }

  end(): void {
    clearTimeout(this.#deadline)
    this.#options.signal?.removeEventListener('abort', this.#onAbort)
    if (!this.#stream.closed) this.#stream.close(constants.NGHTTP2_CANCEL)
  }

  trouble(connection: Connection): RpcError | undefined {
    if (this.#late !== undefined) {
      return new RpcError({
        status: this.#late === 'silent' ? STATUS.unavailable : STATUS.deadline,
        message: 'nothing was heard for as long as is waited',
        reached: connection.wasOpen,
        silent: this.#late === 'silent',
      })
    }
    if (!connection.wasOpen) return connection.trouble()
    if (!this.isGrpc && Number(this.#headers?.[':status']) === 200)
      return new RpcError({ status: STATUS.unknown, message: 'the answer is a page, and no gRPC' })
    return troubleOf(
      this.#headers,
      this.#trailers,
      this.failure?.message ?? 'the stream ended without a status',
    )
  }

  #giveUp(why: 'silent' | 'deadline'): void {
    this.#late = why
    this.end()
  }
}
