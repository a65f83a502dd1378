// The body of a request, within its limits of bytes and of time.

import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { refuse } from './refusal.ts'

export const tooLarge = (bytes: number) =>
  refuse(413, 'FB_SERVE_LIMIT', `more than ${bytes} bytes were sent at once.`, {
    hint: 'Send fewer rows at a time, or a stream of application/x-ndjson.',
  })

export const tooSlow = (milliseconds: number) =>
  refuse(408, 'FB_SERVE_LIMIT', `what was sent took longer than ${milliseconds / 1000} s.`)

/** Ends what takes too long. One timer for all: most bodies are there at once, and a timer for each would cost more than they do. */
export class Patience {
  readonly milliseconds: number
  readonly #waiting = new Map<() => void, number>()
  readonly #timer: NodeJS.Timeout

  constructor(milliseconds: number) {
    this.milliseconds = milliseconds
    this.#timer = setInterval(() => this.#look(), Math.max(10, milliseconds / 8)).unref()
  }

  /** Calls `end` when the time is over, unless it was let go before. */
  wait(end: () => void): void {
    this.#waiting.set(end, performance.now())
  }

  letGo(end: () => void): void {
    this.#waiting.delete(end)
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const now = performance.now()
    for (const [end, since] of this.#waiting) {
      // The rest came later.
      if (now - since < this.milliseconds) return
      this.#waiting.delete(end)
      end()
    }
  }
}

/** One of the two is called, once; neither where the client has gone. */
export function readBody(
  request: IncomingMessage,
  mostBytes: number,
  patience: Patience,
  done: (bytes: Buffer) => void,
  fail: (error: unknown) => void,
): void {
  if (Number(request.headers['content-length']) > mostBytes) {
    fail(tooLarge(mostBytes))
    return
  }
  const chunks: Buffer[] = []
  let length = 0
  let isOver = false
  const stop = (error?: unknown) => {
    isOver = true
    patience.letGo(late)
    if (error !== undefined) fail(error)
  }
  const late = () => stop(tooSlow(patience.milliseconds))
  patience.wait(late)
  request.on('data', (chunk: Buffer) => {
    if (isOver) return
    length += chunk.length
    if (length > mostBytes) stop(tooLarge(mostBytes))
    else chunks.push(chunk)
  })
  request.on('end', () => {
    if (isOver) return
    stop()
    try {
      done(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))
    } catch (error) {
      fail(error)
    }
  })
  request.on('close', () => patience.letGo(late))
}

/**
 * The connection ends with the answer, but what the client still sends is read and thrown away, for so long at most: a connection that is
 * closed with something unread is reset, and the answer is lost.
 */
export function linger(socket: Socket, milliseconds: number): void {
  // What the server calls once the last answer is written.
  socket.destroySoon = () => {
    const late = setTimeout(() => socket.destroy(), milliseconds).unref()
    socket.once('end', () => socket.destroy())
    socket.once('close', () => clearTimeout(late))
    socket.end()
  }
}

export function decode(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8')
  throw refuse(400, 'FB_SERVE_BODY', 'the body is not in UTF-8.')
}
