// Messages in a gRPC stream: one byte says whether the message is compressed, four how long it is, then it comes.

import { gunzipSync, gzipSync } from 'node:zlib'
import { damaged, tooLarge } from './errors.ts'

const HEAD = 5
const LIMIT_HINT = 'Ask for fewer rows or columns at a time, or allow larger messages.'

export interface Frame {
  readonly bytes: Uint8Array
  readonly isCompressed: boolean
}

/** What is compressed is that only where it gets shorter. */
export function writeFrame(message: Uint8Array, { compress }: { readonly compress: boolean }): Frame {
  const packed = compress ? gzipSync(message, { level: 1 }) : message
  const isCompressed = packed.length < message.length
  const body = isCompressed ? packed : message
  const head = Buffer.alloc(HEAD)
  head.writeUInt8(isCompressed ? 1 : 0, 0)
  head.writeUInt32BE(body.length, 1)
  return { bytes: Buffer.concat([head, body]), isCompressed }
}

/** Takes pieces as they come from the network, gives messages as soon as they are whole. */
export class FrameReader {
  readonly #limit: number
  #pieces: Uint8Array[] = []
  #length = 0
  #wanted = HEAD
  #isCompressed: boolean | undefined

  /** `limit`: the most bytes that a message may have, also when it is unpacked. */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** `encoding` is what the server said in its headers. */
  *add(piece: Uint8Array, encoding = 'identity'): Generator<Uint8Array> {
    this.#pieces.push(piece)
    this.#length += piece.length
    while (this.#length >= this.#wanted) {
      const part = this.#take(this.#wanted)
      if (this.#isCompressed === undefined) this.#readHead(part)
      else {
        const message = this.#isCompressed ? this.#unpack(part, encoding) : part
        this.#isCompressed = undefined
        this.#wanted = HEAD
        yield message
      }
    }
  }

  end(): void {
    if (this.#length > 0 || this.#isCompressed !== undefined)
      throw damaged('a stream ends in the middle of a message')
  }

  #take(length: number): Buffer {
    const all = this.#pieces.length === 1 ? asBuffer(this.#pieces[0]) : Buffer.concat(this.#pieces)
    this.#pieces = [all.subarray(length)]
    this.#length = all.length - length
    return all.subarray(0, length)
  }

  #readHead(head: Buffer): void {
    const flag = head.readUInt8(0)
    if (flag > 1) throw damaged(`a message begins with the byte ${flag}, which is no gRPC`)
    this.#isCompressed = flag === 1
    this.#wanted = head.readUInt32BE(1)
    if (this.#wanted > this.#limit) {
      throw tooLarge(`a message has ${this.#wanted} bytes, and ${this.#limit} are taken`, LIMIT_HINT)
    }
  }

  #unpack(packed: Uint8Array, encoding: string): Uint8Array {
    if (encoding !== 'gzip') throw damaged(`a message is compressed by "${encoding}", and only gzip is read`)
    try {
      return gunzipSync(packed, { maxOutputLength: this.#limit })
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
        ? tooLarge(`a message has more than ${this.#limit} bytes when it is unpacked`, LIMIT_HINT)
        : damaged('a compressed message cannot be unpacked')
    }
  }
}

const asBuffer = ({ buffer, byteLength, byteOffset }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)
