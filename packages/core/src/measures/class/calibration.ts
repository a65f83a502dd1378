// Expected calibration error: binned through an engine, and the continuous one of Definition 6.1 from plain arrays,
// where rows count as one level set only if their predictions are equal.

import type { Engine } from '../../engine/engine.ts'
import type { Rounding } from '../../round/discretize.ts'
import { ROOT } from '../../update/update.ts'
import { errorOf, sumAbsolute } from './measured.ts'

/** ECE of the rounded predictor (Definition 2.2): the K1 error of the auditor b = 1. */
export async function calibrationError(engine: Engine, rounding: Rounding, fold: number): Promise<number> {
  const levelValues = Int32Array.from(rounding.values)
  const [sums] = await engine.levelSums({ fold, levels: rounding.bins, levelValues, trees: [ROOT] })
  const weight = sums.counts.reduce((sum, count) => sum + count, 0)
  return errorOf(sumAbsolute(sums.residuals, rounding.bins), weight)
}

/** Conditions on f(x) = r exactly, so it jumps when predictions move ever so little: Example 6.3 shows how far. */
export function continuousCalibrationError(
  predictions: ArrayLike<number>,
  labels: ArrayLike<number>,
  weights?: ArrayLike<number>,
): number {
  const residuals = new Map<number, number>()
  let total = 0
  for (let row = 0; row < predictions.length; row++) {
    const weight = weights === undefined ? 1 : weights[row]
    total += weight
    const residual = weight * (predictions[row] - labels[row])
    residuals.set(predictions[row], (residuals.get(predictions[row]) ?? 0) + residual)
  }
  let sum = 0
  for (const residual of residuals.values()) sum += Math.abs(residual)
  return sum / total
}
