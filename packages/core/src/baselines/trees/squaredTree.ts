// A small regression tree by least squares, grown on rows in memory: every node is split where the squared error falls most,
// down to a given depth. All sums are of whole numbers; of two children the smaller is counted, the other is what is left.

import type { CellSums } from '../../engine/engine.ts'
import type { ForestFeature } from '../../kernels/forest/bestSplit.ts'
import type { ScoreKind } from '../../kernels/pairs/cells.ts'
import { makeSplitFinder } from '../../oracle/greedy.ts'
import { binTakesYes, type FeatureSplit, type Tree } from '../../update/update.ts'
import type { BinColumns, CellCounter } from './cellCounter.ts'

/** Sums of one node, column by column; undefined where no split is worth it. */
type SquaredSplitFinder = (cells: readonly CellSums[]) => FeatureSplit | undefined

/** Every cut of a number, and sets of categories in the order of their means. */
export const finderFor = (features: readonly ForestFeature[], kind?: ScoreKind): SquaredSplitFinder =>
  makeSplitFinder(
    {
      // A number's bins are one more than its cuts, and the missing one.
      schemas: features.map(({ bins, ordered }) =>
        ordered ? { kind: 'numeric', cuts: { length: bins - 2 } } : { kind: 'categorical' },
      ),
      features: features.map((_, feature) => feature),
      depth: 1,
      levels: 1,
    },
    kind,
  )

export interface SquaredLeaf {
  readonly leaf: number
  /** Weight, and weight times target in units. */
  readonly count: number
  readonly sum: number
}

interface SquaredBranch {
  /** Its feature is a column. */
  readonly split: FeatureSplit
  /** Per bin: 1 takes the yes side. */
  readonly takesYes: Uint8Array
  readonly yes: SquaredTree
  readonly no: SquaredTree
}

/** Leaves are numbered from 0, yes before no. */
export type SquaredTree = SquaredLeaf | SquaredBranch

/** `target`: what the tree is to tell, in units, at every row. `learn` lists the rows to grow on; it is put in another order. */
export function growSquaredTree(
  counter: CellCounter,
  target: Int32Array,
  learn: Int32Array,
  depth: number,
  findSplit: SquaredSplitFinder,
): SquaredTree {
  const { binCounts, columns } = counter
  let leaves = 0
  const scratch = new Int32Array(learn.length)
  const grow = (members: Int32Array, cells: readonly CellSums[], left: number): SquaredTree => {
    const split = left > 0 ? findSplit(cells) : undefined
    if (split === undefined) return { leaf: leaves++, ...totalOf(cells) }
    const column = split.feature
    const takesYes = sideOf(split, binCounts[column])
    const yesCount = divide(members, columns[column], takesYes, scratch)
    const [inside, outside] = [members.subarray(0, yesCount), members.subarray(yesCount)]
    // Below the last split only totals are wanted: one column is enough.
    const count = (some: Int32Array) => counter.count(some, target, left > 1 ? columns.length : 1)
    const [yesCells, noCells] = countSides(inside, outside, cells, count)
    const yes = grow(inside, yesCells, left - 1)
    return { split, takesYes, yes, no: grow(outside, noCells, left - 1) }
  }
  return grow(learn, counter.count(learn, target), depth)
}

/** The smaller one is counted. */
function countSides(
  inside: Int32Array,
  outside: Int32Array,
  whole: readonly CellSums[],
  count: (members: Int32Array) => readonly CellSums[],
): [yes: readonly CellSums[], no: readonly CellSums[]] {
  const insideIsSmaller = inside.length <= outside.length
  const part = count(insideIsSmaller ? inside : outside)
  const rest = part.map((cells, column) => subtract(whole[column], cells))
  return insideIsSmaller ? [part, rest] : [rest, part]
}

function subtract(whole: CellSums, part: CellSums): CellSums {
  const [counts, residuals] = [whole.counts.slice(), whole.residuals.slice()]
  for (let bin = 0; bin < counts.length; bin++) {
    counts[bin] -= part.counts[bin]
    residuals[bin] -= part.residuals[bin]
  }
  return { counts, residuals }
}

function totalOf([cells]: readonly CellSums[]): { count: number; sum: number } {
  return { count: sumOf(cells.counts), sum: sumOf(cells.residuals) }
}

export function sumOf(values: Float64Array): number {
  let sum = 0
  for (let index = 0; index < values.length; index++) sum += values[index]
  return sum
}

function sideOf(split: FeatureSplit, bins: number): Uint8Array {
  const side = new Uint8Array(bins)
  for (let bin = 0; bin < bins; bin++) if (binTakesYes(split, bin, bins - 1)) side[bin] = 1
  return side
}

/** Puts members on the yes side before the others; says how many they are. */
function divide(
  members: Int32Array,
  bins: Uint8Array | Uint16Array,
  takesYes: Uint8Array,
  scratch: Int32Array,
): number {
  let [yes, no] = [0, 0]
  for (let index = 0; index < members.length; index++) {
    const row = members[index]
    const takes = takesYes[bins[row]]
    // Written to both places, kept in one: which side a row takes cannot be predicted.
    members[yes] = row
    scratch[no] = row
    yes += takes
    no += 1 - takes
  }
  members.set(scratch.subarray(0, no), yes)
  return yes
}

/** Tells the rows of every leaf; the list is put in another order. */
export function partByLeaf(
  tree: SquaredTree,
  columns: BinColumns,
  rows: Int32Array,
  tell: (leaf: SquaredLeaf, rows: Int32Array) => void,
): void {
  const scratch = new Int32Array(rows.length)
  const part = (node: SquaredTree, members: Int32Array): void => {
    if ('leaf' in node) {
      tell(node, members)
      return
    }
    const count = divide(members, columns[node.split.feature], node.takesYes, scratch)
    part(node.yes, members.subarray(0, count))
    part(node.no, members.subarray(count))
  }
  part(tree, rows)
}

/** The leaves in the order of their numbers. */
export function squaredLeaves(tree: SquaredTree): SquaredLeaf[] {
  return 'leaf' in tree ? [tree] : [...squaredLeaves(tree.yes), ...squaredLeaves(tree.no)]
}

/** Without its sums. */
export function plainTree(tree: SquaredTree): Tree {
  if ('leaf' in tree) return { leaf: tree.leaf }
  return { split: tree.split, yes: plainTree(tree.yes), no: plainTree(tree.no) }
}
