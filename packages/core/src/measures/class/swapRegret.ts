// Swap regret against the auditors: what could be gained in squared error by replacing, at every level of the predictions
// apart, the prediction by the best auditor for that level. Level-set multicalibration bounds it from above; unlike the
// multicalibration error it grows with the square of the gaps.

import type { CompiledClass } from '../../classes/compile.ts'
import { ONE } from '../../common/units.ts'
import type { Engine, LevelSums } from '../../engine/engine.ts'
import { searchTrees } from '../../oracle/search.ts'
import { leafCount } from '../../update/update.ts'
import type { AuditScope } from './measured.ts'

/** The sum over levels of the largest mean drop in squared error; undefined for auditors without level sets. */
export async function swapRegret(
  engine: Engine,
  { encoding, space }: CompiledClass,
  levels: number,
  scope: AuditScope,
): Promise<number | undefined> {
  if (space.kind === 'signals') return undefined
  const { weight } = (await engine.losses())[scope.fold]
  if (space.kind === 'trees') {
    const found = await searchTrees({
      ...scope,
      engine,
      levels,
      depth: space.depth === 1 ? 1 : 2,
      schemas: encoding.features,
      features: space.features,
      channels: Array.from({ length: levels }, (_, level) => ({
        score: 'squares',
        projection: Float64Array.from({ length: levels }, (_, other) => (other === level ? 1 : 0)),
      })),
    })
    return found.reduce((sum, { score }) => sum + score, 0) / ONE ** 2 / weight
  }
  const trees = space.partitions.map(partition => partition.tree)
  const sums = await engine.levelSums({ fold: scope.fold, levels, trees })
  let total = 0
  for (let level = 0; level < levels; level++) {
    total += Math.max(
      ...sums.map((sum, index) => {
        const leaves = space.partitions[index].indicator ? 1 : leafCount(trees[index])
        return gainAt(sum, leaves, levels, level)
      }),
    )
  }
  return total / ONE ** 2 / weight
}

/** What the best function on the leaves gains at one level: the sum of R^2 / N. */
function gainAt({ counts, residuals }: LevelSums, leaves: number, levels: number, level: number): number {
  let gain = 0
  for (let leaf = 0; leaf < leaves; leaf++) {
    const cell = leaf * levels + level
    if (counts[cell] > 0) gain += residuals[cell] ** 2 / counts[cell]
  }
  return gain
}
