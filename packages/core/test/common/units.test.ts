// Exact units against their definitions in BigInt.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clipUnits, fromUnits, levelOf, ONE, splitSumValue, toUnits } from '../../src/common/units.ts'

const anyUnits = fc.oneof(
  fc.integer({ min: 0, max: ONE }),
  fc.constantFrom(0, 1, ONE / 2 - 1, ONE / 2, ONE - 1, ONE),
)

describe('the level of a prediction', () => {
  it('is floor(u K / ONE) in exact arithmetic, and the last level for u = ONE', () => {
    fc.assert(
      fc.property(anyUnits, fc.integer({ min: 1, max: 10_000 }), (units, levels) => {
        const exact = Number((BigInt(units) * BigInt(levels)) / BigInt(ONE))
        expect(levelOf(units, levels)).toBe(units === ONE ? levels - 1 : exact)
      }),
      { numRuns: 500 },
    )
    for (const levels of [1, 2, 3, 20, 1000]) expect(levelOf(ONE, levels)).toBe(levels - 1)
  })

  it('begins exactly at the first unit of each bin', () => {
    for (const levels of [1, 2, 3, 7, 10, 20, 64, 1000]) {
      for (let level = 0; level < levels; level++) {
        const first = Number((BigInt(level) * BigInt(ONE) + BigInt(levels) - 1n) / BigInt(levels))
        expect(levelOf(first, levels)).toBe(level)
        if (level > 0) expect(levelOf(first - 1, levels)).toBe(level - 1)
      }
    }
  })
})

describe('units', () => {
  it('come back from probabilities unchanged', () => {
    fc.assert(
      fc.property(anyUnits, units => {
        expect(toUnits(fromUnits(units))).toBe(units)
        expect(fromUnits(units) * ONE).toBe(units)
      }),
    )
  })

  it('are the nearest whole number of units, halves up', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), value => {
        expect(Math.abs(fromUnits(toUnits(value)) - value)).toBeLessThanOrEqual(0.5 / ONE)
      }),
    )
    expect(toUnits(2.5 / ONE)).toBe(3)
    expect(toUnits(-2.5 / ONE)).toBe(-2)
  })

  it('are clipped to 0 and ONE', () => {
    fc.assert(
      fc.property(fc.integer({ min: -3 * ONE, max: 3 * ONE }), units => {
        expect(clipUnits(units)).toBe(Math.min(ONE, Math.max(0, units)))
      }),
    )
  })
})

describe('a split sum', () => {
  it('holds the sum of products of two unit numbers', () => {
    const signed = fc.integer({ min: -ONE, max: ONE })
    fc.assert(
      fc.property(fc.array(fc.tuple(signed, signed), { maxLength: 50 }), pairs => {
        const sum = { high: 0, low: 0 }
        let exact = 0n
        for (const [a, b] of pairs) {
          const high = Math.floor((a * b) / ONE)
          sum.high += high
          sum.low += a * b - high * ONE
          exact += BigInt(a) * BigInt(b)
        }
        expect(BigInt(sum.high) * BigInt(ONE) + BigInt(sum.low)).toBe(exact)
        expect(splitSumValue(sum)).toBeCloseTo(Number(exact) / ONE / ONE, 12)
      }),
    )
  })

  it('is one for the product of one and one', () => {
    expect(splitSumValue({ high: ONE, low: 0 })).toBe(1)
    expect(splitSumValue({ high: 0, low: ONE / 2 })).toBe(0.5 / ONE)
  })
})
