// Numbers and lists as sentences show them.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  formatBound,
  formatCount,
  formatMove,
  formatNumber,
  formatPlain,
  formatRange,
  joinWords,
  outward,
} from '../../src/common/text.ts'

describe('numbers as people read them', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [48310, '48,310'],
    [1234567.6, '1,234,568'],
  ])('shows the count %d as %s', (count, text) => {
    expect(formatCount(count)).toBe(text)
  })

  it.each([
    [0, '0'],
    [0.25, '0.25'],
    [12.5, '12.5'],
    [0.000625, '0.000625'],
    [1 / 3, '0.3333'],
    [123456, '123500'],
    [-0.1 - 0.2, '-0.3'],
    [1e-7, '1e-7'],
    [1.23456e-9, '1.235e-9'],
  ])('shows the number %d as %s', (value, text) => {
    expect(formatNumber(value)).toBe(text)
  })

  it('shows counts and numbers as the formatter of the platform does', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e15, max: 1e15 }), count => {
        expect(formatCount(count)).toBe(count.toLocaleString('en-US'))
      }),
    )
    const magnitude = fc.tuple(
      fc.double({ min: 1, max: 9.99, noNaN: true }),
      fc.integer({ min: -12, max: 12 }),
    )
    fc.assert(
      fc.property(magnitude, fc.integer({ min: 1, max: 9 }), ([lead, power], digits) => {
        const value = Number(`${lead}e${power}`)
        const shown = value.toLocaleString('en-US', { maximumSignificantDigits: digits })
        expect(formatPlain(value, digits)).toBe(shown)
      }),
    )
    expect(formatPlain(1 / 1600, 6)).toBe('0.000625')
    expect(formatPlain(6.25e-8, 6)).toBe('0.0000000625')
    expect(formatCount(1e21)).toBe('1e+21')
  })

  it('keeps as many digits as asked for, and no trailing zeros', () => {
    expect(formatNumber(1 / 3, 2)).toBe('0.33')
    fc.assert(
      fc.property(
        fc.double({ min: -1e6, max: 1e6, noNaN: true }),
        fc.integer({ min: 1, max: 12 }),
        (value, digits) => {
          const text = formatNumber(value, digits)
          expect(Number(text) === Number(value.toPrecision(digits))).toBe(true)
          expect(text).not.toMatch(/\.\d*0(e|$)/)
        },
      ),
    )
  })

  it.each([
    [0.0214, '+0.021'],
    [-0.0214, '-0.021'],
    [0, '+0.000'],
    [-1, '-1.000'],
  ])('shows the move %d as %s', (value, text) => {
    expect(formatMove(value)).toBe(text)
  })
})

describe('bounds and intervals', () => {
  const number = fc.integer({ min: -2_000_000_000, max: 2_000_000_000 }).map(value => value / 1e9)

  it('are rounded outwards, whatever the digits, and by less than one in the last', () => {
    fc.assert(
      fc.property(number, number, fc.integer({ min: 1, max: 6 }), (a, b, digits) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)]
        const [from, to] = formatRange(low, high, digits).split(' to ').map(Number)
        expect(from).toBeLessThanOrEqual(low)
        expect(to).toBeGreaterThanOrEqual(high)
        const ends = outward({ low, high }, digits)
        expect(ends.low).toBeLessThanOrEqual(low + 1e-12)
        expect(ends.high).toBeGreaterThanOrEqual(high - 1e-12)
        expect(Math.max(low - ends.low, ends.high - high)).toBeLessThan(10 ** -digits * (1 + 1e-9))
        expect(Number(formatBound(Math.abs(a), digits))).toBeGreaterThanOrEqual(Math.abs(a))
      }),
    )
  })

  it('stay as they are where nothing is to be rounded', () => {
    expect(formatRange(-0.25, 0.5, 2)).toBe('-0.25 to 0.5')
    expect(formatRange(0.0314, 0.531, 2)).toBe('0.031 to 0.54')
    expect(formatRange(-0.0316, -0.0314, 2)).toBe('-0.032 to -0.031')
    expect(outward({ low: 0.1 + 0.2, high: 0.1 + 0.2 }, 4)).toEqual({ low: 0.3, high: 0.3 })
    expect(outward({ low: -0.00001, high: 0 }, 3)).toEqual({ low: -0.001, high: 0 })
    expect(outward({ low: Number.NEGATIVE_INFINITY, high: 1 }, 3).low).toBe(Number.NEGATIVE_INFINITY)
  })
})

describe('a list of words', () => {
  it('reads as a sentence does', () => {
    expect(joinWords([])).toBe('')
    expect(joinWords(['a'])).toBe('a')
    expect(joinWords(['a', 'b'])).toBe('a and b')
    expect(joinWords(['a', 'b', 'c'])).toBe('a, b and c')
    expect(joinWords(['a', 'b', 'c'], 'or')).toBe('a, b or c')
  })
})
