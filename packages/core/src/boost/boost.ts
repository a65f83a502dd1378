// Algorithm 1, FeatureBoost(A, D, f_init, alpha, tau): boost with the current prediction as an extra feature,
// never round inside the loop, reject the last round.

import { type CancelSignal, throwIfCancelled } from '../common/cancel.ts'
import { type Engine, FIT, meanLoss } from '../engine/engine.ts'
import type { RoundUpdate, Update } from '../engine/update.ts'
import type { Oracle, Proposal } from '../oracle/oracle.ts'
import { shrinkUpdate } from './shrink.ts'
import type { StopRule } from './stopping.ts'
import type { Round, StopReason, Trace } from './trace.ts'

export interface BoostOptions {
  readonly oracle: Oracle
  readonly stop: StopRule
  readonly learningRate: number
  readonly roundLimit: number
  readonly describe: (proposal: Proposal) => string
  readonly onRound?: (round: Round) => void
  readonly signal?: CancelSignal | undefined
}

export interface Boosted {
  readonly updates: readonly RoundUpdate[]
  readonly trace: Trace
}

/** The engine comes with f_0 = clip(f_init), and is left holding the predictions of the output. */
export async function boost(engine: Engine, options: BoostOptions): Promise<Boosted> {
  const { oracle, stop, learningRate, roundLimit, signal } = options
  const startLosses = (await engine.losses()).map(meanLoss)
  const updates: RoundUpdate[] = []
  const rounds: Round[] = []
  let losses = startLosses
  let stopReason: StopReason | undefined

  while (stopReason === undefined) {
    throwIfCancelled(signal, `boosting, after ${updates.length} accepted rounds`)
    if (updates.length === roundLimit) {
      stopReason = 'round limit'
      break
    }
    const proposal = await oracle.propose(engine, FIT) // a_t, within tau of the best
    const update = shrinkUpdate(proposal.update, learningRate)
    const after = (await engine.evaluate(update)).map(meanLoss) // err_t = L(f_t)
    stopReason = stop.judge({ before: losses, after })
    const accepted = stopReason === undefined
    const round = describeRound(rounds.length + 1, losses, after, proposal, update, accepted, options)
    rounds.push(round)
    options.onRound?.(round)
    if (accepted) {
      await engine.apply(update) // f_t(x) = a_t(x, f_{t-1}(x))
      updates.push(update)
      losses = after
    }
  }

  const kept = updates.slice(0, stop.kept(updates.length))
  if (kept.length < updates.length) await replay(engine, kept)
  return { updates: kept, trace: { startLosses, rounds, stopReason, keptCount: kept.length } }
}

/** Predictions as they are after these updates, from the start. */
export async function replay(engine: Engine, updates: readonly Update[]): Promise<void> {
  await engine.reset()
  for (const update of updates) await engine.apply(update)
}

function describeRound(
  round: number,
  before: readonly number[],
  after: readonly number[],
  proposal: Proposal,
  update: RoundUpdate,
  accepted: boolean,
  options: BoostOptions,
): Round {
  return {
    round,
    losses: after,
    drop: before[FIT] - after[FIT],
    gain: proposal.gain,
    ...(proposal.slack !== undefined && { slack: proposal.slack }),
    ...(options.stop.leastDrop !== undefined && { leastDrop: options.stop.leastDrop }),
    accepted,
    words: options.describe({ ...proposal, update }),
    update,
  }
}
