// What a forest leaves to be done. It lowers the loss of everyone a little, and leaves groups half wrong; so the groups that the
// score was surely wrong for are found from the score itself, where all of their error is still to be seen, and are mended again
// after the forest, on predictions by forests that did not see the row. Where the groups alone predict unseen rows better than
// the forest, there is no forest.

import { logLossUnits } from '../../common/logistic.ts'
import { type Engine, FIT } from '../../engine/engine.ts'
import type { ForestUpdate } from '../../engine/update.ts'
import type { Grown } from '../forest/growForest.ts'
import type { ForestRows } from '../forest/rows.ts'
import { type MendedGroup, type MendOptions, mendGroup, mendGroups } from './mend.ts'
import { openSample, predictApart, type SampleOptions } from './sample.ts'

export interface FinishOptions extends SampleOptions, Omit<MendOptions, 'clip' | 'fold' | 'mostGroups'> {}

export interface Finished {
  readonly updates: readonly ForestUpdate[]
  /** Those whose updates come last, in order. */
  readonly groups: readonly MendedGroup[]
  /** Is the forest part of it? */
  readonly forest: boolean
}

/** Groups that are mended, at most: from the score, and after the forest. */
const MOST_OF_SCORE = 24
const MOST_AFTER = 100

/** Nats that a group gains by having been searched for, beyond what its steps gain by luck. */
const SEARCHED = 8

/** Evidence that a group needs that the score was surely wrong for: nobody searched for it on these predictions. */
const NAMED_EVIDENCE = 5

export async function finishForest(
  rows: ForestRows,
  grown: Grown,
  options: FinishOptions,
): Promise<Finished> {
  const { apart, clip, start, startUpdates } = grown
  const mending = { ...options, fold: FIT, clip }
  const { effectiveRows, ofScore } = await onSample(rows, start, options, async engine => {
    const { squaredWeight, weight } = (await engine.losses())[FIT]
    const ofScore = await mendGroups(engine, { ...mending, mostGroups: MOST_OF_SCORE })
    return { ofScore, effectiveRows: (weight * weight) / squaredWeight }
  })
  const alone = { updates: [...startUpdates, ...updatesOf(ofScore)], groups: ofScore, forest: false }
  if (grown.rounds === 0) return alone
  const predictions = await predictApart(rows, start, apart, options)
  // What groups gained on their own rows, less luck, has to be more than the forest gained on rows held apart.
  const gained = ofScore.reduce((sum, { gain }) => sum + gain - SEARCHED, 0)
  const isMore = gained > effectiveRows * (grown.losses[0] - grown.losses[grown.rounds])
  if (isMore && (await groupsPredictBetter(rows, grown, predictions, options))) return alone
  const groups = await onSample(rows, predictions, options, async engine => {
    const mended: MendedGroup[] = []
    for (const { path } of ofScore) {
      const group = await mendGroup(engine, path, mending, undefined, NAMED_EVIDENCE)
      if (group !== undefined) mended.push(group)
    }
    return [...mended, ...(await mendGroups(engine, { ...mending, mostGroups: MOST_AFTER }))]
  })
  return { updates: [...grown.updates, ...updatesOf(groups)], groups, forest: true }
}

const updatesOf = (groups: readonly MendedGroup[]): ForestUpdate[] => groups.map(({ update }) => update)

async function onSample<T>(
  rows: ForestRows,
  start: Int32Array,
  options: SampleOptions,
  work: (engine: Engine) => Promise<T>,
  held: readonly number[] = [],
): Promise<T> {
  const engine = await openSample(rows, start, options, held)
  try {
    return await work(engine)
  } finally {
    await engine.close()
  }
}

/** Groups are found on two thirds of the parts, and compared on the rest with forests that did not see it. */
async function groupsPredictBetter(
  rows: ForestRows,
  { clip, start }: Grown,
  predictions: Int32Array,
  options: FinishOptions,
): Promise<boolean> {
  const parts = 1 + rows.part.reduce((most, part) => Math.max(most, part), 0)
  const held = Array.from({ length: Math.ceil(parts / 3) }, (_, index) => parts - 1 - index)
  const mending = { ...options, fold: FIT, clip, mostGroups: MOST_OF_SCORE, onGroup: undefined }
  const moved = await onSample(
    rows,
    start,
    options,
    async engine => {
      await mendGroups(engine, mending)
      return await engine.snapshot()
    },
    held,
  )
  // Whole numbers: the order of rows does not matter.
  let difference = 0
  for (let row = 0; row < rows.rowCount; row++) {
    if (!held.includes(rows.part[row])) continue
    const label = rows.label[row]
    const gain = logLossUnits(label, predictions[row]) - logLossUnits(label, moved[row])
    difference += (rows.weight === undefined ? 1 : rows.weight[row]) * gain
  }
  return difference > 0
}
