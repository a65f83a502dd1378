// Baselines that are a curve of the score: isotonic regression and histogram binning.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { histogram } from '../../src/baselines/histogram.ts'
import { isotonic } from '../../src/baselines/isotonic.ts'
import { stepCurve } from '../../src/baselines/rows/scores.ts'
import { ONE } from '../../src/common/units.ts'
import { alongCurve } from '../../src/update/move.ts'
import type { CurveUpdate } from '../../src/update/update.ts'
import { handRows, predictionsOf } from './rows.ts'

const units = fc.integer({ min: 0, max: ONE })

/** Few scores, so that many rows share one. */
const sample = (maxLength: number) =>
  fc
    .array(
      fc.record({
        start: fc.oneof(
          fc.integer({ min: 0, max: 6 }).map(place => Math.round((place * ONE) / 6)),
          fc.integer({ min: 0, max: 3 }),
        ),
        label: fc.oneof(fc.constantFrom(0, ONE), units),
        weight: fc.integer({ min: 1, max: 4 }),
      }),
      { minLength: 1, maxLength },
    )
    .map(rows => ({
      start: rows.map(row => row.start),
      label: rows.map(row => row.label),
      weight: rows.map(row => row.weight),
    }))

type Sample = typeof sample extends (max: number) => fc.Arbitrary<infer T> ? T : never

const onlyCurve = (updates: unknown): CurveUpdate => (updates as CurveUpdate[])[0]
const isotonicOf = (rows: Sample): CurveUpdate => onlyCurve(isotonic.run(handRows(rows), { seed: 1 }))
const histogramOf = (rows: Sample, bins?: number): CurveUpdate =>
  onlyCurve(histogram.run(handRows(rows), { seed: 1, bins }))

/** Weight and mean label at each distinct score, ascending. */
function pointsOf({ label, start, weight }: Sample) {
  const scores = [...new Set(start)].sort((a, b) => a - b)
  return scores.map(score => {
    const rows = start.flatMap((one, row) => (one === score ? [row] : []))
    const total = rows.reduce((sum, row) => sum + weight[row], 0)
    return {
      score,
      weight: total,
      mean: rows.reduce((sum, row) => sum + weight[row] * label[row], 0) / total,
    }
  })
}

/** The best nondecreasing values, by trying every way to cut the scores into blocks. */
function bruteForceIsotonic(points: ReturnType<typeof pointsOf>): number[] {
  let best: { error: number; values: number[] } | undefined
  for (let cuts = 0; cuts < 2 ** (points.length - 1); cuts++) {
    const values: number[] = []
    for (let from = 0; from < points.length; ) {
      let to = from + 1
      while (to < points.length && ((cuts >> (to - 1)) & 1) === 0) to++
      const block = points.slice(from, to)
      const weight = block.reduce((sum, point) => sum + point.weight, 0)
      const mean = block.reduce((sum, point) => sum + point.weight * point.mean, 0) / weight
      values.push(...block.map(() => mean))
      from = to
    }
    if (values.some((value, index) => index > 0 && value < values[index - 1])) continue
    const error = points.reduce(
      (sum, point, index) => sum + point.weight * (point.mean - values[index]) ** 2,
      0,
    )
    if (best === undefined || error < best.error) best = { error, values }
  }
  return best!.values
}

describe('isotonic regression', () => {
  it('is the nondecreasing function of the score with the least squared error', () => {
    fc.assert(
      fc.property(sample(12), rows => {
        const points = pointsOf(rows)
        const curve = isotonicOf(rows)
        const best = bruteForceIsotonic(points)
        points.forEach(({ score }, index) => {
          expect(Math.abs(alongCurve(curve, score) - best[index])).toBeLessThanOrEqual(0.501)
        })
      }),
    )
  })

  it('never falls, is flat beyond the scores it has seen, and straight between two of them', () => {
    fc.assert(
      fc.property(sample(12), units, units, (rows, a, b) => {
        const curve = isotonicOf(rows)
        const at = (score: number) => alongCurve(curve, score)
        expect(at(Math.min(a, b))).toBeLessThanOrEqual(at(Math.max(a, b)))
        const scores = pointsOf(rows).map(({ score }) => score)
        expect(at(0)).toBe(at(scores[0]))
        expect(at(ONE)).toBe(at(scores[scores.length - 1]))
        scores.slice(1).forEach((high, index) => {
          const low = scores[index]
          const middle = Math.floor((low + high) / 2)
          const straight = at(low) + ((at(high) - at(low)) * (middle - low)) / (high - low)
          expect(Math.abs(at(middle) - straight)).toBeLessThanOrEqual(0.5)
        })
      }),
    )
  })

  it('predicts the mean label of every block, and so of all rows together', () => {
    fc.assert(
      fc.property(sample(30), rows => {
        const predictions = predictionsOf(handRows(rows), [isotonicOf(rows)])
        for (const value of new Set(predictions)) {
          const block = rows.label.flatMap((_, row) => (predictions[row] === value ? [row] : []))
          const weight = block.reduce((sum, row) => sum + rows.weight[row], 0)
          const label = block.reduce((sum, row) => sum + rows.weight[row] * rows.label[row], 0)
          expect(Math.abs(label / weight - value)).toBeLessThanOrEqual(0.501)
        }
      }),
    )
  })
})

describe('histogram binning', () => {
  it('predicts the mean label of each bin', () => {
    fc.assert(
      fc.property(sample(40), fc.integer({ min: 1, max: 12 }), (rows, bins) => {
        const curve = histogramOf(rows, bins)
        const predictions = predictionsOf(handRows(rows), [curve])
        expect(new Set(curve.to).size).toBeLessThanOrEqual(bins)
        for (const value of new Set(predictions)) {
          const bin = rows.label.flatMap((_, row) => (predictions[row] === value ? [row] : []))
          const weight = bin.reduce((sum, row) => sum + rows.weight[row], 0)
          const label = bin.reduce((sum, row) => sum + rows.weight[row] * rows.label[row], 0)
          expect(Math.abs(label / weight - value)).toBeLessThanOrEqual(0.501)
        }
      }),
    )
  })

  it('has bins of equally many rows where no scores are tied, ten of them, cut halfway', () => {
    const start = Array.from({ length: 40 }, (_, row) => 1000 * row)
    const label = start.map((_, row) => Math.floor(row / 4) * 100)
    const curve = histogramOf({ start, label, weight: start.map(() => 1) })
    expect(curve.from).toEqual(
      [0, ...Array.from({ length: 9 }, (_, cut) => [4000 * cut + 3499, 4000 * cut + 3500]), ONE].flat(),
    )
    expect(curve.to).toEqual(Array.from({ length: 10 }, (_, bin) => [100 * bin, 100 * bin]).flat())
  })

  it('keeps equal scores together', () => {
    const start = [...Array(30).fill(500), ...Array(2).fill(900)]
    const curve = histogramOf({
      start,
      label: start.map(score => (score === 500 ? 0 : ONE)),
      weight: start.map(() => 1),
    })
    expect([500, 699, 700, 900].map(score => alongCurve(curve, score))).toEqual([0, 0, ONE, ONE])
  })
})

describe('no rows', () => {
  it('leave every score as it is', () => {
    const nothing = handRows({ start: [], label: [] })
    expect([isotonic.run(nothing, { seed: 1 }), histogram.run(nothing, { seed: 1 })]).toEqual([[], []])
  })
})

describe('a curve of steps', () => {
  it('is flat from each start to the next, also where a step is one unit wide', () => {
    const curve = stepCurve([
      { start: 0, value: 7 },
      { start: 1, value: 5 },
      { start: 2, value: 9 },
      { start: ONE, value: 3 },
    ])
    expect(curve.from).toEqual([0, 1, 2, ONE - 1, ONE])
    expect([0, 1, 2, 3, ONE - 1, ONE].map(score => alongCurve(curve, score))).toEqual([7, 5, 9, 9, 9, 3])
  })
})
