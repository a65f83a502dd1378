// Algorithm 1 where it has evidence: the group that is most surely off, of all that two conditions describe, moves as far as its
// labels say; and again, until no group is off beyond what so many groups are by luck.

import { groupTree } from '../../classes/groups.ts'
import { type CancelSignal, throwIfCancelled } from '../../common/cancel.ts'
import { lnOf } from '../../common/logistic.ts'
import { ONE } from '../../common/units.ts'
import type { Engine } from '../../engine/engine.ts'
import { type Condition, type ForestUpdate, ROOT } from '../../engine/update.ts'
import { Evidence, leastWeightOf, readLevels } from '../../oracle/groups/evidence.ts'
import { openFamily } from '../../oracle/groups/family.ts'
import { polishGroup, type Workplace, weighGroup } from '../../oracle/groups/polish.ts'
import { type Candidate, leastEvidence, searchGroups } from '../../oracle/groups/search.ts'
import { searchCells } from '../../oracle/search.ts'
import type { FeatureSchema } from '../../quantize/schema.ts'
import { fitSteps, type GroupLevels } from './steps.ts'
import { groupUpdates } from './updates.ts'

export interface MendedGroup {
  readonly path: readonly Condition[]
  /** In order; one, or two where low scores go down or high ones up by a step in probability. */
  readonly updates: readonly ForestUpdate[]
  /** What the search had for it, or, of a group that was named, what its steps have. */
  readonly evidence: number
  /** The log likelihood that the rows gained, in nats. */
  readonly gain: number
}

export interface MendOptions {
  readonly fold: number
  readonly schemas: readonly FeatureSchema[]
  /** Columns that groups may test. */
  readonly features: readonly number[]
  /** How far from 0 and 1 predictions are taken to lie, in units. */
  readonly clip: number
  /** Of pairs of columns only as long as their cells are no more than these; else groups grow one condition at a time. */
  readonly cellBudget: number
  readonly mostGroups: number
  /** Groups that were mended before. */
  readonly already?: number
  /** Asked after every group; absent: yes, as long as one is surely off. */
  readonly goesOn?: ((mended: readonly MendedGroup[]) => boolean) | undefined
  readonly signal?: CancelSignal | undefined
  readonly onGroup?: ((group: MendedGroup) => void) | undefined
}

/** Levels of the prediction that a search tells apart, each with about as many rows. */
const LEVELS = 10

/** Candidates of one search: the best of as many pairs of columns. */
const WANTED = 16

/** What a closer look adds to the evidence by luck, without and with a third condition. */
const LUCK_OF_LOOK = 3
const LUCK_OF_THIRD = 6

/** What a closer look may add to the evidence, or take off it. */
const REACH = 10

/** Moves the engine. */
export async function mendGroups(engine: Engine, options: MendOptions): Promise<MendedGroup[]> {
  const { already = 0, features, fold, schemas } = options
  const levelCuts = await chooseCuts(engine, fold, LEVELS)
  const place: Workplace = { engine, fold, levelCuts, schemas, features }
  const levels = levelCuts.length + 1
  const cells = searchCells(engine.shape.coarseCounts, features, levels)
  const depth = cells > options.cellBudget ? 1 : 2
  const { weight } = (await engine.losses())[fold]
  const leastWeight = leastWeightOf(await readLevels(engine, fold, levelCuts), weight)
  const family = await openFamily(engine, { ...place, levels, depth, leastWeight })
  const least = leastEvidence({ ...family, depth: 2 })
  const mended: MendedGroup[] = []
  for (let before = -1; before < mended.length; ) {
    before = mended.length
    const bounds = { least: Math.max(0, least - allowance(before + already) - REACH), wanted: WANTED }
    let evidence = new Evidence(await readLevels(engine, fold, levelCuts))
    // Candidates are weighed again before they are taken: what was mended in the meantime may have been theirs.
    for (const { path } of await searchGroups(family, evidence, bounds)) {
      throwIfCancelled(options.signal, 'the mending of groups')
      if (mended.length >= options.mostGroups) return mended
      const weighed = await weighGroup(place, evidence, path)
      if (weighed.evidence <= bounds.least) continue
      const found = await polishGroup(place, evidence, weighed)
      if (!isSure(weighed, found, least - allowance(mended.length + already))) continue
      const group = await mendGroup(engine, found.path, options, found.evidence)
      // Fine levels may say nothing where coarse ones did.
      if (group === undefined) continue
      mended.push(group)
      options.onGroup?.(group)
      if (options.goesOn?.(mended) === false) return mended
      evidence = new Evidence(await readLevels(engine, fold, levelCuts))
    }
  }
  return mended
}

/**
 * Where groups were surely off, the next need less: of all that are mended a few may be off by luck, much as Benjamini and
 * Hochberg allow, while the first one has to be beyond what one search in a hundred finds by luck.
 */
const allowance = (mended: number): number => 3 * lnOf(1 + mended)

/** A closer look finds more evidence by luck, too, and a third condition much more. */
function isSure(searched: Candidate, polished: Candidate, least: number): boolean {
  if (searched.evidence >= least) return true
  return polished.evidence >= least + (polished.path.length > 2 ? LUCK_OF_THIRD : LUCK_OF_LOOK)
}

/** A group that was searched for moves less the nearer its evidence is to this: it may be off by luck, and if so all of it. */
const DOUBT = 8

/** Steps for one group, by its own labels; undefined where they have less evidence than `least`. Moves the engine. */
export async function mendGroup(
  engine: Engine,
  path: readonly Condition[],
  { clip, fold }: Pick<MendOptions, 'clip' | 'fold'>,
  evidence?: number,
  least = 0,
): Promise<MendedGroup | undefined> {
  const { cuts, levels } = await readGroup(engine, fold, path, clip)
  if (levels.rows[0] === 0) return undefined
  const fitted = fitSteps(levels)
  if (fitted.evidence < least) return undefined
  const share = evidence === undefined ? 1 : 1 - (DOUBT / evidence) ** 2
  const runs = fitted.runs.map(({ end, first, step }) => ({
    from: first === 0 ? 0 : cuts[first - 1],
    to: end > cuts.length ? ONE : cuts[end - 1],
    step: share * step,
  }))
  const updates = groupUpdates(path, fitted.link, runs, clip)
  if (updates.length === 0) return undefined
  for (const update of updates) await engine.apply(update)
  return { path, updates, evidence: evidence ?? fitted.evidence, gain: fitted.evidence / 2 }
}

/** Predictions are looked at in so many steps when levels are chosen. */
const SCORE_STEPS = 4096

/** Levels of one group for its steps, and how many rows each has at least. */
const GROUP_LEVELS = 24
const LEVEL_ROWS = 20

async function readGroup(
  engine: Engine,
  fold: number,
  path: readonly Condition[],
  clip: number,
): Promise<{ cuts: number[]; levels: GroupLevels }> {
  const { squaredWeight, weight } = (await engine.losses())[fold]
  const rowWeight = squaredWeight / weight
  const [sums] = await engine.levelSums({ fold, levels: SCORE_STEPS, trees: [groupTree(path)] })
  const counts = sums.counts.subarray(0, SCORE_STEPS)
  const rows = counts.reduce((sum, count) => sum + count, 0) / rowWeight
  const parts = Math.max(1, Math.min(GROUP_LEVELS, Math.floor(rows / LEVEL_ROWS)))
  const steps = equalParts(counts, parts)
  const bounds = [0, ...steps, SCORE_STEPS]
  const sumOf = (values: Float64Array) =>
    Float64Array.from({ length: bounds.length - 1 }, (_, level) => {
      let sum = 0
      for (let step = bounds[level]; step < bounds[level + 1]; step++) sum += values[step]
      return sum / rowWeight
    })
  const counted = sumOf(counts)
  const predicted = sumOf(sums.predictions).map(sum => sum / ONE)
  const labels = sumOf(sums.residuals).map((sum, level) => predicted[level] + sum / ONE)
  const nearest = clip / ONE
  const expected = predicted.map((sum, level) =>
    Math.max(nearest * counted[level], Math.min((1 - nearest) * counted[level], sum)),
  )
  return { cuts: steps.map(step => (step * ONE) / SCORE_STEPS), levels: { rows: counted, expected, labels } }
}

/** Cuts of the prediction, in units, that leave about equally many rows between them. */
export async function chooseCuts(engine: Engine, fold: number, levels: number): Promise<Int32Array> {
  const [{ counts }] = await engine.levelSums({ fold, levels: SCORE_STEPS, trees: [ROOT] })
  return Int32Array.from(equalParts(counts, levels), step => (step * ONE) / SCORE_STEPS)
}

/** Where to part steps so that no part is empty and all are about equal. */
function equalParts(counts: Float64Array, parts: number): number[] {
  const total = counts.reduce((sum, count) => sum + count, 0)
  const bounds: number[] = []
  let [before, since] = [0, 0]
  for (let step = 0; step < counts.length && bounds.length < parts - 1; step++) {
    if (since > 0 && counts[step] > 0 && before >= ((bounds.length + 1) * total) / parts) {
      bounds.push(step)
      since = 0
    }
    before += counts[step]
    since += counts[step]
  }
  return bounds
}
