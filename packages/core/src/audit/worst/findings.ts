// A finding: one group, at some scores, with everything a person needs to act on it.

import type { Predicate } from '../../classes/auditors.ts'
import { plainLevel, plainWords } from '../../classes/describe.ts'
import { groupTree } from '../../classes/groups.ts'
import { predicatesOfPath } from '../../classes/predicates.ts'
import { quoteName, whereOf } from '../../classes/sql.ts'
import { formatNumber } from '../../common/text.ts'
import { fromUnits, ONE } from '../../common/units.ts'
import type { Engine, Noise } from '../../engine/engine.ts'
import type { FeatureSchema } from '../../quantize/schema.ts'
import type { Candidate } from './ranking.ts'
import { type Interval, sayGap, sayTest } from './say.ts'

/** One group of an audit, at one level of the score or at all. */
export interface Finding {
  /** Who, in words: "age <= 25 and sex = F, at scores of 30 to 35 %". */
  readonly group: string
  /** Who, what the score says, what the outcome is, on how many rows, and by how much they surely differ. */
  readonly sentence: string
  /** What a statistician asks for: "z 7.7, p < 0.001 after correction". */
  readonly test: string
  readonly where: readonly Predicate[]
  /** Scores from (included) up to (excluded, but for 1); absent: all scores. */
  readonly scores?: { readonly from: number; readonly to: number }
  /** For a WHERE clause, the scores included. */
  readonly sql: string
  /** Rows; with weights, as if each counted its weight over the mean weight. */
  readonly weight: number
  readonly meanScore: number
  readonly meanLabel: number
  /** Mean label minus mean score: positive where scores are too low. */
  readonly gap: number
  /** Covers the gaps of all groups searched at once, with the audit's confidence. */
  readonly interval: Interval
  /** Of the gap; with significance.noise "errors", of how far it is from the one that the overall error rate makes. */
  readonly z: number
  /** Corrected for everything that was searched. */
  readonly p: number
  /** A gap of this size would be found four times out of five. */
  readonly detectableGap: number
}

export interface SmallGroup {
  readonly group: string
  readonly where: readonly Predicate[]
  readonly sql: string
  readonly weight: number
  readonly detectableGap: number
}

interface FindingContext {
  readonly engine: Engine
  readonly fold: number
  readonly levels: number
  readonly noise: Noise
  readonly shift: number
  readonly features: readonly FeatureSchema[]
  /** The name of the score's column. */
  readonly score: string
  /** How many standard errors the worst of all groups may be off by noise alone, at the audit's confidence. */
  readonly critical: number
  /** What a row weighs on average, in the engine's weights. */
  readonly perRow: number
  readonly pOf: (square: number) => number
}

/** The standard errors beyond the critical value at which four of five are found. */
export const POWER = 0.8416

/** R^2 / V in the engine's sums to z^2. */
export const squareToZ = (square: number, shift: number): number => Math.sqrt(square / ONE / 2 ** shift)

export async function describeFindings(
  context: FindingContext,
  candidates: readonly Candidate[],
): Promise<Finding[]> {
  if (candidates.length === 0) return []
  const { engine, fold, levels, noise, shift } = context
  const trees = candidates.map(({ path }) => groupTree(path))
  const sums = await engine.levelSums({ fold, levels, trees })
  const spreadOf = (by: Noise | 'squares') =>
    engine.levelSums({ fold, levels, trees, outcome: { kind: 'variance', noise: by, shift } })
  const [spreads, squares] = [await spreadOf(noise), await spreadOf('squares')]
  return candidates.map((candidate, index) => {
    const at = (values: Float64Array) => atLevel(values, levels, candidate.level)
    const squared = 2 ** shift
    const { counts, predictions, residuals } = spreads[index]
    const own = {
      meanScore: fromUnits(at(sums[index].predictions)) / candidate.count,
      gap: fromUnits(at(sums[index].residuals)) / candidate.count,
    }
    return describeFinding(context, candidate, own, {
      squaredWeight: at(counts) * squared,
      predicted: fromUnits(at(predictions)) * squared,
      variance: fromUnits(at(residuals)) * squared,
      squares: fromUnits(at(squares[index].residuals)) * squared,
    })
  })
}

/** Sums with squared weights: of 1, of the predictions, of the noise's variance, and of the squared residuals. */
export interface Spread {
  readonly squaredWeight: number
  readonly predicted: number
  readonly variance: number
  readonly squares: number
}

const atLevel = (values: Float64Array, levels: number, level: number | undefined): number =>
  level === undefined ? values.subarray(0, levels).reduce((sum, value) => sum + value, 0) : values[level]

function describeFinding(
  context: FindingContext,
  candidate: Candidate,
  { gap, meanScore }: Pick<Finding, 'gap' | 'meanScore'>,
  spread: Spread,
): Finding {
  const { count, level, path, residual, variance } = candidate
  const { critical, features, levels, score, shift } = context
  const square = (residual * residual) / variance
  const interval = scoreInterval(gap, meanScore, count, critical, spread)
  const words = plainWords(candidate, features)
  const group = `${words}${level === undefined ? '' : plainLevel(level, levels)}`
  const scores = level === undefined ? undefined : { from: level / levels, to: (level + 1) / levels }
  const where = predicatesOfPath(path, features)
  const found = {
    group,
    where,
    ...(scores !== undefined && { scores }),
    sql: [
      ...(where.length > 0 || scores === undefined ? [whereOf(where)] : []),
      ...scoreSql(score, scores),
    ].join(' AND '),
    weight: count / context.perRow,
    meanScore,
    meanLabel: meanScore + gap,
    gap,
    interval,
    z: Math.sign(residual) * squareToZ(square, shift),
    p: context.pOf(square),
    detectableGap: detectableGap(candidate, critical, shift),
  }
  const against =
    context.noise === 'labels'
      ? ''
      : `, against an error rate of ${formatNumber(fromUnits(context.noise.errors), 2)}`
  return { ...found, sentence: `${group}: ${sayGap(found)}.`, test: `${sayTest(found)}${against}` }
}

/**
 * The means m of the label that the data do not speak against, less the mean score: (mean label - m)^2 <= c^2 V(m) / N^2.
 * Labels that are 1 with probabilities of mean m have the variance m (1 - m) per row, less what the probabilities differ;
 * as a share that is taken to be the scores' own, so that V at the mean score is the test's; unless the residuals vary more
 * than that, as they do where scores are bolder than the truth. Wilson's interval, then: it stays within 0 and 1, and, but
 * for bold scores, leaves out a gap of 0 just when the test rejects it.
 */
export function scoreInterval(
  gap: number,
  meanScore: number,
  count: number,
  critical: number,
  spread: Spread,
): Interval {
  const { predicted, squaredWeight, squares, variance } = spread
  const shareOf = (sum: number, mean: number) =>
    mean > 0 && mean < 1 ? sum / (squaredWeight * mean * (1 - mean)) : 1
  const label = meanScore + gap
  const observed = shareOf(squares - gap * gap * squaredWeight, label)
  // The observed share is itself uncertain: what it may be by chance is no reason to speak of bold scores.
  const chance = 1 + 2 / Math.sqrt(count ** 2 / squaredWeight)
  const share = Math.max(shareOf(variance, predicted / squaredWeight), Math.min(1, observed / chance))
  const c = (critical ** 2 * share * squaredWeight) / count ** 2
  const center = label + c / 2
  const reach = Math.sqrt(c * label * (1 - label) + (c * c) / 4)
  return { low: (center - reach) / (1 + c) - meanScore, high: (center + reach) / (1 + c) - meanScore }
}

function scoreSql(score: string, scores: { from: number; to: number } | undefined): string[] {
  if (scores === undefined) return []
  const name = quoteName(score)
  const upper = scores.to === 1 ? `${name} <= 1` : `${name} < ${scores.to}`
  return [`${name} >= ${scores.from} AND ${upper}`]
}

function detectableGap({ count, variance }: Candidate, critical: number, shift: number): number {
  return ((critical + POWER) * Math.sqrt((variance * 2 ** shift) / ONE)) / count
}

/** The near end of the interval: by so much the score is surely off; less than 0 where it may be right. */
export const sureGap = ({ gap, interval }: Pick<Finding, 'gap' | 'interval'>): number =>
  gap > 0 ? interval.low : -interval.high

/** Does the interval leave out 0? */
export const isSure = (finding: Pick<Finding, 'gap' | 'interval'>): boolean => sureGap(finding) > 0

/** What matters first: the gap that is surely there, times the rows that it concerns; then, of what may be noise, the surest. */
export function byConcern(one: Finding, other: Finding): number {
  const concern = (finding: Finding) => Math.max(0, sureGap(finding)) * finding.weight
  return concern(other) - concern(one) || Math.abs(other.z) - Math.abs(one.z)
}

export function describeSmall(context: FindingContext, candidates: readonly Candidate[]): SmallGroup[] {
  return candidates.map(candidate => {
    const where = predicatesOfPath(candidate.path, context.features)
    return {
      group: plainWords(candidate, context.features),
      where,
      sql: whereOf(where),
      weight: candidate.count / context.perRow,
      detectableGap: Math.min(1, detectableGap(candidate, context.critical, context.shift)),
    }
  })
}
