// The oracle for deeper trees: grown level by level, each leaf by its own best split. Greedy, so its slack is
// unknown and it says so. It splits on the fine bins, and categories as sets ordered by their mean residual.

import type { FactorKind } from '../classes/factors.ts'
import { fineCutSteps, orderedSetSteps, type SplitStep } from '../classes/splits.ts'
import type { CellSums, Engine } from '../engine/engine.ts'
import { isLeaf, leafCount, numberLeaves, ROOT, type Split, type Tree } from '../engine/update.ts'
import type { FeatureSchema } from '../quantize/schema.ts'
import type { Oracle } from './oracle.ts'
import { emptyCells, flattenSteps, type SideBests, scanSide, scoreLeaf, sumLevels } from './scan.ts'
import { fitTree, proposalOf } from './trees.ts'

export interface GreedyGrowth {
  readonly schemas: readonly FeatureSchema[]
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
  let tree: Tree = ROOT
  for (let depth = 0; depth < growth.depth; depth++) {
    const splits = await bestSplits(engine, fold, tree, growth)
    if (splits.every(split => split === undefined)) break
    tree = numberLeaves(splitLeaves(tree, splits))
  }
  return tree
}

function splitLeaves(tree: Tree, splits: readonly (Split | undefined)[]): Tree {
  if (!isLeaf(tree))
    return { split: tree.split, yes: splitLeaves(tree.yes, splits), no: splitLeaves(tree.no, splits) }
  const split = splits[tree.leaf]
  return split === undefined ? tree : { split, yes: ROOT, no: ROOT }
}

/** For every leaf the split that gains most over leaving it whole; undefined where none gains. */
async function bestSplits(
  engine: Engine,
  fold: number,
  tree: Tree,
  growth: GreedyGrowth,
): Promise<(Split | undefined)[]> {
  const { features, levels } = growth
  const histogram = await engine.histogram({ fold, levels, tree, features, resolution: 'fine' })
  const scratch = { yes: emptyCells(levels), total: emptyCells(levels) }
  return Array.from({ length: leafCount(tree) }, (_, leaf) => {
    const best: SideBests = {
      scores: Float64Array.of(Number.NEGATIVE_INFINITY),
      features: Int32Array.of(-1),
      splits: Int32Array.of(0),
    }
    let split: Split | undefined
    features.forEach((feature, index) => {
      const size = engine.shape.binCounts[feature] * levels
      const from = histogram.offsets[index] + leaf * size
      const cells = {
        counts: histogram.counts.subarray(from, from + size),
        residuals: histogram.residuals.subarray(from, from + size),
      }
      if (index === 0) best.scores[0] = scoreWhole(cells, levels)
      const steps = flattenSteps(stepsOf(cells, growth.schemas[feature], feature, levels))
      scanSide(best, 0, 'squares', cells, levels, steps, feature, 0, scratch)
      if (best.features[0] === feature) split = steps.splits[best.splits[0]]
    })
    return split
  })
}

/** What the leaf scores when it is left as it is: a split must beat this. */
function scoreWhole(cells: CellSums, levels: number): number {
  const total = emptyCells(levels)
  sumLevels(total, cells, levels)
  return scoreLeaf('squares', total, levels, 0)
}

/** Cuts of a number in order; bins of a category ordered by mean residual, missing among them. */
function stepsOf(cells: CellSums, schema: FeatureSchema, feature: number, levels: number): SplitStep[] {
  const bins = cells.counts.length / levels
  const binCounts = Array.from({ length: bins }, (_, bin) => sumOf(cells.counts, bin * levels, levels))
  const missing = bins - 1
  if (schema.kind === 'numeric')
    return fineCutSteps(schema.cuts.length, feature, missing, binCounts[missing] > 0)
  const means = binCounts.map((count, bin) => sumOf(cells.residuals, bin * levels, levels) / count)
  const order = binCounts.map((_, bin) => bin).filter(bin => binCounts[bin] > 0)
  order.sort((a, b) => means[a] - means[b] || a - b)
  return orderedSetSteps(feature, order)
}

function sumOf(values: Float64Array, from: number, length: number): number {
  let sum = 0
  for (let index = from; index < from + length; index++) sum += values[index]
  return sum
}
