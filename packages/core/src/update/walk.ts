// Trees made ready for loops over rows: flat arrays and one lookup table per node.

import { type FeatureSplit, isLeaf, leafCount, type Tree } from './update.ts'

/** A tree as arrays. A negative child c is leaf ~c. */
export interface FlatTree {
  readonly leafCount: number
  /** Per node: the feature it tests, or -1 for the current prediction. */
  readonly feature: Int32Array
  /** Per node: the bound in units when it tests the prediction. */
  readonly below: Int32Array
  /** Per node, 256 entries: does this fine bin take the yes side? */
  readonly takesYes: Uint8Array
  readonly yes: Int32Array
  readonly no: Int32Array
  readonly root: number
}

export function flattenTree(tree: Tree, binCounts: readonly number[]): FlatTree {
  const nodes = countBranches(tree)
  const [feature, below, yes, no] = [0, 1, 2, 3].map(() => new Int32Array(nodes))
  const takesYes = new Uint8Array(256 * nodes)
  let next = 0
  const visit = (node: Tree): number => {
    if (isLeaf(node)) return ~node.leaf
    const { split } = node
    const index = next++
    if (split.kind === 'below') {
      feature[index] = -1
      below[index] = split.units
    } else {
      feature[index] = split.feature
      markYesBins(takesYes.subarray(256 * index, 256 * index + 256), split, binCounts[split.feature] - 1)
    }
    yes[index] = visit(node.yes)
    no[index] = visit(node.no)
    return index
  }
  const root = visit(tree)
  return { leafCount: leafCount(tree), feature, below, takesYes, yes, no, root }
}

const countBranches = (tree: Tree): number =>
  isLeaf(tree) ? 0 : 1 + countBranches(tree.yes) + countBranches(tree.no)

/** 1 for every bin that takes the yes side: binTakesYes of all bins at once. */
function markYesBins(bins: Uint8Array, split: FeatureSplit, missingBin: number): void {
  if (split.kind === 'in') {
    for (const bin of split.bins) if (bin <= missingBin) bins[bin] = 1
    return
  }
  if (split.kind === 'atMost') bins.fill(1, 0, Math.min(split.bin + 1, missingBin))
  if (split.kind === 'missing' || split.missing) bins[missingBin] = 1
}

/** The leaf of one row, from its bins and its current prediction. */
export function findLeaf(
  tree: FlatTree,
  bins: readonly ArrayLike<number>[],
  row: number,
  prediction: number,
): number {
  let node = tree.root
  while (node >= 0) {
    const feature = tree.feature[node]
    const yes =
      feature < 0 ? prediction < tree.below[node] : tree.takesYes[256 * node + bins[feature][row]] === 1
    node = yes ? tree.yes[node] : tree.no[node]
  }
  return ~node
}
