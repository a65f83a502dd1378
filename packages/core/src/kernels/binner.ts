// Bins of numbers, found by the kernels in this thread: three times as fast as the plain loop.

import type { Kernels } from './kernels.ts'
import { type KernelChoice, loadKernels } from './load.ts'

interface Binner {
  readonly kernelKind: Kernels['kind']
  /** How many cuts lie below each value; one more than there are cuts where it is missing. */
  bin(values: Float64Array, cuts: readonly number[]): Uint8Array
}

/** Values binned at a time; they stay in the cache. */
const BLOCK_VALUES = 2 ** 14

/** Where things lie in the memory: 512 cuts, then the values, then their bins. */
const CUTS = 1024
const VALUES = CUTS + 8 * 512
const BINS = VALUES + 8 * BLOCK_VALUES

export function makeBinner(choice: KernelChoice = 'auto'): Binner {
  const { kernels, memory } = loadKernels(choice)
  memory.reserve(BINS + BLOCK_VALUES)
  const places = new Float64Array(memory.buffer, CUTS, 512)
  const room = new Float64Array(memory.buffer, VALUES, BLOCK_VALUES)
  const found = new Uint8Array(memory.buffer, BINS, BLOCK_VALUES)
  return {
    kernelKind: kernels.kind,
    bin(values, cuts) {
      const half = 2 ** Math.floor(Math.log2(Math.max(1, cuts.length)))
      places.fill(Number.POSITIVE_INFINITY, 0, 2 * half)
      places.set(cuts)
      const bins = new Uint8Array(values.length)
      for (let from = 0; from < values.length; from += BLOCK_VALUES) {
        const block = values.subarray(from, from + BLOCK_VALUES)
        room.set(block)
        kernels.binNumbers(VALUES, block.length, CUTS, half, cuts.length + 1, BINS)
        bins.set(found.subarray(0, block.length), from)
      }
      return bins
    },
  }
}
