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
  const grow = (here: Int32Array, cells: readonly BinSums[], total: LeafSums, left: number): Tree => {
    const cut = left === 0 ? undefined : findCut(rows, cells, total, merit)
    if (cut === undefined) {
      leaves.push(total)
      return ROOT
    }
    const takesYes = yesBins(rows, cut)
    const inside = sumYes(cells[cut.split.feature], takesYes)
    const outside = { weight: total.weight - inside.weight, sum: total.sum - inside.sum }
    // Below the last split nothing is looked for, and so no row has to be found there.
    const [yes, no] = left > 1 ? partRows(rows.bins[cut.split.feature], here, takesYes) : [NO_ROWS, NO_ROWS]
    const [yesCells, noCells] = left > 1 ? countSides(rows, yes, no, targets, cells) : [[], []]
    return {
      split: cut.split,
      yes: grow(yes, yesCells, inside, left - 1),
      no: grow(no, noCells, outside, left - 1),
    }
  }
  const tree = grow(given, countBins(rows, given, targets), sumTargets(rows, given, targets), depth)
  return { tree: numberLeaves(tree), leaves }
}

/** Ties go to the first column. */
function findCut(
  { features }: ForestRows,
  cells: readonly BinSums[],
  { sum, weight }: LeafSums,
  merit: Merit,
): Cut | undefined {
  let best: Cut | undefined
  // A split has to be worth more than the node is whole.
  let most = merit(weight, sum)
  for (const [feature, kind] of features.entries()) {
    const cut = bestCut(cells[feature], feature, kind, merit)
    if (cut === undefined || cut.merit <= most) continue
    best = cut
    most = cut.merit
  }
  return best
}

function countBins(rows: ForestRows, here: Int32Array, targets: Int32Array): BinSums[] {
  return rows.features.map(({ bins }, feature) => {
    const cells = { weights: new Float64Array(bins), sums: new Float64Array(bins) }
    if (rows.weight === undefined) addRows(cells, rows.bins[feature], here, targets)
    else addWeighted(cells, rows.bins[feature], here, targets, rows.weight)
    return cells
  })
}

function addRows(
  { sums, weights }: BinSums,
  column: Uint8Array,
  here: Int32Array,
  targets: Int32Array,
): void {
  for (let index = 0; index < here.length; index++) {
    const bin = column[here[index]]
    weights[bin]++
    sums[bin] += targets[here[index]]
  }
}

function addWeighted(
  { sums, weights }: BinSums,
  column: Uint8Array,
  here: Int32Array,
  targets: Int32Array,
  weight: Int32Array,
): void {
  for (let index = 0; index < here.length; index++) {
    const row = here[index]
    weights[column[row]] += weight[row]
    sums[column[row]] += weight[row] * targets[row]
  }
}

/** The smaller side is counted; the other is what is left. */
function countSides(
  rows: ForestRows,
  yes: Int32Array,
  no: Int32Array,
  targets: Int32Array,
  whole: readonly BinSums[],
): [yes: readonly BinSums[], no: readonly BinSums[]] {
  const [smaller, swapped] = yes.length <= no.length ? [yes, false] : [no, true]
  const counted = countBins(rows, smaller, targets)
  const left = counted.map(({ sums, weights }, feature) => ({
    weights: whole[feature].weights.map((weight, bin) => weight - weights[bin]),
    sums: whole[feature].sums.map((sum, bin) => sum - sums[bin]),
  }))
  return swapped ? [left, counted] : [counted, left]
}

export function sumTargets({ weight }: ForestRows, here: Int32Array, targets: Int32Array): LeafSums {
  let [total, sum] = [0, 0]
  for (let index = 0; index < here.length; index++) {
    const counted = weight === undefined ? 1 : weight[here[index]]
    total += counted
    sum += counted * targets[here[index]]
  }
  return { weight: total, sum }
}

/** Per bin: 1 takes the yes side. */
function yesBins({ features }: ForestRows, { split }: Cut): Uint8Array {
  const { bins } = features[split.feature]
  return Uint8Array.from({ length: bins }, (_, bin) => Number(binTakesYes(split, bin, bins - 1)))
}

function sumYes({ sums, weights }: BinSums, takesYes: Uint8Array): LeafSums {
  let [weight, sum] = [0, 0]
  for (let bin = 0; bin < takesYes.length; bin++) {
    weight += takesYes[bin] * weights[bin]
    sum += takesYes[bin] * sums[bin]
  }
  return { weight, sum }
}

const NO_ROWS = new Int32Array(0)

function partRows(column: Uint8Array, here: Int32Array, takesYes: Uint8Array): [Int32Array, Int32Array] {
  const [yes, no] = [new Int32Array(here.length), new Int32Array(here.length)]
  let [yesCount, noCount] = [0, 0]
  for (let index = 0; index < here.length; index++) {
    const row = here[index]
    if (takesYes[column[row]] === 1) yes[yesCount++] = row
    else no[noCount++] = row
  }
  return [yes.subarray(0, yesCount), no.subarray(0, noCount)]
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
