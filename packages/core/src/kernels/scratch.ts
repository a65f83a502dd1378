// Scratch memory for one question.

import type { KernelMemory } from './kernels.ts'

/** Where things begin: the kernels load 16 bytes at a time. */
export const align = (bytes: number): number => Math.ceil(bytes / 16) * 16

/** Scratch room above the rows, given out piece by piece; it is forgotten when the question is answered. */
export class Scratch {
  readonly #memory: KernelMemory
  #next: number

  constructor(memory: KernelMemory, top: number) {
    this.#memory = memory
    this.#next = top
  }

  /** Where the next piece would begin. */
  get end(): number {
    return this.#next
  }

  /** Scratch above, to be used again and again while this one stays as it is. */
  above(): Scratch {
    return new Scratch(this.#memory, this.#next)
  }

  take(bytes: number): number {
    const at = this.#next
    this.#next = align(at + bytes)
    this.#memory.reserve(this.#next)
    this.#memory.untouched = Math.max(this.#memory.untouched, this.#next)
    return at
  }

  /** Whole numbers, written down. */
  write(values: ArrayLike<number>): number {
    const at = this.take(4 * values.length)
    new Int32Array(this.#memory.buffer).set(values, at >>> 2)
    return at
  }

  zeros(bytes: number): number {
    const { untouched } = this.#memory
    const at = this.take(bytes)
    this.clear(at, Math.max(0, Math.min(bytes, untouched - at)))
    return at
  }

  /** All of the memory, as it is now: it moves when it grows. */
  ints(): Int32Array {
    return new Int32Array(this.#memory.buffer)
  }

  bytes(): Uint8Array {
    return new Uint8Array(this.#memory.buffer)
  }

  doubles(): Float64Array {
    return new Float64Array(this.#memory.buffer)
  }

  clear(at: number, bytes: number): void {
    this.bytes().fill(0, at, at + bytes)
  }
}
