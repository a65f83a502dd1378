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
  const helps = (scale: number) => slopeAt(rows, scale) > 0
  let [low, high] = bracket(helps)
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (helps(middle)) low = middle
    else high = middle
  }
  return high
}

/** A larger factor helps at the first and not at the second. It is sought around 1, where it mostly is. */
function bracket(helps: (scale: number) => boolean): [low: number, high: number] {
  let width = ONE / 128
  if (helps(ONE)) {
    let low = ONE
    for (; low + width < LARGEST_SCALE; width *= 4) {
      if (!helps(low + width)) return [low, low + width]
      low += width
    }
    return [low, LARGEST_SCALE]
  }
  let high = ONE
  for (; high - width > 0; width *= 4) {
    if (helps(high - width)) return [high - width, high]
    high -= width
  }
  return [0, high]
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
