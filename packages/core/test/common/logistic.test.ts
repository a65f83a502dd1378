import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  clipStep,
  expOfStep,
  lnOfUnits,
  logitUnits,
  logLossUnits,
  MAX_SCALE,
  MAX_STEP,
  moveOdds,
  scaleOdds,
} from '../../src/common/logistic.ts'
import { ONE } from '../../src/common/units.ts'

const step = fc.integer({ min: -MAX_STEP, max: MAX_STEP })
const prediction = fc.integer({ min: 0, max: ONE })

describe('the logit scale', () => {
  it('has an exp and a ln that are right to 14 digits', () => {
    fc.assert(
      fc.property(step, fc.integer({ min: 1, max: ONE }), (s, units) => {
        const exact = Math.exp(s / ONE)
        expect(Math.abs(expOfStep(s) - exact)).toBeLessThan(1e-14 * exact)
        expect(Math.abs(lnOfUnits(units) - Math.log(units / ONE))).toBeLessThan(1e-14 * 17)
      }),
      { numRuns: 2000 },
    )
    expect(expOfStep(0)).toBe(1)
    expect(lnOfUnits(ONE)).toBe(0)
  })

  it('moves odds as a step on the logit does, and leaves 0, 1 and a step of 0 alone', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: ONE - 1 }), step, (p, s) => {
        const logit = Math.log(p / (ONE - p)) + s / ONE
        expect(Math.abs(moveOdds(p, s) - ONE / (1 + Math.exp(-logit)))).toBeLessThan(0.5001)
        expect(moveOdds(p, 0)).toBe(p)
      }),
      { numRuns: 2000 },
    )
    for (const s of [-MAX_STEP, 5, MAX_STEP]) expect([moveOdds(0, s), moveOdds(ONE, s)]).toEqual([0, ONE])
    expect([clipStep(2 * MAX_STEP), clipStep(-2 * MAX_STEP), clipStep(7)]).toEqual([MAX_STEP, -MAX_STEP, 7])
  })

  it('has logits in whole units, and scales them after the step', () => {
    const inside = fc.integer({ min: 1, max: ONE - 1 })
    const scale = fc.integer({ min: -3 * ONE, max: 3 * ONE })
    fc.assert(
      fc.property(inside, step, scale, (p, s, by) => {
        const logit = Math.log(p / (ONE - p))
        expect(Math.abs(logitUnits(p) - logit * ONE)).toBeLessThan(0.501)
        const exact = ONE / (1 + Math.exp(-(by / ONE) * (logit + s / ONE)))
        expect(Math.abs(scaleOdds(p, s, by) - exact)).toBeLessThan(1.5)
      }),
      { numRuns: 1000 },
    )
    for (const p of [1, 77, ONE / 2, ONE - 1]) expect(scaleOdds(p, 5 * ONE, 0)).toBe(ONE / 2)
    expect([scaleOdds(ONE - 1, 0, MAX_SCALE), scaleOdds(1, 0, MAX_SCALE)]).toEqual([ONE, 0])
    expect(scaleOdds(ONE / 2, 0, MAX_SCALE)).toBe(ONE / 2)
  })

  it('is monotone: larger predictions stay larger', () => {
    fc.assert(
      fc.property(prediction, prediction, step, (a, b, s) => {
        const [low, high] = a < b ? [a, b] : [b, a]
        expect(moveOdds(low, s)).toBeLessThanOrEqual(moveOdds(high, s))
      }),
    )
  })

  it('measures log loss in units, finite at 0 and 1', () => {
    fc.assert(
      fc.property(prediction, fc.integer({ min: 1, max: ONE - 1 }), (label, p) => {
        const [y, q] = [label / ONE, p / ONE]
        const exact = -(y * Math.log(q) + (1 - y) * Math.log1p(-q))
        expect(Math.abs(logLossUnits(label, p) - exact * ONE)).toBeLessThan(0.51)
      }),
    )
    expect(logLossUnits(ONE, 0) / ONE).toBeCloseTo(Math.log(2 ** 24), 6)
    expect(logLossUnits(0, 0)).toBe(1)
    expect(logLossUnits(ONE, ONE)).toBe(1)
  })
})
