// Level-set multicalibration error of the rounded predictor (Definitions 5.5 and 5.6): the sum over prediction bins S
// and auditor values S' of |E[(y - v_S) 1(f in S, b in S')]|, for the worst auditor. On trees and groups the level
// sets of an auditor are its leaves.

import type { CompiledClass } from '../../classes/compile.ts'
import { describeLeaves } from '../../classes/describe.ts'
import type { Engine } from '../../engine/engine.ts'
import { searchTrees } from '../../oracle/search.ts'
import type { Rounding } from '../../round/discretize.ts'
import { leafCount, type Tree } from '../../update/update.ts'
import { type AuditScope, errorOf, type Measured, sumAbsolute } from './measured.ts'

export interface WorstTree extends Measured {
  readonly tree: Tree
}

/** Undefined where auditors have a continuum of values and so no level sets. */
export async function levelSetError(
  engine: Engine,
  compiled: CompiledClass,
  rounding: Rounding,
  scope: AuditScope,
): Promise<WorstTree | undefined> {
  const { encoding, space } = compiled
  const levels = rounding.bins
  const levelValues = Int32Array.from(rounding.values)
  if (space.kind === 'signals') return undefined
  if (space.kind === 'trees') {
    const [found] = await searchTrees({
      ...scope,
      engine,
      levels,
      levelValues,
      depth: space.depth === 1 ? 1 : 2,
      schemas: encoding.features,
      features: space.features,
      channels: [{ score: 'absolute' }],
    })
    const [{ counts }] = await engine.levelSums({ fold: scope.fold, levels: 1, trees: [found.tree] })
    const error = errorOf(
      found.score,
      counts.reduce((sum, count) => sum + count, 0),
    )
    const worst = describeLeaves({ tree: found.tree }, encoding.features).join(' | ')
    return { error, atMost: error, worst, tree: found.tree }
  }
  const trees = space.partitions.map(partition => partition.tree)
  const sums = await engine.levelSums({ fold: scope.fold, levels, levelValues, trees })
  const weight = sums[0].counts.reduce((sum, count) => sum + count, 0)
  const errors = sums.map(({ residuals }, index) =>
    errorOf(sumAbsolute(residuals, leafCount(trees[index]) * levels), weight),
  )
  const best = errors.reduce((worst, error, index) => (error > errors[worst] ? index : worst), 0)
  return { error: errors[best], atMost: errors[best], worst: space.partitions[best].words, tree: trees[best] }
}
