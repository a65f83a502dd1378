import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_TOTAL_WEIGHT } from '../../src/common/units.ts'
import { type ColumnInput, makeTable } from '../../src/data/table.ts'
import { readWeights } from '../../src/data/weights.ts'
import { rejectionOf } from './rejection.ts'

const read = (given: ColumnInput) => readWeights(makeTable({ w: given }).columns[0])

describe('weights', () => {
  it('stay as they are when they are whole and small enough', () => {
    expect(read([2, 0, 5])).toEqual({ weight: Int32Array.of(2, 0, 5), scale: 1, whole: true })
    expect(read([MAX_TOTAL_WEIGHT - 1, 1])).toEqual({
      weight: Int32Array.of(MAX_TOTAL_WEIGHT - 1, 1),
      scale: 1,
      whole: true,
    })
  })

  it('are left out when all are 1', () => {
    expect(read([1, 1, 1])).toEqual({ scale: 1, whole: true })
  })

  it('are scaled down when the total is too large', () => {
    expect(read([MAX_TOTAL_WEIGHT, 1])).toEqual({
      weight: Int32Array.of(2 ** 20, 1),
      scale: 2 ** -8,
      whole: false,
    })
  })

  it('are scaled up by a power of two when they are not whole', () => {
    expect(read([0.5, 0.25, 0])).toEqual({
      weight: Int32Array.of(2 ** 20, 2 ** 19, 0),
      scale: 2 ** 21,
      whole: false,
    })
  })

  it('are bound by their total, too', () => {
    const { weight, scale } = read(new Float64Array(1024).fill(0.5))
    expect(scale).toBe(2 ** 19)
    expect(weight).toEqual(new Int32Array(1024).fill(2 ** 18))
  })

  it('round to nearest, but a positive weight never vanishes', () => {
    const { weight, scale } = read([2 ** 20 - 0.25, 1e-9, 2.5, 0])
    expect(scale).toBe(1)
    expect(weight).toEqual(Int32Array.of(2 ** 20, 1, 3, 0))
  })

  it('may be as small or as large as doubles are', () => {
    expect(read([Number.MIN_VALUE, 0])).toEqual({
      weight: Int32Array.of(1, 0),
      scale: 2 ** 1023,
      whole: false,
    })
    expect(read([Number.MAX_VALUE, 1]).scale).toBe(2 ** -1004)
    expect(read([Number.MAX_VALUE, 1]).weight).toEqual(Int32Array.of(2 ** 20, 1))
  })

  it('get the largest scale that fits, whatever they are', () => {
    const weights = fc.array(fc.oneof(fc.double({ min: 0, max: 1e6, noNaN: true }), fc.constant(0)), {
      minLength: 1,
      maxLength: 30,
    })
    const scaleAll = (given: readonly number[], scale: number) =>
      given.map(one => (one === 0 ? 0 : Math.max(1, Math.round(one * scale))))
    const fits = (whole: readonly number[]) =>
      whole.reduce((sum, one) => sum + one, 0) <= MAX_TOTAL_WEIGHT && Math.max(...whole) <= 2 ** 20
    fc.assert(
      fc.property(weights, some => {
        const given = [...some, 0.75]
        const { weight, scale } = read(given)
        expect([...weight!]).toEqual(scaleAll(given, scale))
        expect(fits(scaleAll(given, scale))).toBe(true)
        expect(fits(scaleAll(given, 2 * scale))).toBe(false)
        expect(Number.isInteger(Math.log2(scale))).toBe(true)
      }),
    )
  })

  it.each([
    ['a missing weight', [1, null, 2], 'FB_MISSING_VALUE column "w", row 2: the weight is missing.'],
    ['a negative weight', [1, 0, -2.5], 'FB_WEIGHT_RANGE column "w", row 3: -2.5 is negative.'],
    ['only zeros', [0, 0], 'FB_WEIGHT_RANGE column "w": every weight is 0.'],
    ['booleans', [true, false], 'FB_COLUMN_KIND column "w": the weight is boolean.'],
    ['strings', ['1', '2'], 'FB_COLUMN_KIND column "w": the weight is categorical.'],
  ])('are rejected for %s', (_, given, message) => {
    expect(rejectionOf(() => read(given as ColumnInput)).message).toContain(message)
  })
})
