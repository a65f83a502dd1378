// Second moments against their definition, row by row.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { meanSquaredResidual, squaresAtMost } from '../../src/certify/secondMoment.ts'
import { trees } from '../../src/classes/auditors.ts'
import { ONE } from '../../src/common/units.ts'
import { type EngineRows, FIT, HOLDOUT } from '../../src/engine/engine.ts'
import { discretize, type Rounding } from '../../src/round/discretize.ts'
import { naiveFold, naiveLeaf, naiveLevel, naiveWeight } from '../support/naive.ts'
import { prepare, type SmallTable, tablesArbitrary } from '../support/tables.ts'

/** The sum of (y - v_S)^2 and of weights over the rows of a fold that are taken. */
function naiveSquares(rows: EngineRows, rounding: Rounding, fold: number, takes: (row: number) => boolean) {
  let [squares, weight] = [0n, 0]
  for (let row = 0; row < rows.rowCount; row++) {
    if (naiveFold(rows, row) !== fold || !takes(row)) continue
    const value = rounding.values[naiveLevel(rows.start[row], rounding.bins)]
    squares += BigInt(naiveWeight(rows, row)) * BigInt(rows.label[row] - value) ** 2n
    weight += naiveWeight(rows, row)
  }
  return { squares: Number(squares) / ONE / ONE, weight }
}

const TREE = {
  split: { kind: 'atMost', feature: 0, bin: 1, missing: true },
  yes: { leaf: 0 },
  no: { leaf: 1 },
} as const

const anyRow = () => true
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
          const { squares, weight } = naiveSquares(rows, rounding, fold, anyRow)
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

describe('the squared residuals of a part of the rows', () => {
  const partOf = async (table: SmallTable, bins: number) => {
    const { engine, rows } = prepare(table, trees(), 'table')
    const rounding = await discretize(engine, bins)
    const levelValues = Int32Array.from(rounding.values)
    const [sums] = await engine.levelSums({ fold: HOLDOUT, levels: bins, levelValues, trees: [TREE] })
    const found = rounding.values.reduce((sum, _, level) => sum + squaresAtMost(sums, rounding, level), 0)
    const inside = (row: number) => naiveLeaf(TREE, rows, row, rows.start[row]) === 0
    return { found, truth: naiveSquares(rows, rounding, HOLDOUT, inside).squares }
  }

  it('are exact for labels of 0 and 1', async () => {
    await fc.assert(
      fc.asyncProperty(binary, fc.integer({ min: 1, max: 7 }), async (table, bins) => {
        const { found, truth } = await partOf(table, bins)
        expect(found).toBeCloseTo(truth, 10)
      }),
    )
  })

  it('are never below the truth for other labels', async () => {
    let above = 0
    await fc.assert(
      fc.asyncProperty(folded, fc.integer({ min: 1, max: 7 }), async (table, bins) => {
        const { found, truth } = await partOf(table, bins)
        expect(found).toBeGreaterThanOrEqual(truth - 1e-12)
        if (found > truth + 1e-6) above++
      }),
    )
    expect(above).toBeGreaterThan(0)
  })
})
