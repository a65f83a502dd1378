// One factor for all logits: the one with the least log loss. MCGrad calls it unshrinking; on the logits of a score it is
// temperature scaling.

import { ONE } from '../../common/units.ts'
import { loadKernels } from '../../kernels/load.ts'
import { Scratch } from '../../kernels/scratch.ts'

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

/**
 * In units. Log loss is convex in the factor, so its slope changes sign once: there, or where the bounds are. 1 where every
 * factor is as good.
 */
export function bestScale(rows: LogitRows): number {
  const slopeAt = slopeOf(rows)
  const tryScale = (scale: number): Tried => ({ scale, slope: slopeAt(scale) })
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

let loaded: ReturnType<typeof loadKernels> | undefined

/** Minus the derivative of the log loss, in its sign and up to a factor. Good until the next call: there is one memory. */
export function slopeOf({ label, logit, rowCount, weight }: LogitRows): (scale: number) => number {
  loaded ??= loadKernels('auto')
  const { kernels, memory } = loaded
  const scratch = new Scratch(memory, 1024)
  const [logits, labels] = [scratch.write(logit), scratch.write(label)]
  const weights = weight === undefined ? 0 : scratch.write(weight)
  return scale => kernels.logitSlope(rowCount, logits, labels, weights, scale)
}
