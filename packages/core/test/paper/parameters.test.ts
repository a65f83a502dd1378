// The paper's Remarks 1 and 2 choose parameters that miss epsilon (THEORY section 8.1 and 8.2). Shown twice: the lemma's
// own bound exceeds epsilon, and so does the error of an explicit population on which the run would have stopped.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { intervalBound, signedBound } from '../../src/certify/bounds.ts'
import { planParameters } from '../../src/certify/plan.ts'

/** Remark 1 after Lemma 5.2, as printed. */
function printedIntervalParameters(epsilon: number, budget: number) {
  const bins = Math.ceil(Math.sqrt(budget) / (2 * epsilon))
  return { bins, tolerance: epsilon ** 2 / (4 * budget * bins ** 2) }
}

/** Remark 2 after Lemma 5.4, as printed; it names no number of bins. */
const printedSignedTolerance = (epsilon: number, budget: number) => epsilon ** 2 / (2 * budget)

const corrected = (epsilon: number, budget: number, factors: 'intervals' | 'signed') =>
  planParameters({ epsilon, budget, factors, guarantee: 'multicalibration' })

const epsilons = fc.double({ min: 1e-3, max: 0.999, noNaN: true })
const budgets = fc.double({ min: 1, max: 100, noNaN: true })

describe('the bound of the lemma', () => {
  test('intervals: above epsilon with the printed bins, within it with the corrected ones', () => {
    fc.assert(
      fc.property(epsilons, budgets, (epsilon, budget) => {
        const printed = printedIntervalParameters(epsilon, budget)
        expect(intervalBound(printed.tolerance, budget, printed.bins)).toBeGreaterThan(1.2 * epsilon)
        const right = corrected(epsilon, budget, 'intervals')
        expect(intervalBound(right.tolerance, budget, right.bins)).toBeLessThanOrEqual(epsilon)
      }),
      { numRuns: 500 },
    )
  })

  test('intervals: the printed tolerance is not below eps^4 / (2 M^2) either; the corrected one is below eps^4 / (16 M^2)', () => {
    // Equality K = sqrt(M) / (2 eps) makes the printed tolerance eps^4 / M^2.
    expect(printedIntervalParameters(0.05, 1).tolerance).toBeGreaterThan(1.9 * (0.05 ** 4 / 2))
    fc.assert(
      fc.property(epsilons, budgets, (epsilon, budget) => {
        const limit = epsilon ** 4 / (16 * budget ** 2)
        expect(corrected(epsilon, budget, 'intervals').tolerance).toBeLessThanOrEqual(limit * (1 + 1e-12))
      }),
    )
  })

  test('signed bins: above epsilon with the printed tolerance, at the printed and at the corrected bins', () => {
    fc.assert(
      fc.property(epsilons, budgets, (epsilon, budget) => {
        const right = corrected(epsilon, budget, 'signed')
        const printed = printedSignedTolerance(epsilon, budget)
        const printedBins = printedIntervalParameters(epsilon, budget).bins
        expect(signedBound(printed, budget, printedBins)).toBeGreaterThan(1.4 * epsilon)
        expect(signedBound(printed, budget, right.bins)).toBeGreaterThan(1.03 * epsilon)
        expect(signedBound(right.tolerance, budget, right.bins)).toBeLessThanOrEqual(epsilon)
      }),
      { numRuns: 500 },
    )
  })
})

/** A point of a uniform population: prediction, auditor in {-1,1}, and the mean of the label there. */
interface Point {
  f: number
  b: number
  y: number
}

const clip = (value: number) => Math.min(1, Math.max(0, value))
const binOf = (f: number, bins: number) => Math.min(bins - 1, Math.floor(f * bins))
const range = (count: number) => Array.from({ length: count }, (_, index) => index)
const average = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** Two points in each bin, at its ends; the auditor knows which end, and the labels lean towards it by lean. */
function endsOfBins(bins: number, lean: number): Point[] {
  return range(bins).flatMap(bin =>
    [-1, 1].map(b => {
      const f = (bin + 0.5 + 0.499999 * b) / bins
      return { f, b, y: clip(f + lean * b) }
    }),
  )
}

/** K1 of the rounded predictor, by its definition. */
function roundedError(points: Point[], bins: number): number {
  return range(bins).reduce((sum, bin) => {
    const inside = points.filter(point => binOf(point.f, bins) === bin)
    if (inside.length === 0) return sum
    const level = average(inside.map(point => point.f))
    return (
      sum + Math.abs(inside.reduce((part, point) => part + point.b * (point.y - level), 0)) / points.length
    )
  }, 0)
}

const loss = (points: Point[], predict: (point: Point) => number) =>
  average(points.map(point => (predict(point) - point.y) ** 2))

const STEPS = range(2001).map(index => (index - 1000) / 1000)

/** The best drop in loss of clip(f + step * direction) over a grid of steps that holds the exact best one, lean. */
function bestClippedGain(points: Point[], direction: (point: Point) => number, lean: number): number {
  const start = loss(points, point => point.f)
  return Math.max(
    ...[...STEPS, lean, -lean].map(
      step => start - loss(points, point => clip(point.f + step * direction(point))),
    ),
  )
}

describe.each([5, 10, 25])('an explicit population with epsilon = 1 / (2 * %i)', printedBins => {
  const epsilon = 1 / (2 * printedBins)

  test('intervals: the run stops there with the printed parameters, and the error is above epsilon', () => {
    const printed = printedIntervalParameters(epsilon, 1)
    expect(printed.bins).toBe(printedBins)
    // Each bin has mass 1/K, so this lean leaves a gain of just under the tolerance in each.
    const lean = 0.999 * Math.sqrt(printed.tolerance * printedBins)
    const points = endsOfBins(printedBins, lean)
    for (const bin of range(printedBins)) {
      const inBin = (point: Point) => (binOf(point.f, printedBins) === bin ? 1 : 0)
      expect(bestClippedGain(points, point => inBin(point) * point.b, lean)).toBeLessThan(printed.tolerance)
      expect(bestClippedGain(points, inBin, lean)).toBeLessThan(printed.tolerance)
    }
    expect(roundedError(points, printedBins)).toBeGreaterThan(1.05 * epsilon)
    expect(roundedError(points, corrected(epsilon, 1, 'intervals').bins)).toBeLessThanOrEqual(epsilon)
  })

  test('signed bins: the same with the printed tolerance and bins', () => {
    const tolerance = printedSignedTolerance(epsilon, 1)
    const lean = 0.999 * Math.sqrt(tolerance)
    const points = endsOfBins(printedBins, lean)
    // The labels lean the same way in every bin, so the signed sum with all signs alike is the best one.
    expect(bestClippedGain(points, point => point.b, lean)).toBeLessThan(tolerance)
    expect(roundedError(points, printedBins)).toBeGreaterThan(1.5 * epsilon)
    expect(roundedError(points, corrected(epsilon, 1, 'signed').bins)).toBeLessThanOrEqual(epsilon)
  })

  test('labels that follow the prediction exactly: rounding alone costs nearly epsilon at the printed bins', () => {
    const points = endsOfBins(printedBins, 0)
    expect(bestClippedGain(points, point => point.b, 0)).toBe(0)
    expect(roundedError(points, printedBins)).toBeGreaterThan(0.999 * epsilon)
    expect(roundedError(points, corrected(epsilon, 1, 'intervals').bins)).toBeLessThan(1e-12)
  })
})

test('rounding to the mean of the bin costs at most sqrt(M) / (2K), half of what the lemmas allow', () => {
  // The standard deviation inside a bin is at most half its width, and Cauchy-Schwarz does the rest. This is why no
  // population refutes the printed signed tolerance at K = ceil(2 / epsilon), although the bound does.
  const point = fc.record({
    f: fc.double({ min: 0, max: 1, noNaN: true }),
    b: fc.double({ min: -5, max: 5, noNaN: true }),
  })
  fc.assert(
    fc.property(
      fc.array(point, { minLength: 1, maxLength: 40 }),
      fc.integer({ min: 1, max: 8 }),
      (drawn, bins) => {
        const points = drawn.map(({ f, b }) => ({ f, b, y: f }))
        const budget = average(points.map(({ b }) => b ** 2))
        expect(roundedError(points, bins)).toBeLessThanOrEqual(Math.sqrt(budget) / (2 * bins) + 1e-12)
      },
    ),
  )
})
