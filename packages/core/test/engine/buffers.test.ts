import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BufferPool } from '../../src/engine/memory/bufferPool.ts'
import { makeBinner } from '../../src/kernels/binner.ts'

describe('spare buffers', () => {
  it('are given out when they have room and are not far too large', () => {
    const spares = new BufferPool(3)
    const [small, large] = [new ArrayBuffer(100), new ArrayBuffer(1000)]
    spares.give([large, small])
    expect(spares.take(60)).toBe(small)
    expect(spares.take(60)).not.toBe(large)
    expect(spares.take(600)).toBe(large)
    expect(spares.take(600).byteLength).toBe(600)
  })

  it('are kept up to a number, and never when they belong to another thread', () => {
    const spares = new BufferPool(2)
    const gone = new ArrayBuffer(8)
    structuredClone(gone, { transfer: [gone] })
    const kept = [new ArrayBuffer(1), new ArrayBuffer(2)]
    spares.give([gone, ...kept, new ArrayBuffer(3)])
    expect(spares.takeAll()).toEqual(kept)
    expect(spares.takeAll()).toEqual([])
  })
})

describe('a binner', () => {
  it.each(['wasm', 'twin'] as const)('counts the cuts below every value, with the %s kernels', kind => {
    const binner = makeBinner(kind)
    expect(binner.kernelKind).toBe(kind)
    const cuts = fc.uniqueArray(fc.double({ noNaN: true, noDefaultInfinity: true }), { maxLength: 254 })
    const values = fc.array(fc.oneof(fc.double(), fc.constantFrom(0, -0, Number.NaN)), { maxLength: 50 })
    fc.assert(
      fc.property(cuts, values, (some, more) => {
        const sorted = [...some].sort((a, b) => a - b)
        const given = Float64Array.from([...more, ...sorted])
        const expected = Array.from(given, value =>
          Number.isNaN(value) ? sorted.length + 1 : sorted.filter(cut => cut < value).length,
        )
        expect(Array.from(binner.bin(given, sorted))).toEqual(expected)
      }),
    )
  })

  it('bins more values than it takes at a time', () => {
    const values = Float64Array.from({ length: 40_000 }, (_, index) => index)
    const bins = makeBinner().bin(values, [9_999.5, 29_999.5])
    expect(Array.from(bins).indexOf(1)).toBe(10_000)
    expect(Array.from(bins).indexOf(2)).toBe(30_000)
  })
})
