// A run is a sequence of named stages, and a stage is a list of rounds. Whoever keeps the rounds can cut a run off anywhere and
// go on later: rounds that are known are repeated on the engine, which costs one `apply` each, and the rest is computed. No
// state of an oracle or a stop rule is kept, because both follow from the rounds before.

import { FeatureBoostError } from '../common/errors.ts'
import type { Round } from './trace.ts'

export interface StageLog {
  readonly name: string
  /** Rounds that an earlier run of this stage has done, in order. */
  readonly done: readonly Round[]
  /** Keeps one more. */
  save(round: Round): Promise<void>
}

/** Exact arithmetic makes a repeated round end at the very losses it had; anything else means other rows or other code. */
export function checkRepeated(
  { name }: Pick<StageLog, 'name'>,
  known: Round,
  found: { readonly accepted: boolean; readonly losses: readonly number[] },
): void {
  const same =
    known.accepted === found.accepted &&
    known.losses.length === found.losses.length &&
    known.losses.every((loss, fold) => loss === found.losses[fold])
  if (!same) throw notRepeated(name, known.round)
}

/** Every round that was kept must have been asked for when the stage ends. */
export function checkUsedUp({ done, name }: StageLog, roundCount: number): void {
  if (done.length > roundCount) throw notRepeated(name, roundCount + 1)
}

const notRepeated = (stage: string, round: number): FeatureBoostError =>
  new FeatureBoostError(
    'FB_CHECKPOINT_DAMAGED',
    `round ${round} of ${stage} does not come out again as it was kept.`,
    { hint: 'The checkpoint was changed, or another build of the library wrote it: start without it.' },
  )
