// Greedy growth the plain way: at every level every leaf is counted from its rows, and nothing is subtracted or kept. Says
// what growTree must give; bench/performance.ts measures the two against each other.

import type { Engine } from '../../src/engine/engine.ts'
import { type GreedyGrowth, growLeaves, makeSplitFinder } from '../../src/oracle/greedy.ts'
import { leafCount, ROOT, type Tree } from '../../src/update/update.ts'

export async function growByCounting(engine: Engine, fold: number, growth: GreedyGrowth): Promise<Tree> {
  const { features, levels } = growth
  const findSplit = makeSplitFinder(growth)
  let tree: Tree = ROOT
  for (let depth = 0; depth < growth.depth; depth++) {
    const sums = await engine.histogram({ fold, levels, tree, features, resolution: 'fine' })
    const splits = Array.from({ length: leafCount(tree) }, (_, leaf) => {
      const cells = features.map((feature, index) => {
        const size = engine.shape.binCounts[feature] * levels
        const from = sums.offsets[index] + leaf * size
        return {
          counts: sums.counts.subarray(from, from + size),
          residuals: sums.residuals.subarray(from, from + size),
        }
      })
      return findSplit(cells)
    })
    tree = growLeaves(tree, splits)
  }
  return tree
}
