// How often each hash has been seen: what tells copies of one row apart. Tables with open addressing, 9 bytes a slot, each
// for one part of the hashes and doubled by itself when three quarters full, so that only a small part is ever held twice.
// A Map would end at 2^24 entries, and take ten times the memory.

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

  close(): void {
    for (const part of this.#parts) part.close()
  }
}

class Part {
  #buffer: ArrayBuffer
  #a: Int32Array
  #b: Int32Array
  /** 0: the slot is empty; 255: look in #many. */
  #counts: Uint8Array
  #many = new Map<number, number>()
  #used = 0

  constructor(slots: number) {
    this.#buffer = allocate(9 * slots)
    this.#a = new Int32Array(this.#buffer, 0, slots)
    this.#b = new Int32Array(this.#buffer, 4 * slots, slots)
    this.#counts = new Uint8Array(this.#buffer, 8 * slots, slots)
  }

  get isEmpty(): boolean {
    return this.#used === 0
  }

  count(a: number, b: number): number {
    if (4 * this.#used > 3 * this.#counts.length) this.#grow()
    const slot = this.#find(a, b)
    const seen = this.#counts[slot]
    if (seen === 0) {
      this.#a[slot] = a
      this.#b[slot] = b
      this.#used++
    }
    if (seen < 254) {
      this.#counts[slot]++
      return seen
    }
    const many = this.#many.get(slot) ?? 254
    this.#counts[slot] = 255
    this.#many.set(slot, many + 1)
    return many
  }

  #find(a: number, b: number): number {
    const mask = this.#counts.length - 1
    let slot = b & mask
    while (this.#counts[slot] !== 0 && (this.#a[slot] !== a || this.#b[slot] !== b)) slot = (slot + 1) & mask
    return slot
  }

  #grow(): void {
    const [buffer, a, b, counts, many] = [this.#buffer, this.#a, this.#b, this.#counts, this.#many]
    const larger = new Part(2 * counts.length)
    for (let old = 0; old < counts.length; old++) {
      if (counts[old] === 0) continue
      const slot = larger.#find(a[old], b[old])
      larger.#a[slot] = a[old]
      larger.#b[slot] = b[old]
      larger.#counts[slot] = counts[old]
      const exact = many.get(old)
      if (exact !== undefined) larger.#many.set(slot, exact)
    }
    this.#buffer = larger.#buffer
    this.#a = larger.#a
    this.#b = larger.#b
    this.#counts = larger.#counts
    this.#many = larger.#many
    free(buffer)
  }

  close(): void {
    free(this.#buffer)
    this.#many.clear()
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
