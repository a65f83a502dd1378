// Algorithm 1 where it has evidence: the group that is most surely off, of all that two conditions describe, moves as far as its
// labels say; and again, until no group is off beyond what so many groups are by luck.

import { groupTree } from '../../classes/groups.ts'
import { type CancelSignal, throwIfCancelled } from '../../common/cancel.ts'
import { ONE } from '../../common/units.ts'
import type { Engine } from '../../engine/engine.ts'
import { type Condition, type ForestUpdate, ROOT } from '../../engine/update.ts'
import { Evidence, readLevels } from '../../oracle/groups/evidence.ts'
import { openFamily } from '../../oracle/groups/family.ts'
import { polishGroup, type Workplace } from '../../oracle/groups/polish.ts'
import { type Candidate, leastEvidence, searchGroups } from '../../oracle/groups/search.ts'
import { searchCells } from '../../oracle/search.ts'
import type { FeatureSchema } from '../../quantize/schema.ts'
import { fitSteps, type GroupLevels } from './steps.ts'

export interface MendedGroup {
  readonly path: readonly Condition[]
  readonly update: ForestUpdate
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
  readonly signal?: CancelSignal | undefined
  readonly onGroup?: ((group: MendedGroup) => void) | undefined
}

/** Levels of the prediction that a search tells apart, each with about as many rows. */
const LEVELS = 10

/** Candidates that are looked at closely before it is said that there is none. */
const LOOKED_AT = 6

/** Moves the engine. */
export async function mendGroups(engine: Engine, options: MendOptions): Promise<MendedGroup[]> {
  const { features, fold, schemas } = options
  const levelCuts = await chooseCuts(engine, fold, LEVELS)
  const place: Workplace = { engine, fold, levelCuts, schemas, features }
  const levels = levelCuts.length + 1
  const cells = searchCells(engine.shape.coarseCounts, features, levels)
  const depth = cells > options.cellBudget ? 1 : 2
  const family = await openFamily(engine, { ...place, levels, depth })
  const least = leastEvidence({ ...family, depth: 2 })
  const mended: MendedGroup[] = []
  while (mended.length < options.mostGroups) {
    throwIfCancelled(options.signal, 'the mending of groups')
    const evidence = new Evidence(await readLevels(engine, fold, levelCuts))
    const candidates = await searchGroups(family, evidence)
    const found = await chooseGroup(place, evidence, candidates, least)
    if (found === undefined) break
    const group = await mendGroup(engine, found.path, options, found.evidence)
    // Levels may say nothing where coarser ones did.
    if (group === undefined) break
    mended.push(group)
    options.onGroup?.(group)
  }
  return mended
}

/** The best of the search, if it is sure; else whether one of the next becomes so with a third condition. */
async function chooseGroup(
  place: Workplace,
  evidence: Evidence,
  candidates: readonly Candidate[],
  least: number,
): Promise<Candidate | undefined> {
  for (const candidate of candidates.slice(0, LOOKED_AT)) {
    const polished = await polishGroup(place, evidence, candidate)
    if (polished.evidence >= least) return polished
  }
  return undefined
}

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
  if (fitted.evidence < least || fitted.steps.every(step => step === 0)) return undefined
  const [kept, steps] = joinLevels(cuts, fitted.steps)
  const update: ForestUpdate = {
    kind: 'forest',
    clip,
    trees: [{ tree: groupTree(path, kept), steps: path.length === 0 ? steps : [...steps, 0] }],
  }
  await engine.apply(update)
  return { path, update, evidence: evidence ?? fitted.evidence, gain: fitted.evidence / 2 }
}

/** Levels with the same step are one. */
function joinLevels(cuts: readonly number[], steps: readonly number[]): [cuts: number[], steps: number[]] {
  const keeps = (level: number) => level === 0 || steps[level] !== steps[level - 1]
  return [cuts.filter((_, index) => keeps(index + 1)), steps.filter((_, level) => keeps(level))]
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
