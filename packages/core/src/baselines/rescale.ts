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
const LARGEST_SCALE = 50 * ONE

/** A product of residual and logit, the latter within 2^28, is counted in steps of 2^27 square units: sums stay exact. */
const SLOPE_UNIT = 2 ** 27

/**
 * In units. Log loss is convex in the factor, so its slope changes sign once: the answer is the first factor at which a
 * larger one no longer helps.
 */
export function bestScale(rows: LogitRows): number {
  let [low, high] = bracket(scale => ({ scale, slope: slopeAt(rows, scale) }))
  // Regula falsi; an end that stays twice counts half (the Illinois rule), so that both ends close in.
  for (let [lowWeight, highWeight] = [1, 1]; high.scale - low.scale > 1; ) {
    const [above, below] = [low.slope * lowWeight, high.slope * highWeight]
    const guess = low.scale + Math.round(((high.scale - low.scale) * above) / (above - below))
    const scale = Math.max(low.scale + 1, Math.min(high.scale - 1, guess))
    const slope = slopeAt(rows, scale)
    if (slope > 0) {
      low = { scale, slope }
      ;[lowWeight, highWeight] = [1, highWeight / 2]
    } else {
      high = { scale, slope }
      ;[lowWeight, highWeight] = [lowWeight / 2, 1]
    }
  }
  return high.scale
}

interface Tried {
  readonly scale: number
  readonly slope: number
}

/** A larger factor helps at the first and not at the second. It is sought around 1, where it mostly is. */
function bracket(tryScale: (scale: number) => Tried): [low: Tried, high: Tried] {
  let [near, width] = [tryScale(ONE), ONE / 128]
  const up = near.slope > 0
  for (;;) {
    const scale = near.scale + (up ? width : -width)
    // Nothing beyond is asked for: as if the slope changed there.
    if (scale <= 0) return [{ scale: 0, slope: 1 }, near]
    if (scale >= LARGEST_SCALE) return [near, { scale: LARGEST_SCALE, slope: 0 }]
    const next = tryScale(scale)
    if (next.slope > 0 !== up) return up ? [near, next] : [next, near]
    near = next
    width *= 4
  }
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
