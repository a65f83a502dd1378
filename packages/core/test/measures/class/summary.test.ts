import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { functions, groups, linear, trees } from '../../../src/classes/auditors.ts'
import { FIT, HOLDOUT } from '../../../src/engine/engine.ts'
import { calibrationError } from '../../../src/measures/class/calibration.ts'
import { levelSetError } from '../../../src/measures/class/levelSet.ts'
import { meanResidual, multiaccuracyError } from '../../../src/measures/class/multiaccuracy.ts'
import { multicalibrationError } from '../../../src/measures/class/multicalibration.ts'
import { summarize } from '../../../src/measures/class/summary.ts'
import { discretize } from '../../../src/round/discretize.ts'
import { countedRows, sum, totalWeight } from '../../support/bruteForce.ts'
import { expectClose } from '../../support/close.ts'
import { prepare, tablesArbitrary } from '../../support/tables.ts'

const anyFold = fc.constantFrom(FIT, HOLDOUT)
const folded = tablesArbitrary({ folds: true })

describe('the summary of an audit', () => {
  it('has the mean squared loss and the mean residual of the rows of its fold', async () => {
    const property = fc.asyncProperty(folded, anyFold, async (table, fold) => {
      const prepared = prepare(table, trees({ depth: 1 }), 'table')
      const rounding = await discretize(prepared.engine, 3)
      const summary = await summarize(prepared.engine, prepared.compiled, rounding, { fold, cellBudget: 1e6 })
      const rows = await countedRows(prepared, fold)
      const mean = (power: number) =>
        sum(rows.map(row => row.weight * (row.label - row.prediction) ** power)) / totalWeight(rows)
      expectClose(summary.loss, mean(2))
      expectClose(summary.meanResidual, mean(1))
      expect(summary.meanResidual).toBe(await meanResidual(prepared.engine, fold))
    })
    await fc.assert(property)
  })

  it.each([
    ['trees', trees({ depth: 2 })],
    ['groups', groups(['city'])],
  ])('on %s has every error as it is measured alone', async (_, auditors) => {
    const property = fc.asyncProperty(folded, anyFold, async (table, fold) => {
      const { compiled, engine } = prepare(table, auditors, 'table')
      const rounding = await discretize(engine, 3)
      const scope = { fold, cellBudget: 1e6 }
      const summary = await summarize(engine, compiled, rounding, scope)
      const { tree: _, ...levelSet } = (await levelSetError(engine, compiled, rounding, scope))!
      expect(summary.calibration).toBe(await calibrationError(engine, rounding, fold))
      expect(summary.multiaccuracy).toEqual(await multiaccuracyError(engine, compiled, scope))
      expect(summary.multicalibration).toEqual(await multicalibrationError(engine, compiled, rounding, scope))
      expect(summary.levelSet).toEqual(levelSet)
    })
    await fc.assert(property, { numRuns: 30 })
  })

  it('leaves level sets out where auditors have a continuum of values', async () => {
    const [table] = fc.sample(tablesArbitrary(), { numRuns: 1, seed: 2 })
    for (const auditors of [linear(), functions({ half: () => 0.5 })]) {
      const { compiled, engine } = prepare(table, auditors, 'weighted')
      const summary = await summarize(engine, compiled, await discretize(engine, 3), {
        fold: FIT,
        cellBudget: 1e6,
      })
      expect(summary).not.toHaveProperty('levelSet')
    }
  })
})
