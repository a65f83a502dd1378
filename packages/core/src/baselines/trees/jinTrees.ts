// The trees of Jin et al.: squared loss, depth 2, on groups and the given score. A split asks whether a row is in one group,
// or whether its score is below a bound.

import { levelAmong } from '../../common/units.ts'
import type { CellSums } from '../../engine/engine.ts'
import { scoreCuts } from '../../forest/forestRows.ts'
import type { FeatureSplit, ForestTree, Tree } from '../../update/update.ts'
import type { BaselineRows } from '../baseline.ts'
import { type Bundle, bundleGroups } from '../groups/bundles.ts'
import { graft } from '../groups/groups.ts'
import { type SquaredLeaf, type SquaredTree, squaredLeaves, sumOf } from './squaredTree.ts'

/** Bounds of the score that are tried, at most: LightGBM is asked for 8192 bins. */
const MAX_CUTS = 8191

/** Rows on either side of a split, at least: LightGBM's default. */
const LEAST_ROWS = 20

/** What trees look at: bundles of groups, and the score as the last column. */
export interface JinColumns {
  readonly bundles: readonly Bundle[]
  readonly cuts: Int32Array
  readonly columns: readonly Uint16Array[]
  readonly binCounts: readonly number[]
}

export function jinColumns({ groups, rowCount, start, weight }: BaselineRows): JinColumns {
  const bundles = bundleGroups(groups, rowCount)
  const cuts = scoreCuts(start, MAX_CUTS, weight)
  return {
    bundles,
    cuts,
    // Bundles would do with bytes, but columns are of one kind.
    columns: [
      ...bundles.map(({ codes }) => Uint16Array.from(codes)),
      Uint16Array.from(start, score => levelAmong(score, cuts)),
    ],
    binCounts: [...bundles.map(bundle => bundle.groups.length + 1), cuts.length + 1],
  }
}

/** The split with the largest fall of squared error, the first of equals; `scale` is what a weight of 1 became. */
export function findJinSplit(cells: readonly CellSums[], scale = 1): FeatureSplit | undefined {
  const [score, least] = [cells.length - 1, LEAST_ROWS * scale]
  const [count, sum] = [sumOf(cells[score].counts), sumOf(cells[score].residuals)]
  let [best, most]: [FeatureSplit | undefined, number] = [undefined, (sum * sum) / count]
  const wouldGain = (inside: number, part: number): boolean => {
    if (inside < least || count - inside < least) return false
    const value = (part * part) / inside + ((sum - part) * (sum - part)) / (count - inside)
    if (value <= most) return false
    most = value
    return true
  }
  for (let bundle = 0; bundle < score; bundle++) {
    const { counts, residuals } = cells[bundle]
    for (let bin = 1; bin < counts.length; bin++) {
      if (wouldGain(counts[bin], residuals[bin])) best = { kind: 'in', feature: bundle, bins: [bin] }
    }
  }
  // From above, as LightGBM does: of bounds with no row between them the upper one is taken.
  const { counts, residuals } = cells[score]
  let [below, part] = [count, sum]
  for (let bin = counts.length - 2; bin >= 0; bin--) {
    below -= counts[bin + 1]
    part -= residuals[bin + 1]
    if (wouldGain(below, part)) best = { kind: 'atMost', feature: score, bin, missing: false }
  }
  return best
}

/** The share of its mean residual that a leaf moves by, in units; nothing where there is no row to learn from. */
export const jinStep = ({ count, sum }: SquaredLeaf, rate: number): number =>
  count === 0 ? 0 : Math.floor((rate * sum) / count + 0.5)

/** From bundles to the trees of their groups, and from bins of the score to scores. */
export function plantJinTree(
  grown: SquaredTree,
  { bundles, cuts }: JinColumns,
  groups: BaselineRows['groups'],
  rate: number,
): ForestTree {
  const walk = (node: SquaredTree): Tree => {
    if ('leaf' in node) return { leaf: node.leaf }
    const { split } = node
    const [yes, no] = [walk(node.yes), walk(node.no)]
    if (split.kind === 'atMost') return { split: { kind: 'below', units: cuts[split.bin] }, yes, no }
    const code = node.takesYes.indexOf(1)
    return graft(groups[bundles[split.feature].groups[code - 1]].tree, yes, no)
  }
  return { tree: walk(grown), steps: squaredLeaves(grown).map(leaf => jinStep(leaf, rate)) }
}
