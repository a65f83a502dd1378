// Tables of FlatBuffers, which the metadata of Arrow is written in. Offsets that lead outside throw a RangeError; `stream.ts` puts
// that into words.

export class FlatTable {
  readonly #view: DataView
  readonly #at: number

  constructor(view: DataView, at: number) {
    this.#view = view
    this.#at = at
  }

  static root(view: DataView): FlatTable {
    return new FlatTable(view, view.getUint32(0, true))
  }

  has(field: number): boolean {
    return this.#place(field) !== 0
  }

  byte(field: number, otherwise = 0): number {
    const place = this.#place(field)
    return place === 0 ? otherwise : this.#view.getUint8(place)
  }

  short(field: number, otherwise = 0): number {
    const place = this.#place(field)
    return place === 0 ? otherwise : this.#view.getInt16(place, true)
  }

  int(field: number, otherwise = 0): number {
    const place = this.#place(field)
    return place === 0 ? otherwise : this.#view.getInt32(place, true)
  }

  /** A count or a length: never negative, never beyond what a buffer may hold. */
  length(field: number): number {
    const place = this.#place(field)
    return place === 0 ? 0 : safe(this.#view.getBigInt64(place, true))
  }

  table(field: number): FlatTable {
    const place = this.#place(field)
    if (place === 0) throw new RangeError('a table is missing')
    return this.#follow(place)
  }

  tables(field: number): FlatTable[] {
    const { at, length } = this.#vector(field, 4)
    return Array.from({ length }, (_, index) => this.#follow(at + 4 * index))
  }

  /** A vector of structs of two int64. */
  pairs(field: number): [first: number, second: number][] {
    const { at, length } = this.#vector(field, 16)
    return Array.from({ length }, (_, index) => [
      safe(this.#view.getBigInt64(at + 16 * index, true)),
      safe(this.#view.getBigInt64(at + 16 * index + 8, true)),
    ])
  }

  text(field: number): string {
    const { at, length } = this.#vector(field, 1)
    return Buffer.from(this.#view.buffer, this.#view.byteOffset + at, length).toString('utf8')
  }

  #follow(place: number): FlatTable {
    return new FlatTable(this.#view, place + this.#view.getUint32(place, true))
  }

  /** 0 where the field has its default. */
  #place(field: number): number {
    const table = this.#at - this.#view.getInt32(this.#at, true)
    const slot = 4 + 2 * field
    if (slot >= this.#view.getUint16(table, true)) return 0
    const offset = this.#view.getUint16(table + slot, true)
    return offset === 0 ? 0 : this.#at + offset
  }

  #vector(field: number, width: number): { at: number; length: number } {
    const place = this.#place(field)
    if (place === 0) return { at: 0, length: 0 }
    const at = place + this.#view.getUint32(place, true)
    const length = this.#view.getUint32(at, true)
    if (at + 4 + length * width > this.#view.byteLength) throw new RangeError('a vector is too long')
    return { at: at + 4, length }
  }
}

function safe(value: bigint): number {
  if (value < 0n || value > 0xff_ff_ff_ff_ffn) throw new RangeError('a length is no length')
  return Number(value)
}
