// Baselines that are a line on the logit of the score: Platt scaling and temperature scaling.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { platt } from '../../src/baselines/platt.ts'
import { logitPoints, sumByInsideScore } from '../../src/baselines/rows/logit.ts'
import { fitTemperature, temperature, temperatureLoss } from '../../src/baselines/temperature.ts'
import { ONE } from '../../src/common/units.ts'
import { fitPlatt, plattLoss } from '../../src/forest/line/platt.ts'
import { affineUpdates, chanceOf } from '../../src/forest/line/regression.ts'
import { makeRandom } from '../../src/internal.ts'
import { ROOT, type Update } from '../../src/update/update.ts'
import { handRows, type PlainRows, predictionsOf } from './rows.ts'

/** Labels drawn with the logit slope * logit + intercept. */
function drawRows(slope: number, intercept: number, count = 400, seed = 1): PlainRows {
  const random = makeRandom(seed)
  const start = Array.from({ length: count }, () => 1 + random.integer(ONE - 2))
  const label = start.map(score => {
    const logit = Math.log(score / (ONE - score))
    return random.next() < 1 / (1 + Math.exp(-slope * logit - intercept)) ? ONE : 0
  })
  return { start, label }
}

const pointsOf = (rows: PlainRows) => logitPoints(sumByInsideScore(handRows(rows)))
const run = (rows: PlainRows, method: typeof platt): Update[] =>
  method.run(handRows(rows), { seed: 1 }) as Update[]

/** Mean log loss, row by row. */
function meanLoss({ label, start, weight }: PlainRows, slope: number, intercept: number): number {
  let [sum, total] = [0, 0]
  start.forEach((score, row) => {
    const inside = Math.max(1, Math.min(ONE - 1, score))
    const chance = 1 / (1 + Math.exp(-slope * Math.log(inside / (ONE - inside)) - intercept))
    const [y, counted] = [label[row] / ONE, weight?.[row] ?? 1]
    sum -= counted * (y * Math.log(chance) + (1 - y) * Math.log1p(-chance))
    total += counted
  })
  return sum / total
}

describe('Platt scaling', () => {
  it.each([
    [1, 0],
    [0.4, 1.2],
    [2.5, -0.7],
    [-0.8, 0.3],
  ])('finds slope %s and intercept %s where the gradient is nothing', (slope, intercept) => {
    const rows = drawRows(slope, intercept, 4000)
    const found = fitPlatt(pointsOf(rows))
    const { gradient } = plattLoss(pointsOf(rows), found)
    expect(Math.max(...gradient.map(Math.abs))).toBeLessThan(1e-10)
    expect(Math.abs(found[0] - slope)).toBeLessThan(0.3)
    expect(Math.abs(found[1] - intercept)).toBeLessThan(0.3)
  })

  it('has derivatives that are those of its loss, and a loss that is the mean over rows', () => {
    const rows = { ...drawRows(0.7, 0.2, 60), weight: Array.from({ length: 60 }, (_, row) => 1 + (row % 3)) }
    const points = pointsOf(rows)
    fc.assert(
      fc.property(
        fc.double({ min: -2, max: 2, noNaN: true }),
        fc.double({ min: -2, max: 2, noNaN: true }),
        (a, b) => {
          const h = 1e-5
          const { gradient, hessian, value } = plattLoss(points, [a, b])
          expect(value).toBeCloseTo(meanLoss(rows, a, b), 7)
          const [right, left] = [plattLoss(points, [a + h, b]), plattLoss(points, [a - h, b])]
          expect(gradient[0]).toBeCloseTo((right.value - left.value) / (2 * h), 6)
          expect(hessian[0]).toBeCloseTo((right.gradient[0] - left.gradient[0]) / (2 * h), 6)
          expect(hessian[1]).toBeCloseTo((right.gradient[1] - left.gradient[1]) / (2 * h), 6)
          const [up, down] = [plattLoss(points, [a, b + h]), plattLoss(points, [a, b - h])]
          expect(gradient[1]).toBeCloseTo((up.value - down.value) / (2 * h), 6)
          expect(hessian[3]).toBeCloseTo((up.gradient[1] - down.gradient[1]) / (2 * h), 6)
        },
      ),
      { numRuns: 30 },
    )
  })

  it('is better than every other line of a grid', () => {
    const rows = drawRows(0.6, -0.4, 150, 3)
    const [slope, intercept] = fitPlatt(pointsOf(rows))
    const least = meanLoss(rows, slope, intercept)
    for (let i = -10; i <= 10; i++) {
      for (let j = -10; j <= 10; j++) {
        if (i === 0 && j === 0) continue
        expect(meanLoss(rows, slope + i / 20, intercept + j / 20)).toBeGreaterThan(least)
      }
    }
  })

  it('makes predictions that are its line on the logit', () => {
    for (const [slope, intercept] of [
      [0.6, -0.4],
      [-0.7, 2],
      [0.004, 3],
    ]) {
      const rows = drawRows(slope, intercept, 300, 4)
      const [a, b] = fitPlatt(pointsOf(rows))
      const predictions = predictionsOf(handRows(rows), run(rows, platt))
      rows.start.forEach((score, row) => {
        const chance = chanceOf(a * Math.log(score / (ONE - score)) + b)
        expect(Math.abs(predictions[row] / ONE - chance)).toBeLessThan(1e-6)
      })
    }
  })

  it('ends where the score tells all labels, and ranks them then', () => {
    const start = [0, 100, ONE / 4, ONE / 2, ONE - 5, ONE]
    const rows = { start, label: start.map(score => (score >= ONE / 2 ? ONE : 0)) }
    const predictions = predictionsOf(handRows(rows), run(rows, platt))
    expect(Math.max(...predictions.slice(0, 3))).toBeLessThan(0.01 * ONE)
    expect(Math.min(...predictions.slice(3))).toBeGreaterThan(0.99 * ONE)
  })

  it('predicts the base rate where all scores are equal', () => {
    const rows = { start: [5000, 5000, 5000, 5000], label: [ONE, 0, 0, 0] }
    expect([...predictionsOf(handRows(rows), run(rows, platt))]).toEqual(Array(4).fill(ONE / 4))
  })

  it('leaves scores alone where there is but one label', () => {
    const rows = { start: [1, 2, 3], label: [ONE, ONE, ONE] }
    for (const method of [platt, temperature]) expect(run(rows, method)).toEqual([])
  })
})

describe('temperature scaling', () => {
  it('keeps 0.5 and the order of scores', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.2, max: 3, noNaN: true }),
        fc.integer({ min: 1, max: 50 }),
        (slope, seed) => {
          const rows = drawRows(slope, 0.3, 80, seed)
          const start = [...rows.start].sort((a, b) => a - b)
          const updates = run(rows, temperature)
          const predictions = [...predictionsOf(handRows({ ...rows, start }), updates)]
          expect(predictions).toEqual([...predictions].sort((a, b) => a - b))
          expect([...predictionsOf(handRows({ start: [ONE / 2], label: [0] }), updates)]).toEqual([ONE / 2])
        },
      ),
      { numRuns: 30 },
    )
  })

  it('finds the factor with the least loss', () => {
    const rows = drawRows(0.5, 0, 500, 2)
    const points = pointsOf(rows)
    const factor = fitTemperature(points)
    expect(Math.abs(temperatureLoss(points, [factor]).gradient[0])).toBeLessThan(1e-10)
    for (let other = 0.05; other < 3; other += 0.05)
      expect(meanLoss(rows, other, 0)).toBeGreaterThanOrEqual(meanLoss(rows, factor, 0))
  })

  it('makes everything 0.5 where scores rank backwards', () => {
    const rows = drawRows(-1, 0, 300)
    expect(new Set(predictionsOf(handRows(rows), run(rows, temperature)))).toEqual(new Set([ONE / 2]))
  })
})

describe('a line on the logit', () => {
  it('is one update, or two where its slope is too small for one', () => {
    const kinds = (slope: number) => affineUpdates(slope, [{ tree: ROOT, steps: [2] }]).length
    expect([kinds(1), kinds(-0.5), kinds(0.05), kinds(0)]).toEqual([1, 1, 2, 2])
  })

  it('says the same in both ways', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: ONE - 1 }),
        fc.double({ min: 0.1, max: 3, noNaN: true }),
        fc.double({ min: -2, max: 2, noNaN: true }),
        (score, slope, intercept) => {
          const rows = handRows({ start: [score], label: [0] })
          const exact = 1 / (1 + Math.exp(-slope * Math.log(score / (ONE - score)) - intercept))
          const [predicted] = predictionsOf(rows, affineUpdates(slope, [{ tree: ROOT, steps: [intercept] }]))
          expect(Math.abs(predicted / ONE - exact)).toBeLessThan(3e-7)
        },
      ),
    )
  })
})

describe('hard scores', () => {
  it('of 0 and 1 become the rates at which they are right', () => {
    const start = Array.from({ length: 40 }, (_, row) => (row < 20 ? 0 : ONE))
    const label = start.map((score, row) => (row % 5 === 0 ? ONE - score : score))
    const predictions = predictionsOf(handRows({ start, label }), run({ start, label }, platt))
    start.forEach((score, row) => {
      expect(Math.abs(predictions[row] / ONE - (score === 0 ? 0.2 : 0.8))).toBeLessThan(1e-6)
    })
  })
})
