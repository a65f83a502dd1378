// The cells of a growing tree, level by level. Of the two children of a split only the smaller is counted; the other is
// what is left of the parent. All sums are whole numbers, so the difference is exact: it is the sum over the other rows.

import type { CellSums, Engine } from '../engine/engine.ts'
import { binTakesYes, type FeatureSplit, leafCount, type Tree } from '../update/update.ts'

/** What is counted of every leaf. */
interface LeafQuestion {
  readonly fold: number
  readonly levels: number
  readonly features: readonly number[]
}

/** One leaf's cells, feature by feature, at [bin * levels + level]. */
export type LeafCells = readonly CellSums[]

interface SplitLeaf {
  readonly split: FeatureSplit
  readonly cells: LeafCells
}

/** The two leaves that a leaf was split into, by their numbers. */
interface Siblings {
  readonly smaller: number
  readonly larger: number
  readonly parent: LeafCells
}

export async function countLeaves(
  engine: Engine,
  { features, fold, levels }: LeafQuestion,
  tree: Tree,
  leaves: readonly number[],
): Promise<LeafCells[]> {
  const histogram = await engine.histogram({ fold, levels, tree, leaves, features, resolution: 'fine' })
  return leaves.map((_, place) =>
    features.map((feature, index) => {
      const size = engine.shape.binCounts[feature] * levels
      const from = histogram.offsets[index] + place * size
      return {
        counts: histogram.counts.subarray(from, from + size),
        residuals: histogram.residuals.subarray(from, from + size),
      }
    }),
  )
}

/**
 * The cells of the leaves of `tree`, in which every parent with a split has become two leaves and every other has stayed
 * one, without cells. A parent's cells are overwritten by those of its larger child: never more than one level is held.
 */
export async function countChildren(
  engine: Engine,
  question: LeafQuestion,
  tree: Tree,
  parents: readonly (SplitLeaf | undefined)[],
): Promise<(LeafCells | undefined)[]> {
  const siblings = pairSiblings(parents, question)
  const smaller = siblings.map(pair => pair.smaller)
  const counted = await countLeaves(engine, question, tree, smaller)
  const cells = new Array<LeafCells | undefined>(leafCount(tree)).fill(undefined)
  siblings.forEach((pair, place) => {
    cells[pair.smaller] = counted[place]
    cells[pair.larger] = subtractLeaf(pair.parent, counted[place])
  })
  return cells
}

/** Leaves are numbered yes before no (numberLeaves), so children stand where their parents stood. */
function pairSiblings(
  parents: readonly (SplitLeaf | undefined)[],
  { features, levels }: LeafQuestion,
): Siblings[] {
  const siblings: Siblings[] = []
  let leaf = 0
  for (const parent of parents) {
    const [yes, no] = [leaf, leaf + 1]
    leaf += parent === undefined ? 1 : 2
    if (parent === undefined) continue
    const { cells, split } = parent
    const { counts } = cells[features.indexOf(split.feature)]
    const sides = yesIsSmaller(counts, levels, split)
      ? { smaller: yes, larger: no }
      : { smaller: no, larger: yes }
    siblings.push({ ...sides, parent: cells })
  }
  return siblings
}

/** By weight, which for rows of equal weight is by rows; a tie goes to the yes side. */
function yesIsSmaller(counts: Float64Array, levels: number, split: FeatureSplit): boolean {
  const missing = counts.length / levels - 1
  let [yes, no] = [0, 0]
  for (let bin = 0; bin <= missing; bin++) {
    let weight = 0
    for (let level = 0; level < levels; level++) weight += counts[bin * levels + level]
    if (binTakesYes(split, bin, missing)) yes += weight
    else no += weight
  }
  return yes <= no
}

/** Takes one child away from its parent, in place: the other child is left. */
function subtractLeaf(parent: LeafCells, child: LeafCells): LeafCells {
  parent.forEach(({ counts, residuals }, index) => {
    const taken = child[index]
    for (let cell = 0; cell < counts.length; cell++) {
      counts[cell] -= taken.counts[cell]
      residuals[cell] -= taken.residuals[cell]
    }
  })
  return parent
}
