// Newton's method on losses whose least is known.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { minimizeConvex } from '../../../src/forest/line/newton.ts'

const one = (value: number, slope: number, bend: number) => ({
  value,
  gradient: Float64Array.of(slope),
  hessian: Float64Array.of(bend),
})

describe("Newton's method", () => {
  it('solves a parabola in one step', () => {
    const steps: number[] = []
    const parabola = ([x]: Float64Array) => one((x - 3) ** 2, 2 * (x - 3), 2)
    const found = minimizeConvex([10], parabola, { noise: 1e-12, onStep: step => steps.push(step) })
    expect([found[0], steps]).toEqual([3, [1]])
  })

  it('halves steps that would go too far', () => {
    // A whole step from beyond about 1.1 goes farther away than it came from.
    const logCosh = ([x]: Float64Array) => one(Math.log(Math.cosh(x)), Math.tanh(x), 1 / Math.cosh(x) ** 2)
    fc.assert(
      fc.property(fc.double({ min: -15, max: 15, noNaN: true }), start => {
        expect(Math.abs(minimizeConvex([start], logCosh, { noise: 1e-12 })[0])).toBeLessThan(1e-6)
      }),
    )
  })

  it('ends where there is no least, and where no step helps', () => {
    const falling = ([x]: Float64Array) => one(Math.exp(-x), -Math.exp(-x), Math.exp(-x))
    const [far] = minimizeConvex([0], falling, { noise: 1e-30 })
    expect(far).toBeGreaterThan(60)
    expect(far).toBeLessThanOrEqual(100)
    const uphill = ([x]: Float64Array) => one(Math.abs(x - 1), -1, 1)
    expect(minimizeConvex([1], uphill, { noise: 1e-12 })[0]).toBeCloseTo(1, 8)
    const flat = () => one(0, 0, 0)
    expect(minimizeConvex([5], flat, { noise: 1e-12 })[0]).toBe(5)
  })
})
