/** One bit per row, appended to. */
export class RowBits {
  #bytes = new Uint8Array(1024)
  length = 0

  push(bits: Uint8Array): void {
    const needed = Math.ceil((this.length + bits.length) / 8)
    if (needed > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(needed, 2 * this.#bytes.length))
      larger.set(this.#bytes)
      this.#bytes = larger
    }
    for (const bit of bits) {
      if (bit === 1) this.#bytes[this.length >> 3] |= 1 << (this.length & 7)
      this.length++
    }
  }

  at(row: number): number {
    return (this.#bytes[row >> 3] >> (row & 7)) & 1
  }

  slice(from: number, to: number): Uint8Array {
    const bits = new Uint8Array(to - from)
    for (let row = from; row < to; row++) bits[row - from] = this.at(row)
    return bits
  }
}
