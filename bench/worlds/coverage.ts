// Coverage: how often the intervals of an audit, of segments and of a comparison hold the world's true value; and, in
// calibrated worlds, how p-values are distributed. Audits search trees and declared groups in turn.

import { type Audit, audit } from '../../packages/core/src/audit/audit.ts'
import type { Finding } from '../../packages/core/src/audit/worst/findings.ts'
import type { WorstErrors } from '../../packages/core/src/certify/worstErrors.ts'
import type { Predicate } from '../../packages/core/src/classes/auditors.ts'
import { levelOf, ONE } from '../../packages/core/src/common/units.ts'
import { valueAt } from '../../packages/core/src/data/column.ts'
import { type Comparisons, compareMeasures } from '../../packages/core/src/measures/score/compare.ts'
import { type MulticalibrationError, segmentError } from '../../packages/core/src/measures/score/mce.ts'
import type { Estimate } from '../../packages/core/src/measures/score/scoredRows.ts'
import { type ScoreMeasures, scoreMeasures } from '../../packages/core/src/measures/score/scoreMeasures.ts'
import { CONFIDENCE } from './certificates.ts'
import { DECLARED, roundScores, TREES, type WorldClasses } from './classes.ts'
import { type Draw, ROLES, scoredRows, tableOf } from './draw.ts'
import { membersOf } from './predicates.ts'
import { binnedError, type ScoreTruth, scoreTruth, walkRange } from './scoreTruth.ts'
import { type Outcome, outcomeOf, type Tally } from './tally.ts'
import { POPULATION, REGIONS, seedOf, type World } from './world.ts'

export interface WorldTruth {
  readonly score: ScoreTruth
  readonly rival: ScoreTruth
  /** ECCE of every segment, by its name. */
  readonly segments: ReadonlyMap<string, number>
}

export const makeTruth = (world: World): WorldTruth => ({
  score: scoreTruth(world.score, world.chance),
  rival: scoreTruth(world.rival, world.chance),
  segments: new Map(
    allSegments().map(where => {
      const members = membersOf(world.features, where)
      return [segmentName(where), walkRange(world.score, world.chance, members)]
    }),
  ),
})

export const LEVELS = [0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9] as const

/** Of intervals that are simulated: another one for every draw, and none that rows are drawn with. */
const simulationSeed = ({ number, world }: Draw): number =>
  (seedOf(1, world.index, number) + 2 ** 31) % 2 ** 32

/** Audits one draw, of trees or of declared groups. */
export function auditDraw(draw: Draw, search: 'trees' | 'groups'): Promise<Audit> {
  const auditors = search === 'trees' ? TREES : DECLARED
  return audit(tableOf(draw), {
    ...ROLES,
    auditors,
    bins: draw.world.bins,
    confidence: CONFIDENCE,
    seed: simulationSeed(draw),
    threads: 1,
    // Points are drawn with replacement: rows that are alike are still independent.
    copies: 'independent',
  })
}

export async function coverDraw(
  tallies: { readonly coverage: Tally; readonly uniform: Tally },
  draw: Draw,
  classes: WorldClasses,
  truth: WorldTruth,
): Promise<void> {
  const search = draw.number % 2 === 0 ? 'trees' : 'groups'
  const count: Count = (name, outcome) =>
    tallies.coverage.add(name, { kind: draw.world.kind, events: draw.events }, outcome)
  // Labels that are all 0 or all 1 are refused by an audit; the measures alone take them.
  const given = draw.labels.includes(0) && draw.labels.includes(1)
  count('an audit is given', given ? 'held' : 'above')
  const options = { confidence: CONFIDENCE, seed: simulationSeed(draw) }
  const segmented = measureSegments(draw)
  countSegments(count, segmented, truth.segments)
  if (!given) {
    countMeasures(count, draw, scoreMeasures(scoredRows(draw, draw.world.score), options), truth.score)
    return
  }
  const audited = await auditDraw(draw, search)
  countMeasures(count, draw, audited.measures, truth.score)
  countErrors(count, draw, search, audited, classes)
  countFindings(count, draw, search, audited)
  if (draw.world.calibrated) countPValues(tallies.uniform, draw, search, audited, segmented)
}

type Count = (name: string, outcome: Outcome) => void

const SMOOTH = ['brier', 'logLoss', 'uncertainty', 'auc', 'prAuc'] as const
const KINKED = ['eceWidth', 'smoothEce', 'ecce'] as const

/** Rankings are undefined, and not counted, where a class is missing. */
function countMeasures(count: Count, draw: Draw, measures: ScoreMeasures, truth: ScoreTruth): void {
  for (const name of [...SMOOTH, ...KINKED]) {
    const estimate: Estimate | undefined = measures[name]
    if (estimate !== undefined) count(name, outcomeOf(estimate, truth[name]))
  }
  count('eceMass', outcomeOf(measures.eceMass, massTruth(draw.world, measures)))
  count('reliability bin', reliabilityOutcome(draw, measures))
}

/** The population's ECE on the bins as they came out: each ends with the largest score of the rows in it. */
function massTruth({ chance, score }: World, { eceMass }: ScoreMeasures): number {
  const ends = eceMass.bins.slice(0, -1).map(bin => bin.to)
  return binnedError(score, chance, f => ends.filter(end => f > end).length)
}

/** The mean label of one equal-width bin; draws take the bins in turn. */
function reliabilityOutcome({ number, world }: Draw, { eceWidth }: ScoreMeasures): Outcome {
  const bin = eceWidth.bins[number % eceWidth.bins.length]
  const binOf = (f: number) => Math.min(9, Math.floor(f * 10))
  let [ones, rows] = [0, 0]
  world.score.forEach((f, row) => {
    if (binOf(f) !== binOf(bin.from)) return
    ones += world.chance[row]
    rows++
  })
  return outcomeOf(bin.meanLabel, ones / rows)
}

/** As in an audit, the score is rounded to the mean score of the draw's own rows; so is the population's. */
function countErrors(
  count: Count,
  draw: Draw,
  search: 'trees' | 'groups',
  audited: WorstErrors,
  { classes }: WorldClasses,
): void {
  const { truth } = classes.find(each => each.name === search)!
  const scores = Float64Array.from(draw.rows, row => draw.world.score[row])
  const { levelSet, multicalibration } = truth.rounded(roundScores(scores, draw.world.bins).values)
  const { multiaccuracy, swapRegret } = truth
  const truths = { multiaccuracy, multicalibration, levelSet, swapRegret }
  for (const name of ['multiaccuracy', 'multicalibration', 'levelSet', 'swapRegret'] as const) {
    count(`${name}, ${search}`, outcomeOf(audited[name], truths[name]))
  }
}

/** All findings of a draw must hold at once. */
function countFindings(
  count: Count,
  { world }: Draw,
  search: string,
  { tooHigh, tooLow, worst }: Audit,
): void {
  const outcomes = [...worst, ...tooLow, ...tooHigh].map(finding =>
    outcomeOf(finding.interval, gapOf(world, finding)),
  )
  if (outcomes.length === 0) return
  count(`findings, ${search}`, outcomes.find(outcome => outcome !== 'held') ?? 'held')
  count(`first finding, ${search}`, outcomes[0])
}

/** E[p - f] in the group, at its scores. */
function gapOf({ bins, chance, features, score }: World, { scores, where }: Finding): number {
  const members = membersOf(features, where)
  const level = scores === undefined ? undefined : Math.round(scores.from * bins)
  let [sum, rows] = [0, 0]
  for (let row = 0; row < POPULATION; row++) {
    if (members[row] === 0) continue
    if (level !== undefined && levelOf(score[row] * ONE, bins) !== level) continue
    sum += chance[row] - score[row]
    rows++
  }
  return sum / rows
}

/** Everyone, each region, members or not, and both together. */
function allSegments(): Predicate[][] {
  const regions = REGIONS.map((region): Predicate => ({ column: 'region', is: region }))
  const members = [true, false].map((is): Predicate => ({ column: 'member', is }))
  const both = regions.flatMap(region => members.map(member => [region, member]))
  return [[], ...regions.map(one => [one]), ...members.map(one => [one]), ...both]
}

const segmentName = (where: readonly Predicate[]): string =>
  where.map(predicate => `${predicate.column}=${'is' in predicate ? predicate.is : ''}`).join()

function measureSegments(draw: Draw): MulticalibrationError {
  const columns = draw.world.features
    .filter(({ kind }) => kind !== 'numeric')
    .map(column => ({ name: column.name, categories: Array.from(draw.rows, row => valueAt(column, row)) }))
  const options = { depth: 2, values: REGIONS.length, confidence: CONFIDENCE }
  return segmentError(scoredRows(draw, draw.world.score), columns, options)
}

/** The segments that were looked at, each in units of the sigma that was found. */
function countSegments(
  count: Count,
  { segments, sigma }: MulticalibrationError,
  truth: WorldTruth['segments'],
): void {
  const ratios = segments.map(segment => {
    const name = segment.where.map(({ column, level }) => `${column}=${level}`).join()
    return truth.get(name)! / segment.sigma
  })
  count('segments (MCE)', outcomeOf(sigma, Math.max(...ratios)))
}

/** "Held" where p is above the level: that is to happen with probability 1 - level or more. */
function countPValues(
  tally: Tally,
  { events, world }: Draw,
  search: string,
  { measures, significance }: Audit,
  segmented: MulticalibrationError,
): void {
  const place = { kind: world.kind, events }
  const count = (name: string, p: number) => {
    for (const level of LEVELS) tally.add(`${name}@${level}`, place, p <= level ? 'below' : 'held')
  }
  // What is tested depends on the scores alone, so leaving out draws where nothing is does no harm.
  if (significance.testCount > 0) count(`search, ${search}`, significance.p)
  count('ECCE', measures.ecce.pValue)
  count('segments, Bonferroni', segmented.bonferroni)
}

const COMPARED = ['brier', 'logLoss', 'auc', 'prAuc', 'eceWidth', 'smoothEce', 'ecce'] as const

export function compareDraw(tally: Tally, draw: Draw, truth: WorldTruth, simulated: number): void {
  const { events, world } = draw
  const compared: Comparisons = compareMeasures(
    scoredRows(draw, world.score),
    scoredRows(draw, world.rival),
    { confidence: CONFIDENCE, seed: simulationSeed(draw), draws: simulated },
  )
  for (const name of COMPARED) {
    const difference = compared[name]?.difference
    if (difference === undefined) continue
    const outcome = outcomeOf(difference, truth.score[name] - truth.rival[name])
    tally.add(`difference of ${name}`, { kind: world.kind, events }, outcome)
  }
}
