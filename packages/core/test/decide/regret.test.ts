import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { groups, trees } from '../../src/classes/auditors.ts'
import {
  LevelMeans,
  type Levels,
  levelCount,
  levelOfScore,
  levelPlace,
  levelsFor,
} from '../../src/decide/levels.ts'
import { chooseActions, type DecisionLoss, readLoss } from '../../src/decide/losses.ts'
import { measureRegret } from '../../src/decide/regret.ts'
import { type Leaves, range, sum, treesOf } from '../support/bruteForce.ts'
import { expectAtMost, expectClose } from '../support/close.ts'
import { type Prepared, prepare, type SmallTable, tablesArbitrary } from '../support/tables.ts'
import { lossesArbitrary } from './arbitrary.ts'

const UNIT = 2 ** -24
const anyBins = fc.integer({ min: 1, max: 4 })

/** Regret as measured, and the question that it answers. */
async function measure(table: SmallTable, loss: DecisionLoss, bins: number, auditors = trees({ depth: 2 })) {
  const levels = levelsFor(loss, bins)
  const means = new LevelMeans(levels)
  for (const { score, weight } of table.rows) means.add(score, table.weighted ? weight : 1)
  const rounding = means.rounding()
  const rows = table.rows.map(row => ({ ...row, score: levelPlace(levels, row.score) }))
  const prepared = prepare({ ...table, rows }, auditors, 'table')
  const { compiled, engine } = prepared
  const regret = await measureRegret({ engine, compiled, loss, levels, rounding, cellBudget: 1e6 })
  return { regret, prepared, levels, rounding }
}

/** What the best actions per leaf and level save, by definition, for every declared tree. */
async function savings(
  prepared: Prepared,
  table: SmallTable,
  loss: DecisionLoss,
  levels: Levels,
  depth: number,
) {
  const { rows, trees: all } = await treesOf(prepared, depth)
  const taken = chooseActions(
    loss,
    rows.map(({ row }) => table.rows[row].score),
  )
  const weight = sum(rows.map(row => row.weight))
  const costOf = (action: number, label: number) => {
    const [zero, one] = loss.actions[action].losses
    return (1 - label) * zero + label * one
  }
  return all.map((leaves: Leaves) => {
    const cells = new Map<number, number[]>()
    rows.forEach(({ row }, index) => {
      const cell = leaves.of[index] * levelCount(levels) + levelOfScore(levels, table.rows[row].score)
      cells.set(cell, [...(cells.get(cell) ?? []), index])
    })
    return sum(
      [...cells.values()].map(indexes => {
        const total = (actionOf: (index: number) => number) =>
          sum(indexes.map(index => rows[index].weight * costOf(actionOf(index), rows[index].label)))
        const best = Math.min(...range(loss.actions.length).map(action => total(() => action)))
        return (total(index => taken[index]) - best) / weight
      }),
    )
  })
}

describe.each([1, 2])('regret against trees of depth %i', depth => {
  const runs = { numRuns: depth === 1 ? 100 : 40 }

  it('with one threshold is what the best rule saves, over all trees', async () => {
    const anyLoss = fc.oneof(
      fc.double({ min: 0.01, max: 0.99, noNaN: true }).map(threshold => readLoss({ threshold })),
      fc
        .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }))
        .map(([falsePositive, falseNegative]) => readLoss({ falsePositive, falseNegative })),
    )
    const property = fc.asyncProperty(tablesArbitrary(), anyLoss, anyBins, async (table, loss, bins) => {
      const { levels, prepared, regret } = await measure(table, loss, bins, trees({ depth }))
      const largest = Math.max(...(await savings(prepared, table, loss, levels, depth)))
      // The search takes thresholds as whole units.
      expect(Math.abs(regret.value - largest)).toBeLessThanOrEqual(loss.spread * UNIT)
      expectAtMost(largest, regret.atMost)
      expect(regret.atMost - regret.value).toBeLessThanOrEqual(2 * loss.spread * UNIT)
    })
    await fc.assert(property, runs)
  })

  it('with more actions lies between the rule found and what is stated, and never beyond the bounds', async () => {
    const property = fc.asyncProperty(
      tablesArbitrary(),
      lossesArbitrary,
      anyBins,
      async (table, losses, bins) => {
        const loss = readLoss({ losses })
        const { levels, prepared, regret } = await measure(table, loss, bins, trees({ depth }))
        const all = await savings(prepared, table, loss, levels, depth)
        const largest = Math.max(...all)
        expectAtMost(regret.value, largest)
        expectAtMost(largest, regret.atMost)
        // Section 9: the bound, and the simpler one that it is never above.
        expectAtMost(largest, regret.bound)
        expectAtMost(regret.bound, loss.spread * regret.levelSet)
        const nearest = all.reduce((a, b) =>
          Math.abs(b - regret.value) < Math.abs(a - regret.value) ? b : a,
        )
        expectClose(regret.value, nearest, 1e-7)
        expectClose(sum(regret.deviations.map(({ saves }) => saves)), regret.value)
      },
    )
    await fc.assert(property, runs)
  })
})

describe('the bound', () => {
  it('is reached: half of the rows are off by all that there is, and the other half is not', async () => {
    // Scores of 0.5 - 2^-24, where "no" is chosen; one group always has the outcome 1, the other never.
    const score = 0.5 - UNIT
    const rows = range(8).map(row => {
      const member = row < 4
      return { age: 1, city: 'Bonn', member, label: Number(member), score, weight: 1, fold: 'fit' as const }
    })
    const table: SmallTable = { rows, weighted: false, folded: false }
    const { regret } = await measure(table, readLoss({ named: 'accuracy' }), 1, trees({ depth: 1 }))
    expect(regret.value).toBe(0.5)
    expect(regret.deviations).toMatchObject([
      { group: 'member = true', taken: 'no', better: 'yes', share: 0.5, saves: 0.5 },
    ])
    expectClose(regret.levelSet, 0.5)
    // B is 2, and only one of the two directions can gain: half of B times the level-set error.
    expectClose(regret.bound, 0.5, 1e-6)
  })

  it('is 0 where every level of every group is as its score says', async () => {
    const rows = [0.25, 0.75].flatMap(score =>
      range(8).map(row => ({
        ...{ age: row % 2, city: 'Bonn', member: row < 4, score, weight: 1, fold: 'fit' as const },
        label: score,
      })),
    )
    const table: SmallTable = { rows, weighted: false, folded: false }
    const { regret } = await measure(table, readLoss({ threshold: 0.4 }), 4)
    expect(regret).toMatchObject({ value: 0, bound: 0, levelSet: 0, deviations: [] })
  })
})

describe('regret against declared groups', () => {
  it('counts rules that decide anew inside a group, outside it, or both', async () => {
    const property = fc.asyncProperty(
      tablesArbitrary(),
      fc.constantFrom(0.2, 0.5, 0.7),
      async (table, threshold) => {
        const loss = readLoss({ threshold })
        const fromGroups = await measure(table, loss, 3, groups(['city', 'member']) as never)
        const fromTrees = await measure(table, loss, 3, trees({ depth: 1 }))
        const all = await savings(fromTrees.prepared, table, loss, fromTrees.levels, 0)
        expectAtMost(Math.max(...all), fromGroups.regret.atMost)
        expectAtMost(fromGroups.regret.value, fromGroups.regret.bound)
      },
    )
    await fc.assert(property, { numRuns: 60 })
  })
})
