// The ensemble of Jin et al.: what it adds to the score and from where it looks at it, that each tree is the best there is, and
// the test of saturation.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BaselineRows } from '../../src/baselines/baseline.ts'
import { bundleGroups } from '../../src/baselines/groups/bundles.ts'
import { graft } from '../../src/baselines/groups/groups.ts'
import { jin, measureSaturation, roundToCentres, runJin } from '../../src/baselines/jin.ts'
import { CellCounter } from '../../src/baselines/trees/cellCounter.ts'
import { findJinSplit, jinColumns, jinStep } from '../../src/baselines/trees/jinTrees.ts'
import { growSquaredTree, squaredLeaves } from '../../src/baselines/trees/squaredTree.ts'
import { makeRandom } from '../../src/common/random.ts'
import { clipUnits, ONE } from '../../src/common/units.ts'
import { alongCurve } from '../../src/update/move.ts'
import { type ForestUpdate, leafPaths, type Tree, treeDepth } from '../../src/update/update.ts'
import { findLeaf, flattenTree } from '../../src/update/walk.ts'
import { predictionsOf, shuffled } from './rows.ts'
import { drawWorld, gapOf, interaction, pickRows, repeatRows } from './worlds.ts'

const SETTINGS = { seed: 1 }

/** Off by much in one group, and only where the score is high. */
const groupOff = (row: { category: number; score: number }): number =>
  row.category === 2 && row.score > 0.5 ? row.score / 3 : row.score

const forestOf = (rows: BaselineRows): ForestUpdate => runJin(rows, SETTINGS).updates[0] as ForestUpdate

describe('the ensemble of Jin et al.', () => {
  it('is added to the score, and every tree looks at the score as it was given', () => {
    const rows = drawWorld(1500, 1, { truth: groupOff })
    const { prediction, updates } = runJin(rows, SETTINGS)
    const [update] = updates as readonly ForestUpdate[]
    expect(updates).toHaveLength(1)
    expect(update.link).toBe('identity')
    const binCounts = rows.features.map(({ bins }) => bins)
    const walks = update.trees.map(({ steps, tree }) => ({ steps, tree: flattenTree(tree, binCounts) }))
    const byHand = rows.start.map((score, row) =>
      clipUnits(
        walks.reduce((sum, { steps, tree }) => sum + steps[findLeaf(tree, rows.bins, row, score)], score),
      ),
    )
    expect(byHand).toEqual(prediction)
    expect(predictionsOf(rows, updates)).toEqual(prediction)
    expect(update.trees.some(({ tree }) => leafPaths(tree).some(({ path }) => path.some(isBelow)))).toBe(true)
  })

  it('ends where rows held apart gain no more', () => {
    const told: number[] = []
    const rows = drawWorld(1500, 2, { truth: groupOff })
    const { losses, updates } = runJin(rows, { ...SETTINGS, onRound: round => told.push(round) })
    const [{ trees }] = updates as readonly ForestUpdate[]
    expect(losses[trees.length]).toBe(Math.min(...losses))
    expect(losses).toHaveLength(trees.length + 51)
    expect(told).toHaveLength(losses.length - 1)
    const short = runJin(rows, { ...SETTINGS, roundLimit: 5 })
    expect(short.losses).toEqual(losses.slice(0, 6))
    expect((short.updates[0] as ForestUpdate).trees).toEqual(trees.slice(0, 5))
  })

  it('repairs a group on rows that it has not seen, and then a second ensemble gains next to nothing', () => {
    const rows = drawWorld(3000, 3, { truth: groupOff })
    const fresh = drawWorld(8000, 4, { truth: groupOff })
    const isOff = (row: number) => fresh.bins[1][row] === 2 && fresh.start[row] > ONE / 2
    const moved = predictionsOf(fresh, runJin(rows, SETTINGS).updates)
    expect(gapOf(fresh, fresh.start, isOff)).toBeLessThan(-0.4)
    expect(Math.abs(gapOf(fresh, moved, isOff))).toBeLessThan(0.08)
    const { given, once, twice } = measureSaturation(rows, SETTINGS)
    expect(given - once).toBeGreaterThan(0.01)
    expect(once - twice).toBeLessThan(0.001)
    expect(once - twice).toBeGreaterThan(-0.0005)
  })

  it('leaves scores alone that are right, or nearly', () => {
    for (const seed of [5, 6]) {
      const fresh = drawWorld(3000, seed + 100)
      const moved = predictionsOf(fresh, runJin(drawWorld(3000, seed), SETTINGS).updates)
      const moves = Array.from(moved, (units, row) => Math.abs(units - fresh.start[row]) / ONE)
      expect(moves.reduce((sum, move) => sum + move, 0) / moves.length).toBeLessThan(0.04)
    }
  })

  it('is rounded to the middles of bins where bins are asked for', () => {
    const rows = drawWorld(800, 8, { truth: interaction })
    const { prediction, updates } = runJin(rows, { ...SETTINGS, bins: 10 })
    expect(predictionsOf(rows, updates)).toEqual(prediction)
    const middles = Array.from({ length: 10 }, (_, bin) => Math.floor(((bin + 0.5) / 10) * ONE + 0.5))
    expect(middles).toEqual(expect.arrayContaining([...new Set(prediction)]))
    const plain = runJin(rows, SETTINGS).prediction
    plain.forEach((units, row) => {
      expect(Math.abs(prediction[row] - units)).toBeLessThanOrEqual(ONE / 20 + 1)
    })
    expect(alongCurve(roundToCentres(3), ONE)).toBe(Math.round((5 * ONE) / 6))
  })

  it('is the same in any order of rows, counts weights as repetition, and draws other rows with another seed', () => {
    const rows = drawWorld(900, 9, { truth: groupOff, weighted: true })
    const { trees } = forestOf(rows)
    expect(trees.length).toBeGreaterThan(10)
    const order = shuffled(Array.from({ length: rows.rowCount }, (_, row) => row))
    expect(forestOf(pickRows(rows, order)).trees).toEqual(trees)
    expect(forestOf(repeatRows(rows)).trees).toEqual(trees)
    // Weights that came with fractions are larger by a scale, which changes nothing.
    const scaled = { ...rows, weight: rows.weight!.map(weight => 8 * weight), weightScale: 8 }
    expect(forestOf(scaled).trees).toEqual(trees)
    expect(forestOf({ ...rows, weight: scaled.weight }).trees).not.toEqual(trees)
    expect((jin.run(rows, { seed: 2 }) as ForestUpdate[])[0].trees).not.toEqual(trees)
  })

  it('does nothing where all rows are held apart, or none', () => {
    const rows = drawWorld(200, 10, { truth: groupOff })
    expect(runJin({ ...rows, part: new Uint8Array(200).fill(1) }, SETTINGS).updates).toEqual([])
    expect(runJin({ ...rows, part: new Uint8Array(200).fill(7) }, SETTINGS).updates).toEqual([])
  })

  it('can be cancelled', () => {
    const rows = drawWorld(200, 11)
    expect(() => runJin(rows, { ...SETTINGS, signal: { aborted: true } })).toThrow('FB_ABORTED')
  })
})

const isBelow = ({ split }: { split: { kind: string } }): boolean => split.kind === 'below'

describe('one tree', () => {
  it('has at every node the split with the least squared error, of at least 20 rows a side', () => {
    for (const seed of [1, 2, 3, 4]) {
      const rows = drawWorld(300, seed, { truth: groupOff })
      const columns = jinColumns(rows)
      const target = rows.label.map((label, row) => label - rows.start[row])
      const learn = Int32Array.from({ length: 300 }, (_, row) => row)
      const grown = growSquaredTree(new CellCounter(columns), target, learn, 2, cells => findJinSplit(cells))
      const leaves = squaredLeaves(grown)
      expect(leaves.length).toBeGreaterThan(2)
      const gained = leaves.reduce((sum, leaf) => sum + leaf.sum ** 2 / leaf.count, 0)
      const all = Array.from(learn)
      const [, ...sides] = bestSides(rows, target, all)
      const byHand = sides.reduce((sum, side) => sum + bestSides(rows, target, side)[0], 0)
      expect(gained / byHand).toBeCloseTo(1, 12)
      expect(leaves.every(({ count }) => count >= 20)).toBe(true)
      expect(leaves.map(({ leaf }) => leaf)).toEqual(leaves.map((_, index) => index))
    }
  })

  it('takes the rate of the mean residual, and nothing from no rows', () => {
    expect(jinStep({ leaf: 0, count: 4, sum: -1000 }, 0.1)).toBe(-25)
    expect(jinStep({ leaf: 0, count: 0, sum: 0 }, 0.1)).toBe(0)
  })
})

/** Of all groups and all bounds between two scores: the largest sum of squares over counts, and the two sides. */
function bestSides(
  rows: BaselineRows,
  target: Int32Array,
  members: readonly number[],
): [number, number[], number[]] {
  const scoreOf = (side: readonly number[]) =>
    side.reduce((sum, row) => sum + target[row], 0) ** 2 / side.length
  const bounds = members.map(row => rows.start[row])
  const tests = [
    ...rows.groups.map(
      ({ member }) =>
        (row: number) =>
          member[row] === 1,
    ),
    ...bounds.map(bound => (row: number) => rows.start[row] < bound),
  ]
  let best: [number, number[], number[]] = [scoreOf(members), [...members], []]
  for (const test of tests) {
    const [yes, no] = [members.filter(test), members.filter(row => !test(row))]
    if (yes.length < 20 || no.length < 20) continue
    const score = scoreOf(yes) + scoreOf(no)
    if (score > best[0]) best = [score, yes, no]
  }
  return best
}

describe('bundles of groups', () => {
  it('hold every group once, and tell for every row which of their groups it is in', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.integer({ min: 0, max: 1 }), { minLength: 8, maxLength: 8 }), { maxLength: 12 }),
        members => {
          const groups = members.map((member, index) => ({
            name: `${index}`,
            tree: { leaf: 0 } as Tree,
            member: Uint8Array.from(member),
          }))
          const bundles = bundleGroups(groups, 8)
          expect(bundles.flatMap(bundle => bundle.groups).sort((a, b) => a - b)).toEqual(
            groups.map((_, i) => i),
          )
          for (const { codes, groups: held } of bundles) {
            held.forEach((group, place) => {
              expect(codes.map(code => Number(code === place + 1))).toEqual(groups[group].member)
            })
          }
        },
      ),
    )
  })

  it('are as few as the features that their groups are made of', () => {
    const rows = drawWorld(500, 1)
    expect(rows.groups.length).toBeGreaterThan(10)
    expect(bundleGroups(rows.groups, rows.rowCount)).toHaveLength(3)
  })
})

describe('a grafted tree', () => {
  it('sends those inside a group one way and all others the other', () => {
    const random = makeRandom(3)
    const rows = drawWorld(200, 12)
    const binCounts = rows.features.map(({ bins }) => bins)
    for (const { member, tree } of rows.groups) {
      const below: Tree = {
        split: { kind: 'below', units: random.integer(ONE) },
        yes: { leaf: 0 },
        no: { leaf: 1 },
      }
      const grafted = graft(tree, below, { leaf: 2 })
      expect(treeDepth(grafted)).toBe(treeDepth(tree) + 1)
      const [flat, inner] = [flattenTree(grafted, binCounts), flattenTree(below, binCounts)]
      for (let row = 0; row < rows.rowCount; row++) {
        const expected = member[row] === 1 ? findLeaf(inner, rows.bins, row, rows.start[row]) : 2
        expect(findLeaf(flat, rows.bins, row, rows.start[row])).toBe(expected)
      }
    }
  })
})
