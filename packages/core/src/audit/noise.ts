// What a score is tested against: that it is the mean of its labels, or, where it leaves nothing to chance and is wrong nevertheless,
// that it is wrong at one rate everywhere.

import { ONE } from '../common/units.ts'
import { type Engine, FIT, type Noise } from '../engine/engine.ts'
import { shiftFor } from '../engine/outcome.ts'
import { ROOT } from '../update/update.ts'
import { leastVarianceOf } from './worst/worstGroups.ts'

/** Scores that are off by more than so many times the variance they speak of are taken to be hard. */
const HARD = 3

/**
 * Labels of the scores' means, unless the scores leave so little to chance that not even everyone together could be tested, and are
 * wrong nevertheless: then labels that differ from them at one rate, which is as far as they are off towards one half.
 */
export async function chooseNoise(engine: Engine): Promise<Noise> {
  const { squaredWeight, weight } = (await engine.losses())[FIT]
  const shift = shiftFor(squaredWeight)
  const outcome = { kind: 'variance', noise: 'labels', shift } as const
  const everyone = { fold: FIT, trees: [ROOT] }
  const [expected] = await engine.levelSums({ ...everyone, levels: 1, outcome })
  const [variance, squares] = [expected.residuals[0], expected.counts[0]]
  if (variance >= leastVarianceOf(shift, squaredWeight / weight)) return 'labels'
  const [{ residuals }] = await engine.levelSums({ ...everyone, levels: 2 })
  const rate = (residuals[0] - residuals[1]) / weight
  return rate > (HARD * variance) / squares ? { errors: Math.min(ONE / 2, Math.round(rate)) } : 'labels'
}
