// Numbers in ascending order, sorted by the kernels: quantile cuts need every numeric column in order, and a radix sort
// is several times faster than that of typed arrays. The memory is bounded: longer inputs are sorted in runs and merged.

import type { Kernels } from './kernels.ts'
import { type KernelChoice, loadKernels } from './load.ts'

interface Sorter {
  readonly kernelKind: Kernels['kind']
  /** A new array in the order of TypedArray.sort: ascending, -0 before 0. No NaN, please; `values` stays as it is. */
  sort(values: Float64Array): Float64Array
}

/** Values sorted at once. A run and its scratch take 64 MiB, which the sorter keeps as long as it lives. */
const RUN_VALUES = 2 ** 22

/** Where things lie in the memory: eight tables of 256 counts, then the values, then as much scratch. */
const STARTS = 1024
const VALUES = STARTS + 8 * 256 * 4

/** Without WebAssembly the twin sorts; where even 64 MiB cannot be had, sorting fails with FB_MEMORY. */
export function makeSorter(choice: KernelChoice = 'auto', runValues: number = RUN_VALUES): Sorter {
  const { kernels, memory } = loadKernels(choice)
  const sortRun = (values: Float64Array): Float64Array => {
    const scratch = VALUES + 8 * values.length
    memory.reserve(scratch + 8 * values.length)
    const run = new Float64Array(memory.buffer, VALUES, values.length)
    run.set(values)
    kernels.sortNumbers(VALUES, values.length, scratch, STARTS)
    return run.slice()
  }
  const sort = (values: Float64Array): Float64Array => {
    if (values.length <= runValues) return sortRun(values)
    const half = values.length >>> 1
    return merge(sort(values.subarray(0, half)), sort(values.subarray(half)))
  }
  return { kernelKind: kernels.kind, sort }
}

function merge(a: Float64Array, b: Float64Array): Float64Array {
  const merged = new Float64Array(a.length + b.length)
  let [i, j, next] = [0, 0, 0]
  while (i < a.length && j < b.length) merged[next++] = precedes(a[i], b[j]) ? a[i++] : b[j++]
  merged.set(i < a.length ? a.subarray(i) : b.subarray(j), next)
  return merged
}

/** Zeros are equal but not the same: a 0 lets the zeros of the other run pass, in case they are -0. */
const precedes = (a: number, b: number): boolean => a < b || (a === b && (a !== 0 || Object.is(a, -0)))
