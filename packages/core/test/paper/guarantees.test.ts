// Sections 4 and 5: what the output of Algorithm 1 guarantees, class by class, checked row by row on generated
// populations against auditors chosen to be as bad as they can be.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  intervalBound,
  levelSetBound,
  multiaccuracyBound,
  signedBound,
  tableBound,
  tableLevelSetBound,
} from '../../src/certify/bounds.ts'
import { type Auditors, fit, linear, makeTable, type Table, trees } from '../../src/index.ts'
import { type FactorKind, makeRandom } from '../../src/internal.ts'

interface Population {
  readonly table: Table
  readonly labels: readonly number[]
  /** Columns as numbers, for auditors of the test's own. */
  readonly columns: readonly (readonly number[])[]
}

/** Two numbers, a category, a score that is wrong in a way that depends on them; labels are probabilities or draws. */
function makePopulation(seed: number, rows: number): Population {
  const random = makeRandom(seed)
  const draw = (limit: number) => Array.from({ length: rows }, () => random.integer(limit))
  const [a, b, c] = [draw(5), draw(4), draw(3)]
  const tilt = [random.next() - 0.5, random.next() - 0.5, random.next() - 0.5]
  const score = Array.from({ length: rows }, () => random.next())
  const truth = score.map((value, row) => {
    const shift = tilt[0] * (a[row] / 4) + tilt[1] * (b[row] > 1 ? value : -value) + tilt[2] * (c[row] - 1)
    return Math.min(1, Math.max(0, value + shift))
  })
  const labels = truth.map(value => (random.next() < 0.5 ? value : random.next() < value ? 1 : 0))
  const table = makeTable({ a, b, c: c.map(value => 'xyz'[value]), score, y: labels })
  return { table, labels, columns: [a, b, c] }
}

const populations = fc.record({
  seed: fc.integer({ min: 0, max: 2 ** 31 }),
  rows: fc.integer({ min: 20, max: 120 }),
  tolerance: fc.constantFrom(0.002, 0.01, 0.03),
  bins: fc.integer({ min: 2, max: 6 }),
})

const fitClass = (
  population: Population,
  factors: FactorKind,
  tolerance: number,
  bins: number,
  auditors: Auditors = trees(),
) =>
  fit(population.table, {
    label: 'y',
    prediction: 'score',
    method: 'rounds',
    auditors,
    factors,
    tolerance,
    bins,
    stop: 'certificate',
  })

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** Random declared trees of depth 2 as leaf numbers 0 to 3 per row. */
function randomPartition({ columns, labels }: Population, random: ReturnType<typeof makeRandom>): number[] {
  const randomTest = () => {
    const column = random.integer(3)
    const value = random.integer(column === 2 ? 3 : 4)
    return (row: number) => (column === 2 ? columns[2][row] === value : columns[column][row] <= value)
  }
  const [root, left, right] = [randomTest(), randomTest(), randomTest()]
  return labels.map((_, row) => (root(row) ? (left(row) ? 0 : 1) : right(row) ? 2 : 3))
}

/** D_lS = E[(y - p) 1(leaf = l, bin = S)]. */
function cellErrors(
  leaves: readonly number[],
  levels: readonly number[],
  residuals: readonly number[],
  bins: number,
) {
  const cells = Array.from({ length: 4 }, () => new Array<number>(bins).fill(0))
  residuals.forEach((residual, row) => {
    cells[leaves[row]][levels[row]] += residual / residuals.length
  })
  return cells
}

/** The largest sum_S |sum_l b_l D_lS| over b in [-1,1]^4: attained at +-1. */
function worstK1(cells: readonly (readonly number[])[]): number {
  let worst = 0
  for (let pattern = 0; pattern < 16; pattern++) {
    const sums = cells[0].map((_, level) =>
      cells.reduce((sum, leaf, index) => sum + ((pattern >> index) & 1 ? -leaf[level] : leaf[level]), 0),
    )
    worst = Math.max(
      worst,
      sums.reduce((total, sum) => total + Math.abs(sum), 0),
    )
  }
  return worst
}

const levelOf = (value: number, bins: number): number => Math.min(bins - 1, Math.floor(value * bins))

/** Measures 60 random depth-2 trees; the check is called with the worst of each kind. */
async function auditRandomTrees(
  population: Population,
  factors: FactorKind,
  tolerance: number,
  bins: number,
) {
  const model = await fitClass(population, factors, tolerance, bins)
  const predictions = [...model.predict(population.table)]
  const rounded = [...model.round(bins).predict(population.table)]
  const levels = predictions.map(value => levelOf(value, bins))
  const random = makeRandom(7)
  const worst = { multiaccuracy: 0, multicalibration: 0, levelSet: 0, cell: 0, signed: 0 }
  for (let trial = 0; trial < 60; trial++) {
    const leaves = randomPartition(population, random)
    const own = cellErrors(
      leaves,
      levels,
      population.labels.map((y, row) => y - predictions[row]),
      bins,
    )
    const cells = cellErrors(
      leaves,
      levels,
      population.labels.map((y, row) => y - rounded[row]),
      bins,
    )
    const all = [own.map(leaf => [leaf.reduce((sum, value) => sum + value, 0)])].flat()
    worst.multiaccuracy = Math.max(worst.multiaccuracy, worstK1(all))
    worst.multicalibration = Math.max(worst.multicalibration, worstK1(cells))
    worst.levelSet = Math.max(worst.levelSet, mean(cells.flat().map(Math.abs)) * cells.flat().length)
    worst.cell = Math.max(worst.cell, ...own.flat().map(Math.abs))
    worst.signed = Math.max(worst.signed, worstK1(own))
  }
  return worst
}

const EXACT = 1e-6 // predictions and labels are rounded to 2^-24

describe('the output of Algorithm 1 on trees', () => {
  const property = (
    check: (input: { population: Population; tolerance: number; bins: number }) => Promise<void>,
    numRuns = 25,
  ) =>
    fc.assert(
      fc.asyncProperty(populations, ({ seed, rows, tolerance, bins }) =>
        check({ population: makePopulation(seed, rows), tolerance, bins }),
      ),
      { numRuns },
    )

  it('is multiaccurate within sqrt(alpha M) with constant factors (Lemma 5.1)', () =>
    property(async ({ population, tolerance, bins }) => {
      const worst = await auditRandomTrees(population, 'constant', tolerance, bins)
      expect(worst.multiaccuracy).toBeLessThanOrEqual(multiaccuracyBound(tolerance, 1) + EXACT)
    }))

  it('is multicalibrated within K sqrt(alpha M) + sqrt(M)/K with intervals (Lemma 5.2)', () =>
    property(async ({ population, tolerance, bins }) => {
      const worst = await auditRandomTrees(population, 'intervals', tolerance, bins)
      expect(worst.multicalibration).toBeLessThanOrEqual(intervalBound(tolerance, 1, bins) + EXACT)
    }, 10))

  it('is multicalibrated within sqrt(alpha-hat M) + sqrt(M)/K with signed and weighted bins (Lemma 5.4)', () =>
    property(async ({ population, tolerance, bins }) => {
      for (const factors of ['signed', 'weighted'] as const) {
        const model = await fitClass(population, factors, tolerance, bins)
        const realized = model.certificate.tolerances.find(entry => entry.factors === factors)!
        const worst = await auditRandomTrees(population, factors, tolerance, bins)
        expect(worst.multicalibration).toBeLessThanOrEqual(signedBound(realized.tolerance, 1, bins) + EXACT)
        expect(worst.signed).toBeLessThanOrEqual(Math.sqrt(realized.tolerance) + EXACT)
      }
    }, 10))

  it('keeps every cell within sqrt(alpha), and level-set error within K |S| sqrt(alpha) + 1/K, with ANDs (5.8, 5.9)', () =>
    property(async ({ population, tolerance, bins }) => {
      const worst = await auditRandomTrees(population, 'level-sets', tolerance, bins)
      expect(worst.cell).toBeLessThanOrEqual(Math.sqrt(tolerance) + EXACT)
      expect(worst.levelSet).toBeLessThanOrEqual(levelSetBound(tolerance, bins, 4) + EXACT)
    }, 10))

  it('gives everything at once within sqrt(alpha) + 1/K with tables (ours)', () =>
    property(async ({ population, tolerance, bins }) => {
      const worst = await auditRandomTrees(population, 'table', tolerance, bins)
      expect(worst.multicalibration).toBeLessThanOrEqual(tableBound(tolerance, 1, bins) + EXACT)
      expect(worst.levelSet).toBeLessThanOrEqual(tableLevelSetBound(tolerance, bins) + EXACT)
      expect(worst.signed).toBeLessThanOrEqual(Math.sqrt(tolerance) + EXACT)
      expect(worst.cell).toBeLessThanOrEqual(Math.sqrt(tolerance) + EXACT)
    }))

  it('does not give what the factors cannot say: constant factors leave calibration errors above the bound', async () => {
    // The score is too low below one half and too high above it by the same amount: no tree on the features sees it.
    const rows = 400
    const random = makeRandom(3)
    const score = Array.from({ length: rows }, (_, row) => (row + 0.5) / rows)
    const labels = score.map(value => (value < 0.5 ? value + 0.2 : value - 0.2))
    const columns = [0, 1, 2].map(column => score.map(() => random.integer(column === 2 ? 3 : 4)))
    const table = makeTable({
      a: columns[0],
      b: columns[1],
      c: columns[2].map(v => 'xyz'[v]),
      score,
      y: labels,
    })
    const population = { table, labels, columns }
    const weak = await auditRandomTrees(population, 'constant', 0.001, 10)
    const strong = await auditRandomTrees(population, 'table', 0.001, 10)
    expect(weak.multicalibration).toBeGreaterThan(tableBound(0.001, 1, 10))
    expect(strong.multicalibration).toBeLessThanOrEqual(tableBound(0.001, 1, 10) + EXACT)
  })
})

describe('the base inequality |E[c(f) b (y - f)]| <= sqrt(alpha M) (Theorem 4.2)', () => {
  it('holds for linear auditors of any size, with constant factors and with one coefficient vector per bin', () =>
    fc.assert(
      fc.asyncProperty(populations, async ({ seed, rows, tolerance, bins }) => {
        const population = makePopulation(seed, rows)
        for (const factors of ['constant', 'table'] as const) {
          const model = await fitClass(population, factors, tolerance, bins, linear())
          const predictions = [...model.predict(population.table)]
          const random = makeRandom(seed)
          for (let trial = 0; trial < 40; trial++) {
            const weights = Array.from({ length: 6 }, () => 10 * (random.next() - 0.5))
            const b = population.labels.map((_, row) => {
              const [first, second, third] = population.columns.map(column => column[row])
              return weights[0] + weights[1] * first + weights[2] * second + weights[3 + third]
            })
            const signs = Array.from({ length: bins }, () => (random.next() < 0.5 ? -1 : 1))
            const c = predictions.map(value => (factors === 'constant' ? 1 : signs[levelOf(value, bins)]))
            const budget = mean(b.map(value => value * value))
            const correlation = mean(
              b.map((value, row) => value * c[row] * (population.labels[row] - predictions[row])),
            )
            expect(Math.abs(correlation)).toBeLessThanOrEqual(
              Math.sqrt(tolerance * budget) + EXACT * (1 + budget),
            )
          }
        }
      }),
      { numRuns: 15 },
    ))
})
