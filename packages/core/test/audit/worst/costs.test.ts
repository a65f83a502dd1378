// What a search is said to cost, and how far it has come, by hand.

import { describe, expect, it } from 'vitest'
import { fitsOneMemory } from '../../../src/audit/worst/drawnRows.ts'
import { costOfDraw, isJoinedLess, planJoined } from '../../../src/audit/worst/joinedDraws.ts'
import {
  affordableDraws,
  costOfGroups,
  costOfPairs,
  costOfRanking,
  isAffordable,
} from '../../../src/audit/worst/plan.ts'
import { progressOf, type SearchProgress } from '../../../src/audit/worst/progress.ts'
import { joinColumns } from '../../../src/forest/joined.ts'
import { type Family, pairCells } from '../../../src/oracle/groups/family.ts'

/** Three columns of 4, 5 and 6 cells for every pair, on so many rows. */
const familyOf = (rowCount: number): Family =>
  ({
    engine: { shape: { rowCount } },
    ...{ fold: 0, levels: 3, depth: 2 },
    axes: [4, 5, 6].map((bins, feature) => ({
      ...{ feature, bins, used: bins, steps: { splits: Array.from({ length: bins - 1 }) } },
    })),
  }) as unknown as Family

describe('the cost', () => {
  it('of a ranking is that of counting labels and variances of columns and pairs, and of ranking their sums', () => {
    const family = familyOf(1000)
    for (const places of [[0, 1, 2], [0, 2], [1], []]) {
      const pairs = (places.length * (places.length + 1)) / 2
      const cells = pairCells(family, places)
      expect(costOfRanking(family, places)).toBeCloseTo((2 * 2 * 1000 * (3 + pairs) + 100 * cells) / 1e9, 15)
    }
  })

  it('of a draw is that of counting columns and pairs one by one where rows are many', () => {
    const family = familyOf(2 ** 18 + 1)
    const cells = pairCells(family, [0, 2])
    const { draw, rank } = costOfPairs(family, [0, 2])
    expect(draw).toBeCloseTo((2 * (2 ** 18 + 1) * (3 + 3) + 4 * cells) / 1e9, 15)
    expect(rank).toBe(costOfRanking(family, [0, 2]))
  })

  it('of a draw is that of joined columns where all rows fit into one memory', () => {
    const family = familyOf(2 ** 18)
    const size = { rowCount: 2 ** 18, tables: 4 }
    const joined = costOfDraw(planJoined([4, 6], size), size)
    const cells = pairCells(family, [0, 2])
    expect(costOfPairs(family, [0, 2]).draw).toBeCloseTo((2 * (3 * 2 ** 18 + joined) + 4 * cells) / 1e9, 15)
  })

  it('of declared groups is that of walking them', () => {
    const { draw, rank } = costOfGroups(5000, 12)
    expect(draw).toBeCloseTo((10 * 5000 * 12) / 1e9, 15)
    expect(rank).toBeCloseTo(2 * draw, 15)
  })

  it('of joined columns is that of their tables, where these are less work than pairs', () => {
    const size = { rowCount: 10_000, tables: 3 }
    // One by one: a pass over the rows for each pair, each column with itself included.
    expect(costOfDraw(joinColumns([2, 2], 1), size)).toBe(30_000)
    const [one] = joinColumns([2, 2], 4)
    expect(one).toMatchObject({ size: 4, members: [{ bins: 2 }, { bins: 2 }] })
    // One pass, and in every table of 4 cells half a row for each, and four for each of the three pairs.
    const together = 10_000 + 3 * 4 * (0.5 + 4 * 3)
    expect(costOfDraw([one], size)).toBe(together)
    expect(isJoinedLess(one, one, size)).toBe(true)
    const few = { rowCount: 60, tables: 3 }
    expect(isJoinedLess(one, one, few)).toBe(60 + 3 * 4 * (0.5 + 4 * 3) < 3 * 60)
    expect(costOfDraw([one], few)).toBe(180)
    // Just as much work is not less: 2 n = 3 * 4 * 12.5.
    expect(isJoinedLess(one, one, { rowCount: 75, tables: 3 })).toBe(false)
    expect(isJoinedLess(one, one, { rowCount: 76, tables: 3 })).toBe(true)
  })

  it('of two joined columns is that of lines added up for every member of the first, then of cells of the second', () => {
    const size = { rowCount: 100_000, tables: 2 }
    const [a, b] = joinColumns([2, 2, 3, 1], 4)
    expect([a.size, a.members.length, b.size, b.members.length]).toEqual([4, 2, 3, 2])
    const own = (each: typeof a) => {
      const pairs = (each.members.length * (each.members.length + 1)) / 2
      return 100_000 + 2 * each.size * (0.5 + 4 * pairs)
    }
    const cells = a.size * b.size
    const lines = 0.5 * cells * (1 + a.members.length)
    const used = a.members.reduce((sum, { bins }) => sum + bins, 0)
    const across = 100_000 + 2 * (lines + used * b.size * b.members.length)
    expect(costOfDraw([a, b], size)).toBe(own(a) + own(b) + across)
    const [single, other] = [joinColumns([3], 1)[0], joinColumns([2, 2], 4)[0]]
    const alone = 100_000 + 2 * (0.5 * 3 * 4 + 3 * 4 * 2)
    expect(costOfDraw([single, other], size)).toBe(100_000 + own(other) + alone)
  })

  it('is planned to be the least of all ways to join', () => {
    const bins = [2, 2, 3, 4, 2, 7]
    for (const rowCount of [50, 1000, 100_000]) {
      const size = { rowCount, tables: 3 }
      const costs = [1, 4, 8, 16, 32, 64, 128, 256].map(most => costOfDraw(joinColumns(bins, most), size))
      expect(costOfDraw(planJoined(bins, size), size)).toBe(Math.min(...costs))
    }
    // Of equal ones the columns as they are.
    expect(planJoined([200, 200], { rowCount: 10, tables: 2 })).toEqual(joinColumns([200, 200], 1))
  })
})

describe('rows', () => {
  it('fit into one memory up to so many rows, and so many bytes of bins', () => {
    expect(fitsOneMemory(2 ** 18, 1)).toBe(true)
    expect(fitsOneMemory(2 ** 18 + 1, 1)).toBe(false)
    expect(fitsOneMemory(2 ** 18, 256)).toBe(true)
    expect(fitsOneMemory(2 ** 18, 257)).toBe(false)
    expect(fitsOneMemory(2 ** 16, 1024)).toBe(true)
    expect(fitsOneMemory(2 ** 16, 1025)).toBe(false)
  })
})

describe('a budget', () => {
  it('has room for a ranking that takes half of it, and no more', () => {
    expect(isAffordable(5, 10)).toBe(true)
    expect(isAffordable(5.001, 10)).toBe(false)
    expect(isAffordable(0, 0)).toBe(true)
  })

  it('pays for as many draws as are left of it, and for none where they could not show what is asked', () => {
    const draws = (budget: number, draws = 1000, significance = 0.05) =>
      affordableDraws({ draw: 0.5, rank: 2 }, { budget, draws, significance })
    expect(draws(12)).toBe(20)
    expect(draws(12.4)).toBe(20)
    expect(draws(12.5)).toBe(21)
    // 19 draws can show 1/20, 18 cannot.
    expect(draws(11.5)).toBe(19)
    expect(draws(11.4)).toBe(0)
    expect(draws(1)).toBe(0)
    // As many as were asked for are enough, whatever they can show.
    expect(draws(12, 20)).toBe(20)
    expect(draws(12, 7)).toBe(7)
    expect(draws(12, 0)).toBe(0)
    expect(draws(12, 1000, 0.04)).toBe(0)
    expect(draws(14, 1000, 0.04)).toBe(24)
  })
})

describe('progress', () => {
  it('is the share of the planned work that is done', () => {
    const told: SearchProgress[] = []
    const progress = progressOf(each => void told.push(each), { rank: 3, draw: 0.5 })
    progress.pairs(2, 6, 10)
    progress.draws(4, 14)
    progress.draws(14, 14)
    expect(told).toEqual([
      { task: 'pairs of columns', done: 2, of: 6, share: 1 / 8 },
      { task: 'draws of the noise', done: 4, of: 14, share: 0.5 },
      { task: 'draws of the noise', done: 14, of: 14, share: 1 },
    ])
  })
})
