// Cells of text to codes. The same bytes are decoded once: a table of hashes remembers where they stood first.

import { Dictionary } from '../categories.ts'

export class TextCells {
  readonly #bytes: Uint8Array
  readonly #decode: (start: number, end: number, escaped: boolean) => string
  readonly #dictionary = new Dictionary()
  /** Per slot: where the bytes begin and end, and their code. A slot is free where the end is 0. */
  #starts = new Float64Array(1024)
  #ends = new Float64Array(1024)
  #codes = new Int32Array(1024)
  #used = 0

  constructor(bytes: Uint8Array, decode: (start: number, end: number, escaped: boolean) => string) {
    this.#bytes = bytes
    this.#decode = decode
  }

  codeOf(start: number, end: number, escaped: boolean): number {
    if (escaped) return this.#dictionary.codeOf(this.#decode(start, end, true))
    const slot = this.#find(start, end)
    if (this.#ends[slot] !== 0) return this.#codes[slot]
    const code = this.#dictionary.codeOf(this.#decode(start, end, false))
    this.#put(slot, start, end, code)
    if (2 * ++this.#used > this.#codes.length) this.#grow()
    return code
  }

  finish(codes: Int32Array): string[] {
    return this.#dictionary.finish(codes)
  }

  #put(slot: number, start: number, end: number, code: number): void {
    this.#starts[slot] = start
    this.#ends[slot] = end
    this.#codes[slot] = code
  }

  /** The slot of these bytes, or the free one where they belong. */
  #find(start: number, end: number): number {
    const bytes = this.#bytes
    let hash = 0x811c9dc5
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at], 0x01000193)
    const mask = this.#codes.length - 1
    for (let slot = (hash ^ (hash >>> 15)) & mask; ; slot = (slot + 1) & mask) {
      if (this.#ends[slot] === 0 || this.#isSame(this.#starts[slot], this.#ends[slot], start, end))
        return slot
    }
  }

  #isSame(first: number, firstEnd: number, start: number, end: number): boolean {
    if (firstEnd - first !== end - start) return false
    const bytes = this.#bytes
    for (let a = first, b = start; b < end; a++, b++) if (bytes[a] !== bytes[b]) return false
    return true
  }

  #grow(): void {
    const [starts, ends, codes] = [this.#starts, this.#ends, this.#codes]
    const size = 4 * codes.length
    this.#starts = new Float64Array(size)
    this.#ends = new Float64Array(size)
    this.#codes = new Int32Array(size)
    for (let slot = 0; slot < codes.length; slot++) {
      if (ends[slot] !== 0)
        this.#put(this.#find(starts[slot], ends[slot]), starts[slot], ends[slot], codes[slot])
    }
  }
}
