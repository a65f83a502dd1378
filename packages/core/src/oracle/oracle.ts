// The squared-loss oracle (Definition 3.2): asked about the current predictions, it proposes one update, says how
// much the update gains, and how far from the best in its class it may be.

import { ONE } from '../common/units.ts'
import type { Engine } from '../engine/engine.ts'
import type { RoundUpdate } from '../update/update.ts'

export interface Proposal {
  readonly update: RoundUpdate
  /** L(f) - L(a[f]) before clipping, which can only add to it. */
  readonly gain: number
  /** tau: no update in the class gains more than gain + slack before clipping. Absent: unknown. */
  readonly slack?: number
  /** For table updates: the gain of each cell, to say which one matters. */
  readonly importance?: Float64Array
}

export interface Oracle {
  readonly kind: 'closed form' | 'exhaustive' | 'least squares' | 'rank one' | 'greedy'
  propose(engine: Engine, fold: number): Promise<Proposal>
}

/** Sums of squared residual units over weight become mean squared error. */
export const gainOf = (sumOfSquares: number, weight: number): number => sumOfSquares / ONE / ONE / weight
