// The body of a request, as text, within its limits of bytes and of time.

import type { IncomingMessage } from 'node:http'
import type { ServeLimits } from './options.ts'
import { refuse } from './refusal.ts'

export const tooLarge = (bytes: number) =>
  refuse(413, 'FB_SERVE_LIMIT', `more than ${bytes} bytes were sent at once.`, {
    hint: 'Send fewer rows at a time, or a stream of application/x-ndjson.',
  })

export const tooSlow = (milliseconds: number) =>
  refuse(408, 'FB_SERVE_LIMIT', `what was sent took longer than ${milliseconds / 1000} s.`)

export const notUtf8 = () => refuse(400, 'FB_SERVE_BODY', 'the body is not in UTF-8.')

export class BodyReader {
  readonly #request: IncomingMessage
  readonly #limits: ServeLimits
  readonly #chunks: Buffer[] = []
  #length = 0
  #timer: NodeJS.Timeout | undefined

  constructor(request: IncomingMessage, limits: ServeLimits) {
    this.#request = request
    this.#limits = limits
  }

  /** One of the two is called, once; neither where the client has gone. */
  read(done: (text: string) => void, fail: (error: unknown) => void): void {
    const request = this.#request
    const { bodyBytes, patience } = this.#limits
    const stop = (error?: unknown) => {
      clearTimeout(this.#timer)
      request.removeAllListeners('data').removeAllListeners('end')
      if (error !== undefined) fail(error)
    }
    if (Number(request.headers['content-length']) > bodyBytes) {
      fail(tooLarge(bodyBytes))
      return
    }
    // Most bodies are there at once, and need no timer.
    setImmediate(() => {
      if (!request.complete) this.#timer = setTimeout(() => stop(tooSlow(patience)), patience)
    })
    request.on('data', (chunk: Buffer) => {
      this.#length += chunk.length
      if (this.#length > bodyBytes) stop(tooLarge(bodyBytes))
      else this.#chunks.push(chunk)
    })
    request.on('end', () => {
      stop()
      try {
        done(decode(this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks)))
      } catch (error) {
        fail(error)
      }
    })
    request.on('close', () => clearTimeout(this.#timer))
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true })

export function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw notUtf8()
  }
}
