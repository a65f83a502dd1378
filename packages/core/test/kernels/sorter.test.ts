// The sorter against the sort of typed arrays, bit by bit: in the kernels, in the twin, in one run and in many.

import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { makeRandom } from '../../src/internal.ts'
import { makeSorter } from '../../src/kernels/sorter.ts'

const SMALLEST = Number.MIN_VALUE
const LARGEST = Number.MAX_VALUE

/** Every kind of double but NaN, with many ties, zeros of both signs, and numbers whose digits differ in few places. */
const anyNumber = fc.oneof(
  fc.double({ noNaN: true }),
  fc.integer({ min: -3, max: 3 }).map(whole => whole * SMALLEST),
  fc.integer({ min: -300, max: 300 }),
  fc.constantFrom(0, -0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, LARGEST, -LARGEST),
)
const anyNumbers = fc.oneof(
  fc.array(anyNumber, { maxLength: 600, size: 'max' }),
  fc.array(fc.constantFrom(0, -0), { maxLength: 40 }),
)

/** Bits, so that -0 and 0 differ. */
const bitsOf = (values: Float64Array) => Array.from(new BigUint64Array(values.slice().buffer))

describe.each(['wasm', 'twin'] as const)('the sorter with %s', kernels => {
  it('is what really runs', () => {
    expect(makeSorter(kernels).kernelKind).toBe(kernels)
  })

  it.each([600, 7, 1])('sorts as typed arrays do, in runs of at most %i values', runValues => {
    const sorter = makeSorter(kernels, runValues)
    fc.assert(
      fc.property(anyNumbers, numbers => {
        const given = Float64Array.from(numbers)
        const sorted = sorter.sort(given)
        expect(bitsOf(sorted)).toEqual(bitsOf(Float64Array.from(numbers).sort()))
        expect(bitsOf(given)).toEqual(bitsOf(Float64Array.from(numbers)))
      }),
    )
  })

  it('sorts no value, one value, and values that are all the same', () => {
    const { sort } = makeSorter(kernels)
    for (const numbers of [[], [-0], [5], new Array<number>(1000).fill(-1.5)]) {
      expect(bitsOf(sort(Float64Array.from(numbers)))).toEqual(bitsOf(Float64Array.from(numbers)))
    }
  })

  it('sorts more values than the memory began with, and fewer again', () => {
    const random = makeRandom(4)
    const { sort } = makeSorter(kernels)
    for (const length of [10, 100_000, 10]) {
      const values = Float64Array.from({ length }, () => random.next() - 0.5)
      expect(bitsOf(sort(values))).toEqual(bitsOf(values.slice().sort()))
    }
  })
})

describe('a platform without WebAssembly', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
    vi.resetModules()
  })

  it('sorts with the twin, and refuses where the kernels are asked for', async () => {
    vi.stubGlobal('WebAssembly', undefined)
    vi.resetModules()
    const hidden = await import('../../src/kernels/sorter.ts')
    const sorter = hidden.makeSorter()
    expect(sorter.kernelKind).toBe('twin')
    expect(Array.from(sorter.sort(Float64Array.of(3, -1, 2)))).toEqual([-1, 2, 3])
    expect(() => hidden.makeSorter('wasm')).toThrow('no WebAssembly')
  })
})
