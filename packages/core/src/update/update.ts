// The one update form: a small tree whose splits test a feature's bin or the current prediction, and whose
// leaves hold one value per prediction level; or, for linear auditors, coefficients per prediction level.
// Groups, stumps, deeper trees, intervals, signed bins, level sets and the table class are special cases.

/** Bins are positions in the feature's own (fine) bins; the last bin of every feature is "missing". */
export type Split =
  /** x <= cuts[bin]; missing values go with the yes side or the no side. */
  | { readonly kind: 'atMost'; readonly feature: number; readonly bin: number; readonly missing: boolean }
  /** The value's bin is one of these (category = c, or a set of categories). */
  | { readonly kind: 'in'; readonly feature: number; readonly bins: readonly number[] }
  /** The value is missing. */
  | { readonly kind: 'missing'; readonly feature: number }
  /** The current prediction, in units, is below this. */
  | { readonly kind: 'below'; readonly units: number }

/** A split on a feature, not on the prediction. */
export type FeatureSplit = Exclude<Split, { kind: 'below' }>

export interface Leaf {
  readonly leaf: number
}

interface Branch {
  readonly split: Split
  readonly yes: Tree
  readonly no: Tree
}

/** Leaves are numbered from 0; several may carry one number, and are then one cell (a group's outside, say). */
export type Tree = Leaf | Branch

export interface TableUpdate {
  readonly kind: 'table'
  readonly tree: Tree
  /** Prediction levels K; 1 means that the move does not depend on the prediction. */
  readonly levels: number
  /** Moves in units of 2^-24, at [leaf * levels + level]. */
  readonly values: readonly number[]
}

export interface LinearUpdate {
  readonly kind: 'linear'
  /** Which signals the coefficients belong to. */
  readonly signals: readonly number[]
  readonly levels: number
  /** At [level * signals.length + k]; the move is the sum of coefficient times signal, rounded to units. */
  readonly coefficients: readonly number[]
}

export interface ForestTree {
  readonly tree: Tree
  /** Per leaf, in units on the logit scale. */
  readonly steps: readonly number[]
}

/**
 * A sum of trees on the logit scale: the odds of a prediction are multiplied by e to the sum of all steps. Splits look at
 * the prediction as it was before the update.
 */
export interface ForestUpdate {
  readonly kind: 'forest'
  /** Predictions count as at least so many units away from 0 and 1; at least 1, but for the identity link. */
  readonly clip: number
  readonly trees: readonly ForestTree[]
  /** Steps are added to the prediction itself, which is clipped once, at the end. Absent: the logit scale. */
  readonly link?: 'identity'
  /** On the logit scale only: the logit, after its steps, is multiplied by this, in units. Absent: unchanged. */
  readonly scale?: number
}

/**
 * A piecewise linear map of the prediction: `from` goes up strictly from 0 to ONE, and `to` says where each of these lands.
 * Between two of them it is linear, rounded half up. A jump is two neighbours one unit apart.
 */
export interface CurveUpdate {
  readonly kind: 'curve'
  readonly from: readonly number[]
  readonly to: readonly number[]
}

/** In each leaf the move is a polynomial of the prediction as a number in [0,1]. */
export interface PolynomialUpdate {
  readonly kind: 'polynomial'
  readonly tree: Tree
  /** 1 to 4. */
  readonly degree: number
  /** Coefficients in units, at [leaf * (degree + 1) + power]. */
  readonly values: readonly number[]
}

/** What one round of boosting may do. */
export type RoundUpdate = TableUpdate | LinearUpdate

/** Is it a move of the declared class, and not a method's own? */
export const isRoundUpdate = (update: Update): update is RoundUpdate =>
  update.kind === 'table' || update.kind === 'linear'

export type Update = RoundUpdate | ForestUpdate | CurveUpdate | PolynomialUpdate

export const ROOT: Tree = { leaf: 0 }

export const isLeaf = (tree: Tree): tree is Leaf => 'leaf' in tree

export function leafCount(tree: Tree): number {
  return isLeaf(tree) ? tree.leaf + 1 : Math.max(leafCount(tree.yes), leafCount(tree.no))
}

export function treeDepth(tree: Tree): number {
  return isLeaf(tree) ? 0 : 1 + Math.max(treeDepth(tree.yes), treeDepth(tree.no))
}

/** Numbers the leaves 0, 1, ... in the order yes before no. */
export function numberLeaves(tree: Tree): Tree {
  let next = 0
  const walk = (node: Tree): Tree =>
    isLeaf(node) ? { leaf: next++ } : { split: node.split, yes: walk(node.yes), no: walk(node.no) }
  return walk(tree)
}

/** A leaf for each level of the prediction, numbered from the lowest; levels end at the cuts, which ascend. */
export function levelTree(cuts: ArrayLike<number>): Tree {
  const between = (from: number, to: number): Tree => {
    if (from === to) return { leaf: from }
    const middle = (from + to) >> 1
    return {
      split: { kind: 'below', units: cuts[middle] },
      yes: between(from, middle),
      no: between(middle + 1, to),
    }
  }
  return between(0, cuts.length)
}

/**
 * The tree as a question about some of its leaves sees it: leaf `asked[place]` has the number `place`, and all others
 * share the number `leaves`; rows of leaves from that number on are skipped.
 */
export function selectLeaves(tree: Tree, asked?: readonly number[]): { tree: Tree; leaves: number } {
  if (asked === undefined) return { tree, leaves: leafCount(tree) }
  const walk = (node: Tree): Tree => {
    if (!isLeaf(node)) return { split: node.split, yes: walk(node.yes), no: walk(node.no) }
    const place = asked.indexOf(node.leaf)
    return { leaf: place < 0 ? asked.length : place }
  }
  return { tree: walk(tree), leaves: asked.length }
}

/** Does a value in this bin take the yes side? `missingBin` is the feature's last bin. */
export function binTakesYes(
  split: Exclude<Split, { kind: 'below' }>,
  bin: number,
  missingBin: number,
): boolean {
  switch (split.kind) {
    case 'atMost':
      return bin === missingBin ? split.missing : bin <= split.bin
    case 'in':
      return split.bins.includes(bin)
    case 'missing':
      return bin === missingBin
  }
}

export interface Condition {
  readonly split: Split
  readonly yes: boolean
}

/** Every way from the root to a leaf, in the order yes before no. */
export function leafPaths(tree: Tree): { leaf: number; path: Condition[] }[] {
  if (isLeaf(tree)) return [{ leaf: tree.leaf, path: [] }]
  const side = (child: Tree, yes: boolean) =>
    leafPaths(child).map(({ leaf, path }) => ({ leaf, path: [{ split: tree.split, yes }, ...path] }))
  return [...side(tree.yes, true), ...side(tree.no, false)]
}
