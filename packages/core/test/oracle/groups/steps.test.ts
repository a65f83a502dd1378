// How far a group moves, where the labels leave no doubt.

import { describe, expect, it } from 'vitest'
import { fitSteps, type GroupLevels, landing } from '../../../src/oracle/groups/steps.ts'

const MEANS = Array.from({ length: 12 }, (_, level) => 0.1 + 0.06 * level)

/** As many labels as expected at the truth. */
const levelsOf = (truth: (mean: number) => number, rows = 2000): GroupLevels => ({
  rows: Float64Array.from(MEANS, () => rows),
  expected: Float64Array.from(MEANS, mean => rows * mean),
  labels: Float64Array.from(MEANS, mean => rows * truth(mean)),
})

describe('the steps of a group', () => {
  it('are one in probability where all scores are off by the same', () => {
    const { link, runs } = fitSteps(levelsOf(mean => mean + 0.08))
    expect(link).toBe('probability')
    expect(runs).toHaveLength(1)
    expect(runs[0].step).toBeCloseTo(0.08, 3)
  })

  it('are one on the logit scale where all odds are off by the same', () => {
    const { link, runs } = fitSteps(levelsOf(mean => landing('logit', mean, -0.7)))
    expect(link).toBe('logit')
    expect(runs).toHaveLength(1)
    expect(runs[0].step).toBeCloseTo(-0.7, 2)
  })

  it('turn where the error does', () => {
    const { runs } = fitSteps(levelsOf(mean => mean + (mean < 0.4 ? 0.1 : -0.1)))
    expect(runs.map(({ first, end }) => [first, end])).toEqual([
      [0, 5],
      [5, 12],
    ])
    expect(runs[0].step).toBeCloseTo(0.1, 2)
    expect(runs[1].step).toBeCloseTo(-0.1, 2)
  })

  it('follow a line on the logit scale where the score is too bold', () => {
    const logit = (mean: number) => Math.log(mean / (1 - mean))
    const tame = (mean: number) => 1 / (1 + Math.exp(0.3 - 0.6 * logit(mean)))
    const { evidence, link, runs } = fitSteps(levelsOf(tame, 500))
    expect(link).toBe('logit')
    expect(runs.map(({ first, end }) => [first, end])).toEqual(
      [0, 2, 4, 6, 8, 10].map(first => [first, first + 2]),
    )
    for (const { first, step } of runs) {
      const wanted = [first, first + 1].map(level => logit(tame(MEANS[level])) - logit(MEANS[level]))
      expect(step).toBeCloseTo((wanted[0] + wanted[1]) / 2, 1)
    }
    const all = MEANS.reduce((sum, mean) => {
      const [ones, moved] = [500 * tame(mean), tame(mean)]
      return sum + 2 * (ones * Math.log(moved / mean) + (500 - ones) * Math.log((1 - moved) / (1 - mean)))
    }, 0)
    expect(evidence).toBeLessThan(all - 15)
    expect(evidence).toBeGreaterThan(all - 21)
  })

  it('are none where nothing is off, and small where little speaks for them', () => {
    expect(fitSteps(levelsOf(mean => mean)).runs.every(({ step }) => step === 0)).toBe(true)
    const few = fitSteps(levelsOf(mean => mean + 0.08, 20)).runs[0].step
    expect(few).toBeGreaterThan(0)
    expect(few).toBeLessThan(0.07)
  })

  it('count every run: evidence is what they gain, less nine for each', () => {
    const levels = levelsOf(mean => mean + 0.08)
    const { evidence, runs } = fitSteps(levels)
    const gain = MEANS.reduce((sum, mean) => {
      const [ones, moved] = [2000 * (mean + 0.08), mean + runs[0].step]
      return sum + 2 * (ones * Math.log(moved / mean) + (2000 - ones) * Math.log((1 - moved) / (1 - mean)))
    }, 0)
    expect(evidence).toBeCloseTo(gain - 9, 1)
  })

  it('never take a chance to 0 or 1', () => {
    expect(landing('probability', 0.04, -0.1)).toBeCloseTo(0.01, 12)
    expect(landing('probability', 0.96, 0.1)).toBeCloseTo(0.99, 12)
    expect(landing('logit', 0.5, 4)).toBeCloseTo(1 / (1 + Math.exp(-4)), 12)
  })
})
