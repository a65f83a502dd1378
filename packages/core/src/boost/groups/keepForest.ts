// How much of a forest is kept. All of it, where it is sure to gain on rows that it has not seen; a part, where that may be luck and yet
// these rows surely contradict the score in the direction of the forest; else nothing.

import type { LocalEngine } from '../../engine/engine.ts'
import { shareOfForest } from '../../forest/crossFit.ts'
import type { Grown, Trees } from '../../forest/growForest.ts'
import {
  evidenceAgainst,
  type LossGain,
  type LossRows,
  lossGain,
  shareBeyondLuck,
} from '../../forest/lossGain.ts'
import type { ForestUpdate } from '../../update/update.ts'
import { apartUpdate } from './sampleEngine.ts'

export interface KeptForest {
  readonly updates: readonly ForestUpdate[]
  /** Trees of each part. */
  readonly rounds: number
  /** How much of every step is kept. */
  readonly share: number
  /** Nats that it gains on rows held apart, and its predictions for these. */
  readonly gain: number
  readonly predictions: Int32Array
}

/** Standard errors that a forest has to gain on rows held apart; and what a slope and an intercept gain on their own rows by luck. */
const STANDARD_ERRORS = 1.2
const OF_LINE = 1

/** Standard errors by which rows held apart have to contradict the score, for a forest that is not sure to help to be kept in part. */
const DIRECTION_EVIDENCE = 3.3

interface Held {
  readonly rows: LossRows
  /** What the forest is to correct. */
  readonly score: Int32Array
}

/** Leaves the engine, which stands where trees grew from, at what the forests apart of those that are kept predict. */
export async function keepForest(
  engine: LocalEngine,
  held: Held,
  grown: Grown,
  partFeature: number,
): Promise<KeptForest | undefined> {
  const judge = async (trees: Trees, share = 1) => {
    await engine.reset()
    if (trees.rounds > 0) await engine.apply(apartUpdate(trees.apart, grown.clip, partFeature))
    const predictions = await engine.snapshot()
    const found = lossGain(held.rows, held.score, predictions)
    const { rounds, updates } = trees
    return { found, kept: { updates, rounds, share, gain: Math.max(0, found.gain), predictions } }
  }
  const tried = grown.doubtful ?? grown
  const whole = await judge(tried)
  if (grown.proven || (grown.doubtful === undefined && isSure(grown, whole.found))) return whole.kept
  const share = tried.rounds > 0 ? shareOf(whole.found) : 0
  if (share > 0) return (await judge(shareTrees(tried, share), share)).kept
  if (grown.doubtful === undefined) return undefined
  const start = await judge(grown)
  return isSure(grown, start.found) ? start.kept : undefined
}

const isSure = ({ updates }: Trees, { gain, spread }: LossGain): boolean =>
  updates.length > 0 && gain - OF_LINE >= STANDARD_ERRORS * spread

/**
 * The further one goes in a direction, the more is gained, and the more is lost with the square of the way. Rows held apart say how
 * surely the direction is right, and so how far to go: as far as their evidence reaches, less luck.
 */
function shareOf(found: LossGain): number {
  const evidence = evidenceAgainst(found)
  if (evidence < DIRECTION_EVIDENCE) return 0
  return Math.min(1, (shareBeyondLuck(evidence) * evidence) / found.spread)
}

const shareTrees = ({ apart, rounds, updates }: Trees, share: number): Trees => ({
  rounds,
  updates: updates.map((update, index) =>
    index < updates.length - 1 ? update : shareOfForest(update, share),
  ),
  apart: new Map([...apart].map(([part, forest]) => [part, shareOfForest(forest, share)])),
})
