// The two ways to stop. `certificate` is the paper's rule on the fitting rows; `validation` watches the held-out
// loss and keeps the best round. Both reject a round by answering with a reason.

import { FIT, HOLDOUT } from '../engine/engine.ts'
import type { StopReason } from './trace.ts'

interface RoundOutcome {
  readonly before: readonly number[]
  readonly after: readonly number[]
}

export interface StopRule {
  /** The drop of the fitting loss below which boosting ends, where that is the rule. */
  readonly leastDrop?: number
  /** May this round be kept? If not, why boosting ends. */
  judge(outcome: RoundOutcome): StopReason | undefined
  /** How many of the accepted rounds the output keeps. */
  kept(acceptedCount: number): number
}

/**
 * Algorithm 1: go on while L(f_{t-1}) - L(f_t) >= alpha - tau. With a learning rate r < 1 the applied step gains
 * at least r(2 - r) times what the full step gains before clipping, so the threshold shrinks by that factor and
 * a rejected round still proves that no full step in the class gains alpha.
 */
export function certificateStop(tolerance: number, slack: number, learningRate: number): StopRule {
  const threshold = (tolerance - slack) * learningRate * (2 - learningRate)
  return {
    leastDrop: threshold,
    judge: ({ before, after }) => (before[FIT] - after[FIT] >= threshold ? undefined : 'tolerance'),
    kept: acceptedCount => acceptedCount,
  }
}

/** Stops when the held-out loss has not reached a new low for `patience` rounds; keeps the rounds up to its low. */
export function validationStop(patience: number): StopRule {
  let lowest: number | undefined
  let round = 0
  let bestRound = 0
  return {
    judge({ before, after }) {
      lowest ??= before[HOLDOUT]
      round++
      if (before[FIT] - after[FIT] <= 0) return 'nothing to gain'
      if (after[HOLDOUT] < lowest) {
        lowest = after[HOLDOUT]
        bestRound = round
      }
      return round - bestRound > patience ? 'validation' : undefined
    },
    kept: () => bestRound,
  }
}
