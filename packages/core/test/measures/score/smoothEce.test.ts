import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ScoredRows } from '../../../src/measures/score/scoredRows.ts'
import { smoothCurve, smoothEce } from '../../../src/measures/score/smoothEce.ts'
import { makeSteps } from '../../../src/measures/score/steps.ts'
import { expectAtMost, expectClose } from '../../support/close.ts'
import { peerData } from './populations.ts'
import { repeated, rowArrays, toRows } from './rowsArbitrary.ts'

/** The definition: mirror images at 2k + f and 2k - f, the absolute value summed at the middles of short pieces. */
function definition({ predictions, labels, weights }: ScoredRows, sigma: number, pieces: number): number {
  let [sum, total] = [0, 0]
  for (let row = 0; row < labels.length; row++) total += weights?.[row] ?? 1
  for (let piece = 0; piece < pieces; piece++) {
    let smoothed = 0
    for (let row = 0; row < labels.length; row++) {
      const residual = (weights?.[row] ?? 1) * (labels[row] - predictions[row])
      for (let turn = -6; turn <= 6; turn += 2) {
        for (const image of [turn + predictions[row], turn - predictions[row]]) {
          smoothed += residual * Math.exp(-0.5 * (((piece + 0.5) / pieces - image) / sigma) ** 2)
        }
      }
    }
    sum += Math.abs(smoothed)
  }
  return sum / pieces / total / (Math.sqrt(2 * Math.PI) * sigma)
}

describe('smooth ECE', () => {
  it('at a fixed width is the integral of the smoothed residuals', () => {
    const width = fc.constantFrom(0.03, 0.1, 0.37, 1)
    const property = fc.property(rowArrays({ fractional: true, maxLength: 8 }), width, (rows, sigma) => {
      const given = toRows(rows)
      const expected = definition(given, sigma, 2000)
      expect(Math.abs(smoothCurve(makeSteps(given))(sigma) - expected)).toBeLessThan(2e-6)
    })
    fc.assert(property, { numRuns: 30 })
  })

  it.each([
    ['reversed', 0.3],
    ['extreme', 0.02],
  ])('is the definition also on "%s", where relplot is off', (name, sigma) => {
    const data = peerData().find(each => each.name === name)!
    expect(Math.abs(smoothCurve(makeSteps(data))(sigma) - definition(data, sigma, 400))).toBeLessThan(1e-5)
  })

  it('never rises with the width, and equals the width at its fixed point', () => {
    const property = fc.property(rowArrays({ minLength: 3 }), rows => {
      const steps = makeSteps(toRows(rows))
      const curve = smoothCurve(steps)
      const widths = [0.02, 0.05, 0.1, 0.3, 0.7]
      widths.slice(1).forEach((wide, index) => {
        expectAtMost(curve(wide), curve(widths[index]) + 1e-6)
      })
      const value = smoothEce(steps)
      if (value > 0.001) expectClose(curve(value), value, 1e-6)
    })
    fc.assert(property, { numRuns: 40 })
  })

  it('is the bias where all residuals have one sign', () => {
    expect(smoothEce(makeSteps({ predictions: [0.2, 0.4, 0.9], labels: [0.3, 0.5, 1] }))).toBeCloseTo(0.1, 7)
    expect(smoothEce(makeSteps({ predictions: [0.2, 0.4], labels: [0.2, 0.4] }))).toBe(0)
    expect(smoothEce(makeSteps({ predictions: [0.5], labels: [0.50001] }))).toBeCloseTo(1e-5, 9)
  })

  it('counts a weight of two like the row twice, to 1e-9: the fixed point is searched for', () => {
    const property = fc.property(rowArrays(), rows => {
      expectClose(smoothEce(makeSteps(toRows(rows))), smoothEce(makeSteps(repeated(rows))), 1e-9)
    })
    fc.assert(property, { numRuns: 40 })
  })
})
