// The oracle for deeper trees: grown level by level, each leaf by its own best split. Greedy, so its slack is
// unknown and it says so. It splits on the fine bins, and categories as sets ordered by their mean residual.

import type { FactorKind } from '../classes/factors.ts'
import { fineCutSteps, orderedSetSteps, type SplitStep } from '../classes/splits.ts'
import type { CellSums, Engine } from '../engine/engine.ts'
import { emptyCells, type ScoreKind, type SideBests } from '../kernels/pairs/cells.ts'
import type { FeatureSchema } from '../quantize/schema.ts'
import { type FeatureSplit, isLeaf, numberLeaves, ROOT, type Split, type Tree } from '../update/update.ts'
import { countChildren, countLeaves, type LeafCells } from './children.ts'
import type { Oracle } from './oracle.ts'
import { type FlatSteps, flattenSteps, scanSide, scoreLeaf, sumLevels } from './scan.ts'
import { fitTree, proposalOf } from './trees.ts'

/** What the finding of splits has to know of a column; every schema says it. */
type SplitShape =
  | { readonly kind: 'numeric'; readonly cuts: { readonly length: number } }
  | { readonly kind: Exclude<FeatureSchema['kind'], 'numeric'> }

export interface GreedyGrowth {
  readonly schemas: readonly SplitShape[]
  readonly features: readonly number[]
  readonly depth: number
  readonly levels: number
}

export function greedyOracle(growth: GreedyGrowth, factors: FactorKind): Oracle {
  return {
    kind: 'greedy',
    async propose(engine, fold) {
      const tree = await growTree(engine, fold, growth)
      const { fit, weight } = await fitTree(engine, fold, tree, growth.levels, factors)
      return proposalOf(tree, growth.levels, fit, weight)
    },
  }
}

export async function growTree(engine: Engine, fold: number, growth: GreedyGrowth): Promise<Tree> {
  const question = { fold, levels: growth.levels, features: growth.features }
  const findSplit = makeSplitFinder(growth)
  let tree: Tree = ROOT
  let leaves: (LeafCells | undefined)[] = await countLeaves(engine, question, tree, [0])
  for (let depth = 1; ; depth++) {
    const parents = leaves.map(cells => {
      const split = cells && findSplit(cells)
      // A leaf that no split improves stays as it is: its cells will not change, so it is not looked at again.
      return split && { split, cells }
    })
    if (parents.every(parent => parent === undefined)) return tree
    const splits = parents.map(parent => parent?.split)
    tree = growLeaves(tree, splits)
    if (depth >= growth.depth) return tree
    leaves = await countChildren(engine, question, tree, parents)
  }
}

/** Every leaf with a split becomes two; all are numbered anew. */
export function growLeaves(tree: Tree, splits: readonly (Split | undefined)[]): Tree {
  const walk = (node: Tree): Tree => {
    if (!isLeaf(node)) return { split: node.split, yes: walk(node.yes), no: walk(node.no) }
    const split = splits[node.leaf]
    return split === undefined ? node : { split, yes: ROOT, no: ROOT }
  }
  return numberLeaves(walk(tree))
}

/** Finds the split of a leaf that scores most, over leaving it whole; undefined where none does. */
export function makeSplitFinder(
  growth: GreedyGrowth,
  kind: ScoreKind = 'squares',
): (leaf: LeafCells) => FeatureSplit | undefined {
  const { features, levels } = growth
  const [total, yes] = [emptyCells(levels), emptyCells(levels)]
  const stepsOf = makeSteps(growth)
  return leaf => {
    sumLevels(total, leaf[0], levels)
    const best: SideBests = {
      scores: Float64Array.of(scoreLeaf(kind, total, 0, levels, 0)),
      features: Int32Array.of(-1),
      splits: Int32Array.of(0),
    }
    let split: FeatureSplit | undefined
    features.forEach((feature, index) => {
      const steps = stepsOf(feature, leaf[index])
      scanSide(best, 0, kind, leaf[index], total, levels, steps, feature, 0, yes)
      if (best.features[0] === feature) split = steps.splits[best.splits[0]]
    })
    return split
  }
}

/**
 * Cuts of a number in order, the same for every leaf but for missing values, so they are made once; bins of a category
 * ordered by mean residual, missing among them.
 */
function makeSteps({ levels, schemas }: GreedyGrowth): (feature: number, cells: CellSums) => FlatSteps {
  const made = new Map<string, FlatSteps>()
  return (feature, cells) => {
    const schema = schemas[feature]
    if (schema.kind !== 'numeric') return flattenSteps(setSteps(cells, feature, levels))
    const missing = cells.counts.length / levels - 1
    const anyMissing = sumOf(cells.counts, missing * levels, levels) > 0
    const key = `${feature} ${anyMissing}`
    const steps =
      made.get(key) ?? flattenSteps(fineCutSteps(schema.cuts.length, feature, missing, anyMissing))
    made.set(key, steps)
    return steps
  }
}

function setSteps({ counts, residuals }: CellSums, feature: number, levels: number): SplitStep[] {
  const bins = Array.from({ length: counts.length / levels }, (_, bin) => bin)
  const weights = bins.map(bin => sumOf(counts, bin * levels, levels))
  const means = weights.map((weight, bin) => sumOf(residuals, bin * levels, levels) / weight)
  const order = bins.filter(bin => weights[bin] > 0)
  order.sort((a, b) => means[a] - means[b] || a - b)
  return orderedSetSteps(feature, order)
}

function sumOf(values: Float64Array, from: number, length: number): number {
  let sum = 0
  for (let index = from; index < from + length; index++) sum += values[index]
  return sum
}
