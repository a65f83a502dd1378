// How far labels are from rounded predictions, against the definition, row by row.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { meanAbsoluteResidual, meanSquaredResidual } from '../../src/certify/secondMoment.ts'
import { trees } from '../../src/classes/auditors.ts'
import { ONE } from '../../src/common/units.ts'
import { type EngineRows, FIT, HOLDOUT } from '../../src/engine/engine.ts'
import { discretize, type Rounding } from '../../src/round/discretize.ts'
import { naiveFold, naiveLevel, naiveWeight } from '../support/naive.ts'
import { prepare, type SmallTable, tablesArbitrary } from '../support/tables.ts'

/** The sum of (y - v_S)^2 and of weights over the rows of a fold. */
function naiveSquares(rows: EngineRows, rounding: Rounding, fold: number) {
  let [squares, weight] = [0n, 0]
  for (let row = 0; row < rows.rowCount; row++) {
    if (naiveFold(rows, row) !== fold) continue
    const value = rounding.values[naiveLevel(rows.start[row], rounding.bins)]
    squares += BigInt(naiveWeight(rows, row)) * BigInt(rows.label[row] - value) ** 2n
    weight += naiveWeight(rows, row)
  }
  return { squares: Number(squares) / ONE / ONE, weight }
}

const folded = tablesArbitrary({ folds: true })
const binary = folded
  .map((table): SmallTable => {
    const rows = table.rows.map(row => ({ ...row, label: row.label < 0.5 ? 0 : 1 }))
    return { ...table, rows }
  })
  .filter(({ rows }) => new Set(rows.map(row => row.label)).size === 2)

describe('the mean squared residual of rounded predictions', () => {
  it('is that of the rows, in each fold, for any labels and weights', async () => {
    await fc.assert(
      fc.asyncProperty(folded, fc.integer({ min: 1, max: 7 }), async (table, bins) => {
        const { engine, rows } = prepare(table, trees(), 'table')
        const rounding = await discretize(engine, bins)
        for (const fold of [FIT, HOLDOUT]) {
          const { squares, weight } = naiveSquares(rows, rounding, fold)
          expect(await meanSquaredResidual(engine, rounding, fold)).toBeCloseTo(squares / weight, 12)
        }
      }),
    )
  })

  it('leaves the predictions where they are', async () => {
    const [table] = fc.sample(folded, { numRuns: 1, seed: 2 })
    const { engine } = prepare(table, trees(), 'table')
    const before = await engine.snapshot()
    await meanSquaredResidual(engine, await discretize(engine, 3), FIT)
    expect(await engine.snapshot()).toEqual(before)
  })
})

describe('the mean absolute residual of rounded predictions', () => {
  const compared = async (table: SmallTable, bins: number) => {
    const { engine, rows } = prepare(table, trees(), 'table')
    const rounding = await discretize(engine, bins)
    let [sum, weight] = [0, 0]
    for (let row = 0; row < rows.rowCount; row++) {
      if (naiveFold(rows, row) !== HOLDOUT) continue
      const value = rounding.values[naiveLevel(rows.start[row], bins)]
      sum += (naiveWeight(rows, row) * Math.abs(rows.label[row] - value)) / ONE
      weight += naiveWeight(rows, row)
    }
    return { found: await meanAbsoluteResidual(engine, rounding, HOLDOUT), truth: sum / weight }
  }

  it('is exact for labels of 0 and 1', async () => {
    await fc.assert(
      fc.asyncProperty(binary, fc.integer({ min: 1, max: 7 }), async (table, bins) => {
        const { found, truth } = await compared(table, bins)
        expect(found).toBeCloseTo(truth, 10)
      }),
    )
  })

  it('is never below the truth for other labels', async () => {
    let above = 0
    await fc.assert(
      fc.asyncProperty(folded, fc.integer({ min: 1, max: 7 }), async (table, bins) => {
        const { found, truth } = await compared(table, bins)
        expect(found).toBeGreaterThanOrEqual(truth - 1e-12)
        if (found > truth + 1e-6) above++
      }),
    )
    expect(above).toBeGreaterThan(0)
  })
})
