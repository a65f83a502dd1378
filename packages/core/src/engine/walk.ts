// Trees made ready for loops over rows: flat arrays and one lookup table per node.

import { binTakesYes, isLeaf, leafCount, type Tree } from './update.ts'

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
  const nodes: { feature: number; below: number; takesYes: Uint8Array; yes: number; no: number }[] = []
  const visit = (node: Tree): number => {
    if (isLeaf(node)) return ~node.leaf
    const { split } = node
    const takesYes = new Uint8Array(256)
    const feature = split.kind === 'below' ? -1 : split.feature
    if (split.kind !== 'below') {
      const missingBin = binCounts[feature] - 1
      for (let bin = 0; bin <= missingBin; bin++) takesYes[bin] = binTakesYes(split, bin, missingBin) ? 1 : 0
    }
    const index = nodes.length
    const flat = { feature, below: split.kind === 'below' ? split.units : 0, takesYes, yes: 0, no: 0 }
    nodes.push(flat)
    flat.yes = visit(node.yes)
    flat.no = visit(node.no)
    return index
  }
  const root = visit(tree)
  const takesYes = new Uint8Array(256 * nodes.length)
  nodes.forEach((node, index) => {
    takesYes.set(node.takesYes, 256 * index)
  })
  return {
    leafCount: leafCount(tree),
    feature: Int32Array.from(nodes, node => node.feature),
    below: Int32Array.from(nodes, node => node.below),
    takesYes,
    yes: Int32Array.from(nodes, node => node.yes),
    no: Int32Array.from(nodes, node => node.no),
    root,
  }
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
