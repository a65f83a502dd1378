// A small tree on the bins that tells high targets from low ones: every node takes the best split there is, down to a depth.
// Sums are of whole numbers, so the tree does not depend on the order of rows.

import type { ForestRows } from '../boost/forest/rows.ts'
import { binTakesYes, leafCount, numberLeaves, ROOT, type Tree } from '../engine/update.ts'
import { findLeaf, flattenTree } from '../engine/walk.ts'
import { type BinSums, bestCut, type Cut, type Merit } from './bestCut.ts'

export interface TargetTree {
  readonly tree: Tree
  /** Per leaf: total weight, and sum of weight * target. */
  readonly leaves: readonly LeafSums[]
}

export interface LeafSums {
  readonly weight: number
  readonly sum: number
}

/** `targets` in units, at every row; only the given rows count. */
export function growTargetTree(
  rows: ForestRows,
  given: Int32Array,
  targets: Int32Array,
  { depth, merit }: { depth: number; merit: Merit },
): TargetTree {
  const leaves: LeafSums[] = []
  const grow = (here: Int32Array, levels: number): Tree => {
    const cut = levels === 0 ? undefined : findCut(rows, here, targets, merit)
    if (cut === undefined) {
      leaves.push(sumTargets(rows, here, targets))
      return ROOT
    }
    const [yes, no] = partRows(rows, here, cut)
    return { split: cut.split, yes: grow(yes, levels - 1), no: grow(no, levels - 1) }
  }
  return { tree: numberLeaves(grow(given, depth)), leaves }
}

function findCut(rows: ForestRows, here: Int32Array, targets: Int32Array, merit: Merit): Cut | undefined {
  const { sum, weight } = sumTargets(rows, here, targets)
  let best: Cut | undefined
  // A split has to be worth more than the node is whole.
  let most = merit(weight, sum)
  for (const [feature, kind] of rows.features.entries()) {
    const cut = bestCut(sumBins(rows, feature, here, targets), feature, kind, merit)
    if (cut === undefined || cut.merit <= most) continue
    best = cut
    most = cut.merit
  }
  return best
}

function sumBins(
  { bins, features, weight }: ForestRows,
  feature: number,
  here: Int32Array,
  targets: Int32Array,
): BinSums {
  const column = bins[feature]
  const weights = new Float64Array(features[feature].bins)
  const sums = new Float64Array(weights.length)
  for (const row of here) {
    const counted = weight === undefined ? 1 : weight[row]
    weights[column[row]] += counted
    sums[column[row]] += counted * targets[row]
  }
  return { weights, sums }
}

export function sumTargets({ weight }: ForestRows, here: Int32Array, targets: Int32Array): LeafSums {
  let [total, sum] = [0, 0]
  for (const row of here) {
    const counted = weight === undefined ? 1 : weight[row]
    total += counted
    sum += counted * targets[row]
  }
  return { weight: total, sum }
}

function partRows(
  { bins, features }: ForestRows,
  here: Int32Array,
  { split }: Cut,
): [Int32Array, Int32Array] {
  const missing = features[split.feature].bins - 1
  const takesYes = Array.from({ length: missing + 1 }, (_, bin) => binTakesYes(split, bin, missing))
  const column = bins[split.feature]
  return [here.filter(row => takesYes[column[row]]), here.filter(row => !takesYes[column[row]])]
}

/** Sums of other rows in the leaves of a tree without splits on the prediction. */
export function sumLeaves(rows: ForestRows, given: Int32Array, targets: Int32Array, tree: Tree): LeafSums[] {
  const { bins, features, weight } = rows
  const flat = flattenTree(
    tree,
    features.map(feature => feature.bins),
  )
  const leaves = Array.from({ length: leafCount(tree) }, () => ({ weight: 0, sum: 0 }))
  for (const row of given) {
    const leaf = leaves[findLeaf(flat, bins, row, 0)]
    const counted = weight === undefined ? 1 : weight[row]
    leaf.weight += counted
    leaf.sum += counted * targets[row]
  }
  return leaves
}
