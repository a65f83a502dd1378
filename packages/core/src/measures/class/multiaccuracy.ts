// Multiaccuracy error (Definition 2.6): the largest |E[b(x)(y - f(x))]| over the auditors. No rounding.

import type { CompiledClass, Partition, SpaceOf } from '../../classes/compile.ts'
import { describeLeaves } from '../../classes/describe.ts'
import type { Engine } from '../../engine/engine.ts'
import { dot, solveSymmetric } from '../../oracle/linearAlgebra.ts'
import { searchTrees } from '../../oracle/search.ts'
import { signalStatistics } from '../../oracle/signals.ts'
import type { Encoding } from '../../quantize/encoding.ts'
import { leafCount, ROOT } from '../../update/update.ts'
import { type AuditScope, errorOf, type Measured, sumAbsolute } from './measured.ts'

export async function multiaccuracyError(
  engine: Engine,
  compiled: CompiledClass,
  scope: AuditScope,
): Promise<Measured> {
  const { encoding, space } = compiled
  switch (space.kind) {
    case 'trees': {
      const [found] = await searchTrees({
        ...scope,
        engine,
        levels: 1,
        depth: space.depth === 1 ? 1 : 2,
        schemas: encoding.features,
        features: space.features,
        channels: [{ score: 'absolute' }],
      })
      const [sums] = await engine.levelSums({ fold: scope.fold, levels: 1, trees: [found.tree] })
      const words = describeLeaves({ tree: found.tree }, encoding.features)
      const worst = words.map((leaf, index) => `${sums.residuals[index] < 0 ? '-' : '+'} ${leaf}`).join('; ')
      return exactly(errorOf(found.score, totalOf(sums.counts)), worst)
    }
    case 'partitions':
      return worstPartition(engine, space.partitions, scope.fold)
    case 'signals':
      return worstSignal(engine, encoding, space, scope.fold)
  }
}

const exactly = (error: number, worst: string): Measured => ({ error, atMost: error, worst })

const totalOf = (counts: Float64Array): number => counts.reduce((sum, count) => sum + count, 0)

async function worstPartition(
  engine: Engine,
  partitions: readonly Partition[],
  fold: number,
): Promise<Measured> {
  const trees = partitions.map(partition => partition.tree)
  const sums = await engine.levelSums({ fold, levels: 1, trees })
  const weight = totalOf(sums[0].counts)
  let best = exactly(0, 'none')
  partitions.forEach((partition, index) => {
    const leaves = partition.indicator ? 1 : leafCount(partition.tree)
    const error = errorOf(sumAbsolute(sums[index].residuals, leaves), weight)
    if (error > best.error) best = exactly(error, partition.words)
  })
  return best
}

/** One function: |E[b r]|. The span of linear terms with E[b^2] <= M: sqrt(M c' G^-1 c), by Cauchy-Schwarz. */
async function worstSignal(
  engine: Engine,
  encoding: Encoding,
  space: SpaceOf<'signals'>,
  fold: number,
): Promise<Measured> {
  const [{ gram, cross }] = await signalStatistics(engine, fold, 1, space.signals)
  if (space.span) {
    const error = Math.sqrt(space.budget * Math.max(0, dot(cross, solveSymmetric(gram, cross))))
    return exactly(error, 'the linear function that fits the residuals best')
  }
  let best = 0
  cross.forEach((value, index) => {
    if (Math.abs(value) > Math.abs(cross[best])) best = index
  })
  return exactly(Math.abs(cross[best]), encoding.functions[best])
}

/** The mean residual of everyone: calibration in the large. */
export async function meanResidual(engine: Engine, fold: number): Promise<number> {
  const [sums] = await engine.levelSums({ fold, levels: 1, trees: [ROOT] })
  return errorOf(sums.residuals[0], sums.counts[0])
}
