import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type FactorKind, type Guarantee, type PlanOptions, planParameters } from '../../src/certify/plan.ts'
import { FeatureBoostError } from '../../src/common/errors.ts'

const POSSIBLE: [Guarantee, FactorKind][] = [
  ['multiaccuracy', 'constant'],
  ['multiaccuracy', 'intervals'],
  ['multiaccuracy', 'signed'],
  ['multiaccuracy', 'weighted'],
  ['multiaccuracy', 'table'],
  ['multicalibration', 'intervals'],
  ['multicalibration', 'signed'],
  ['multicalibration', 'weighted'],
  ['multicalibration', 'table'],
  ['level-set', 'level-sets'],
  ['level-set', 'table'],
]
const GUARANTEES: Guarantee[] = ['multiaccuracy', 'multicalibration', 'level-set']
const FACTORS: FactorKind[] = ['constant', 'intervals', 'signed', 'weighted', 'level-sets', 'table']
const IMPOSSIBLE = GUARANTEES.flatMap(guarantee =>
  FACTORS.map((factors): [Guarantee, FactorKind] => [guarantee, factors]),
).filter(([guarantee, factors]) => !POSSIBLE.some(pair => pair[0] === guarantee && pair[1] === factors))

const calibrated = (options: Partial<PlanOptions> = {}): PlanOptions => ({
  epsilon: 0.05,
  guarantee: 'multicalibration',
  factors: 'table',
  ...options,
})

function refusal(options: PlanOptions): FeatureBoostError {
  try {
    planParameters(options)
  } catch (error) {
    if (error instanceof FeatureBoostError) return error
    throw error
  }
  throw new Error('the plan was accepted')
}

describe.each(POSSIBLE)('%s from %s factors', (guarantee, factors) => {
  test('reaches epsilon, and wastes at most the rounding up of the bins', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1e-4, max: 0.999, noNaN: true }),
        fc.double({ min: 1, max: 1e4, noNaN: true }),
        fc.integer({ min: 1, max: 50 }),
        (epsilon, budget, valueBins) => {
          const plan = planParameters({ epsilon, guarantee, factors, budget, valueBins })
          expect(plan.bound).toBeLessThanOrEqual(epsilon)
          expect(plan.bound).toBeGreaterThan(guarantee === 'multiaccuracy' ? 0.999 * epsilon : 0.8 * epsilon)
          expect(plan.roundLimit * plan.tolerance).toBeLessThanOrEqual(1 + 1e-9)
          expect((plan.roundLimit + 1) * plan.tolerance).toBeGreaterThan(1 - 1e-9)
          expect(plan.oracleCalls).toBe(plan.roundLimit + 1)
        },
      ),
      { numRuns: 300 },
    )
  })

  test('is explained in two to four sentences that name the error', () => {
    const { sentences } = planParameters({ epsilon: 0.05, guarantee, factors, valueBins: 4, slack: 1e-9 })
    expect(sentences.length).toBeGreaterThanOrEqual(2)
    expect(sentences.length).toBeLessThanOrEqual(4)
    expect(sentences.join(' ')).toContain('at most 0.05')
    for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].*\.$/)
  })
})

describe('by hand, for epsilon 0.05', () => {
  test('table and signed bins: 40 bins, tolerance 0.05^2 / 4', () => {
    for (const factors of ['table', 'signed', 'weighted'] as const) {
      const plan = planParameters(calibrated({ factors }))
      expect(plan).toMatchObject({
        bins: 40,
        tolerance: 0.000625,
        roundLimit: 1600,
        oracleCalls: 1601,
        bound: 0.05,
      })
      expect(plan).toMatchObject({
        epsilon: 0.05,
        guarantee: 'multicalibration',
        factors,
        budget: 1,
        slack: 0,
      })
    }
  })

  test('intervals: 40 bins, tolerance 0.05^2 / (4 * 40^2)', () => {
    const plan = planParameters(calibrated({ factors: 'intervals' }))
    expect(plan.bins).toBe(40)
    expect(plan.tolerance).toBeCloseTo(0.05 ** 2 / (4 * 1600), 18)
    expect(plan.roundLimit).toBe(2_560_000)
  })

  test('a budget of 4 doubles the bins and divides the tolerance by four', () => {
    const plan = planParameters(calibrated({ budget: 4 }))
    expect(plan.bins).toBe(80)
    expect(plan.tolerance).toBeCloseTo(0.05 ** 2 / 16, 15)
  })

  test('multiaccuracy: one bin, tolerance 0.05^2 / M', () => {
    const plan = planParameters(calibrated({ guarantee: 'multiaccuracy', factors: 'constant', budget: 4 }))
    expect(plan.bins).toBe(1)
    expect(plan.tolerance).toBeCloseTo(0.05 ** 2 / 4, 15)
  })

  test('level sets with 10 bins of values: tolerance (0.05 / (2 * 40 * 10))^2; the table needs no such factor', () => {
    const pairs = planParameters(calibrated({ guarantee: 'level-set', factors: 'level-sets', valueBins: 10 }))
    expect(pairs.bins).toBe(40)
    expect(pairs.tolerance).toBeCloseTo((0.05 / 800) ** 2, 20)
    const table = planParameters(calibrated({ guarantee: 'level-set', budget: 9 }))
    expect(table).toMatchObject({ bins: 40, tolerance: 0.000625 })
  })

  test('bins are rounded up: 0.3 needs 7', () => {
    expect(planParameters(calibrated({ epsilon: 0.3 })).bins).toBe(7)
  })

  test('slack and a better start change the rounds only', () => {
    const plan = planParameters(calibrated({ slack: 0.000125, startLoss: 0.2 }))
    expect(plan).toMatchObject({ tolerance: 0.000625, roundLimit: 400, oracleCalls: 401, slack: 0.000125 })
    expect(planParameters(calibrated({ startLoss: 0 }))).toMatchObject({ roundLimit: 0, oracleCalls: 1 })
  })

  test('the sentences read as prose', () => {
    expect(planParameters(calibrated({ factors: 'signed', slack: 0.000125 })).sentences).toEqual([
      'Boost until no update in the class lowers the mean squared error by 0.000625 or more.',
      'The oracle may miss the best update by 0.000125, so stop at the first round that gains less than 0.0005.',
      'Then round to 40 bins: the multicalibration error is at most 0.05 for every auditor with mean square at most 1.',
      'Accepted updates: at most 2,000; calls of the oracle: at most 2,001.',
    ])
    expect(planParameters(calibrated({ guarantee: 'multiaccuracy', factors: 'constant' })).sentences[1]).toBe(
      'No rounding is needed: the multiaccuracy error is at most 0.05 for every auditor with mean square at most 1.',
    )
    const levelSets = { guarantee: 'level-set', factors: 'level-sets', valueBins: 3 } as const
    expect(planParameters(calibrated(levelSets)).sentences[1]).toBe(
      'Then round to 40 bins: the level-set multicalibration error (bins of auditor values: 3) is at most 0.05 for every auditor.',
    )
    expect(planParameters(calibrated({ guarantee: 'level-set' })).sentences[1]).toBe(
      'Then round to 40 bins: the level-set multicalibration error is at most 0.05 for every auditor that is constant on the leaves.',
    )
  })
})

describe('refused with FB_PLAN', () => {
  test.each(IMPOSSIBLE)('%s from %s factors, naming those that can', (guarantee, factors) => {
    const error = refusal({ epsilon: 0.05, guarantee, factors, valueBins: 4 })
    expect(error.code).toBe('FB_PLAN')
    const able = POSSIBLE.filter(pair => pair[0] === guarantee).map(pair => pair[1])
    expect(error.details.hint).toBe(`These can: ${able.join(', ')}.`)
  })

  test.each([0, 1, -0.1, 1.5, Number.NaN])('epsilon %s', epsilon => {
    expect(refusal(calibrated({ epsilon })).message).toContain(`FB_PLAN: epsilon is ${epsilon}`)
  })

  test.each([
    [{ budget: 0 }, 'budget is 0'],
    [{ budget: Number.POSITIVE_INFINITY }, 'budget is Infinity'],
    [{ slack: -1e-9 }, 'slack is -1e-9'],
    [{ slack: Number.NaN }, 'slack is NaN'],
    [{ startLoss: -0.1 }, 'startLoss is -0.1'],
    [{ startLoss: 1.1 }, 'startLoss is 1.1'],
    [{ slack: 0.000625 }, 'slack 0.000625 is not below the tolerance 0.000625'],
    [{ slack: 0.5 }, 'slack 0.5 is not below the tolerance 0.000625'],
    [{ guarantee: 'level-set', factors: 'level-sets' }, 'need valueBins'],
    [{ guarantee: 'level-set', factors: 'level-sets', valueBins: 2.5 }, 'need valueBins'],
    [{ guarantee: 'level-set', factors: 'level-sets', valueBins: 0 }, 'need valueBins'],
    [{ budget: 0.0006 }, 'every predictor is within epsilon 0.05'],
    [
      { guarantee: 'multiaccuracy', factors: 'constant', budget: 0.002 },
      'every predictor is within epsilon 0.05',
    ],
    // A tolerance of just 1.
    [
      { guarantee: 'multiaccuracy', factors: 'constant', epsilon: 0.5, budget: 0.25 },
      'every predictor is within epsilon 0.5',
    ],
  ] as [Partial<PlanOptions>, string][])('%o', (options, message) => {
    const error = refusal(calibrated(options))
    expect(error.code).toBe('FB_PLAN')
    expect(error.message).toContain(message)
  })

  test('an epsilon so small that the tolerance vanishes', () => {
    expect(refusal(calibrated({ epsilon: 1e-200 })).message).toContain('slack 0 is not below the tolerance 0')
  })
})
