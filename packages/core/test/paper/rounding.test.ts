// Section 6 of the paper: why the predictor is rounded, and why the factors need thresholds.

import { describe, expect, it } from 'vitest'
import { expectedNoise, noisyExample, thresholdExample } from '../../../../bench/figures/examples.ts'
import { intervalBound } from '../../src/certify/bounds.ts'

describe('the noisy example (Example 6.3, Lemma 6.7)', () => {
  it('leaves an unrounded calibration error of zeta - zeta^2, and almost none after rounding', async () => {
    for (const strength of [0.1, 0.2]) {
      const example = await noisyExample({ oscillations: 640, strength, pointsPerOscillation: 6, bins: 10 })
      const distances = example.fitted.map((value, row) => Math.abs(value - example.x[row]))
      expect(distances.reduce((sum, distance) => sum + distance, 0) / distances.length).toBeLessThan(0.005)
      expect(Math.abs(example.unrounded - expectedNoise(strength))).toBeLessThan(0.002)
      expect(example.rounded).toBeLessThan(0.002)
    }
  })

  it('leaves after rounding no more than a few unmatched oscillations per bin', async () => {
    for (const oscillations of [160, 400, 640, 2000]) {
      const example = await noisyExample({ oscillations, strength: 0.1, pointsPerOscillation: 6, bins: 10 })
      expect(example.unrounded).toBeGreaterThan(0.085)
      expect(example.rounded).toBeLessThan((3 * 10 * 0.1) / oscillations)
    }
  })
})

describe('the constant factor class (Example 6.8, Claim 6.9)', () => {
  it('ends at the line 0.35 + 0.3x, with calibration error 1/24 before and after rounding to 10 bins', async () => {
    const { fitted, rounded, unrounded, x } = await thresholdExample('constant', 10)
    fitted.forEach((value, row) => {
      expect(value).toBeCloseTo(0.35 + 0.3 * x[row], 5)
    })
    expect(unrounded).toBeCloseTo(1 / 24, 4)
    expect(rounded).toBeCloseTo(1 / 24, 4)
    expect(rounded).toBeGreaterThan(0.01)
  })

  it('has excess squared error 0.0025, and an error above 0.01 for 10 bins and more, though not for 5 and 11', async () => {
    const { fitted, truth } = await thresholdExample('constant', 10)
    const excess = fitted.reduce((sum, value, row) => sum + (value - truth[row]) ** 2, 0) / fitted.length
    expect(excess).toBeCloseTo(0.0025, 6)
    for (const bins of [10, 12, 16, 25, 50]) {
      expect((await thresholdExample('constant', bins)).rounded).toBeGreaterThan(0.01)
    }
    // The proof ends with "at least 4 bins"; the claim's 10 are needed, and 11 fall short once more.
    expect((await thresholdExample('constant', 5)).rounded).toBeCloseTo(1 / 120, 4)
    expect((await thresholdExample('constant', 11)).rounded).toBeCloseTo(137 / 14_520, 4)
  })

  it('falls to the bound of Lemma 5.2 once bin indicators join the factors', async () => {
    const { model, rounded } = await thresholdExample('intervals', 10)
    const intervals = model.certificate.tolerances.find(({ factors }) => factors === 'intervals')!
    expect(rounded).toBeLessThanOrEqual(intervalBound(intervals.tolerance, 1, 10))
    expect(rounded).toBeLessThan(0.01)
  })
})
