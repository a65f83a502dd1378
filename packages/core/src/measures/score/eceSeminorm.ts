// ECE as a seminorm: the sum over bins of |D(bin)|, a maximum over the signs of the bins.
//
// Band: |G(bin)| <= c sd(bin) for all bins, c by Bonferroni. A bin with |D^| >= 2 c sd has |D| >= c sd, so its sign is
// known and D^ cannot leave it; all others may take either sign. The target is the ECE of the population with these very
// bins: equal-width bins are fixed beforehand, equal-mass bins follow the predictions (not the labels) of these rows, and
// the interval is about the bins as they came out.

import type { Bins } from './bins.ts'
import { expectedCalibrationError } from './ece.ts'
import { blockNoise } from './multipliers.ts'
import { normalMultiple } from './normal.ts'
import { bandShare, type Seminorm } from './seminorm.ts'
import type { Steps } from './steps.ts'

export function eceSeminorm(steps: Steps, bins: Bins, confidence: number): Seminorm {
  const { scale, residual } = blockNoise(steps, bins)
  const band = normalMultiple(1 - bandShare(confidence) / bins.count)
  const signs = residual.map((sum, bin) =>
    scale[bin] > 0 && Math.abs(sum) >= 2 * band * scale[bin] ? Math.sign(sum) : 0,
  )
  return {
    value: expectedCalibrationError(steps, bins),
    blocks: bins,
    excess: noise => signedSum(noise, signs),
  }
}

/** Sum of sign * noise where the sign is known, of |noise| where it is 0. */
export function signedSum(noise: Float64Array, signs: Float64Array): number {
  let sum = 0
  for (let index = 0; index < noise.length; index++) {
    sum += signs[index] === 0 ? Math.abs(noise[index]) : signs[index] * noise[index]
  }
  return sum
}
