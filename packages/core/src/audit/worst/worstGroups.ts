// The worst-group search: which groups, at which scores, are off by how much, and is that more than noise?

import type { CancelSignal } from '../../common/cancel.ts'
import { formatCount, formatNumber } from '../../common/text.ts'
import { fromUnits, ONE } from '../../common/units.ts'
import type { Noise } from '../../engine/engine.ts'
import { shiftFor } from '../../engine/outcome.ts'
import { normalQuantile, normalTail } from '../../measures/score/normal.ts'
import type { FeatureSchema } from '../../quantize/schema.ts'
import { type BinnedRows, makeChooser } from './choose.ts'
import {
  byConcern,
  describeFindings,
  describeSmall,
  type Finding,
  type SmallGroup,
  squareToZ,
} from './findings.ts'
import { drawMaxima, type NullDraws, rankPValue } from './nullMaximum.ts'
import { mergeFindings } from './patterns.ts'
import { affordableDraws } from './plan.ts'
import { progressOf, type Tell } from './progress.ts'
import type { Candidate } from './ranking.ts'
import type { GroupSpace, Screened } from './space.ts'

export interface WorstGroups {
  /**
   * Patterns first, then other groups; of either, by the gap that is surely there (the near end of its interval) times the rows; then, of
   * what may be noise, the surest. Against an error rate: the surest first.
   */
  readonly worst: readonly Finding[]
  /** The few groups that explain why so many are off. */
  readonly patterns: Patterns
  /** Beyond noise, largest gap first. */
  readonly tooLow: readonly Finding[]
  readonly tooHigh: readonly Finding[]
  readonly notEnoughEvidence: readonly SmallGroup[]
  readonly significance: Significance
}

export interface Patterns {
  /** The first of the worst groups. */
  readonly groups: readonly Pattern[]
  /** Kinds of groups (the same columns, tested to the same side, at the same scores) that are surely off, and were looked at. */
  readonly findings: number
  /** Those that are patterns, or are off in rows that they share with one. */
  readonly explained: number
  /** Are these all? Else they are the surest. */
  readonly isAll: boolean
}

export interface Pattern extends Finding {
  /** Findings that it explains, itself included, and none of the patterns that are more sure. */
  readonly explains: number
}

export interface Significance {
  readonly groupsTested: number
  readonly groupsTooSmall: number
  /** Groups and levels. */
  readonly testCount: number
  /** The largest |z| of all. */
  readonly largestZ: number
  /** How often noise alone gives as large a one. */
  readonly p: number
  /** Draws of the noise that p-values were found with; 0: they are union bounds, decisive for the largest. */
  readonly draws: number
  /** |z| that noise alone exceeds anywhere with probability 1 - confidence at most. */
  readonly criticalZ: number
  /**
   * What was tested, and drawn. "labels": each score is the mean of its label. "errors": scores leave next to nothing to chance, and
   * labels differ from them at one rate everywhere (engine/outcome.ts).
   */
  readonly noise: 'labels' | 'errors'
  /** With "errors": that rate, as all rows have it. */
  readonly errorRate?: number
  /** Columns that were looked at two at a time, where these are not all; the others were looked at alone. */
  readonly screened?: Screened
  /** Where the budget had no room for all draws that were asked for: its seconds, and the draws it had room for. */
  readonly limited?: { readonly budget: number; readonly draws: number; readonly of: number }
  /** Is p at most the significance asked for? */
  readonly beyondNoise: boolean
  readonly sentence: string
}

interface WorstOptions {
  readonly noise: Noise
  readonly features: readonly FeatureSchema[]
  readonly score: string
  readonly confidence: number
  readonly significance: number
  /** Draws of the noise, at most. */
  readonly draws: number
  /** Nominal seconds. */
  readonly budget: number
  /** Findings per list. */
  readonly listed: number
  /** Rows that tell how much groups overlap. */
  readonly sample: BinnedRows
  readonly signal: CancelSignal | undefined
  readonly onProgress?: Tell
}

/**
 * A group is tested if the noise in its sum of labels has a variance of 10: 40 rows at score 0.5, a thousand at 0.01.
 */
const LEAST_VARIANCE = 10

/**
 * Where the union bound settles that there is more than noise, draws only sharpen the p-values of lesser groups: a few will
 * do. Where rows times passes over them exceed MAX_WORK even these are spared, and those p-values are union bounds, too.
 */
const FEW_DRAWS = 39
const MAX_WORK = 2 ** 22

/** Candidates kept to choose different ones from. */
const KEPT = 1000

/** So many draws beyond the observed maximum settle that it is nothing special. */
const ENOUGH = 8

export async function findWorstGroups(space: GroupSpace, options: WorstOptions): Promise<WorstGroups> {
  const { engine, fold, levels } = space
  const { confidence, listed, significance } = options
  const { squaredWeight, weight } = (await engine.losses())[fold]
  const shift = shiftFor(squaredWeight)
  const leastVariance = leastVarianceOf(shift, squaredWeight / weight)
  const choose = makeChooser(options.sample, levels)
  const unionCritical = normalQuantile(1 - (1 - confidence) / (2 * space.size))
  // Columns that were chosen by their labels would have to be chosen anew for every draw.
  const asked = space.screened === undefined ? options.draws : 0
  const most = affordableDraws(space.cost, { ...options, draws: asked })
  const progress = progressOf(options.onProgress ?? (() => {}), space.cost)
  const ranking = {
    noise: options.noise,
    shift,
    leastVariance,
    criticalSquare: unionCritical ** 2 * ONE * 2 ** shift,
    kept: KEPT,
  }
  const ranked = await space.rank(ranking, (done, of) => progress.pairs(done, of, most))
  const zOf = (square: number) => squareToZ(square, shift)
  const tests = space.screened === undefined ? ranked.testCount : space.size
  const unionP = (square: number) => Math.min(1, 2 * normalTail(zOf(square)) * tests)
  const { criticalSquare } = ranking
  const mayBeNoise = ranked.bySignificance.filter(each => squareOf(each) <= criticalSquare)
  // Against an error rate it is not the gap that stands out.
  const isOfGaps = options.noise === 'labels'
  const isOff = (each: Candidate) => squareOf(each) > criticalSquare
  const isCut = ranked.bySignificance.length === KEPT && ranked.bySignificance.every(isOff)
  const merged = await mergeFindings(ranked.bySignificance.filter(isOff), {
    engine,
    fold,
    levels,
    criticalSquare,
  })
  const worst = choose(
    isOfGaps ? [...ranked.byConcern, ...mayBeNoise] : ranked.bySignificance,
    Math.max(listed, merged.patterns.length),
    merged.patterns,
  )
  const isSettled = (square: number) => unionP(square) <= significance / 10
  const open = worst.map(squareOf).filter(square => !isSettled(square))
  const few = engine.shape.rowCount * space.passes > MAX_WORK ? 0 : FEW_DRAWS
  const limit = isSettled(ranked.largestSquare) ? Math.min(few, most) : most
  const drawn = await drawMaxima(ranked.drawMaximum, Math.max(0, ...open), {
    limit: open.length === 0 ? 0 : limit,
    enough: ENOUGH,
    signal: options.signal,
    onDraw: done => progress.draws(done, limit),
  })
  const pOf = (square: number) =>
    drawn.squares.length === 0 ? unionP(square) : Math.min(1, combine(drawn, square, unionP(square)))
  const critical = criticalZ(drawn.squares.map(zOf), confidence, unionCritical)
  const perRow = weight / engine.shape.rowCount
  const context = { ...options, engine, fold, levels, shift, critical, perRow, pOf }
  const facts = {
    groupsTested: ranked.groupsTested,
    groupsTooSmall: ranked.groupsTooSmall,
    testCount: ranked.testCount,
    largestZ: zOf(ranked.largestSquare),
    p: ranked.testCount === 0 ? 1 : pOf(ranked.largestSquare),
    draws: drawn.squares.length,
    criticalZ: critical,
    ...noiseFacts(options.noise),
    ...(space.screened !== undefined && { screened: space.screened }),
    ...(most < asked && { limited: { budget: options.budget, draws: most, of: asked } }),
  }
  const beyondNoise = facts.p <= significance
  // One question for all lists: every question is a pass over the rows.
  const lists = [worst, choose(ranked.tooLow, listed), choose(ranked.tooHigh, listed)]
  const described = await describeFindings(context, lists.flat())
  const [found, tooLow, tooHigh] = lists.map(list => described.splice(0, list.length))
  // Against an error rate a group can stand out because it is wrong less often; that is not being too low, nor too high.
  const isLow = ({ gap }: Finding) => gap > 0
  const isHigh = ({ gap }: Finding) => gap < 0
  const ranks = isOfGaps ? byConcern : bySureness
  const patterns = found
    .slice(0, merged.patterns.length)
    .map((finding, index): Pattern => ({ ...finding, explains: merged.explainedBy[index] }))
  return {
    worst: [...found.slice(0, patterns.length).sort(ranks), ...found.slice(patterns.length).sort(ranks)],
    patterns: {
      groups: patterns.sort(ranks),
      findings: merged.findings,
      explained: merged.explainedBy.reduce((sum, count) => sum + count, 0),
      isAll: merged.isAll && !isCut,
    },
    tooLow: tooLow.filter(isLow),
    tooHigh: tooHigh.filter(isHigh),
    notEnoughEvidence: describeSmall(context, ranked.tooSmall.slice(0, listed)),
    significance: { ...facts, beyondNoise, sentence: stateSignificance(facts, beyondNoise) },
  }
}

const bySureness = (one: Finding, other: Finding): number => Math.abs(other.z) - Math.abs(one.z)

const squareOf = ({ residual, variance }: Candidate): number => residual ** 2 / variance

/** In the engine's sums. Rows of weights w count like rows of weight sum w^2 / sum w, each w^2 times as much variance. */
export const leastVarianceOf = (shift: number, meanWeight: number): number =>
  (LEAST_VARIANCE * ONE * meanWeight ** 2) / 2 ** shift

const noiseFacts = (noise: Noise): Pick<Significance, 'noise' | 'errorRate'> =>
  noise === 'labels' ? { noise } : { noise: 'errors', errorRate: fromUnits(noise.errors) }

/** The rank among the draws; where no draw came near and the union bound is smaller still, that. */
function combine(drawn: NullDraws, square: number, union: number): number {
  const rank = rankPValue(drawn, square, ENOUGH)
  return union < 1 / (10 * (drawn.squares.length + 1)) ? union : rank
}

/** The quantile of the draws' maxima where there are enough of them, never beyond the union bound. */
export function criticalZ(maxima: readonly number[], confidence: number, union: number): number {
  const rank = Math.ceil(confidence * (maxima.length + 1))
  if (rank > maxima.length) return union
  return Math.min(union, [...maxima].sort((a, b) => a - b)[rank - 1])
}

function stateSignificance(
  facts: Omit<Significance, 'sentence' | 'beyondNoise'>,
  beyondNoise: boolean,
): string {
  const { errorRate, groupsTested, largestZ, p } = facts
  const sure = p < 0.001 ? 'p < 0.001' : `p = ${formatNumber(p, 2)}`
  if (groupsTested === 0) return 'No group has enough rows to say anything.'
  const groups = `${formatCount(groupsTested)} group${groupsTested === 1 ? '' : 's'}`
  const what = errorRate === undefined ? 'is off' : 'differs from that rate'
  const found = beyondNoise
    ? `Among ${groups} at least one ${what} by more than noise (largest |z| ${largestZ.toFixed(1)}, ${sure}).`
    : `No group among ${formatCount(groupsTested)} ${what} by more than noise (largest |z| ${largestZ.toFixed(1)}, ${sure}).`
  return [...stateErrors(errorRate), found, ...stateLimits(facts)].join(' ')
}

/** Scores of 0 and 1 that are ever wrong are not right; so what is tested is another thing, and is said. */
export const stateErrors = (errorRate: number | undefined): string[] =>
  errorRate === undefined
    ? []
    : [
        `Scores leave next to nothing to chance, and labels differ from them at a rate of ${formatNumber(errorRate, 2)}.`,
      ]

/** What was not searched, and not drawn. */
export function stateLimits({ limited, screened }: Pick<Significance, 'limited' | 'screened'>): string[] {
  const columns = (found: Screened) =>
    `Two conditions at a time were tried on ${formatCount(found.paired)} of ${formatCount(found.of)} columns, those most off by themselves; one at a time on all.`
  const draws = ({ budget, draws, of }: NonNullable<Significance['limited']>) =>
    `A budget of ${formatNumber(budget)} s has room for ${draws === 0 ? 'no draws of the noise that would settle anything, so p-values are union bounds' : `${formatCount(draws)} of ${formatCount(of)} draws of the noise`}.`
  return [
    ...(screened === undefined ? [] : [columns(screened)]),
    ...(limited === undefined ? [] : [draws(limited)]),
  ]
}
