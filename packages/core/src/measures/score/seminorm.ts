// Intervals for calibration measures: N(D), a seminorm of the residual measure D(A) = E[(y - f) 1(f in A)].
//
// Such measures have a kink at 0, where good predictions live, and there the bootstrap and the delta method fail. What
// holds everywhere follows from N(D) = max over linear functionals l of l(D) (signs of bins, intervals of predictions).
// Let G = D^ - D be the sampling error, asymptotically a Gaussian measure.
//
// Upper limit. With l the maximizer at the TRUE D, which is not random, N(D) - N(D^) <= l(D) - l(D^) = -l(G): one normal
// variable with a standard deviation of at most sigma = sqrt(sum w^2 r^2) / sum w, as |l| <= 1 on every row. So N(D) is
// below N(D^) + z sigma, however many bins there are.
//
// Lower limit. N(D^) - N(D) <= l^(G), with l^ the maximizer at D^, which is random: l^(G) <= N(G), and the quantile of
// N(G) is simulated. It is exact when D = 0. Where D^ is far from 0 that is wasteful, and l^ is known to lie in a smaller
// set: let E be the event that a simultaneous band |l(G)| <= c(l) holds, P(E) >= 1 - beta. On E, l^ lies in a set T that
// depends on the true D only, and T in turn lies in the set of all l that are within 2c of the largest at D^. So the
// quantile of the supremum over that set (the "excess") is at least the one over T, and the limit fails with probability
// at most delta/2: beta of it for E, the rest for the quantile. Each measure says what its set is.

import type { Bins } from './bins.ts'
import { blockNoise, type DrawOptions, simulate } from './multipliers.ts'
import { normalMultiple } from './normal.ts'
import type { Estimate } from './scoredRows.ts'
import type { Steps } from './steps.ts'

export interface Seminorm {
  /** N(D^). */
  readonly value: number
  /** How rows are grouped for the simulation: rows of one block cannot be told apart by it. */
  readonly blocks: Bins
  /** From the simulated G of each block: the largest l(G) over functionals that could be the maximizer at D^. */
  readonly excess: (noise: Float64Array) => number
}

export interface SimulationOptions extends DrawOptions {
  readonly confidence: number
}

/** beta: the part of delta = 1 - confidence spent on the band. */
export const bandShare = (confidence: number): number => (1 - confidence) / 20

export function seminormEstimate(steps: Steps, seminorm: Seminorm, options: SimulationOptions): Estimate {
  const { confidence } = options
  const noise = blockNoise(steps, seminorm.blocks)
  const excesses = simulate(noise, seminorm.excess, options)
  const below = quantile(excesses, 1 - (1 - confidence) / 2 + bandShare(confidence))
  const above = Math.min(below, normalMultiple(confidence) * residualError(steps))
  return {
    value: seminorm.value,
    low: Math.max(0, seminorm.value - below),
    high: Math.min(1, seminorm.value + above),
  }
}

/** sqrt(sum w^2 r^2) / sum w: no linear functional of the residual measure has a larger standard error. */
export const residualError = (steps: Steps): number => blockNoise(steps, oneBlock(steps)).scale[0]

const oneBlock = ({ predictions }: Steps): Bins => ({ ofStep: new Uint32Array(predictions.length), count: 1 })

/** The smallest draw that at least this share of draws does not exceed; draws are sorted ascending. */
export function quantile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)]
}
