// The wire format of protobuf, as far as ONNX needs it: whole numbers, texts, bytes and messages inside messages, field by field.

import { encodeUtf8 } from '../../common/hash.ts'

const VARINT = 0
const DELIMITED = 2

export class ProtoMessage {
  readonly #parts: (Uint8Array | readonly number[])[] = []
  #length = 0

  integer(field: number, value: number): this {
    return this.#put(varint(field * 8 + VARINT)).#put(varint(value))
  }

  bytes(field: number, value: Uint8Array): this {
    return this.#put(varint(field * 8 + DELIMITED))
      .#put(varint(value.length))
      .#put(value)
  }

  text(field: number, value: string): this {
    return this.bytes(field, encodeUtf8(value))
  }

  message(field: number, value: ProtoMessage): this {
    return this.bytes(field, value.finish())
  }

  /** Whole numbers as one packed field. */
  integers(field: number, values: readonly number[]): this {
    return this.bytes(field, Uint8Array.from(values.flatMap(varint)))
  }

  finish(): Uint8Array {
    const all = new Uint8Array(this.#length)
    let at = 0
    for (const part of this.#parts) {
      all.set(part, at)
      at += part.length
    }
    return all
  }

  #put(part: Uint8Array | readonly number[]): this {
    this.#parts.push(part)
    this.#length += part.length
    return this
  }
}

/** Negative numbers as protobuf has them: ten bytes, by their two's complement in 64 bits. */
function varint(value: number): number[] {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, BigInt(value))
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80)
    rest >>= 7n
  }
  return [...bytes, Number(rest)]
}
