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

/** Somebody who may take too long. */
interface Waiting {
  readonly request: IncomingMessage
  isOver: boolean
  readonly end: () => void
}

/**
 * Ends what takes too long. One timer for all; and most bodies are there before the event loop looks for more, so that only those which
 * are not are waited for at all.
 */
export class Patience {
  readonly milliseconds: number
  #begun: Waiting[] = []
  readonly #waiting = new Map<Waiting, number>()
  readonly #timer: NodeJS.Timeout

  constructor(milliseconds: number) {
    this.milliseconds = milliseconds
    this.#timer = setInterval(() => this.#look(), Math.max(10, milliseconds / 8)).unref()
  }

  /** Calls its end when the time is over, unless it was let go before or the client has gone. */
  wait(waiting: Waiting): void {
    if (this.#begun.push(waiting) === 1) setImmediate(() => this.#keep())
  }

  letGo(waiting: Waiting): void {
    waiting.isOver = true
    this.#waiting.delete(waiting)
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #keep(): void {
    const now = performance.now()
    const begun = this.#begun
    this.#begun = []
    for (const waiting of begun) {
      if (waiting.isOver || waiting.request.destroyed) continue
      this.#waiting.set(waiting, now)
      waiting.request.once('close', () => this.letGo(waiting))
    }
  }

  #look(): void {
    const now = performance.now()
    for (const [waiting, since] of this.#waiting) {
      // The rest came later.
      if (now - since < this.milliseconds) return
      this.letGo(waiting)
      waiting.end()
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
  const giveUp = (error: unknown) => {
    chunks.length = 0
    fail(error)
  }
  const waiting: Waiting = {
    ...{ request, isOver: false },
    end: () => giveUp(tooSlow(patience.milliseconds)),
  }
  patience.wait(waiting)
  request.on('data', (chunk: Buffer) => {
    if (waiting.isOver) return
    length += chunk.length
    if (length <= mostBytes) chunks.push(chunk)
    else {
      patience.letGo(waiting)
      giveUp(tooLarge(mostBytes))
    }
  })
  request.on('end', () => {
    if (waiting.isOver) return
    patience.letGo(waiting)
    done(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))
  })
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
