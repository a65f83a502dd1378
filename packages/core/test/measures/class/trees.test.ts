import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { trees } from '../../../src/classes/auditors.ts'
import { FIT, HOLDOUT } from '../../../src/engine/engine.ts'
import { levelSetError } from '../../../src/measures/class/levelSet.ts'
import { multiaccuracyError } from '../../../src/measures/class/multiaccuracy.ts'
import { multicalibrationError } from '../../../src/measures/class/multicalibration.ts'
import { discretize } from '../../../src/round/discretize.ts'
import {
  absoluteError,
  type Cells,
  cellsOf,
  signedErrors,
  totalWeight,
  treesOf,
} from '../../support/bruteForce.ts'
import { expectAtMost, expectClose } from '../../support/close.ts'
import { MANY_BINS, type Prepared, prepare, type SmallTable, tablesArbitrary } from '../../support/tables.ts'

const cellBudget = 1e6
const anyBins = fc.integer({ min: 1, max: 4 })
const anyFold = fc.constantFrom(FIT, HOLDOUT)
const folded = tablesArbitrary({ folds: true })

/** Errors of all declared trees by definition, as means over the fold. */
async function errorsOf(
  prepared: Prepared,
  depth: number,
  fold: number,
  rounded: readonly number[] | undefined,
  errorsOn: (cells: Cells) => number[],
): Promise<number[]> {
  const { rows, trees: all } = await treesOf(prepared, depth, fold)
  const values = rounded?.map(units => units / 2 ** 24)
  const cells = all.map(leaves => cellsOf(rows, leaves, values?.length ?? 1, values))
  return cells.flatMap(errorsOn).map(error => error / totalWeight(rows))
}

const largest = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b), 0)

describe.each([1, 2])('on trees of depth %i', depth => {
  const runs = { numRuns: depth === 1 ? 100 : 30 }

  it('the multiaccuracy error is the largest over all declared trees with leaf values of +-1', async () => {
    const property = fc.asyncProperty(folded, anyFold, async (table, fold) => {
      const prepared = prepare(table, trees({ depth }), 'table')
      const measured = await multiaccuracyError(prepared.engine, prepared.compiled, { fold, cellBudget })
      const expected = await errorsOf(prepared, depth, fold, undefined, signedErrors)
      expectClose(measured.error, largest(expected))
      expect(measured.atMost).toBe(measured.error)
    })
    await fc.assert(property, runs)
  })

  it('the level-set error is the largest over all declared trees', async () => {
    const property = fc.asyncProperty(folded, anyFold, anyBins, async (table, fold, bins) => {
      const prepared = prepare(table, trees({ depth }), 'table')
      const rounding = await discretize(prepared.engine, bins)
      const measured = await levelSetError(prepared.engine, prepared.compiled, rounding, { fold, cellBudget })
      const expected = await errorsOf(prepared, depth, fold, rounding.values, cells => [absoluteError(cells)])
      expectClose(measured!.error, largest(expected))
      expect(measured!.atMost).toBe(measured!.error)
    })
    await fc.assert(property, runs)
  })

  it('the multicalibration error is the largest over all declared trees and all signs of their leaves', async () => {
    const property = fc.asyncProperty(folded, anyFold, anyBins, async (table, fold, bins) => {
      const prepared = prepare(table, trees({ depth }), 'table')
      const rounding = await discretize(prepared.engine, bins)
      const measured = await multicalibrationError(prepared.engine, prepared.compiled, rounding, {
        fold,
        cellBudget,
      })
      const all = await errorsOf(prepared, depth, fold, rounding.values, signedErrors)
      expectClose(measured.error, largest(all))
      expect(measured.atMost).toBe(measured.error)
    })
    await fc.assert(property, runs)
  })

  it('it is at most the level-set error, and one bin makes the two equal', async () => {
    const property = fc.asyncProperty(tablesArbitrary(), anyBins, async (table, bins) => {
      const prepared = prepare(table, trees({ depth }), 'table')
      const rounding = await discretize(prepared.engine, bins)
      const scope = { fold: FIT, cellBudget }
      const { error } = await multicalibrationError(prepared.engine, prepared.compiled, rounding, scope)
      const levelSet = await levelSetError(prepared.engine, prepared.compiled, rounding, scope)
      expectAtMost(error, levelSet!.error)
      if (bins === 1) expectClose(error, levelSet!.error)
    })
    await fc.assert(property, runs)
  })
})

describe('the worst tree in words', () => {
  const row = (member: boolean, label: number) => ({
    age: 30,
    city: 'Bonn',
    member,
    label,
    score: 0.5,
    weight: 1,
    fold: 'fit' as const,
  })
  const table: SmallTable = {
    rows: [row(true, 1), row(true, 0.75), row(false, 0), row(false, 0.25)],
    weighted: false,
    folded: false,
  }
  const prepared = prepare(table, trees({ depth: 1 }), 'table', MANY_BINS)
  const scope = { fold: FIT, cellBudget }

  it('carries the sign of every leaf', async () => {
    const { compiled, engine } = prepared
    const rounding = await discretize(engine, 2)
    const signed = { error: 0.375, atMost: 0.375, worst: '- member = false; + member = true' }
    expect(await multiaccuracyError(engine, compiled, scope)).toEqual(signed)
    const { worst, ...numbers } = await multicalibrationError(engine, compiled, rounding, scope)
    expect(numbers).toEqual({ error: 0.375, atMost: 0.375 })
    expect(worst).toBe('+ member = false; - member = true')
    const levelSet = await levelSetError(engine, compiled, rounding, scope)
    expect(levelSet).toMatchObject({ error: 0.375, worst: 'member = false | member = true' })
  })

  it('is everyone when nothing is wrong', async () => {
    const right = { ...table, rows: table.rows.map(each => ({ ...each, score: each.label })) }
    const { compiled, engine } = prepare(right, trees({ depth: 2 }), 'table', MANY_BINS)
    expect(await multiaccuracyError(engine, compiled, scope)).toEqual({
      error: 0,
      atMost: 0,
      worst: '+ everyone',
    })
  })
})
