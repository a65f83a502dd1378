// Smooth calibration error: the largest mean of h(f) (y - f) over 1-Lipschitz functions h with values in [-1,1] (Kakade and Foster;
// Błasiok, Gopalan, Hu and Nakkiran 2023). Unlike ECE it has no bins and does not jump when predictions move a little. Half of it is
// a lower bound on the distance to calibration (calibrationDistance.ts).

import { shareSteps } from './bins.ts'
import { LipschitzMaximum } from './lipschitz.ts'
import { blockNoise } from './multipliers.ts'
import type { Seminorm } from './seminorm.ts'
import type { Steps } from './steps.ts'

/** Found once for the same steps. */
export function smoothCalibrationError(steps: Steps): number {
  const { predictions, residuals, weight } = steps
  const known = FOUND.get(steps)
  if (known !== undefined) return known
  const largest = new LipschitzMaximum(predictions.length).of(predictions, residuals)
  const found = Math.min(1, largest / weight)
  FOUND.set(steps, found)
  return found
}

const FOUND = new WeakMap<Steps, number>()

/** Mean of the largest distance of a Brownian motion from its start, at time 1. */
const FARTHEST = Math.sqrt(Math.PI / 2)

/**
 * As a seminorm: a maximum over h. Any h may be the maximizer, so the excess is the measure of the noise itself. Rows are drawn in
 * blocks of about equal variance, each at its mean prediction; over a block of width d a function changes by d at most, so what it
 * may gain inside is at most d times how far the noise there goes, of which the mean is added.
 */
export function smoothCalibrationSeminorm(steps: Steps, blockLimit: number): Seminorm {
  const count = Math.min(blockLimit, steps.predictions.length)
  const blocks = { ofStep: shareSteps(steps.residualSquares, count), count }
  const { inside, positions } = placeBlocks(steps, blocks.ofStep, count)
  const maximum = new LipschitzMaximum(count)
  return {
    value: smoothCalibrationError(steps),
    blocks,
    excess: noise => inside + maximum.of(positions, noise),
  }
}

function placeBlocks(steps: Steps, ofStep: Uint32Array, count: number) {
  const [weights, sums] = [new Float64Array(count), new Float64Array(count)]
  const [from, to] = [new Float64Array(count).fill(1), new Float64Array(count)]
  ofStep.forEach((block, step) => {
    const [prediction, weight] = [steps.predictions[step], steps.stepWeights[step]]
    weights[block] += weight
    sums[block] += weight * prediction
    from[block] = Math.min(from[block], prediction)
    to[block] = Math.max(to[block], prediction)
  })
  // Blocks without rows have no noise; they stand where the one before them does.
  const positions = new Float64Array(count)
  const { scale } = blockNoise(steps, { ofStep, count })
  let inside = 0
  for (let block = 0; block < count; block++) {
    positions[block] =
      weights[block] > 0 ? sums[block] / weights[block] : block === 0 ? 0 : positions[block - 1]
    inside += Math.max(0, to[block] - from[block]) * scale[block] * FARTHEST
  }
  return { positions, inside }
}
