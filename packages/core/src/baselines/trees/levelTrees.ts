// One refit of all level sets: in each, a small tree of the features is fitted to the labels, and its predictions are taken.
// Told as a sum of trees that look at the prediction before the refit: each moves one level set and no other.

import { clipUnits } from '../../common/units.ts'
import type { ForestTree, ForestUpdate, Tree } from '../../update/update.ts'
import type { BaselineRows } from '../baseline.ts'
import { CellCounter } from './cellCounter.ts'
import { finderFor, growSquaredTree, partByLeaf, plainTree, squaredLeaves } from './squaredTree.ts'

export interface Levels {
  /** The predictions of the level sets, ascending, in units. */
  readonly grid: readonly number[]
  /** The first prediction that belongs to each. */
  readonly starts: readonly number[]
  readonly depth: number
  /** The share of the way to the tree's prediction that is taken. */
  readonly rate: number
}

interface Refit {
  readonly update: ForestUpdate
  readonly prediction: Int32Array
}

/** A level set of no more weight than this stays as it is. */
const SMALLEST_LEVEL = 1

/** Works on predictions that lie on the grid. */
export function levelRefitter(
  { bins: columns, features, label, weight, weightScale = 1 }: BaselineRows,
  { depth, grid, rate, starts }: Levels,
): (prediction: Int32Array) => Refit {
  const counter = new CellCounter({ columns, binCounts: features.map(feature => feature.bins), weight })
  const findSplit = finderFor(features)
  return prediction => {
    const target = label.map((one, row) => one - prediction[row])
    const next = Int32Array.from(prediction)
    const trees: ForestTree[] = []
    for (const [level, members] of membersByLevel(prediction, grid).entries()) {
      if (weigh(members, weight) <= SMALLEST_LEVEL * weightScale) continue
      const grown = growSquaredTree(counter, target, members, depth, findSplit)
      const steps = squaredLeaves(grown).map(({ count, sum }) => Math.floor((rate * sum) / count + 0.5))
      partByLeaf(grown, columns, members, ({ leaf }, rows) => {
        for (const row of rows) next[row] = clipUnits(prediction[row] + steps[leaf])
      })
      const tree = withinLevel(plainTree(grown), starts, level, steps.length)
      trees.push({ tree, steps: [...steps, 0] })
    }
    return { update: { kind: 'forest', link: 'identity', clip: 0, trees }, prediction: next }
  }
}

function membersByLevel(prediction: Int32Array, grid: readonly number[]): Int32Array[] {
  const members = new Map<number, number[]>(grid.map(point => [point, []]))
  for (let row = 0; row < prediction.length; row++) members.get(prediction[row])!.push(row)
  return grid.map(point => Int32Array.from(members.get(point)!))
}

function weigh(members: Int32Array, weight: Int32Array | undefined): number {
  return weight === undefined ? members.length : members.reduce((sum, row) => sum + weight[row], 0)
}

/** The tree for one level set; all other rows are in the leaf `outside`. */
function withinLevel(inside: Tree, starts: readonly number[], level: number, outside: number): Tree {
  let tree = inside
  if (level + 1 < starts.length) {
    tree = { split: { kind: 'below', units: starts[level + 1] }, yes: tree, no: { leaf: outside } }
  }
  if (level > 0) tree = { split: { kind: 'below', units: starts[level] }, yes: { leaf: outside }, no: tree }
  return tree
}
