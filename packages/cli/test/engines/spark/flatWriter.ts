// FlatBuffers as a test needs them: parents first, children after them, every field in eight bytes.

export type FlatValue =
  | { readonly size: 1 | 2 | 4 | 8; readonly value: number | bigint }
  | { readonly text: string }
  | { readonly table: FlatFields }
  | { readonly tables: readonly FlatFields[] }
  | { readonly pairs: readonly (readonly [number, number])[] }

/** By the number of the field. */
export type FlatFields = Readonly<Record<number, FlatValue>>

export function writeFlat(root: FlatFields): Uint8Array {
  const writer = new Writer()
  const place = writer.reserve(4)
  writer.refer(place, writer.table(root))
  return writer.bytes()
}

class Writer {
  #buffer = Buffer.alloc(2 ** 16)
  #length = 0

  bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length)
  }

  reserve(length: number, align = 4, shift = 0): number {
    while ((this.#length + shift) % align !== 0) this.#length++
    const at = this.#length
    this.#length += length
    return at
  }

  refer(place: number, target: number): void {
    this.#buffer.writeUInt32LE(target - place, place)
  }

  table(fields: FlatFields): number {
    const numbers = Object.keys(fields).map(Number)
    const slots = Math.max(-1, ...numbers) + 1
    const tableOf = this.reserve(4 + 2 * slots)
    const at = this.reserve(8 + 8 * numbers.length, 8)
    this.#buffer.writeUInt16LE(4 + 2 * slots, tableOf)
    this.#buffer.writeUInt16LE(8 + 8 * numbers.length, tableOf + 2)
    this.#buffer.writeInt32LE(at - tableOf, at)
    numbers.forEach((number, index) => {
      this.#buffer.writeUInt16LE(8 + 8 * index, tableOf + 4 + 2 * number)
      this.#field(at + 8 + 8 * index, fields[number])
    })
    return at
  }

  #field(place: number, value: FlatValue): void {
    if ('size' in value) this.#number(place, value.size, value.value)
    else if ('text' in value) this.refer(place, this.#text(value.text))
    else if ('table' in value) this.refer(place, this.table(value.table))
    else if ('tables' in value) this.refer(place, this.#tables(value.tables))
    else this.refer(place, this.#pairs(value.pairs))
  }

  #number(place: number, size: number, value: number | bigint): void {
    if (size === 8) this.#buffer.writeBigInt64LE(BigInt(value), place)
    else this.#buffer.writeIntLE(Number(value), place, size)
  }

  #text(text: string): number {
    const bytes = Buffer.from(text, 'utf8')
    const at = this.reserve(4 + bytes.length + 1)
    this.#buffer.writeUInt32LE(bytes.length, at)
    bytes.copy(this.#buffer, at + 4)
    return at
  }

  #tables(tables: readonly FlatFields[]): number {
    const at = this.reserve(4 + 4 * tables.length)
    this.#buffer.writeUInt32LE(tables.length, at)
    tables.forEach((fields, index) => {
      this.refer(at + 4 + 4 * index, this.table(fields))
    })
    return at
  }

  #pairs(pairs: readonly (readonly [number, number])[]): number {
    const at = this.reserve(4 + 16 * pairs.length, 8, 4)
    this.#buffer.writeUInt32LE(pairs.length, at)
    pairs.flat().forEach((value, index) => {
      this.#buffer.writeBigInt64LE(BigInt(value), at + 4 + 8 * index)
    })
    return at
  }
}
