// The oracle for deeper trees: grown level by level, each leaf by its own best split. Greedy, so its slack is
// unknown and it says so. It splits on the fine bins, and categories as sets ordered by their mean residual.

import type { FactorKind } from '../classes/factors.ts'
import { fineCutSteps, orderedSetSteps, type SplitStep } from '../classes/splits.ts'
import type { CellSums, Engine } from '../engine/engine.ts'
import { isLeaf, leafCount, numberLeaves, ROOT, type Split, type Tree } from '../engine/update.ts'
import type { FeatureSchema } from '../quantize/schema.ts'
import type { Oracle } from './oracle.ts'
import { squareSum } from './search.ts'
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
  return Array.from({ length: leafCount(tree) }, (_, leaf) => {
    let best: { gain: number; split?: Split } = { gain: 0 }
    features.forEach((feature, index) => {
      const size = engine.shape.binCounts[feature] * levels
      const from = histogram.offsets[index] + leaf * size
      const cells = {
        counts: histogram.counts.subarray(from, from + size),
        residuals: histogram.residuals.subarray(from, from + size),
      }
      const found = bestSplit(cells, growth.schemas[feature], feature, levels)
      if (found.gain > best.gain) best = found
    })
    return best.split
  })
}

function bestSplit(
  cells: CellSums,
  schema: FeatureSchema,
  feature: number,
  levels: number,
): { gain: number; split?: Split } {
  const bins = cells.counts.length / levels
  const binCounts = Array.from({ length: bins }, (_, bin) => sumOf(cells.counts, bin * levels, levels))
  const steps = stepsOf(cells, schema, feature, levels, binCounts)
  const total = sideSums(levels)
  for (let bin = 0; bin < bins; bin++) addBin(total, cells, bin, levels)
  const whole = squareSum(total.counts, total.residuals, 0, levels, 0)
  const [yes, no] = [sideSums(levels), sideSums(levels)]
  let best: { gain: number; split?: Split } = { gain: 0 }
  for (const step of steps) {
    if (step.reset) {
      yes.counts.fill(0)
      yes.residuals.fill(0)
    }
    addBin(yes, cells, step.bin, levels)
    if (step.split === undefined) continue
    for (let level = 0; level < levels; level++) {
      no.counts[level] = total.counts[level] - yes.counts[level]
      no.residuals[level] = total.residuals[level] - yes.residuals[level]
    }
    const halves =
      squareSum(yes.counts, yes.residuals, 0, levels, 0) + squareSum(no.counts, no.residuals, 0, levels, 0)
    if (halves - whole > best.gain) best = { gain: halves - whole, split: step.split }
  }
  return best
}

/** Cuts of a number in order; bins of a category ordered by mean residual, missing among them. */
function stepsOf(
  cells: CellSums,
  schema: FeatureSchema,
  feature: number,
  levels: number,
  binCounts: readonly number[],
): SplitStep[] {
  const missing = binCounts.length - 1
  if (schema.kind === 'numeric')
    return fineCutSteps(schema.cuts.length, feature, missing, binCounts[missing] > 0)
  const means = binCounts.map((count, bin) => sumOf(cells.residuals, bin * levels, levels) / count)
  const order = binCounts.map((_, bin) => bin).filter(bin => binCounts[bin] > 0)
  order.sort((a, b) => means[a] - means[b] || a - b)
  return orderedSetSteps(feature, order)
}

const sideSums = (levels: number): CellSums => ({
  counts: new Float64Array(levels),
  residuals: new Float64Array(levels),
})

function addBin(into: CellSums, cells: CellSums, bin: number, levels: number): void {
  for (let level = 0; level < levels; level++) {
    into.counts[level] += cells.counts[bin * levels + level]
    into.residuals[level] += cells.residuals[bin * levels + level]
  }
}

function sumOf(values: Float64Array, from: number, length: number): number {
  let sum = 0
  for (let index = from; index < from + length; index++) sum += values[index]
  return sum
}
