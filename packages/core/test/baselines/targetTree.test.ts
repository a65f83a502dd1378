// Small trees of a target: every split is the best there is.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sumLeaves, targetGrower } from '../../src/baselines/trees/targetTree.ts'
import { naiveLeaf } from '../support/naive.ts'
import {
  drawPopulation,
  everyRow,
  populationArbitrary,
  repeatRows,
  splitSides,
  takeRows,
  weigh,
} from './populations.ts'
import { handRows, shuffled } from './rows.ts'

const residualsOf = (rows: ReturnType<typeof drawPopulation>) =>
  rows.label.map((label, row) => label - rows.start[row])
type Kind = 'squares' | 'absolute'
const grow = (rows: ReturnType<typeof drawPopulation>, depth: number, kind: Kind = 'squares') =>
  targetGrower(rows, kind, depth)(Int32Array.from(everyRow(rows)), residualsOf(rows))
const worths = {
  squares: (count: number, sum: number) => (count === 0 ? 0 : sum ** 2 / count),
  absolute: (_count: number, sum: number) => Math.abs(sum),
}

describe.each(['squares', 'absolute'] as const)('a tree by %s', kindOfTree => {
  it('is, at depth 1, worth as much as the best of all splits', () => {
    fc.assert(
      fc.property(populationArbitrary(40), kind => {
        const rows = drawPopulation(kind)
        const targets = residualsOf(rows)
        const worth = (members: number[]) =>
          worths[kindOfTree](
            weigh(rows, members, () => 1),
            weigh(rows, members, row => targets[row]),
          )
        const sides = splitSides(rows)
        const best = Math.max(...sides.map((side, index) => worth(side) + worth(sides[index ^ 1])))
        const { leaves } = grow(rows, 1, kindOfTree)
        const found = leaves.reduce((total, { count, sum }) => total + worths[kindOfTree](count, sum), 0)
        expect(Math.abs(found - best)).toBeLessThanOrEqual(1e-9 * best)
      }),
      { numRuns: 60 },
    )
  })

  it('has the sums of its leaves, and at depth 2 each side is a tree of its own', () => {
    fc.assert(
      fc.property(populationArbitrary(60), kind => {
        const rows = drawPopulation(kind)
        const targets = residualsOf(rows)
        const { leaves, tree } = grow(rows, 2, kindOfTree)
        const binned = { ...rows, binCounts: rows.features.map(({ bins }) => bins) } as never
        leaves.forEach(({ count, sum }, leaf) => {
          const members = everyRow(rows).filter(row => naiveLeaf(tree, binned, row, 0) === leaf)
          expect(count).toBe(weigh(rows, members, () => 1))
          expect(sum).toBe(weigh(rows, members, row => targets[row]))
          expect(members.length).toBeGreaterThan(0)
        })
        expect(sumLeaves(rows, Int32Array.from(everyRow(rows)), targets, tree)).toEqual(leaves)
        if ('leaf' in tree) return
        const stump = { split: tree.split, yes: { leaf: 0 }, no: { leaf: 1 } }
        for (const [side, child] of [tree.yes, tree.no].entries()) {
          const members = everyRow(rows).filter(row => naiveLeaf(stump, binned, row, 0) === side)
          const alone = grow(takeRows(rows, members), 1, kindOfTree).tree
          expect(JSON.stringify(child).replace(/"leaf":\d/g, '"leaf":0')).toBe(
            JSON.stringify(alone).replace(/"leaf":\d/g, '"leaf":0'),
          )
        }
      }),
      { numRuns: 60 },
    )
  })
})

describe('a tree of a target', () => {
  it('is one leaf where there is no column to split by', () => {
    const rows = handRows({ start: [0, 5, 5], label: [1, 9, 0], weight: [1, 2, 3] })
    expect(grow(rows, 2)).toEqual({ tree: { leaf: 0 }, leaves: [{ count: 6, sum: 1 + 8 - 15 }] })
  })

  it('does not depend on the order of rows, and counts a weight like the row so many times', () => {
    fc.assert(
      fc.property(populationArbitrary(60), kind => {
        const rows = drawPopulation(kind)
        const grown = grow(rows, 2)
        expect(grow(takeRows(rows, shuffled(everyRow(rows))), 2)).toEqual(grown)
        expect(grow(repeatRows(rows), 2)).toEqual(grown)
      }),
      { numRuns: 40 },
    )
  })
})
