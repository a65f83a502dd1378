// What a forest leaves to be done. It lowers the loss of everyone a little, and leaves groups half wrong; so the groups that the
// score was surely wrong for are found from the score itself, where all of their error is still to be seen, and are mended again
// after the forest, on predictions by forests that did not see the row. Where the groups alone predict unseen rows better than
// the forest, there is no forest.

import { ONE } from '../../common/units.ts'
import { type Engine, FIT, type LocalEngine } from '../../engine/engine.ts'
import type { ForestRows } from '../../forest/forestRows.ts'
import type { Grown } from '../../forest/growForest.ts'
import { NEAREST } from '../../forest/line/regression.ts'
import { type LossRows, lossGain, rowWeightOf } from '../../forest/lossGain.ts'
import { chooseClip } from '../../forest/start.ts'
import type { Condition, ForestUpdate } from '../../update/update.ts'
import type { ForestFate } from '../trace.ts'
import { countRows, heldParts, lastThird } from './heldParts.ts'
import { type KeptForest, keepForest } from './keepForest.ts'
import { type MendedGroup, type MendOptions, mendGroup, mendGroups } from './mend.ts'
import { openSample, type SampleOptions, searchedSchemas } from './sampleEngine.ts'

interface FinishOptions
  extends SampleOptions,
    Omit<MendOptions, 'already' | 'clip' | 'fold' | 'goesOn' | 'mostGroups'> {}

export interface Finished {
  readonly updates: readonly ForestUpdate[]
  /** Those whose updates come last, in order. */
  readonly groups: readonly MendedGroup[]
  readonly forest: ForestFate
  /** Trees of each part that are in it; 0 without a forest. */
  readonly rounds: number
  /** How much of every step is kept. */
  readonly share: number
}

/** Groups that are mended, at most: from the score, and after that. */
const MAX_OF_SCORE = 24
const MAX_AFTER = 100

/** After so many groups it is asked whether they may reach the forest, by so many more like the last one. */
const FEW = 6
const EXPECTED_MORE = 8

/** Nats that a group gains by having been searched for, beyond what its steps gain by luck. */
const SEARCHED = 8

/** Evidence that a group needs that the score was surely wrong for: nobody searched for it on these predictions. */
const NAMED_EVIDENCE = 5

export async function finishForest(rows: ForestRows, grown: Grown, given: FinishOptions): Promise<Finished> {
  const options = { ...given, schemas: searchedSchemas(given.schemas) }
  return await onSample(rows, grown.start, options, async engine => {
    const start = { ...givenScore(rows), rows: { ...rows, rowWeight: rowWeightOf(rows) } }
    const forest = await keepForest(engine, start, grown, options.schemas.length)
    const groups = await findOfScore(start, forest, options)
    if (forest === undefined) return await mendScore(start, groups.found, 'unsure', options)
    if (groups.alone) return await mendScore(start, groups.found, 'outdone', options)
    return await mendForest(engine, groups.found, grown.clip, forest, options)
  })
}

/** The score that groups start from. */
interface Start {
  readonly rows: LossRows
  readonly score: Int32Array
  readonly clip: number
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

interface OfScore {
  readonly found: readonly MendedGroup[]
  /** Are these to be mended without a forest? */
  readonly alone: boolean
}

/** Groups that the score is surely wrong for; and whether they predict rows that they were not found by better than the forest. */
async function findOfScore(
  start: Start,
  forest: KeptForest | undefined,
  options: FinishOptions,
): Promise<OfScore> {
  const { rows } = start
  const held = heldParts(rows)
  const share = (rows.rowCount - countRows(rows, held)) / rows.rowCount
  const forestGain = share * (forest?.gain ?? 0)
  const { found, predictions } = await searchScore(start, held, options, mended =>
    mayStillGain(mended, forestGain),
  )
  if (forest === undefined) return { found, alone: true }
  const outdo = (tried: Int32Array, unseen: readonly number[]) =>
    lossGain(rows, forest.predictions, tried, unseen).gain > 0
  if (held.length > 0) return { found, alone: outdo(predictions, held) }
  // A second search is worth its time only where the groups have gained more than the forest on rows that they were found by.
  if (totalGain(found) <= forestGain) return { found, alone: false }
  const unseen = lastThird(rows)
  return { found, alone: outdo((await searchScore(start, unseen, options)).predictions, unseen) }
}

/** Found by the rows of all parts but those that are held. */
async function searchScore(
  { clip, rows, score }: Start,
  held: readonly number[],
  options: FinishOptions,
  goesOn?: (mended: readonly MendedGroup[]) => boolean,
): Promise<{ found: MendedGroup[]; predictions: Int32Array }> {
  const mending = { ...options, fold: FIT, clip, onGroup: undefined }
  const search = async (engine: LocalEngine) => {
    const found = await mendGroups(engine, { ...mending, mostGroups: MAX_OF_SCORE, goesOn })
    await mendNamed(engine, found, mending)
    return { found, predictions: await engine.snapshot() }
  }
  return await onSample(rows, score, options, search, held)
}

/** What groups gained on their own rows, less luck. */
const totalGain = (groups: readonly Pick<MendedGroup, 'gain'>[]): number =>
  groups.reduce((sum, { gain }) => sum + gain - SEARCHED, 0)

/** Few groups of the score are enough to be named after a forest that gains more than they and the next ones will. */
export function mayStillGain(groups: readonly Pick<MendedGroup, 'gain'>[], forestGain: number): boolean {
  if (groups.length < FEW) return true
  const last = groups[groups.length - 1].gain - SEARCHED
  return totalGain(groups) + EXPECTED_MORE * last > forestGain
}

/** No forest: the groups move by all rows, in the order in which they were found. */
async function mendScore(
  { clip, rows, score }: Start,
  found: readonly MendedGroup[],
  forest: ForestFate,
  options: FinishOptions,
): Promise<Finished> {
  const groups = await onSample(rows, score, options, engine =>
    mendAll(engine, found, { ...options, fold: FIT, clip }, overlapsOf),
  )
  return { updates: updatesOf(groups), groups, forest, rounds: 0, share: 0 }
}

/** Predictions of the engine are those of forests that did not see the row. */
async function mendForest(
  engine: Engine,
  found: readonly MendedGroup[],
  clip: number,
  { rounds, share, updates }: KeptForest,
  options: FinishOptions,
): Promise<Finished> {
  const groups = await mendAll(engine, found, { ...options, fold: FIT, clip })
  return { updates: [...updates, ...updatesOf(groups)], groups, forest: 'kept', rounds, share }
}

/** Groups that were found, then whichever is surely off, then others that follow from these, and all of them once more where they overlap. */
async function mendAll(
  engine: Engine,
  found: readonly MendedGroup[],
  mending: Omit<MendOptions, 'mostGroups'>,
  othersOf: (mended: readonly MendedGroup[]) => Named[] = () => [],
): Promise<MendedGroup[]> {
  const named = await mendNamed(engine, found, mending)
  const more = await mendGroups(engine, { ...mending, mostGroups: MAX_AFTER, already: named.length })
  const mended = [...named, ...more]
  const groups = [...mended, ...(await mendNamed(engine, othersOf(mended), mending))]
  return [...groups, ...(await mendNamed(engine, groups, mending))]
}

type Named = Pick<MendedGroup, 'path'>

/**
 * Where two groups of the score overlap, both have moved the rows that they share: once may have been enough. After a forest groups have
 * moved little, and overlaps are left alone: with them one fit in three of docs/decisions/0028 predicted new rows worse.
 */
function overlapsOf(groups: readonly MendedGroup[]): Named[] {
  const first = groups.slice(0, MAX_OF_SCORE)
  return first.flatMap(({ path }, index) =>
    first.slice(0, index).map(other => ({ path: withoutRepeats([...other.path, ...path]) })),
  )
}

const withoutRepeats = (path: readonly Condition[]): Condition[] => [
  ...new Map(path.map(condition => [JSON.stringify(condition), condition])).values(),
]

/** Groups that are known to be off, as far as they still are. */
async function mendNamed(
  engine: Engine,
  named: readonly Named[],
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

const updatesOf = (groups: readonly MendedGroup[]): ForestUpdate[] => groups.flatMap(({ updates }) => updates)

async function onSample<T>(
  rows: ForestRows,
  start: Int32Array,
  options: SampleOptions,
  work: (engine: LocalEngine) => Promise<T>,
  held: readonly number[] = [],
): Promise<T> {
  const engine = await openSample(rows, start, options, held)
  try {
    return await work(engine)
  } finally {
    await engine.close()
  }
}
