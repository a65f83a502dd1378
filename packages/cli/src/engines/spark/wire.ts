// The wire format of protobuf, as far as Spark Connect needs it: varints, texts, bytes and messages inside messages. There is no
// generated code: `messages.ts` says which field has which number.

import { damaged } from './errors.ts'

const VARINT = 0
const EIGHT_BYTES = 1
const DELIMITED = 2
const FOUR_BYTES = 5

/** One message, field by field. What is undefined is left out. */
export class MessageWriter {
  readonly #parts: Uint8Array[] = []

  text(field: number, value: string | undefined): this {
    return value === undefined ? this : this.bytes(field, Buffer.from(value, 'utf8'))
  }

  bytes(field: number, value: Uint8Array): this {
    this.#parts.push(varint(field * 8 + DELIMITED), varint(value.length), value)
    return this
  }

  integer(field: number, value: number | bigint | boolean): this {
    this.#parts.push(varint(field * 8 + VARINT), varint(value))
    return this
  }

  message(field: number, value: MessageWriter): this {
    return this.bytes(field, value.finish())
  }

  finish(): Uint8Array {
    return Buffer.concat(this.#parts)
  }
}

/** Negative numbers as protobuf has them: ten bytes, by their two's complement in 64 bits. */
function varint(value: number | bigint | boolean): Uint8Array {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, BigInt(value))
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80)
    rest >>= 7n
  }
  bytes.push(Number(rest))
  return Uint8Array.from(bytes)
}

/** One message that came: of every field all that was said. Fields that nobody asks for do no harm. */
export class MessageReader {
  readonly #fields = new Map<number, (bigint | Uint8Array)[]>()

  constructor(bytes: Uint8Array) {
    const cursor = new Cursor(bytes)
    while (!cursor.isAtEnd) {
      const tag = cursor.varint()
      const field = Number(tag >> 3n)
      if (field === 0) throw damaged('a message has a field without a number')
      const value = cursor.value(Number(tag & 7n))
      const known = this.#fields.get(field)
      if (known === undefined) this.#fields.set(field, [value])
      else known.push(value)
    }
  }

  has(field: number): boolean {
    return this.#fields.has(field)
  }

  /** Where a field was said more than once, the last counts. */
  bytes(field: number): Uint8Array | undefined {
    return this.#all(field).at(-1)
  }

  text(field: number): string {
    return textOf(this.bytes(field))
  }

  texts(field: number): string[] {
    return this.#all(field).map(textOf)
  }

  message(field: number): MessageReader | undefined {
    const bytes = this.bytes(field)
    return bytes === undefined ? undefined : new MessageReader(bytes)
  }

  messages(field: number): MessageReader[] {
    return this.#all(field).map(bytes => new MessageReader(bytes))
  }

  /** An int64; 0 where it is not said. */
  integer(field: number): bigint {
    const value = this.#fields.get(field)?.at(-1) ?? 0n
    if (typeof value !== 'bigint') throw wrongKind(field)
    return BigInt.asIntN(64, value)
  }

  /** An int64 that counts something. */
  count(field: number): number {
    return Number(this.integer(field))
  }

  /** A map from text to text. */
  map(field: number): Map<string, string> {
    return new Map(this.messages(field).map(entry => [entry.text(1), entry.text(2)]))
  }

  #all(field: number): Uint8Array[] {
    const values = this.#fields.get(field) ?? []
    for (const value of values) if (typeof value === 'bigint') throw wrongKind(field)
    return values as Uint8Array[]
  }
}

const wrongKind = (field: number) =>
  damaged(`field ${field} of a message is of another kind than it should be`)

const textOf = (bytes: Uint8Array | undefined): string =>
  bytes === undefined ? '' : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')

class Cursor {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length
  }

  varint(): bigint {
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#bytes[this.#at++]
      if (byte === undefined) throw damaged('a message ends in the middle of a number')
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return BigInt.asUintN(64, value)
    }
    throw damaged('a number in a message has more than ten bytes')
  }

  value(kind: number): bigint | Uint8Array {
    if (kind === VARINT) return this.varint()
    if (kind === DELIMITED) return this.#take(Number(this.varint()))
    if (kind === EIGHT_BYTES) return this.#take(8)
    if (kind === FOUR_BYTES) return this.#take(4)
    throw damaged(`a message has a field of kind ${kind}`)
  }

  #take(length: number): Uint8Array {
    if (length > this.#bytes.length - this.#at) throw damaged('a message ends in the middle of a field')
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }
}
