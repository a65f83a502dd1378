// Thrift's compact protocol, as far as Parquet's footers and page headers need it: structs become maps from the number of a field to its
// value. Whatever is not well-formed throws.

/** Numbers of 64 bits beyond 2^53 are not exact; nothing here counts so far. */
export type ThriftValue = number | boolean | Buffer | readonly ThriftValue[] | ThriftStruct
export type ThriftStruct = ReadonlyMap<number, ThriftValue>

const MAX_DEPTH = 32

export class ThriftReader {
  readonly #bytes: Buffer
  at: number

  constructor(bytes: Buffer, at = 0) {
    this.#bytes = bytes
    this.at = at
  }

  struct(depth = 0): ThriftStruct {
    if (depth > MAX_DEPTH) throw new RangeError('nested too deep')
    const fields = new Map<number, ThriftValue>()
    for (let field = 0; ; ) {
      const head = this.#byte()
      if (head === 0) return fields
      const [step, type] = [head >> 4, head & 15]
      field = step === 0 ? zigzag(this.#varint()) : field + step
      fields.set(field, this.#value(type, depth, true))
    }
  }

  #value(type: number, depth: number, inStruct: boolean): ThriftValue {
    switch (type) {
      case 1:
        return inStruct || this.#byte() === 1
      case 2:
        return inStruct ? false : this.#byte() === 1
      case 3:
        return (this.#byte() << 24) >> 24
      case 4:
      case 5:
      case 6:
        return zigzag(this.#varint())
      case 7:
        return this.#take(8).readDoubleLE()
      case 8:
        return this.#take(this.#varint())
      case 9:
      case 10:
        return this.#list(depth)
      case 12:
        return this.struct(depth + 1)
      default:
        throw new RangeError(`type ${type}`)
    }
  }

  #list(depth: number): ThriftValue[] {
    const head = this.#byte()
    const [short, type] = [head >> 4, head & 15]
    const length = short === 15 ? this.#varint() : short
    // Every entry takes a byte at least.
    if (length > this.#bytes.length - this.at) throw new RangeError('a list beyond the end')
    return Array.from({ length }, () => this.#value(type, depth, false))
  }

  #varint(): number {
    let [value, scale] = [0, 1]
    for (let digit = 0; digit < 10; digit++, scale *= 128) {
      const byte = this.#byte()
      value += (byte & 127) * scale
      if (byte < 128) return value
    }
    throw new RangeError('a number without an end')
  }

  #byte(): number {
    if (this.at >= this.#bytes.length) throw new RangeError('beyond the end')
    return this.#bytes[this.at++]
  }

  #take(length: number): Buffer {
    if (length > this.#bytes.length - this.at) throw new RangeError('beyond the end')
    this.at += length
    return this.#bytes.subarray(this.at - length, this.at)
  }
}

const zigzag = (value: number): number => (value % 2 === 0 ? value / 2 : -(value + 1) / 2)
