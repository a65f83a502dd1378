// An Arrow stream of one column of numbers, as pyarrow and others read it: a schema, one batch, the end. Numbers of fields are those of
// Arrow's Schema.fbs and Message.fbs.

const CONTINUES = 0xff_ff_ff_ff
const VERSION_5 = 4
const [SCHEMA, RECORD_BATCH] = [1, 3]
const FLOATING_POINT = 3
const DOUBLE = 2

/** What a field of a FlatBuffers table holds. */
type Field =
  | { readonly bytes: 1 | 2 | 8; readonly value: number }
  | { readonly table: Fields }
  | { readonly tables: readonly Fields[] }
  | { readonly text: string }
  /** A vector of structs of two int64. */
  | { readonly pairs: readonly (readonly [number, number])[] }

/** By number. What is absent has its default. */
type Fields = Readonly<Record<number, Field>>

/** Puts a table down and what it points to behind it; every offset leads forward, as they have to. */
class FlatWriter {
  readonly #view = new DataView(new ArrayBuffer(1024))
  #end = 0

  /** The bytes of a root table, padded to 8. */
  static of(fields: Fields): Uint8Array {
    const writer = new FlatWriter()
    const root = writer.#take(4, 4)
    writer.#view.setUint32(root, writer.#table(fields), true)
    return new Uint8Array(writer.#view.buffer, 0, writer.#take(0, 8))
  }

  /** Room that begins at a multiple of `align`. */
  #take(size: number, align: number): number {
    const at = Math.ceil(this.#end / align) * align
    this.#end = at + size
    return at
  }

  #table(fields: Fields): number {
    const numbers = Object.keys(fields).map(Number)
    const count = Math.max(-1, ...numbers) + 1
    const slots = this.#take(4 + 2 * count, 8)
    const at = this.#take(4, 8)
    this.#view.setInt32(at, at - slots, true)
    const places = numbers.map(number => {
      const field = fields[number]
      const size = 'bytes' in field ? field.bytes : 4
      const place = this.#take(size, size)
      this.#view.setUint16(slots + 4 + 2 * number, place - at, true)
      return place
    })
    this.#view.setUint16(slots, 4 + 2 * count, true)
    this.#view.setUint16(slots + 2, this.#end - at, true)
    numbers.forEach((number, index) => {
      this.#fill(places[index], fields[number])
    })
    return at
  }

  #fill(place: number, field: Field): void {
    if (!('bytes' in field)) this.#view.setUint32(place, this.#far(field) - place, true)
    else if (field.bytes === 8) this.#view.setBigInt64(place, BigInt(field.value), true)
    else if (field.bytes === 2) this.#view.setInt16(place, field.value, true)
    else this.#view.setUint8(place, field.value)
  }

  /** Where it is put. */
  #far(field: Exclude<Field, { bytes: number }>): number {
    if ('table' in field) return this.#table(field.table)
    if ('text' in field) return this.#text(field.text)
    if ('pairs' in field) return this.#pairs(field.pairs)
    const at = this.#vector(field.tables.length, 4, 4)
    field.tables.forEach((table, index) => {
      const place = at + 4 + 4 * index
      this.#view.setUint32(place, this.#table(table) - place, true)
    })
    return at
  }

  /** Its length stands before the items, which are aligned. */
  #vector(length: number, size: number, align: number): number {
    const at = this.#take(4 + length * size, align) + (align === 8 ? 4 : 0)
    if (align === 8) this.#end += 4
    this.#view.setUint32(at, length, true)
    return at
  }

  #text(text: string): number {
    const bytes = Buffer.from(text)
    const at = this.#vector(bytes.length, 1, 4)
    new Uint8Array(this.#view.buffer).set(bytes, at + 4)
    this.#end++
    return at
  }

  #pairs(pairs: readonly (readonly [number, number])[]): number {
    const at = this.#vector(pairs.length, 16, 8)
    pairs.flat().forEach((value, index) => {
      this.#view.setBigInt64(at + 4 + 8 * index, BigInt(value), true)
    })
    return at
  }
}

function message(kind: number, header: Fields, body: Uint8Array): Uint8Array[] {
  const flat = FlatWriter.of({
    0: { bytes: 2, value: VERSION_5 },
    1: { bytes: 1, value: kind },
    2: { table: header },
    3: { bytes: 8, value: body.length },
  })
  return [asBytes(CONTINUES, flat.length), flat, body]
}

const asBytes = (...words: readonly number[]): Uint8Array => {
  const bytes = Buffer.alloc(4 * words.length)
  words.forEach((word, index) => {
    bytes.writeUInt32LE(word, 4 * index)
  })
  return bytes
}

export function writeNumbers(name: string, values: Float64Array): Buffer {
  const body = Buffer.alloc(8 * values.length)
  values.forEach((value, row) => {
    body.writeDoubleLE(value, 8 * row)
  })
  const field: Fields = {
    0: { text: name },
    2: { bytes: 1, value: FLOATING_POINT },
    3: { table: { 0: { bytes: 2, value: DOUBLE } } },
    5: { tables: [] },
  }
  const batch: Fields = {
    0: { bytes: 8, value: values.length },
    1: { pairs: [[values.length, 0]] },
    // No bitmap, because nothing is missing.
    2: {
      pairs: [
        [0, 0],
        [0, body.length],
      ],
    },
  }
  return Buffer.concat([
    ...message(SCHEMA, { 1: { tables: [field] } }, Buffer.alloc(0)),
    ...message(RECORD_BATCH, batch, body),
    asBytes(CONTINUES, 0),
  ])
}
