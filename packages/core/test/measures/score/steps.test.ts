import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FeatureBoostError } from '../../../src/common/errors.ts'
import { equalMassBins, equalWidthBins } from '../../../src/measures/score/bins.ts'
import { sortByKeys } from '../../../src/measures/score/order.ts'
import type { ScoredRows } from '../../../src/measures/score/scoredRows.ts'
import { makeSteps } from '../../../src/measures/score/steps.ts'
import { rowArrays, toRows } from './rowsArbitrary.ts'

describe('sorting by keys', () => {
  it('orders as comparing key after key does, and keeps equal rows as they were', () => {
    const value = fc.oneof(
      fc.constantFrom(0, 1, 0.5, 2 ** -40, 5e-324, 1e300),
      fc.double({ min: 0, max: 1, noNaN: true }).map(Math.abs),
    )
    const pairs = fc.array(fc.tuple(value, value), { maxLength: 60 })
    const property = fc.property(pairs, rows => {
      const keys = [0, 1].map(key => Float64Array.from(rows, row => row[key]))
      const naive = rows
        .map((_, row) => row)
        .sort((a, b) => rows[a][0] - rows[b][0] || rows[a][1] - rows[b][1])
      expect([...sortByKeys(Uint32Array.from(rows.keys()), keys)]).toEqual(naive)
    })
    fc.assert(property)
  })
})

describe('steps', () => {
  it('hold the sums of the rows that share a prediction', () => {
    const property = fc.property(rowArrays({ fractional: true }), rows => {
      const steps = makeSteps(toRows(rows))
      const distinct = [...new Set(rows.map(row => row.prediction))].sort((a, b) => a - b)
      expect([...steps.predictions]).toEqual(distinct)
      distinct.forEach((prediction, step) => {
        const within = rows.filter(row => row.prediction === prediction)
        const sum = (of: (w: number, r: number, y: number) => number) =>
          within.reduce((all, { weight, label }) => all + of(weight, label - prediction, label), 0)
        expect(steps.stepWeights[step]).toBeCloseTo(sum(w => w))
        expect(steps.stepWeightSquares[step]).toBeCloseTo(sum(w => w * w))
        expect(steps.stepLabels[step]).toBeCloseTo(sum((w, _, y) => w * y))
        expect(steps.residuals[step]).toBeCloseTo(sum((w, r) => w * r))
        expect(steps.residualSquares[step]).toBeCloseTo(sum((w, r) => w * w * r * r))
        expect(steps.residualCrosses[step]).toBeCloseTo(sum((w, r) => w * w * r))
      })
    })
    fc.assert(property)
  })

  it('are the same without the rows of weight 0, and with -0 for 0', () => {
    const given = { predictions: [0.5, 0, 0.25], labels: [1, 0, 1], weights: [2, 1, 3] }
    const padded = { predictions: [0.5, 0.75, -0, 0.25], labels: [1, 1, -0, 1], weights: [2, 0, 1, 3] }
    const { rows: _, givenCount: __, ...expected } = makeSteps(given)
    expect(makeSteps(padded)).toMatchObject(expected)
    expect([...makeSteps(padded).rows]).toEqual([2, 3, 0])
  })
})

describe('bins', () => {
  it('of equal mass hold equal numbers of rows where no two predictions are equal', () => {
    const steps = makeSteps({
      predictions: Array.from({ length: 40 }, (_, row) => row / 40),
      labels: Array(40).fill(0),
    })
    const counts = [0, 0, 0, 0, 0]
    for (const bin of equalMassBins(steps, 5).ofStep) counts[bin]++
    expect(counts).toEqual([8, 8, 8, 8, 8])
  })

  it('of equal mass are mirrored when predictions are: a heavy tie goes where its middle lies', () => {
    // Half of the weight at 0.2 would begin in the first of three bins; its middle lies at 0.25.
    const steps = makeSteps({ predictions: [0.2, 0.6, 0.7], labels: [0, 0, 0], weights: [6, 3, 3] })
    expect([...equalMassBins(steps, 3).ofStep]).toEqual([0, 1, 2])
    const late = makeSteps({ predictions: [0.2, 0.3, 0.6], labels: [0, 0, 0], weights: [3, 3, 6] })
    expect([...equalMassBins(late, 3).ofStep]).toEqual([0, 1, 2])
  })

  it('of equal width are closed on the left, and the last one on both sides', () => {
    const steps = makeSteps({ predictions: [0, 0.25, 0.5, 0.75, 1], labels: [0, 0, 0, 0, 0] })
    expect([...equalWidthBins(steps, 4).ofStep]).toEqual([0, 1, 2, 3, 3])
  })
})

describe('rows that cannot be measured', () => {
  const good: ScoredRows = { predictions: [0.5, 0.5], labels: [0, 1] }
  const cases: [string, ScoredRows, string, number | undefined][] = [
    ['no rows', { predictions: [], labels: [] }, 'FB_NO_ROWS', undefined],
    ['no rows, with weights', { predictions: [], labels: [], weights: [] }, 'FB_NO_ROWS', undefined],
    ['too few labels', { ...good, labels: [1] }, 'FB_COLUMN_LENGTH', undefined],
    ['too many weights', { ...good, weights: [1, 1, 1] }, 'FB_COLUMN_LENGTH', undefined],
    ['a prediction above 1', { ...good, predictions: [0.5, 1.5] }, 'FB_PREDICTION_RANGE', 2],
    ['a negative label', { ...good, labels: [0, -1] }, 'FB_LABEL_RANGE', 2],
    ['a missing prediction', { ...good, predictions: [Number.NaN, 0] }, 'FB_MISSING_VALUE', 1],
    ['an infinite prediction', { ...good, predictions: [0, 1 / 0] }, 'FB_NOT_FINITE', 2],
    ['a negative weight', { ...good, weights: [1, -1] }, 'FB_WEIGHT_RANGE', 2],
    ['a missing weight', { ...good, weights: [Number.NaN, 1] }, 'FB_MISSING_VALUE', 1],
    ['weights of 0 only', { ...good, weights: [0, 0] }, 'FB_WEIGHT_RANGE', undefined],
    [
      'weights whose squares are infinite',
      { ...good, weights: [1e153, 1e153] },
      'FB_WEIGHT_RANGE',
      undefined,
    ],
    ['weights whose squares are 0', { ...good, weights: [1e-170, 1e-170] }, 'FB_WEIGHT_RANGE', undefined],
    ['weights that sum to infinity', { ...good, weights: [1e308, 1e308] }, 'FB_WEIGHT_RANGE', undefined],
  ]
  it.each(cases)('are refused: %s', (_, rows, code, row) => {
    try {
      makeSteps(rows)
      expect.fail('nothing was thrown')
    } catch (error) {
      expect(error).toBeInstanceOf(FeatureBoostError)
      expect((error as FeatureBoostError).code).toBe(code)
      expect((error as FeatureBoostError).details.row).toBe(row)
    }
  })
})
