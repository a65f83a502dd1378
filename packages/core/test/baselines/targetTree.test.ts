// Small trees of a target: every split is the best there is.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { absoluteMerit, squareMerit } from '../../src/baselines/bestCut.ts'
import { growTargetTree, sumLeaves } from '../../src/baselines/targetTree.ts'
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
import { shuffled } from './rows.ts'

const residualsOf = (rows: ReturnType<typeof drawPopulation>) =>
  rows.label.map((label, row) => label - rows.start[row])
const grow = (rows: ReturnType<typeof drawPopulation>, depth: number, merit = squareMerit) =>
  growTargetTree(rows, Int32Array.from(everyRow(rows)), residualsOf(rows), { depth, merit })
const merits = [
  ['squared', squareMerit],
  ['absolute', absoluteMerit],
] as const

describe.each(merits)('a tree by %s sums', (_, merit) => {
  it('is, at depth 1, worth as much as the best of all splits', () => {
    fc.assert(
      fc.property(populationArbitrary(40), kind => {
        const rows = drawPopulation(kind)
        const targets = residualsOf(rows)
        const worth = (members: number[]) =>
          merit(
            weigh(rows, members, () => 1),
            weigh(rows, members, row => targets[row]),
          )
        const sides = splitSides(rows)
        const best = Math.max(...sides.map((side, index) => worth(side) + worth(sides[index ^ 1])))
        const { leaves } = grow(rows, 1, merit)
        const found = leaves.reduce((total, { sum, weight }) => total + merit(weight, sum), 0)
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
        const { leaves, tree } = grow(rows, 2, merit)
        const binned = { ...rows, binCounts: rows.features.map(({ bins }) => bins) } as never
        leaves.forEach(({ sum, weight }, leaf) => {
          const members = everyRow(rows).filter(row => naiveLeaf(tree, binned, row, 0) === leaf)
          expect(weight).toBe(weigh(rows, members, () => 1))
          expect(sum).toBe(weigh(rows, members, row => targets[row]))
          expect(members.length).toBeGreaterThan(0)
        })
        expect(sumLeaves(rows, Int32Array.from(everyRow(rows)), targets, tree)).toEqual(leaves)
        if ('leaf' in tree) return
        const stump = { split: tree.split, yes: { leaf: 0 }, no: { leaf: 1 } }
        for (const [side, child] of [tree.yes, tree.no].entries()) {
          const members = everyRow(rows).filter(row => naiveLeaf(stump, binned, row, 0) === side)
          const alone = grow(takeRows(rows, members), 1, merit).tree
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
