// The averaged error of Haimovich, Linder, Perini, Tax and Vojnovic (2026): for a finite class of hypotheses a_1, ..., a_m of row and
// score, the vector of E[a_j(x, f) (y - f)], and its root mean square. An average over the hypotheses, where multicalibration asks for
// the worst: no a_j has more than sqrt(m) times it.
//
// The hypotheses here are everyone and every group at each level of the score: declared groups, or both sides of every split that
// trees may begin with.

import type { CompiledClass } from '../../classes/compile.ts'
import { declaredSteps } from '../../classes/splits.ts'
import type { Engine } from '../../engine/engine.ts'
import { isLeaf, ROOT } from '../../update/update.ts'
import { type AuditScope, errorOf } from './measured.ts'

export interface AverageError {
  /** sqrt of the mean of E[a_j (y - f)]^2. */
  readonly value: number
  /** m. */
  readonly hypotheses: number
  /** The largest |E[a_j (y - f)]| among them. */
  readonly largest: number
}

/** Undefined for auditors that are no groups. */
export async function averageError(
  engine: Engine,
  { encoding, space }: CompiledClass,
  levels: number,
  { fold }: Pick<AuditScope, 'fold'>,
): Promise<AverageError | undefined> {
  if (space.kind === 'signals') return undefined
  const [whole] = await engine.levelSums({ fold, levels, trees: [ROOT] })
  const weight = whole.counts.reduce((sum, count) => sum + count, 0)
  const sums: number[] = []
  // Everyone is among the declared groups already.
  if (space.kind !== 'partitions' || !space.partitions.some(({ tree }) => isLeaf(tree)))
    sums.push(...whole.residuals)
  if (space.kind === 'partitions') {
    const trees = space.partitions.map(({ tree }) => tree)
    // Leaf 0 is the group.
    for (const { residuals } of await engine.levelSums({ fold, levels, trees }))
      sums.push(...residuals.slice(0, levels))
  } else {
    const asked = { fold, levels, tree: ROOT, features: space.features, resolution: 'coarse' } as const
    const { counts, offsets, residuals } = await engine.histogram(asked)
    for (const [index, feature] of space.features.entries()) {
      const bins = engine.shape.coarseCounts[feature]
      const missing = offsets[index] + (bins - 1) * levels
      const anyMissing = counts.subarray(missing, missing + levels).some(count => count > 0)
      const yes = new Float64Array(levels)
      for (const { bin, reset, split } of declaredSteps(encoding.features[feature], feature, anyMissing)) {
        if (reset) yes.fill(0)
        for (let level = 0; level < levels; level++)
          yes[level] += residuals[offsets[index] + bin * levels + level]
        if (split === undefined) continue
        sums.push(...yes, ...yes.map((sum, level) => whole.residuals[level] - sum))
      }
    }
  }
  const errors = sums.map(sum => Math.abs(errorOf(sum, weight)))
  const squares = errors.reduce((sum, error) => sum + error ** 2, 0)
  return {
    value: Math.sqrt(squares / errors.length),
    hypotheses: errors.length,
    largest: errors.reduce((a, b) => Math.max(a, b), 0),
  }
}
