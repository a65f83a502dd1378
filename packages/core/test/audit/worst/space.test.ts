// What spaces of groups hold, and what they ask for, with engines that note what they are asked.

import { describe, expect, it } from 'vitest'
import { costOfGroups, costOfPairs } from '../../../src/audit/worst/plan.ts'
import type { ScreenedFamily } from '../../../src/audit/worst/screen.ts'
import { declaredSpace, treeSpace } from '../../../src/audit/worst/space.ts'
import type { Group } from '../../../src/classes/groups.ts'
import type { Engine } from '../../../src/engine/engine.ts'

const NOISE = 'labels' as const

describe('a space of trees', () => {
  /** Axes of 3, 4 and 5 splits. */
  const familyOf = (more: object = {}) =>
    ({
      engine: { shape: { rowCount: 100, coarseCounts: [4, 5, 6], foldCount: 1 } },
      ...{ fold: 0, levels: 3, depth: 2 },
      axes: [4, 5, 6].map((bins, feature) => ({
        ...{ feature, bins, used: bins, steps: { splits: Array.from({ length: bins - 1 }) } },
      })),
      ...more,
    }) as unknown as ScreenedFamily

  it('holds everyone, both sides of every split and four quadrants of every two, at every level and at all', () => {
    const family = familyOf()
    expect(treeSpace(family)).toMatchObject({
      size: (1 + 2 * 12 + 4 * 66) * 4,
      passes: 6,
      levels: 3,
      fold: 0,
    })
    expect(treeSpace(familyOf({ levels: 1 })).size).toBe(1 + 2 * 12 + 4 * 66)
    expect(treeSpace(familyOf({ depth: 1 }))).toMatchObject({ size: (1 + 2 * 12) * 4, passes: 3 })
    expect(treeSpace(family).cost).toEqual(costOfPairs(family, [0, 1, 2]))
    expect(treeSpace(family)).not.toHaveProperty('screened')
  })

  it('of some of the columns is as large, and says how many these are, and why', () => {
    const some = familyOf({ paired: [0, 2], by: 'budget' })
    expect(treeSpace(some).screened).toEqual({ paired: 2, of: 3, by: 'budget' })
    expect(treeSpace(some).size).toBe(treeSpace(familyOf()).size)
    expect(treeSpace(some).cost).toEqual(costOfPairs(some, [0, 2]))
    expect(treeSpace(familyOf({ paired: [1] })).screened).toEqual({ paired: 1, of: 3, by: 'memory' })
  })
})

describe('a space of declared groups', () => {
  const GROUPS = [
    { path: [], words: 'everyone' },
    { path: [{ split: { kind: 'missing', feature: 0 }, yes: true }], words: 'some' },
  ] as unknown as readonly Group[]

  /** Two levels of leaf 0, then those of the rest, which are not to be looked at. */
  const SUMS = {
    label: [
      { counts: [10, 20], residuals: [6, -2] },
      { counts: [4, 5], residuals: [-7, 3] },
    ],
    variance: [{ residuals: [4, 6] }, { residuals: [3, 2] }],
    drawn: [{ residuals: [1, 1] }, { residuals: [5, -8] }],
  }
  const asked: object[] = []
  const engine = {
    shape: { rowCount: 39 },
    levelSums: async ({ outcome, ...request }: { outcome: { kind: keyof typeof SUMS } }) => {
      asked.push({ outcome, ...request })
      return SUMS[outcome.kind].map(sums =>
        Object.fromEntries(
          Object.entries(sums).map(([name, values]) => [name, Float64Array.from([...values, 99, 99])]),
        ),
      )
    },
  } as unknown as Engine
  const options = { noise: NOISE, shift: 2, criticalSquare: 1, kept: 10 }
  const space = declaredSpace(engine, 1, 2, GROUPS)

  it('holds every group at every level and at all', () => {
    expect(space).toMatchObject({ fold: 1, levels: 2, size: 6, passes: 2 })
    expect(space.cost).toEqual(costOfGroups(39, 2))
    expect(declaredSpace(engine, 0, 1, GROUPS).size).toBe(2)
  })

  it('ranks them by their own sums, and keeps their words', async () => {
    asked.length = 0
    const ranked = await space.rank({ ...options, leastVariance: 4 })
    expect(asked).toMatchObject([
      { fold: 1, levels: 2, outcome: { kind: 'label' } },
      { fold: 1, levels: 2, outcome: { kind: 'variance', noise: NOISE, shift: 2 } },
    ])
    // Everyone at level 0, at level 1 and at all; of the others all levels together alone.
    const squares = [36 / 4, 4 / 6, 16 / 10, 16 / 5]
    expect(ranked).toMatchObject({ testCount: 4, groupsTested: 2, groupsTooSmall: 0, largestSquare: 9 })
    expect(ranked.bySignificance.map(({ residual, variance }) => residual ** 2 / variance)).toEqual(
      squares.toSorted((a, b) => b - a),
    )
    expect(ranked.bySignificance.map(({ level, words }) => [words, level])).toEqual([
      ['everyone', 0],
      ['some', undefined],
      ['everyone', undefined],
      ['everyone', 1],
    ])
    expect(ranked.bySignificance.map(({ count }) => count)).toEqual([10, 9, 30, 20])
  })

  it('finds the largest of a draw among groups of enough variance', async () => {
    const largest = async (leastVariance: number) =>
      await (await space.rank({ ...options, leastVariance })).drawMaximum(7)
    asked.length = 0
    expect(await largest(2)).toBe(64 / 2)
    expect(asked.at(-1)).toMatchObject({ outcome: { kind: 'drawn', noise: NOISE, draw: 7 } })
    expect(await largest(3)).toBe(25 / 3)
    expect(await largest(5)).toBe(9 / 5)
    expect(await largest(10)).toBe(4 / 10)
    expect(await largest(11)).toBe(0)
  })

  it('lists groups that are too small, however many conditions they have', async () => {
    const { tooSmall } = await space.rank({ ...options, leastVariance: 6 })
    expect(tooSmall.map(({ count, level, words }) => [words, count, level])).toEqual([['some', 9, undefined]])
  })
})
