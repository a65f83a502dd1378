// One factor for all logits: the one with the least log loss. MCGrad calls it unshrinking; on the logits of a score it is
// temperature scaling.

import { clipStep, moveOdds } from '../common/logistic.ts'
import { ONE } from '../common/units.ts'

export interface LogitRows {
  readonly rowCount: number
  /** In units. */
  readonly logit: Int32Array
  readonly label: Int32Array
  readonly weight?: Int32Array | undefined
}

/** The factor lies above 0 and is at most 50, as MCGrad has it. */
const SMALLEST_SCALE = 1
const LARGEST_SCALE = 50 * ONE

/** A product of residual and logit, the latter within 2^28, is counted in steps of 2^27 square units: sums stay exact. */
const SLOPE_UNIT = 2 ** 27

/**
 * In units. Log loss is convex in the factor, so its slope changes sign once: there, or where the bounds are. 1 where every
 * factor is as good.
 */
export function bestScale(rows: LogitRows): number {
  const tryScale = (scale: number): Tried => ({ scale, slope: slopeAt(rows, scale) })
  let [low, high] = bracket(tryScale)
  if (low.slope <= 0) return low.scale
  // Regula falsi; an end that stays twice counts half (the Illinois rule), so that both ends close in.
  let [lowWeight, highWeight] = [1, 1]
  while (high.slope < 0 && high.scale - low.scale > 1) {
    const [above, below] = [low.slope * lowWeight, high.slope * highWeight]
    const guess = low.scale + Math.round(((high.scale - low.scale) * above) / (above - below))
    const next = tryScale(Math.max(low.scale + 1, Math.min(high.scale - 1, guess)))
    if (next.slope > 0) {
      low = next
      lowWeight = 1
      highWeight /= 2
    } else {
      high = next
      highWeight = 1
      lowWeight /= 2
    }
  }
  return high.scale
}

interface Tried {
  readonly scale: number
  readonly slope: number
}

/** Two factors with the change of sign between them, or the one that is best. It is sought around 1, where it mostly is. */
function bracket(tryScale: (scale: number) => Tried): [low: Tried, high: Tried] {
  let [near, width] = [tryScale(ONE), ONE / 128]
  const up = near.slope > 0
  const [end, sign] = up ? [LARGEST_SCALE, 1] : [SMALLEST_SCALE, -1]
  while (near.slope !== 0 && near.scale !== end) {
    const next = tryScale(Math.max(SMALLEST_SCALE, Math.min(LARGEST_SCALE, near.scale + sign * width)))
    if (next.slope > 0 !== up) return up ? [near, next] : [next, near]
    near = next
    width *= 4
  }
  return [near, near]
}

/** Minus the derivative of the log loss, in its sign and up to a factor. */
export function slopeAt({ label, logit, rowCount, weight }: LogitRows, scale: number): number {
  let sum = 0
  for (let row = 0; row < rowCount; row++) {
    const prediction = moveOdds(ONE / 2, clipStep(Math.floor((scale * logit[row]) / ONE + 0.5)))
    const slope = Math.floor(((label[row] - prediction) * logit[row]) / SLOPE_UNIT + 0.5)
    sum += weight === undefined ? slope : weight[row] * slope
  }
  return sum
}
