// Which group is surely off: the best of an exhaustive search, looked at closely, if it is beyond what so many groups are by luck.

import { lnOf } from '../../common/logistic.ts'
import type { Engine } from '../../engine/engine.ts'
import type { FeatureSchema } from '../../quantize/schema.ts'
import { searchCells } from '../search.ts'
import { Evidence, leastWeightOf, readLevels } from './evidence.ts'
import { type Family, openFamily } from './family.ts'
import { chooseCuts } from './levels.ts'
import { polishGroup, type Workplace, weighGroup } from './polish.ts'
import { type Candidate, leastEvidence, searchGroups } from './search.ts'

export interface FindOptions {
  readonly fold: number
  readonly schemas: readonly FeatureSchema[]
  /** Columns that groups may test. */
  readonly features: readonly number[]
  /** Of pairs of columns only as long as their cells are no more than these; else groups grow one condition at a time. */
  readonly cellBudget: number
}

/** Levels of the prediction that a search tells apart, each with about as many rows. */
const LEVELS = 10

/** Candidates of one search: the best of as many pairs of columns. */
const WANTED = 16

/** What a closer look adds to the evidence by luck, without and with a third condition. */
const LUCK_OF_LOOK = 3
const LUCK_OF_THIRD = 6

/** What a closer look may add to the evidence. */
const REACH = 10

interface GroupFinder {
  readonly place: Workplace
  readonly family: Family
  /** Evidence that the first group needs. */
  readonly least: number
}

export async function openFinder(
  engine: Engine,
  { cellBudget, features, fold, schemas }: FindOptions,
): Promise<GroupFinder> {
  const levelCuts = await chooseCuts(engine, fold, LEVELS)
  const place: Workplace = { engine, fold, levelCuts, schemas, features }
  const levels = levelCuts.length + 1
  const depth = searchCells(engine.shape.coarseCounts, features, levels) > cellBudget ? 1 : 2
  const { weight } = (await engine.losses())[fold]
  const leastWeight = leastWeightOf(await readLevels(engine, fold, levelCuts), weight)
  const family = await openFamily(engine, { ...place, levels, depth, leastWeight })
  return { place, family, least: leastEvidence({ ...family, depth: 2 }) }
}

/**
 * One group after the other, as long as the caller mends them: `mended` says how many were, now and before. Candidates of one
 * search are weighed again before they are handed out: what was mended in the meantime may have been theirs.
 */
export async function* sureGroups(
  { family, least, place }: GroupFinder,
  mended: () => number,
): AsyncGenerator<Candidate> {
  const { engine, fold, levelCuts } = place
  const weigh = async () => new Evidence(await readLevels(engine, fold, levelCuts))
  for (let before = -1; before < mended(); ) {
    before = mended()
    const bounds = { least: Math.max(0, least - allowance(before) - REACH), wanted: WANTED }
    let [evidence, known] = [await weigh(), before]
    for (const candidate of await searchGroups(family, evidence, bounds)) {
      if (known < mended()) [evidence, known] = [await weigh(), mended()]
      // As long as nothing was mended, the evidence of the search holds.
      const weighed = known === before ? candidate : await weighGroup(place, evidence, candidate.path)
      if (weighed.evidence <= bounds.least) continue
      const found = await polishGroup(place, evidence, weighed)
      if (isSure(weighed, found, least - allowance(mended()))) yield found
    }
  }
}

/**
 * Where groups were surely off, the next need less: of all that are mended a few may be off by luck, much as Benjamini and
 * Hochberg allow, while the first one has to be beyond what hardly any search finds by luck.
 */
const allowance = (mended: number): number => 3 * lnOf(1 + mended)

/** A closer look finds more evidence by luck, too, and a third condition much more. */
function isSure(searched: Candidate, polished: Candidate, least: number): boolean {
  if (searched.evidence >= least) return true
  return polished.evidence >= least + (polished.path.length > 2 ? LUCK_OF_THIRD : LUCK_OF_LOOK)
}
