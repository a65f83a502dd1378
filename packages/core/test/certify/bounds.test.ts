// Each bound is compared with a value computed by hand, and with brute force on generated populations: whatever the
// predictor, no error exceeds the bound at the best gain that its class still offers.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  boundTerms,
  correlationBound,
  intervalBound,
  levelSetBound,
  multiaccuracyBound,
  signedBound,
  tableBound,
  tableLevelSetBound,
} from '../../src/certify/bounds.ts'

/** One point of a uniform population: prediction, label, value of the auditor (which is also the leaf of a tree). */
interface Point {
  f: number
  y: number
  b: number
}

const VALUES = [-2, -0.5, 1, 1.5]
const share = fc.integer({ min: 0, max: 60 }).map(value => value / 60)
const population = fc.array(fc.record({ f: share, y: share, b: fc.constantFrom(...VALUES) }), {
  minLength: 1,
  maxLength: 30,
})
const binCount = fc.integer({ min: 1, max: 6 })

const mean = (points: Point[], of: (point: Point) => number) =>
  points.reduce((sum, point) => sum + of(point), 0) / points.length
const binOf = (f: number, bins: number) => Math.min(bins - 1, Math.floor(f * bins))
const range = (count: number) => Array.from({ length: count }, (_, index) => index)

/** The best gain of one direction w(x): rho^2 / E[w^2]. */
function gain(points: Point[], w: (point: Point) => number): number {
  const square = mean(points, point => w(point) ** 2)
  return square === 0 ? 0 : mean(points, point => w(point) * (point.y - point.f)) ** 2 / square
}

function cellError(points: Point[], bins: number, bin: number, weight: (point: Point) => number): number {
  const inside = points.filter(point => binOf(point.f, bins) === bin)
  if (inside.length === 0) return 0
  const level = mean(inside, point => point.f)
  return Math.abs(mean(points, point => (inside.includes(point) ? weight(point) * (point.y - level) : 0)))
}

const calibrationError = (points: Point[], bins: number) =>
  range(bins).reduce((sum, bin) => sum + cellError(points, bins, bin, point => point.b), 0)

const levelSetError = (points: Point[], bins: number) =>
  VALUES.reduce(
    (sum, value) =>
      sum +
      range(bins).reduce(
        (part, bin) => part + cellError(points, bins, bin, point => (point.b === value ? 1 : 0)),
        0,
      ),
    0,
  )

const bestPairGain = (points: Point[], bins: number) =>
  Math.max(
    ...VALUES.flatMap(value =>
      range(bins).map(bin =>
        gain(points, point => (point.b === value && binOf(point.f, bins) === bin ? 1 : 0)),
      ),
    ),
  )

/** Every cell of the table takes its own best value, so the gains add up. */
const tableGain = (points: Point[], bins: number) =>
  VALUES.flatMap(value =>
    range(bins).map(bin =>
      gain(points, point => (point.b === value && binOf(point.f, bins) === bin ? 1 : 0)),
    ),
  ).reduce((sum, part) => sum + part, 0)

const budgetOf = (points: Point[]) => mean(points, point => point.b ** 2)
const ROOM = 1e-12

describe('by hand', () => {
  test('the base fact and multiaccuracy are sqrt(alpha M)', () => {
    expect(correlationBound(0.0025, 4)).toBeCloseTo(0.1, 14)
    expect(multiaccuracyBound(0.0025, 4)).toBeCloseTo(0.1, 14)
  })

  test('intervals pay once for each bin, signed bins and the table once in all', () => {
    expect(intervalBound(0.0001, 4, 20)).toBeCloseTo(20 * 0.02 + 2 / 20, 14)
    expect(signedBound(0.0001, 4, 20)).toBeCloseTo(0.02 + 2 / 20, 14)
    expect(tableBound(0.0001, 4, 20)).toBeCloseTo(0.02 + 2 / 20, 14)
  })

  test('level sets pay for each pair of bins, the table once', () => {
    expect(levelSetBound(0.0001, 20, 5)).toBeCloseTo(20 * 5 * 0.01 + 1 / 20, 14)
    expect(tableLevelSetBound(0.0001, 20)).toBeCloseTo(0.01 + 1 / 20, 14)
  })
})

describe('on every generated population', () => {
  test('Lemma 5.1 holds, with equality at the realized tolerance', () => {
    fc.assert(
      fc.property(population, points => {
        const error = Math.abs(mean(points, point => point.b * (point.y - point.f)))
        const realized = gain(points, point => point.b)
        expect(multiaccuracyBound(realized, budgetOf(points))).toBeCloseTo(error, 12)
      }),
    )
  })

  test('Lemma 5.2 holds for bin indicators', () => {
    fc.assert(
      fc.property(population, binCount, (points, bins) => {
        const gains = range(bins).map(bin =>
          gain(points, point => (binOf(point.f, bins) === bin ? point.b : 0)),
        )
        const bound = intervalBound(Math.max(...gains), budgetOf(points), bins)
        expect(calibrationError(points, bins)).toBeLessThanOrEqual(bound + ROOM)
      }),
    )
  })

  test('Lemma 5.4 holds for signed bins', () => {
    fc.assert(
      fc.property(population, binCount, (points, bins) => {
        const gains = range(2 ** bins).map(signs =>
          gain(points, point => ((signs >> binOf(point.f, bins)) & 1 ? point.b : -point.b)),
        )
        const bound = signedBound(Math.max(...gains), budgetOf(points), bins)
        expect(calibrationError(points, bins)).toBeLessThanOrEqual(bound + ROOM)
      }),
    )
  })

  test('Lemma 5.8 holds for the AND of two bins', () => {
    fc.assert(
      fc.property(population, binCount, (points, bins) => {
        const bound = levelSetBound(bestPairGain(points, bins), bins, VALUES.length)
        expect(levelSetError(points, bins)).toBeLessThanOrEqual(bound + ROOM)
      }),
    )
  })

  test('the table class bounds both errors at once', () => {
    fc.assert(
      fc.property(population, binCount, (points, bins) => {
        const realized = tableGain(points, bins)
        expect(calibrationError(points, bins)).toBeLessThanOrEqual(
          tableBound(realized, budgetOf(points), bins) + ROOM,
        )
        expect(levelSetError(points, bins)).toBeLessThanOrEqual(tableLevelSetBound(realized, bins) + ROOM)
      }),
    )
  })
})

describe('the terms of a bound', () => {
  const [bins, valueBins] = [5, 3]
  const rounding = 1 / 5

  test('are those of the lemma for each guarantee and kind of factors', () => {
    const terms = (['multiaccuracy', 'multicalibration', 'level-set'] as const).map(guarantee =>
      (['constant', 'intervals', 'signed', 'weighted', 'level-sets', 'table'] as const).map(factors =>
        boundTerms(guarantee, factors, bins, valueBins),
      ),
    )
    const [once, plain] = [
      { scale: 1, rounding: 0 },
      { scale: 1, rounding },
    ]
    expect(terms).toEqual([
      [once, once, once, once, undefined, once],
      [undefined, { scale: 5, rounding }, plain, plain, undefined, plain],
      [undefined, undefined, undefined, undefined, { scale: 15, rounding }, plain],
    ])
  })

  test('give the bounds themselves', () => {
    const at = (tolerance: number, terms = boundTerms('level-set', 'level-sets', bins, valueBins)!) =>
      terms.scale * Math.sqrt(tolerance) + terms.rounding
    expect(at(0.01)).toBeCloseTo(levelSetBound(0.01, bins, valueBins), 12)
    expect(at(0.01, boundTerms('multicalibration', 'intervals', bins, 1)!)).toBeCloseTo(
      intervalBound(0.01, 1, bins),
      12,
    )
  })
})
