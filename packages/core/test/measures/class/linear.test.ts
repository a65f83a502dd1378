import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linear } from '../../../src/classes/auditors.ts'
import { FIT, HOLDOUT } from '../../../src/engine/engine.ts'
import { levelSetError } from '../../../src/measures/class/levelSet.ts'
import { multiaccuracyError } from '../../../src/measures/class/multiaccuracy.ts'
import { multicalibrationError } from '../../../src/measures/class/multicalibration.ts'
import { discretize } from '../../../src/round/discretize.ts'
import {
  type CountedRow,
  countedRows,
  gainOfSpan,
  levelOfRow,
  projectionOnSpan,
  range,
  signalColumns,
  signPatterns,
  sum,
  totalWeight,
} from '../../support/bruteForce.ts'
import { expectAtMost, expectClose } from '../../support/close.ts'
import { prepare, tablesArbitrary } from '../../support/tables.ts'

const cellBudget = 1e6
const anyFold = fc.constantFrom(FIT, HOLDOUT)
const anyBudget = fc.constantFrom(0.25, 1, 4)
const folded = tablesArbitrary({ folds: true })
const anyDirections = fc.array(
  fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 8, maxLength: 8 }),
  {
    minLength: 20,
    maxLength: 20,
  },
)

/** Values of a linear function on the rows, scaled to E[b^2] = M; undefined where it vanishes on all of them. */
function scaledFunction(
  rows: readonly CountedRow[],
  columns: readonly number[][],
  direction: readonly number[],
  budget: number,
): number[] | undefined {
  const raw = rows.map((_, i) => sum(columns.map((column, k) => direction[k] * column[i])))
  const meanSquare = sum(rows.map((row, i) => row.weight * raw[i] ** 2)) / totalWeight(rows)
  return meanSquare > 1e-12 ? raw.map(value => value * Math.sqrt(budget / meanSquare)) : undefined
}

const mean = (rows: readonly CountedRow[], values: readonly number[]): number =>
  sum(rows.map((row, i) => row.weight * values[i])) / totalWeight(rows)

/** K1: sum over bins of |E[b r 1_S]|. */
function errorOf(
  rows: readonly CountedRow[],
  b: readonly number[],
  residuals: readonly number[],
  bins: number,
): number {
  const parts = range(bins).map(bin =>
    mean(
      rows,
      rows.map((row, i) => (levelOfRow(row, bins) === bin ? b[i] * residuals[i] : 0)),
    ),
  )
  return sum(parts.map(Math.abs))
}

describe('the multiaccuracy error of linear functions with E[b^2] <= M', () => {
  it('is sqrt(M) times the length of the residuals in their span, and no direction exceeds it', async () => {
    const property = fc.asyncProperty(
      folded,
      anyFold,
      anyBudget,
      anyDirections,
      async (table, fold, budget, directions) => {
        const prepared = prepare(table, linear({ budget }), 'table')
        const { atMost, error, worst } = await multiaccuracyError(prepared.engine, prepared.compiled, {
          fold,
          cellBudget,
        })
        const rows = await countedRows(prepared, fold)
        const columns = signalColumns(prepared, rows)
        expectClose(error, Math.sqrt(budget * gainOfSpan(rows, columns)), 1e-6)
        for (const direction of directions) {
          const b = scaledFunction(rows, columns, direction, budget)
          if (b === undefined) continue
          const products = b.map((value, i) => value * (rows[i].label - rows[i].prediction))
          expectAtMost(Math.abs(mean(rows, products)), error, 1e-6)
        }
        expect(atMost).toBe(error)
        expect(worst).toBe('the linear function that fits the residuals best')
      },
    )
    await fc.assert(property)
  })
})

describe('the multicalibration error of linear functions', () => {
  it('is the K1 of a linear function, and the worst lies between it and its bound', async () => {
    const anyBins = fc.integer({ min: 1, max: 4 })
    const property = fc.asyncProperty(
      folded,
      anyFold,
      anyBudget,
      anyBins,
      async (table, fold, budget, bins) => {
        const prepared = prepare(table, linear({ budget }), 'table')
        const rounding = await discretize(prepared.engine, bins)
        const scope = { fold, cellBudget }
        const { atMost, error } = await multicalibrationError(
          prepared.engine,
          prepared.compiled,
          rounding,
          scope,
        )
        const rows = await countedRows(prepared, fold)
        const residuals = rows.map(row => row.label - rounding.values[levelOfRow(row, bins)] / 2 ** 24)
        // For given signs of the bins the best function is the projection of the residuals, each with its bin's sign.
        const all = signPatterns(bins).map(signs => {
          const fitted = projectionOnSpan(rows, signalColumns(prepared, rows, signs), residuals)
          const b = fitted.map((value, i) => signs[levelOfRow(rows[i], bins)] * value)
          const meanSquare = mean(
            rows,
            b.map(value => value ** 2),
          )
          const scaled = b.map(value => value * Math.sqrt(meanSquare > 1e-20 ? budget / meanSquare : 0))
          return { reached: Math.sqrt(budget * meanSquare), error: errorOf(rows, scaled, residuals, bins) }
        })
        const isError = (value: number) => Math.abs(value - error) <= 1e-6 * error + 1e-9
        expect(all.some(each => isError(each.reached) && isError(each.error))).toBe(true)
        expectAtMost(Math.max(...all.map(each => each.error)), atMost, 1e-6)
      },
    )
    await fc.assert(property)
  })

  it('stays within its bound in every direction', async () => {
    const property = fc.asyncProperty(
      tablesArbitrary(),
      anyBudget,
      anyDirections,
      async (table, budget, directions) => {
        const prepared = prepare(table, linear({ budget }), 'table')
        const rounding = await discretize(prepared.engine, 3)
        const scope = { fold: FIT, cellBudget }
        const { atMost } = await multicalibrationError(prepared.engine, prepared.compiled, rounding, scope)
        const rows = await countedRows(prepared)
        const residuals = rows.map(row => row.label - rounding.values[levelOfRow(row, 3)] / 2 ** 24)
        for (const direction of directions) {
          const b = scaledFunction(rows, signalColumns(prepared, rows), direction, budget)
          if (b === undefined) continue
          expectAtMost(errorOf(rows, b, residuals, 3), atMost, 1e-6)
        }
      },
    )
    await fc.assert(property)
  })

  it('has no level sets', async () => {
    const [table] = fc.sample(tablesArbitrary(), { numRuns: 1, seed: 1 })
    const { compiled, engine } = prepare(table, linear(), 'table')
    const rounding = await discretize(engine, 3)
    expect(await levelSetError(engine, compiled, rounding, { fold: FIT, cellBudget })).toBeUndefined()
  })
})
