// Platt scaling with features: its indicators, its loss, its solution, and what it predicts.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BaselineRows } from '../../src/baselines/baseline.ts'
import { fitFeatures, plattFeatures, RIDGE } from '../../src/baselines/plattFeatures.ts'
import { solveByGradients } from '../../src/baselines/regressions/conjugate.ts'
import { FeatureRegression } from '../../src/baselines/regressions/featureRegression.ts'
import { indicatorsOf } from '../../src/baselines/regressions/thirds.ts'
import { ONE } from '../../src/common/units.ts'
import { makeRandom } from '../../src/internal.ts'
import { multiply } from '../../src/oracle/linearAlgebra.ts'
import type { Update } from '../../src/update/update.ts'
import { handRows, predictionsOf, shuffled } from './rows.ts'

/** Two categories and a missing one, and a number of six bins: labels lean on both. */
function drawPlain(count: number, seed = 1) {
  const random = makeRandom(seed)
  const rows = Array.from({ length: count }, () => {
    const [score, letter, number] = [1 + random.integer(ONE - 2), random.integer(3), random.integer(7)]
    const logit = 0.6 * Math.log(score / (ONE - score)) + [1, -1, 0][letter] + (number > 3 ? 0.8 : 0)
    return {
      score,
      letter,
      number,
      weight: 1 + random.integer(3),
      label: random.next() < 1 / (1 + Math.exp(-logit)) ? ONE : 0,
    }
  })
  return rows
}

const rowsOf = (plain: ReturnType<typeof drawPlain>): BaselineRows =>
  handRows({
    start: plain.map(row => row.score),
    label: plain.map(row => row.label),
    weight: plain.map(row => row.weight),
    bins: [plain.map(row => row.letter), plain.map(row => row.number)],
    binCounts: [3, 7],
    ordered: [false, true],
  })

/** The penalized mean loss, row by row: slope, intercept, letters a, b and missing, thirds of the number and missing. */
function naiveLoss(rows: BaselineRows, at: ArrayLike<number>): number {
  const [letters, numbers] = indicatorsOf(rows)
  let [sum, total] = [0, 0]
  for (let row = 0; row < rows.rowCount; row++) {
    const score = rows.start[row]
    let z = at[0] * Math.log(score / (ONE - score)) + at[1]
    z += at[2 + letters.indicatorOf[rows.bins[0][row]]]
    z += at[2 + letters.count + numbers.indicatorOf[rows.bins[1][row]]]
    const y = rows.label[row] / ONE
    sum += rows.weight![row] * (Math.log1p(Math.exp(-Math.abs(z))) + Math.max(z, 0) - y * z)
    total += rows.weight![row]
  }
  for (let i = 0; i < at.length; i++) if (i !== 1) sum += (RIDGE / 2) * at[i] ** 2
  return sum / total
}

const run = (rows: BaselineRows): Update[] => plattFeatures.run(rows, { seed: 1 }) as Update[]

describe('the indicators', () => {
  const thirdsOf = (values: readonly number[], bins = 20): number[] => {
    const rows = handRows({
      start: values.map(() => 1),
      label: values.map(() => 0),
      bins: [values],
      binCounts: [bins],
      ordered: [true],
    })
    return values.map(value => indicatorsOf(rows)[0].indicatorOf[value])
  }

  it('of a number are cut at its third quantiles, interpolated between rows; equal values are above', () => {
    expect(thirdsOf([0, 1, 2, 3, 4, 5])).toEqual([0, 0, 1, 1, 2, 2])
    expect(thirdsOf([0, 1, 2, 3, 4, 5, 6])).toEqual([0, 0, 1, 1, 2, 2, 2])
    expect(thirdsOf([0, 0, 0, 1, 1, 1, 2, 2, 2])).toEqual([0, 0, 0, 1, 1, 1, 2, 2, 2])
  })

  it('of a number are fewer where a quantile is its least or its largest value', () => {
    expect(thirdsOf([0, 0, 0, 0, 1, 2])).toEqual([0, 0, 0, 0, 1, 1])
    expect(thirdsOf([0, 1, 1, 1, 1])).toEqual([0, 0, 0, 0, 0])
    expect(thirdsOf([3, 3, 3])).toEqual([0, 0, 0])
  })

  it('leave out what no row has, and take it for missing', () => {
    const [letters] = indicatorsOf(
      handRows({ start: [1, 2, 3], label: [0, 0, 0], bins: [[0, 2, 4]], binCounts: [5] }),
    )
    expect({ count: letters.count, of: [...letters.indicatorOf] }).toEqual({ count: 3, of: [0, 2, 1, 2, 2] })
    const [known] = indicatorsOf(handRows({ start: [1, 2], label: [0, 0], bins: [[0, 2]], binCounts: [4] }))
    expect({ count: known.count, of: [...known.indicatorOf] }).toEqual({ count: 2, of: [0, 2, 1, 2] })
  })

  it('have none for a number that is always missing but the missing one', () => {
    const [nothing] = indicatorsOf(
      handRows({ start: [1, 2], label: [0, 0], bins: [[2, 2]], binCounts: [3], ordered: [true] }),
    )
    expect(nothing.count).toBe(1)
  })
})

describe('the regression', () => {
  const rows = rowsOf(drawPlain(80))
  const regression = new FeatureRegression(rows, indicatorsOf(rows), RIDGE)

  it('has the loss and the derivatives of its definition', () => {
    const coefficients = fc.array(fc.double({ min: -1.5, max: 1.5, noNaN: true }), {
      minLength: regression.size,
      maxLength: regression.size,
    })
    fc.assert(
      fc.property(coefficients, given => {
        const at = Float64Array.from(given)
        const { gradient, hessian, value } = regression.look(at)
        expect(value).toBeCloseTo(naiveLoss(rows, at), 5)
        const h = 1e-4
        for (let i = 0; i < regression.size; i++) {
          const shifted = (by: number) => at.map((one, index) => (index === i ? one + by : one))
          expect(gradient[i]).toBeCloseTo(
            (naiveLoss(rows, shifted(h)) - naiveLoss(rows, shifted(-h))) / (2 * h),
            5,
          )
          const [right, left] = [regression.look(shifted(0.01)), regression.look(shifted(-0.01))]
          for (let j = 0; j < regression.size; j++) {
            const slope = (right.gradient[j] - left.gradient[j]) / 0.02
            expect(Math.abs(hessian[i * regression.size + j] - slope)).toBeLessThan(1e-3)
          }
        }
      }),
      { numRuns: 10 },
    )
  })

  it('is solved where its gradient is nothing, and nothing near is better', () => {
    const found = fitFeatures(rows, indicatorsOf(rows), {})
    expect(Math.max(...regression.look(found).gradient.map(Math.abs))).toBeLessThan(1e-6)
    const least = naiveLoss(rows, found)
    const random = makeRandom(3)
    for (let attempt = 0; attempt < 50; attempt++) {
      const other = found.map(one => one + 0.2 * (random.next() - 0.5))
      expect(naiveLoss(rows, other)).toBeGreaterThan(least)
    }
  })

  it('counts weights like repetition, in any order, to the bit', () => {
    const plain = drawPlain(60, 4)
    const copies = plain.flatMap(row => Array.from({ length: row.weight }, () => ({ ...row, weight: 1 })))
    expect(run(rowsOf(shuffled(copies)))).toEqual(run(rowsOf(plain)))
  })
})

describe('Platt scaling with features', () => {
  it('predicts what its coefficients say, also for categories it has not seen', () => {
    const plain = drawPlain(200, 5).filter(row => row.letter !== 2)
    const rows = rowsOf(plain)
    const updates = run(rows)
    const at = fitFeatures(rows, indicatorsOf(rows), {})
    const unseen = rowsOf(plain.map((row, index) => (index % 2 === 0 ? { ...row, letter: 2 } : row)))
    const [letters, numbers] = indicatorsOf(rows)
    const predictions = predictionsOf(unseen, updates)
    predictions.forEach((prediction, row) => {
      const { letter, number, score } = plain[row]
      const third = at[2 + letters.count + numbers.indicatorOf[number]]
      const z = at[0] * Math.log(score / (ONE - score)) + at[1] + third + (row % 2 === 0 ? 0 : at[2 + letter])
      expect(Math.abs(prediction / ONE - 1 / (1 + Math.exp(-z)))).toBeLessThan(1e-6)
    })
  })

  it('leaves scores alone where there is but one label', () => {
    expect(run(handRows({ start: [1, 2], label: [0, 0], bins: [[0, 1]], binCounts: [3] }))).toEqual([])
  })

  it('can be cancelled, and tells its steps', () => {
    const rows = rowsOf(drawPlain(50))
    const cancelled = () => plattFeatures.run(rows, { seed: 1, signal: { aborted: true } })
    expect(cancelled).toThrow('FB_ABORTED')
    const steps: number[] = []
    plattFeatures.run(rows, { seed: 1, onRound: round => steps.push(round) })
    expect(steps).toEqual(steps.map((_, index) => index + 1))
    expect(steps.length).toBeGreaterThan(1)
  })

  it('refuses more coefficients than it can hold', () => {
    const columns = Array.from({ length: 17 }, () => Array.from({ length: 256 }, (_, row) => row))
    const many = handRows({
      start: columns[0].map(() => 5),
      label: columns[0].map(row => (row % 2) * ONE),
      bins: columns,
      binCounts: columns.map(() => 256),
    })
    expect(() => run(many)).toThrow('4,354 coefficients')
  })
})

describe('conjugate gradients', () => {
  it('solve what they are given', () => {
    const numbers = fc.array(fc.double({ min: -3, max: 3, noNaN: true }), { minLength: 30, maxLength: 30 })
    fc.assert(
      fc.property(numbers, given => {
        const size = 5
        const [factor, right] = [given.slice(0, 25), Float64Array.from(given.slice(25))]
        const matrix = Float64Array.from({ length: 25 }, (_, cell) => {
          const [i, j] = [Math.floor(cell / size), cell % size]
          let sum = i === j ? 1 : 0
          for (let k = 0; k < size; k++) sum += factor[i * size + k] * factor[j * size + k]
          return sum
        })
        const back = multiply(matrix, solveByGradients(matrix, right))
        back.forEach((value, i) => {
          expect(Math.abs(value - right[i])).toBeLessThan(1e-8)
        })
      }),
    )
  })
})
