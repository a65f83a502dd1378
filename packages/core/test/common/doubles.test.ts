// Neighbouring doubles: nothing lies between a number and its neighbour.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextDown, nextUp } from '../../src/common/doubles.ts'

const finite = fc.double({ noNaN: true, noDefaultInfinity: true })

describe('neighbouring doubles', () => {
  it('have nothing between them', () => {
    fc.assert(
      fc.property(finite, value => {
        const below = nextDown(value)
        expect(below).toBeLessThan(value)
        const middle = value / 2 + below / 2
        if (Number.isFinite(below)) expect(middle <= below || middle >= value).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  it('undo each other, and mirror each other around zero', () => {
    fc.assert(
      fc.property(finite, value => {
        fc.pre(Math.abs(value) < Number.MAX_VALUE)
        expect(nextUp(nextDown(value)) === value).toBe(true)
        expect(nextDown(nextUp(value)) === value).toBe(true)
        expect(nextUp(value) === -nextDown(-value)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    [1, 1 - Number.EPSILON / 2],
    [-1, -1 - Number.EPSILON],
    [0, -Number.MIN_VALUE],
    [-0, -Number.MIN_VALUE],
    [2 * Number.MIN_VALUE, Number.MIN_VALUE],
    [-Number.MIN_VALUE, -2 * Number.MIN_VALUE],
    [2 ** -1022, 2 ** -1022 - Number.MIN_VALUE],
    [-Number.MAX_VALUE, Number.NEGATIVE_INFINITY],
  ])('has the neighbour of %d below it at %d', (value, below) => {
    expect(nextDown(value)).toBe(below)
  })

  it('steps over zero in both directions', () => {
    expect(nextDown(Number.MIN_VALUE)).toBe(0)
    expect(nextUp(0)).toBe(Number.MIN_VALUE)
    expect(nextUp(-Number.MIN_VALUE) === 0).toBe(true)
    expect(nextUp(Number.MAX_VALUE)).toBe(Number.POSITIVE_INFINITY)
  })
})
