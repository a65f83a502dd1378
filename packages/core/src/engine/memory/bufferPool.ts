// Buffers that are used again. Answers of some megabytes come in every round, and chunks of rows by the hundred; left to the
// garbage collector they pile up, in every thread, to several times what the rows take.

export class BufferPool {
  readonly #buffers: ArrayBuffer[] = []
  readonly #capacity: number

  /** At most this many are kept; others are let go. */
  constructor(capacity: number) {
    this.#capacity = capacity
  }

  /** A spare buffer that has room, or a new one. What is in it is anybody's guess. */
  take(bytes: number): ArrayBuffer {
    let best = -1
    this.#buffers.forEach((buffer, index) => {
      const fits = buffer.byteLength >= bytes && buffer.byteLength <= 2 * bytes
      if (fits && (best < 0 || buffer.byteLength < this.#buffers[best].byteLength)) best = index
    })
    return best < 0 ? new ArrayBuffer(bytes) : this.#buffers.splice(best, 1)[0]
  }

  give(buffers: readonly ArrayBuffer[]): void {
    for (const buffer of buffers) {
      // A detached buffer has been handed to another thread, and is not ours to use.
      if (buffer.byteLength > 0 && this.#buffers.length < this.#capacity) this.#buffers.push(buffer)
    }
  }

  /** All of them, to be sent elsewhere. */
  takeAll(): ArrayBuffer[] {
    return this.#buffers.splice(0)
  }
}
