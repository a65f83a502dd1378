// What boosting reports as it goes: one event per oracle call, and the whole list at the end.

import type { Recalibration } from '../forest/start.ts'
import type { RoundUpdate } from '../update/update.ts'

export interface Round {
  readonly round: number
  /** Mean squared loss after the round, per fold. */
  readonly losses: readonly number[]
  /** The drop of the fitting loss that the round made (or would have made, where rejected). */
  readonly drop: number
  /** What the oracle promised for the full step, before clipping. */
  readonly gain: number
  readonly slack?: number
  /** The drop that the stop rule asks of a round; absent where it asks for none. */
  readonly leastDrop?: number
  readonly accepted: boolean
  readonly words: string
  readonly update: RoundUpdate
}

export type StopReason =
  /** No update in the class gains the tolerance any more: the stop rule of Algorithm 1. */
  | 'tolerance'
  /** The held-out loss has stopped falling. */
  | 'validation'
  | 'round limit'
  /** The best update moves nothing. */
  | 'nothing to gain'
  /** The loss of rows held apart, over all parts of the cross-fit, has stopped falling. */
  | 'cross-fit'
  /** A baseline, which ends by a rule of its own. */
  | 'baseline'

/** A group that was surely off, in words, and what was done about it. */
export interface NamedGroup {
  readonly group: string
  readonly words: string
  /** Twice the log likelihood that its rows gain, less luck. */
  readonly evidence: number
  /** How many updates of the model it takes. */
  readonly updateCount: number
}

/**
 * kept    it is part of the correction, whole, or a share of every step where it may help by luck and the score is surely wrong
 * unsure  what it gains on rows that it has not seen may be luck
 * outdone groups alone predict rows that they were not found by better
 */
export type ForestFate = 'kept' | 'unsure' | 'outdone'

export interface Trace {
  readonly startLosses: readonly number[]
  readonly rounds: readonly Round[]
  readonly stopReason: StopReason
  /** How many rounds were kept: with validation, up to the best held-out loss; of a forest, trees in each part; of a baseline, updates. */
  readonly keptCount: number
  /** Mean log loss of rows held apart, over all parts of the cross-fit: at the start, and after each tree. */
  readonly crossFit?: readonly number[]
  /** What was done to the score before trees grew; absent: nothing. */
  readonly recalibration?: Recalibration
  /** Groups that were mended, in the order of their updates; absent: none were looked for. */
  readonly groups?: readonly NamedGroup[]
  /** What became of the forest; absent: nothing was asked of it. */
  readonly forest?: ForestFate
  /** How much of every step of the forest is kept; absent: all of it. */
  readonly forestShare?: number
  /** The published method that made the updates, in words. */
  readonly baseline?: string
}
