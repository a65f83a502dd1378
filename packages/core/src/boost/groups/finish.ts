// What a forest leaves to be done. It lowers the loss of everyone a little, and leaves groups half wrong; so the groups that the
// score was surely wrong for are found from the score itself, where all of their error is still to be seen, and are mended again
// after the forest, on predictions by forests that did not see the row. Where the groups alone predict unseen rows better than
// the forest, there is no forest.

import { logLossUnits } from '../../common/logistic.ts'
import { addProduct, emptySplitSum, ONE, splitSumValue } from '../../common/units.ts'
import { type Engine, FIT } from '../../engine/engine.ts'
import type { ForestUpdate } from '../../engine/update.ts'
import type { Grown } from '../forest/growForest.ts'
import { type ForestRows, partCount } from '../forest/rows.ts'
import { chooseClip } from '../forest/start.ts'
import { NEAREST } from '../logit/regression.ts'
import { type MendedGroup, type MendOptions, mendGroup, mendGroups } from './mend.ts'
import { apartUpdate, openSample, type SampleOptions } from './sample.ts'

export interface FinishOptions
  extends SampleOptions,
    Omit<MendOptions, 'clip' | 'fold' | 'mostGroups' | 'goesOn'> {}

export interface Finished {
  readonly updates: readonly ForestUpdate[]
  /** Those whose updates come last, in order. */
  readonly groups: readonly MendedGroup[]
  /** Is the forest part of it? */
  readonly forest: boolean
}

/** Standard errors that a forest has to gain on rows held apart; and what a slope and an intercept gain on their own rows by luck. */
const SURENESS = 1.2
const OF_LINE = 1

/** Groups that are mended, at most: from the score, and after the forest. */
const MOST_OF_SCORE = 24
const MOST_AFTER = 100

/** After so many groups it is asked whether they may reach the forest, by so many more like the last one. */
const FEW = 6
const EXPECTED_MORE = 8

/** Nats that a group gains by having been searched for, beyond what its steps gain by luck. */
const SEARCHED = 8

/** Evidence that a group needs that the score was surely wrong for: nobody searched for it on these predictions. */
const NAMED_EVIDENCE = 5

export async function finishForest(
  rows: ForestRows,
  grown: Grown,
  options: FinishOptions,
): Promise<Finished> {
  return await onSample(rows, grown.start, options, async engine => {
    if (grown.rounds > 0) await engine.apply(apartUpdate(grown.apart, grown.clip, options.schemas.length))
    const ofForest = await engine.snapshot()
    const { clip, score } = givenScore(rows)
    const { squaredWeight, weight } = (await engine.losses())[FIT]
    const compared: Compared = { rows, clip, score, ofForest, rowWeight: squaredWeight / weight }
    const forest = gainOf(compared, score, ofForest)
    const isSure = grown.updates.length > 0 && forest.gain - OF_LINE >= SURENESS * forest.spread
    const forestGain = isSure ? forest.gain : 0
    const ofScore = await onSample(rows, score, options, one => mendScore(one, clip, forestGain, options))
    if (!isSure || (await predictBetter(ofScore, forestGain, compared, options))) {
      for (const group of ofScore) options.onGroup?.(group)
      return { updates: updatesOf(ofScore), groups: ofScore, forest: false }
    }
    const groups = await mendForest(engine, ofScore, grown, options)
    return { updates: [...grown.updates, ...updatesOf(groups)], groups, forest: true }
  })
}

/**
 * Groups look at the score as it was given: a slope for everyone, or a clip that saves low scores, would have taken a part of
 * their errors for its own. Only where scores are 0 or 1 there is no other way.
 */
function givenScore(rows: ForestRows): { score: Int32Array; clip: number } {
  const isHard = rows.start.some(units => units < NEAREST || units > ONE - NEAREST)
  const clip = isHard ? chooseClip(rows) : NEAREST
  return { score: rows.start.map(units => Math.max(clip, Math.min(ONE - clip, units))), clip }
}

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

/** Groups that the score is surely wrong for. */
async function mendScore(
  engine: Engine,
  clip: number,
  forestGain: number,
  options: FinishOptions,
): Promise<MendedGroup[]> {
  const mending = { ...options, fold: FIT, clip, onGroup: undefined }
  const goesOn = (mended: readonly MendedGroup[]) => mayStillGain(mended, forestGain)
  const groups = await mendGroups(engine, { ...mending, mostGroups: MOST_OF_SCORE, goesOn })
  return [...groups, ...(await mendNamed(engine, groups, mending))]
}

/** Groups that are known to be off, as far as they still are: where they overlap, each took the others' errors for its own. */
async function mendNamed(
  engine: Engine,
  named: readonly MendedGroup[],
  mending: Omit<MendOptions, 'mostGroups'>,
): Promise<MendedGroup[]> {
  const groups: MendedGroup[] = []
  for (const { path } of named) {
    const group = await mendGroup(engine, path, mending, undefined, NAMED_EVIDENCE)
    if (group === undefined) continue
    groups.push(group)
    mending.onGroup?.(group)
  }
  return groups
}

/** Predictions are those of forests that did not see the row: named groups first, and then whichever is surely off. */
async function mendForest(
  engine: Engine,
  named: readonly MendedGroup[],
  { clip }: Grown,
  options: FinishOptions,
): Promise<MendedGroup[]> {
  const mending = { ...options, fold: FIT, clip }
  const groups = await mendNamed(engine, named, mending)
  const more = await mendGroups(engine, { ...mending, mostGroups: MOST_AFTER, already: groups.length })
  const all = [...groups, ...more]
  return more.length === 0 ? all : [...all, ...(await mendNamed(engine, all, mending))]
}

const updatesOf = (groups: readonly MendedGroup[]): ForestUpdate[] => groups.flatMap(({ updates }) => updates)

/** What groups gained on their own rows, less luck. */
const totalGain = (groups: readonly MendedGroup[]): number =>
  groups.reduce((sum, { gain }) => sum + gain - SEARCHED, 0)

/** Few groups of the score are enough to be named after a forest that gains more than they and the next ones will. */
function mayStillGain(groups: readonly MendedGroup[], forestGain: number): boolean {
  if (groups.length < FEW) return true
  const last = groups[groups.length - 1].gain - SEARCHED
  return totalGain(groups) + EXPECTED_MORE * last > forestGain
}

interface Compared {
  readonly rows: ForestRows
  /** What one row weighs. */
  readonly rowWeight: number
  readonly score: Int32Array
  readonly clip: number
  /** Predictions by forests that did not see the row. */
  readonly ofForest: Int32Array
}

/**
 * Do groups alone predict unseen rows better than the forest? If what they gained, less luck, is more than the forest gained on
 * rows held apart, they are found again on two thirds of the parts (of four, on three), and compared with it on the rest.
 */
async function predictBetter(
  groups: readonly MendedGroup[],
  forestGain: number,
  compared: Compared,
  options: FinishOptions,
): Promise<boolean> {
  const { clip, ofForest, rows, score } = compared
  if (totalGain(groups) <= forestGain) return false
  const parts = partCount(rows)
  const held = Array.from({ length: Math.max(1, Math.floor(parts / 3)) }, (_, index) => parts - 1 - index)
  const mending = { ...options, fold: FIT, clip, mostGroups: MOST_OF_SCORE, onGroup: undefined }
  const work = async (engine: Engine) => {
    await mendNamed(engine, await mendGroups(engine, mending), mending)
    return await engine.snapshot()
  }
  const ofGroups = await onSample(rows, score, options, work, held)
  return gainOf(compared, ofForest, ofGroups, held).gain > 0
}

interface Gain {
  /** How much smaller the log loss of the second predictions is, in nats, and its standard error from row to row. */
  readonly gain: number
  readonly spread: number
}

/** Whole numbers are summed: the order of rows does not matter. */
function gainOf(
  { rows, rowWeight }: Compared,
  before: Int32Array,
  after: Int32Array,
  parts?: readonly number[],
): Gain {
  const { label, part, rowCount, weight } = rows
  const squares = emptySplitSum()
  let sum = 0
  for (let row = 0; row < rowCount; row++) {
    if (parts !== undefined && !parts.includes(part[row])) continue
    const difference = logLossUnits(label[row], before[row]) - logLossUnits(label[row], after[row])
    const counted = weight === undefined ? 1 : weight[row]
    sum += counted * difference
    const rough = Math.round(difference / ROUGH)
    addProduct(squares, rough, rough, counted)
  }
  return { gain: sum / ONE / rowWeight, spread: ROUGH * Math.sqrt(splitSumValue(squares) / rowWeight) }
}

/** Differences are squared in so many units, so that their squares can be summed. */
const ROUGH = 2 ** 12
