// Expected calibration error: binned through an engine, and the continuous ones of Definitions 6.1 and 6.2 from plain arrays, where rows
// count as one level set only if their predictions are equal.

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
export const continuousCalibrationError = (
  predictions: ArrayLike<number>,
  labels: ArrayLike<number>,
  weights?: ArrayLike<number>,
): number =>
  continuousMulticalibrationError(predictions, labels, [new Uint8Array(predictions.length).fill(1)], weights)
    .error

/**
 * Definition 6.2: the largest over the given auditors of the sum, over distinct predictions, of |E[b (y - f) 1(f = r)]|. An auditor is
 * its value on every row. It jumps as the continuous calibration error does, which it is for b = 1; where all predictions differ it is
 * the mean of |b| |y - f|, whatever the predictions are worth.
 */
export function continuousMulticalibrationError(
  predictions: ArrayLike<number>,
  labels: ArrayLike<number>,
  auditors: readonly ArrayLike<number>[],
  weights?: ArrayLike<number>,
): { readonly error: number; readonly worst: number } {
  let best = { error: 0, worst: 0 }
  for (const [index, values] of auditors.entries()) {
    const residuals = new Map<number, number>()
    let total = 0
    for (let row = 0; row < predictions.length; row++) {
      const weight = weights === undefined ? 1 : weights[row]
      total += weight
      const residual = weight * values[row] * (predictions[row] - labels[row])
      residuals.set(predictions[row], (residuals.get(predictions[row]) ?? 0) + residual)
    }
    let sum = 0
    for (const residual of residuals.values()) sum += Math.abs(residual)
    if (sum / total > best.error) best = { error: sum / total, worst: index }
  }
  return best
}
