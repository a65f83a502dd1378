// A small tree of the features that tells high targets from low ones: every node takes the best split there is, down to depth 2.
// Best are the leaves' squared sums (least squares), or their absolute ones (the correlation with a function that is 1 or -1).

import type { ForestRows } from '../../forest/forestRows.ts'
import type { ScoreKind } from '../../kernels/pairs/cells.ts'
import { leafCount, ROOT, type Tree } from '../../update/update.ts'
import { findLeaf, flattenTree } from '../../update/walk.ts'
import { CellCounter } from './cellCounter.ts'
import { finderFor, growSquaredTree, plainTree, squaredLeaves } from './squaredTree.ts'

interface TargetTree {
  readonly tree: Tree
  readonly leaves: readonly LeafSums[]
}

/** Weight, and weight times target in units. */
export interface LeafSums {
  readonly count: number
  readonly sum: number
}

const DEPTH = 2

/** `targets` in units, at every row; only the given rows count. */
export type TargetGrower = (given: Int32Array, targets: Int32Array) => TargetTree

export function targetGrower(rows: ForestRows, kind: ScoreKind, depth = DEPTH): TargetGrower {
  const { bins: columns, features, weight } = rows
  if (features.length === 0)
    return (given, targets) => ({ tree: ROOT, leaves: [sumTargets(rows, given, targets)] })
  const counter = new CellCounter({ columns, binCounts: features.map(feature => feature.bins), weight })
  const findSplit = finderFor(features, kind)
  return (given, targets) => {
    const grown = growSquaredTree(counter, targets, Int32Array.from(given), depth, findSplit)
    return { tree: plainTree(grown), leaves: squaredLeaves(grown).map(({ count, sum }) => ({ count, sum })) }
  }
}

export function sumTargets({ weight }: ForestRows, given: Int32Array, targets: Int32Array): LeafSums {
  let [count, sum] = [0, 0]
  for (let index = 0; index < given.length; index++) {
    const counted = weight === undefined ? 1 : weight[given[index]]
    count += counted
    sum += counted * targets[given[index]]
  }
  return { count, sum }
}

/** Sums of other rows in the leaves of a tree without splits on the prediction. */
export function sumLeaves(rows: ForestRows, given: Int32Array, targets: Int32Array, tree: Tree): LeafSums[] {
  const { bins, features, weight } = rows
  const flat = flattenTree(
    tree,
    features.map(feature => feature.bins),
  )
  const leaves = Array.from({ length: leafCount(tree) }, () => ({ count: 0, sum: 0 }))
  for (let index = 0; index < given.length; index++) {
    const row = given[index]
    const leaf = leaves[findLeaf(flat, bins, row, 0)]
    const counted = weight === undefined ? 1 : weight[row]
    leaf.count += counted
    leaf.sum += counted * targets[row]
  }
  return leaves
}
