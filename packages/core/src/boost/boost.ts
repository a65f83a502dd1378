// Algorithm 1, FeatureBoost(A, D, f_init, alpha, tau): boost with the current prediction as an extra feature,
// never round inside the loop, reject the last round.

import { type CancelSignal, throwIfCancelled } from '../common/cancel.ts'
import { type Engine, FIT, meanLoss } from '../engine/engine.ts'
import type { Oracle, Proposal } from '../oracle/oracle.ts'
import type { RoundUpdate, Update } from '../update/update.ts'
import { shrinkUpdate } from './shrink.ts'
import { checkRepeated, checkUsedUp, type StageLog } from './stages.ts'
import type { StopRule } from './stopping.ts'
import type { Round, StopReason, Trace } from './trace.ts'

export interface BoostOptions {
  readonly oracle: Oracle
  readonly stop: StopRule
  readonly learningRate: number
  readonly roundLimit: number
  readonly describe: (proposal: Proposal) => string
  readonly onRound?: (round: Round) => void
  /** Rounds that were done before, and where to keep the next ones. */
  readonly log?: StageLog | undefined
  readonly signal?: CancelSignal | undefined
}

export interface Boosted {
  readonly updates: readonly RoundUpdate[]
  readonly trace: Trace
}

/** The engine comes with f_0 = clip(f_init), and is left holding the predictions of the output. */
export async function boost(engine: Engine, options: BoostOptions): Promise<Boosted> {
  const { log, roundLimit, signal, stop } = options
  const startLosses = (await engine.losses()).map(meanLoss)
  const updates: RoundUpdate[] = []
  const rounds: Round[] = []
  let losses: readonly number[] = startLosses
  let stopReason: StopReason | undefined

  while (stopReason === undefined) {
    throwIfCancelled(signal, `boosting, after ${updates.length} accepted rounds`)
    if (updates.length === roundLimit) {
      stopReason = 'round limit'
      break
    }
    const known = log?.done[rounds.length]
    const attempt = known ?? (await attemptRound(engine, rounds.length + 1, losses, options))
    stopReason = stop.judge({ before: losses, after: attempt.losses })
    const round = { ...attempt, accepted: stopReason === undefined }
    if (known === undefined) await log?.save(round)
    rounds.push(round)
    options.onRound?.(round)
    const applied = round.accepted ? await engine.apply(round.update) : undefined // f_t(x) = a_t(x, f_{t-1}(x))
    if (log !== undefined && known !== undefined)
      checkRepeated(log, known, { accepted: round.accepted, losses: applied?.map(meanLoss) ?? known.losses })
    if (round.accepted) {
      updates.push(round.update)
      losses = round.losses
    }
  }

  if (log !== undefined) checkUsedUp(log, rounds.length)
  const kept = updates.slice(0, stop.kept(updates.length))
  if (kept.length < updates.length) await replay(engine, kept)
  return { updates: kept, trace: { startLosses, rounds, stopReason, keptCount: kept.length } }
}

/** Predictions as they are after these updates, from the start. */
export async function replay(engine: Engine, updates: readonly Update[]): Promise<void> {
  await engine.reset()
  for (const update of updates) await engine.apply(update)
}

/** One call of the oracle and what its update would do; nothing moves. */
async function attemptRound(
  engine: Engine,
  round: number,
  before: readonly number[],
  { describe, learningRate, oracle, stop }: BoostOptions,
): Promise<Omit<Round, 'accepted'>> {
  const proposal = await oracle.propose(engine, FIT) // a_t, within tau of the best
  const update = shrinkUpdate(proposal.update, learningRate)
  const after = (await engine.evaluate(update)).map(meanLoss) // err_t = L(f_t)
  return {
    round,
    losses: after,
    drop: before[FIT] - after[FIT],
    gain: proposal.gain,
    ...(proposal.slack !== undefined && { slack: proposal.slack }),
    ...(stop.leastDrop !== undefined && { leastDrop: stop.leastDrop }),
    words: describe({ ...proposal, update }),
    update,
  }
}
