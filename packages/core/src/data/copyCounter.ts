// Hashes that have been seen, each with one number: how often, or in which row first. Tables with open addressing, 12 bytes a slot,
// each for one part of the hashes and doubled by itself when three quarters full, so that only a small part is ever held twice.
// A Map would end at 2^24 entries, and take eight times the memory.

const PARTS = 64
const FIRST_SLOTS = 64

export class CopyCounter {
  readonly #parts = Array.from({ length: PARTS }, () => new Part(FIRST_SLOTS))

  /** Makes room for so many more at once, where there are none yet. */
  expect(rows: number): void {
    const slots = 2 ** Math.ceil(Math.log2((1.5 * rows) / PARTS + FIRST_SLOTS))
    for (const [index, part] of this.#parts.entries()) {
      if (part.isEmpty) this.#parts[index] = new Part(slots)
    }
  }

  /** How many times before. */
  count(a: number, b: number): number {
    return this.#parts[b >>> 26].count(a, b)
  }

  /** The row that it was first seen in: this one, if never before. */
  first(a: number, b: number, row: number): number {
    return this.#parts[b >>> 26].first(a, b, row)
  }

  close(): void {
    for (const part of this.#parts) part.close()
  }
}

class Part {
  #buffer: ArrayBuffer
  #a: Int32Array
  #b: Int32Array
  /** 0: the slot is empty. */
  #values: Int32Array
  #used = 0

  constructor(slots: number) {
    this.#buffer = allocate(12 * slots)
    this.#a = new Int32Array(this.#buffer, 0, slots)
    this.#b = new Int32Array(this.#buffer, 4 * slots, slots)
    this.#values = new Int32Array(this.#buffer, 8 * slots, slots)
  }

  get isEmpty(): boolean {
    return this.#used === 0
  }

  count(a: number, b: number): number {
    // First the slot: the table may grow for it, and its values be others.
    const slot = this.#slotOf(a, b)
    return this.#values[slot]++
  }

  /** Rows are kept as one more than their number. */
  first(a: number, b: number, row: number): number {
    const slot = this.#slotOf(a, b)
    if (this.#values[slot] === 0) this.#values[slot] = row + 1
    return this.#values[slot] - 1
  }

  /** A new one is written down, and has the value 0 until the caller gives it another. */
  #slotOf(a: number, b: number): number {
    if (4 * this.#used > 3 * this.#values.length) this.#grow()
    const slot = this.#find(a, b)
    if (this.#values[slot] === 0) {
      this.#a[slot] = a
      this.#b[slot] = b
      this.#used++
    }
    return slot
  }

  #find(a: number, b: number): number {
    const mask = this.#values.length - 1
    let slot = b & mask
    while (this.#values[slot] !== 0 && (this.#a[slot] !== a || this.#b[slot] !== b)) slot = (slot + 1) & mask
    return slot
  }

  #grow(): void {
    const [buffer, a, b, values] = [this.#buffer, this.#a, this.#b, this.#values]
    const larger = new Part(2 * values.length)
    for (let old = 0; old < values.length; old++) {
      if (values[old] === 0) continue
      const slot = larger.#find(a[old], b[old])
      larger.#a[slot] = a[old]
      larger.#b[slot] = b[old]
      larger.#values[slot] = values[old]
    }
    this.#buffer = larger.#buffer
    this.#a = larger.#a
    this.#b = larger.#b
    this.#values = larger.#values
    free(buffer)
  }

  close(): void {
    free(this.#buffer)
  }
}

/** From here on it matters when memory is given back. */
const LARGE_BYTES = 2 ** 18

/**
 * Resizable where the platform can and the part is large: then memory can be given back without waiting for a collection.
 * Such a buffer takes long to make.
 */
const allocate = (bytes: number): ArrayBuffer =>
  bytes < LARGE_BYTES
    ? new ArrayBuffer(bytes)
    : new (ArrayBuffer as unknown as ResizableConstructor)(bytes, { maxByteLength: bytes })

function free(buffer: ArrayBuffer): void {
  if ((buffer as Resizable).resizable) (buffer as Resizable).resize?.(0)
}

type ResizableConstructor = new (bytes: number, options: { maxByteLength: number }) => ArrayBuffer
type Resizable = ArrayBuffer & { resizable?: boolean; resize?(bytes: number): void }
