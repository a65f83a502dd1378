import { describe, expect, it } from 'vitest'
import { Ranking } from '../../../src/audit/worst/ranking.ts'
import type { Condition } from '../../../src/update/update.ts'

/** Two levels, and in the last place all rows of a group. */
const WHOLE = 2
const LEVELS = 2
const options = {
  ...({ noise: 'labels', shift: 0 } as const),
  ...{ leastVariance: 10, criticalSquare: 4, kept: 3 },
}

const condition = (feature: number): Condition => ({ feature }) as unknown as Condition
const path = (...features: number[]) => features.map(condition)

describe('a ranking of groups', () => {
  it('tests groups and levels that have enough variance, and counts the others once', () => {
    const ranking = new Ranking(LEVELS, options)
    ranking.visit(path(1), WHOLE, 20, 5, 10)
    ranking.visit(path(1), 0, 12, 5, 10)
    ranking.visit(path(2), WHOLE, 4, 1, 9.9)
    ranking.visit(path(2), 1, 4, 1, 9.9)
    ranking.visit(path(3), WHOLE, 0, 0, 0)
    const { bySignificance, groupsTested, groupsTooSmall, testCount, tooSmall } = ranking.finish()
    expect({ groupsTested, groupsTooSmall, testCount }).toEqual({
      ...{ groupsTested: 1, groupsTooSmall: 1, testCount: 2 },
    })
    expect(bySignificance.map(({ level }) => level)).toEqual([undefined, 0])
    expect(tooSmall.map(({ count }) => count)).toEqual([4])
  })

  it('lists groups that are too small with as many conditions as are asked for, and none with more', () => {
    for (const longest of [1, 2]) {
      const ranking = new Ranking(LEVELS, options, longest)
      for (const each of [path(1), path(1, 2), path(1, 2, 3)]) ranking.visit(each, WHOLE, 5, 1, 1)
      const { groupsTooSmall, tooSmall } = ranking.finish()
      expect(groupsTooSmall).toBe(3)
      expect(tooSmall.map(candidate => candidate.path.length)).toEqual([1, 2].slice(0, longest))
    }
  })

  it('ranks by the size of the gap, on either side, what is beyond the critical value and not at it', () => {
    const ranking = new Ranking(LEVELS, options)
    const squares = (residual: number, variance: number) => (residual * residual) / variance
    expect(squares(10, 25)).toBe(4)
    ranking.visit(path(1), WHOLE, 100, 10, 25)
    ranking.visit(path(2), WHOLE, 100, 11, 25)
    ranking.visit(path(3), WHOLE, 40, -11, 25)
    ranking.visit(path(4), WHOLE, 50, 12, 25)
    const { bySignificance, largestSquare, tooHigh, tooLow } = ranking.finish()
    expect(tooLow.map(candidate => candidate.path)).toEqual([path(4), path(2)])
    expect(tooHigh.map(candidate => candidate.path)).toEqual([path(3)])
    // Of equal ones the first comes first, and no more are kept than were asked for.
    expect(bySignificance.map(candidate => candidate.path)).toEqual([path(4), path(2), path(3)])
    expect(largestSquare).toBe(squares(12, 25))
  })

  it('says beforehand what has a place in no list', () => {
    const ranking = new Ranking(LEVELS, { ...options, kept: 1 })
    expect(ranking.wouldList(0.1)).toBe(true)
    ranking.visit(path(1), WHOLE, 100, 5, 25)
    expect(ranking.wouldList(1)).toBe(false)
    expect(ranking.wouldList(1.1)).toBe(true)
    ranking.visit(path(2), WHOLE, 100, 15, 25)
    expect(ranking.wouldList(4)).toBe(false)
    expect(ranking.wouldList(4.1)).toBe(true)
  })
})
