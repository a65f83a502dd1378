// Evidence against its definition, range by range, with logarithms of the platform.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ONE } from '../../../src/common/units.ts'
import { Evidence, type LevelFacts, likelihoodRatio } from '../../../src/oracle/groups/evidence.ts'

const MEANS = [0.05, 0.2, 0.5, 0.8]

const factsOf = (rowWeight = 1, variance = 4000): LevelFacts => ({
  rowWeight,
  means: Float64Array.from(MEANS),
  variances: Float64Array.from(MEANS, mean => mean * (1 - mean)),
  variance,
})

/** Rows and outcomes beyond those expected, level by level. */
const groupArbitrary = fc.array(
  fc
    .integer({ min: 0, max: 900 })
    .chain(rows => fc.tuple(fc.constant(rows), fc.nat({ max: Math.max(0, rows) }))),
  { minLength: MEANS.length, maxLength: MEANS.length },
)

interface Group {
  readonly counts: Float64Array
  readonly residuals: Float64Array
}

const groupOf = (levels: readonly (readonly [number, number])[], weight = 1): Group => ({
  counts: Float64Array.from(levels, ([rows]) => weight * rows),
  residuals: Float64Array.from(levels, ([rows, ones], level) => weight * (ones - rows * MEANS[level]) * ONE),
})

/** As the comment of evidence.ts says it. */
function naiveEvidence({ counts, residuals }: Group, total: number): number {
  const ofRange = (from: number, to: number) => {
    let [rows, expected, variance, ones] = [0, 0, 0, 0]
    for (let level = from; level < to; level++) {
      rows += counts[level]
      expected += counts[level] * MEANS[level]
      variance += counts[level] * MEANS[level] * (1 - MEANS[level])
      ones += counts[level] * MEANS[level] + residuals[level] / ONE
    }
    if (variance < 20) return 0
    const part = (seen: number, wanted: number) => (seen > 1e-9 ? seen * Math.log(seen / wanted) : 0)
    const ratio = 2 * (part(ones, expected) + part(rows - ones, rows - expected))
    const spread = (expected * (rows - expected)) / rows / variance
    return Math.max(0, spread * ratio - 2 * Math.log(total / variance))
  }
  let best = ofRange(0, MEANS.length)
  for (let cut = 1; cut < MEANS.length; cut++) {
    const [below, above] = [ofRange(0, cut), ofRange(cut, MEANS.length)]
    best = Math.max(best, below - 2, above - 2, below > 0 && above > 0 ? below + above - 5 : 0)
  }
  return best
}

describe('the evidence for a group', () => {
  it('is that of its best range of scores, or of two', () => {
    const evidence = new Evidence(factsOf())
    fc.assert(
      fc.property(groupArbitrary, levels => {
        const group = groupOf(levels)
        expect(evidence.weigh(group.counts, group.residuals)).toBeCloseTo(naiveEvidence(group, 4000), 6)
      }),
      { numRuns: 2000 },
    )
  })

  it('is told where it is more than asked for, and is 0 elsewhere', () => {
    const evidence = new Evidence(factsOf())
    fc.assert(
      fc.property(groupArbitrary, fc.double({ min: 0, max: 60, noNaN: true }), (levels, least) => {
        const { counts, residuals } = groupOf(levels)
        const all = evidence.weigh(counts, residuals)
        expect(evidence.weigh(counts, residuals, least)).toBe(all > least ? all : 0)
      }),
      { numRuns: 2000 },
    )
  })

  it('finds a group that is too low at low scores and too high at high ones, and right on average', () => {
    const levels = [
      [600, 60],
      [600, 168],
      [600, 270],
      [600, 432],
    ] as const
    const { counts, residuals } = groupOf(levels)
    expect(residuals.reduce((sum, residual) => sum + residual, 0) / ONE).toBeCloseTo(0, 6)
    expect(new Evidence(factsOf()).weigh(counts, residuals)).toBeGreaterThan(30)
  })

  it('does not grow with the scale of weights', () => {
    const levels = [
      [300, 40],
      [300, 90],
      [300, 150],
      [300, 240],
    ] as const
    const [one, seven] = [groupOf(levels), groupOf(levels, 7)]
    const plain = new Evidence(factsOf()).weigh(one.counts, one.residuals)
    expect(plain).toBeGreaterThan(0)
    expect(new Evidence(factsOf(7)).weigh(seven.counts, seven.residuals)).toBeCloseTo(plain, 6)
  })
})

describe('a likelihood ratio', () => {
  it('is the binomial one', () => {
    const naive = 2 * (30 * Math.log(30 / 20) + 70 * Math.log(70 / 80))
    expect(likelihoodRatio(100, 10, 20)).toBeCloseTo(naive, 9)
    expect(likelihoodRatio(100, 0, 20)).toBe(0)
    expect(likelihoodRatio(100, -20, 20)).toBeCloseTo(2 * 100 * Math.log(100 / 80), 9)
  })
})
