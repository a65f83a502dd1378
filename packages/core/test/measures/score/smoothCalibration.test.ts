// Smooth calibration error, and the two ends of the distance to calibration.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeRandom } from '../../../src/common/random.ts'
import { calibrationDistance, intervalDistance } from '../../../src/measures/score/calibrationDistance.ts'
import { LipschitzMaximum } from '../../../src/measures/score/lipschitz.ts'
import { scoreMeasures } from '../../../src/measures/score/scoreMeasures.ts'
import { smoothCalibrationError } from '../../../src/measures/score/smoothCalibration.ts'
import { makeSteps } from '../../../src/measures/score/steps.ts'
import { expectAtMost, expectClose } from '../../support/close.ts'
import { repeated, rowArrays, toRows } from './rowsArbitrary.ts'

/**
 * The linear program by its corners. In a corner every value is 1 or -1, or as far from a neighbour as it may be; so values are 1 or
 * -1 plus or minus distances along a chain of neighbours, and all such functions are tried.
 */
function largestByCorners(positions: readonly number[], masses: readonly number[]): number {
  const count = positions.length
  const signs = Array.from({ length: 2 ** count }, (_, bits) =>
    positions.map((_, place) => ((bits >> place) & 1 ? 1 : -1)),
  )
  const candidates = positions.map(() => new Set<number>())
  for (let anchor = 0; anchor < count; anchor++) {
    for (const pattern of signs) {
      let value = pattern[anchor]
      candidates[anchor].add(value)
      for (let at = anchor + 1; at < count; at++) {
        value += pattern[at] * (positions[at] - positions[at - 1])
        candidates[at].add(value)
      }
      value = pattern[anchor]
      for (let at = anchor - 1; at >= 0; at--) {
        value += pattern[at] * (positions[at + 1] - positions[at])
        candidates[at].add(value)
      }
    }
  }
  const slack = 1e-12
  let best = new Map([...candidates[0]].filter(isValue).map(value => [value, masses[0] * value]))
  for (let at = 1; at < count; at++) {
    const reach = positions[at] - positions[at - 1] + slack
    const next = new Map<number, number>()
    for (const value of [...candidates[at]].filter(isValue)) {
      const before = [...best].filter(([other]) => Math.abs(other - value) <= reach).map(([, sum]) => sum)
      if (before.length > 0) next.set(value, Math.max(...before) + masses[at] * value)
    }
    best = next
  }
  return Math.max(...best.values())
}

const isValue = (value: number) => Math.abs(value) <= 1 + 1e-12

/** Every way to cut the distinct scores into intervals. */
function nearestByCuts(rows: ReturnType<typeof toRows>): number {
  const steps = makeSteps(rows)
  const count = steps.predictions.length
  let least = Number.POSITIVE_INFINITY
  for (let cuts = 0; cuts < 2 ** (count - 1); cuts++) {
    let [distance, start] = [0, 0]
    for (let end = 1; end <= count; end++) {
      if (end < count && ((cuts >> (end - 1)) & 1) === 0) continue
      const part = Array.from({ length: end - start }, (_, index) => start + index)
      const weight = part.reduce((sum, step) => sum + steps.stepWeights[step], 0)
      const mean = part.reduce((sum, step) => sum + steps.stepLabels[step], 0) / weight
      for (const step of part) distance += steps.stepWeights[step] * Math.abs(steps.predictions[step] - mean)
      start = end
    }
    least = Math.min(least, distance / steps.weight)
  }
  return least
}

const one = (prediction: number, label: number, weight = 1) => ({ prediction, label, weight })

describe('the largest sum over Lipschitz functions', () => {
  it('is that of the best corner of the linear program', () => {
    const anyMass = fc.integer({ min: -5, max: 5 })
    const anyPoints = fc.uniqueArray(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 6 })
    const property = fc.property(
      anyPoints,
      fc.array(anyMass, { minLength: 6, maxLength: 6 }),
      (points, all) => {
        // Also points that are farther apart than scores can be, so that limits are met and left again.
        for (const scale of [1 / 40, 1 / 10, 1 / 3]) {
          const positions = points.toSorted((a, b) => a - b).map(point => point * scale)
          const masses = all.slice(0, positions.length)
          const found = new LipschitzMaximum(positions.length).of(positions, masses)
          expectClose(found, largestByCorners(positions, masses), 1e-9)
        }
      },
    )
    fc.assert(property, { numRuns: 300 })
  })

  it('can be asked again', () => {
    const maximum = new LipschitzMaximum(3)
    const ask = () => maximum.of([0, 0.5, 1], [1, -2, 1])
    expect([ask(), maximum.of([0, 1], [1, 1]), ask()]).toEqual([1, 2, 1])
  })
})

describe('the smooth calibration error', () => {
  it('is the absolute mean residual where all scores are one', () => {
    const rows = toRows([one(0.3, 1), one(0.3, 0), one(0.3, 1, 2)])
    expectClose(smoothCalibrationError(makeSteps(rows)), 0.45)
  })

  it('of two scores d apart, one too high and one too low by r, is what a function can turn over d', () => {
    // Masses -r/2 and r/2: h falls from one end to the other by d at most.
    const rows = toRows([one(0.4, 1), one(0.6, 0)])
    expectClose(smoothCalibrationError(makeSteps(rows)), 0.3 * 0.2)
    const far = toRows([one(0, 1), one(1, 0)])
    expectClose(smoothCalibrationError(makeSteps(far)), 0.5)
  })

  it('is between the mean residual and the continuous calibration error', () => {
    const property = fc.property(rowArrays({ fractional: true }), rows => {
      const steps = makeSteps(toRows(rows))
      const found = smoothCalibrationError(steps)
      const mean = steps.residuals.reduce((sum, each) => sum + each, 0) / steps.weight
      const all = steps.residuals.reduce((sum, each) => sum + Math.abs(each), 0) / steps.weight
      expectAtMost(Math.abs(mean), found)
      expectAtMost(found, all)
    })
    fc.assert(property)
  })

  it('counts a weight of two as the row twice, and is the same for the other outcome', () => {
    const property = fc.property(rowArrays({ fractional: true }), rows => {
      const found = smoothCalibrationError(makeSteps(toRows(rows)))
      expectClose(found, smoothCalibrationError(makeSteps(repeated(rows))), 1e-9)
      const turned = rows.map(row => ({ ...row, prediction: 1 - row.prediction, label: 1 - row.label }))
      expectClose(found, smoothCalibrationError(makeSteps(toRows(turned))), 1e-9)
    })
    fc.assert(property)
  })

  it('moves by no more than twice as far as scores do', () => {
    const nudges = fc.array(fc.double({ min: -0.05, max: 0.05, noNaN: true }), {
      minLength: 30,
      maxLength: 30,
    })
    const property = fc.property(rowArrays({ fractional: true }), nudges, (rows, moves) => {
      const moved = rows.map((row, index) => ({
        ...row,
        prediction: Math.min(1, Math.max(0, row.prediction + moves[index])),
      }))
      const [before, after] = [rows, moved].map(each => smoothCalibrationError(makeSteps(toRows(each))))
      const weight = rows.reduce((sum, row) => sum + row.weight, 0)
      const distance = rows.reduce(
        (sum, row, index) => sum + (row.weight / weight) * Math.abs(row.prediction - moved[index].prediction),
        0,
      )
      expectAtMost(Math.abs(before - after), 2 * distance)
    })
    fc.assert(property)
  })

  it('has an interval that holds 0 for right scores, and leaves it out for wrong ones', () => {
    const random = makeRandom(3)
    const predictions = Array.from({ length: 4000 }, () => random.next())
    const drawn = (truth: (p: number) => number) => predictions.map(p => Number(random.next() < truth(p)))
    let held = 0
    for (let draw = 0; draw < 20; draw++) {
      const { low } = scoreMeasures({ predictions, labels: drawn(p => p) }, { draws: 200 }).smoothCalibration
      held += Number(low === 0)
    }
    expect(held).toBeGreaterThanOrEqual(18)
    const { high, low, value } = scoreMeasures({ predictions, labels: drawn(p => p ** 2) }).smoothCalibration
    // E[p - p^2] = 1/6, reached by h = -1.
    expect(value).toBeCloseTo(1 / 6, 1)
    expect(low).toBeLessThan(1 / 6)
    expect(high).toBeGreaterThan(1 / 6)
    expect(low).toBeGreaterThan(0.1)
  })
})

describe('the distance to calibration', () => {
  it('is at most that to the best score that is constant on intervals, over all intervals', () => {
    const property = fc.property(rowArrays({ fractional: true, maxLength: 10 }), rows => {
      const given = toRows(rows)
      expectClose(intervalDistance(makeSteps(given), 1000), nearestByCuts(given), 1e-9)
    })
    fc.assert(property)
  })

  it('has its two ends in order, and fewer runs never lower the upper one', () => {
    const property = fc.property(rowArrays({ fractional: true }), rows => {
      const steps = makeSteps(toRows(rows))
      const { atLeast, atMost } = calibrationDistance(steps)
      expectAtMost(atLeast, atMost)
      expectAtMost(atMost, intervalDistance(steps, 3))
      // Every row its own interval: the score that predicts mean labels.
      const far = steps.residuals.reduce((sum, each) => sum + Math.abs(each), 0) / steps.weight
      expectAtMost(atMost, far)
    })
    fc.assert(property)
  })

  it('is 0 where every distinct score is right, and |c| where all are off by c', () => {
    const right = [0, 0.25, 0.5, 1].map(score => one(score, score))
    expect(calibrationDistance(makeSteps(toRows(right)))).toEqual({ atLeast: 0, atMost: 0 })
    const off = calibrationDistance(makeSteps(toRows([0.1, 0.4, 0.8].map(score => one(score, score + 0.1)))))
    expectClose(off.atLeast, 0.05)
    expectClose(off.atMost, 0.1)
  })

  it('of the noise that flips often is small, where the continuous calibration error is not', () => {
    const predictions = Array.from({ length: 2000 }, (_, row) => (row + 0.5) / 2000)
    const labels = predictions.map((p, row) => p + (row % 2 === 0 ? 1 : -1) * Math.min(0.1, p, 1 - p))
    const { calibrationDistance: distance, continuousCalibration } = scoreMeasures({ predictions, labels })
    expect(continuousCalibration).toBeCloseTo(0.1 - 0.1 ** 2, 3)
    expect(distance.atMost).toBeLessThan(0.005)
  })
})
