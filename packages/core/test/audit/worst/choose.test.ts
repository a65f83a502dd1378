// A short list of different groups, against overlaps that are counted row by row.

import { describe, expect, it } from 'vitest'
import { makeChooser } from '../../../src/audit/worst/choose.ts'
import type { Candidate } from '../../../src/audit/worst/ranking.ts'
import { ONE } from '../../../src/common/units.ts'
import type { Condition } from '../../../src/update/update.ts'

/** Rows 0 to 99: their tens, their number in steps of two, whether they are even, and a score of a hundredth for each. */
const rowCount = 100
const range = Array.from({ length: rowCount }, (_, row) => row)
const rows = {
  rowCount,
  bins: [
    Uint8Array.from(range, row => Math.floor(row / 10)),
    Uint8Array.from(range, row => Math.floor(row / 2)),
    Uint8Array.from(range, row => row % 2),
  ],
  binCounts: [11, 51, 3],
  predictions: Int32Array.from(range, row => Math.floor(((row + 0.5) / rowCount) * ONE)),
}
const choose = makeChooser(rows, 2)

const atMost = (feature: number, bin: number, yes = true): Condition => ({
  split: { kind: 'atMost', feature, bin, missing: false },
  yes,
})
const among = (feature: number, ...bins: number[]): Condition => ({
  split: { kind: 'in', feature, bins },
  yes: true,
})
const group = (level: number | undefined, ...path: Condition[]): Candidate => ({
  ...{ path, level, count: 1, residual: 1, variance: 1 },
})

describe('the groups that are chosen', () => {
  it('are the first of each shape, at levels of which one holds the other', () => {
    const first = group(undefined, atMost(0, 2))
    const [moved, low] = [group(undefined, atMost(0, 8)), group(0, atMost(0, 0))]
    const turned = group(undefined, atMost(0, 7, false))
    expect(choose([first, moved, low, turned], 9)).toEqual([first, turned])
    // At two levels neither holds the other.
    const [one, other] = [group(0, atMost(0, 2)), group(1, atMost(0, 2))]
    expect(choose([one, other], 9)).toEqual([one, other])
    expect(choose([group(1, atMost(0, 8)), group(1, atMost(0, 6))], 9)).toHaveLength(1)
  })

  it('have a shape by their columns and sides, in whatever order, and by each of their values', () => {
    const first = group(undefined, atMost(0, 3), among(2, 0))
    const again = group(undefined, among(2, 0), atMost(0, 9))
    const others = [
      group(undefined, atMost(0, 4, false), among(2, 1)),
      group(undefined, atMost(1, 9, false), among(2, 0)),
    ]
    expect(choose([first, again, ...others], 9)).toEqual([first, ...others])
    const below = (units: number, yes: boolean): Condition => ({ split: { kind: 'below', units }, yes })
    const [low, lower, high] = [ONE / 4, ONE / 8, ONE / 2].map((units, index) =>
      group(undefined, below(units, index < 2)),
    )
    expect(choose([low, lower, high], 9)).toEqual([low, high])
  })

  it('share at most half of the rows of either with any that was chosen before, at the same level', () => {
    // Rows up to 39: of the other, 40 of 80 are shared, or 40 of 78.
    const first = group(undefined, atMost(0, 3))
    const half = group(undefined, atMost(1, 39))
    const more = group(undefined, atMost(1, 38))
    expect(choose([first, half], 9)).toEqual([first, half])
    expect(choose([first, more], 9)).toEqual([first])
    // With rows up to 39, these 70 share 30, of 80 in either.
    const apart = group(undefined, atMost(1, 4, false), atMost(0, 7))
    expect(choose([first, more, apart], 9)).toEqual([first, apart])
    // Scores above one half: of the first group there is none.
    const [high, highMore] = [group(1, atMost(0, 9)), group(1, atMost(1, 49))]
    expect(choose([high, highMore], 9)).toEqual([high])
    expect(choose([group(0, atMost(0, 9)), highMore], 9)).toHaveLength(2)
  })

  it('of a level are only rows whose score lies there', () => {
    // Tens 4 and 5: at level 0 rows 40 to 49 alone, a quarter of rows 10 to 49.
    const whole = group(0, among(0, 1, 2, 3, 4))
    const part = group(0, among(0, 4, 5))
    expect(choose([whole, part], 9)).toEqual([whole, part])
    expect(choose([group(0, among(0, 4)), part], 9)).toHaveLength(1)
  })

  it('are not looked for beyond as many as are wanted, and begin with those that are chosen already', () => {
    const all = [0, 2, 4, 6, 8].map(ten => group(undefined, among(0, ten)))
    expect(choose(all, 3)).toEqual(all.slice(0, 3))
    expect(choose(all, 0)).toEqual([])
    expect(choose(all, 3, [all[4]])).toEqual([all[4], all[0], all[1]])
    expect(choose([all[0], all[0]], 3)).toEqual([all[0]])
    expect(choose(all, 1, [all[4], all[3]])).toEqual([all[4], all[3]])
  })

  it('may be one row, the first or the last', () => {
    for (const [ten, two, odd] of [
      [0, 0, 0],
      [9, 49, 1],
    ]) {
      const one = group(undefined, among(1, two), among(2, odd))
      const same = group(undefined, among(0, ten), among(1, two), among(2, odd))
      expect(choose([one, same], 9)).toEqual([one])
    }
  })

  it('may have no rows at all', () => {
    const nobody = group(undefined, among(0, 1), among(0, 2))
    const noOne = group(undefined, among(0, 3), among(0, 4))
    expect(choose([nobody, noOne], 9)).toEqual([nobody, noOne])
  })
})
