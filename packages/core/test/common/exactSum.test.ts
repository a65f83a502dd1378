import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ExactSum } from '../../src/common/exactSum.ts'

function sumOf(values: readonly number[]): number {
  const sum = new ExactSum()
  for (const value of values) sum.add(value)
  return sum.value()
}

/** Numbers of all sizes whose sums stay within range, and their opposites. */
const numberTo = (largest: number) =>
  fc
    .tuple(fc.integer({ min: -(2 ** 31), max: 2 ** 31 }), fc.integer({ min: -largest, max: largest }))
    .map(([digits, exponent]) => digits * 2 ** exponent)

/** The sum in units of 2^-160, rounded as numbers are: to the nearest, and of two to the even one. */
const naiveSum = (values: readonly number[]): number =>
  Number(values.reduce((sum, value) => sum + BigInt(value * 2 ** 160), 0n)) * 2 ** -160

describe('an exact sum', () => {
  it('is the sum in whole numbers, rounded once', () => {
    fc.assert(
      fc.property(fc.array(numberTo(90), { maxLength: 40 }), values => {
        expect(sumOf(values) + 0).toBe(naiveSum(values) + 0)
      }),
    )
  })

  it('does not depend on the order', () => {
    const shuffled = fc
      .array(numberTo(900), { maxLength: 30 })
      .chain(values =>
        fc.tuple(
          fc.constant(values),
          fc.shuffledSubarray(values, { minLength: values.length, maxLength: values.length }),
        ),
      )
    fc.assert(
      fc.property(shuffled, ([values, others]) => {
        expect(sumOf(others) + 0).toBe(sumOf(values) + 0)
      }),
    )
  })

  it('loses nothing that is small beside what cancels out', () => {
    expect(sumOf([1e100, 1, -1e100])).toBe(1)
    expect(sumOf([0.1, 0.2, 0.3, -0.6])).toBeCloseTo(2.7755575615628914e-17, 30)
    expect(sumOf([])).toBe(0)
  })

  it('rounds a half by what is below it', () => {
    // 1 and half its last digit, and a little more or less.
    expect(sumOf([1, 2 ** -53])).toBe(1)
    expect(sumOf([1, 2 ** -53, 2 ** -200])).toBe(1 + 2 ** -52)
    expect(sumOf([1, 2 ** -53, -(2 ** -200)])).toBe(1)
    expect(sumOf([-1, -(2 ** -53), -(2 ** -200)])).toBe(-1 - 2 ** -52)
  })
})
