// The slack of rows that were never used for fitting (THEORY section 6(b)): how far the multicalibration error K1 measured
// on them can be from the population's, for every auditor at once.
//
// K1(b) is the largest of 2^K signed sums E[z], z = sigma_S b(x) (y - v_S) for f(x) in S. With f and the v_S fixed before
// the n rows were seen, z lies in [-1,1] and is independent from row to row. Two inequalities bound how far the mean of z
// falls short of E[z]:
//
//   Hoeffding            more than sqrt(2 L / n) with probability at most e^-L
//   empirical Bernstein  more than sqrt(2 V L' / n) + 14 L' / (3 (n - 1)) with probability at most 2 e^-L'
//
// V is the sample variance of z (Maurer and Pontil 2009, Theorem 4, for values in [0,1]: z has twice that range, so V is
// four times theirs, and their 7/3 becomes 14/3).
//
// V depends on the signs; what stands for it here does not. V = (mean z^2 - (mean z)^2) n/(n - 1) is at most
// mean z^2 n/(n - 1) on every draw, and z^2 = b(x)^2 (y - v_S)^2 has lost its sign. A larger number in V's place only
// widens the interval, so the inequality stands, and nothing is paid for it: it is no estimate that could fail.
//
// The union is over R auditors, 2^K signs and J candidates. Signs come in opposite pairs, so that none of the sums falls
// short means that none is in excess either: it holds on both sides. With L = ln(2R/delta) + K ln 2 + ln J all of Hoeffding
// fails with probability delta/2 at most; with L' = L + ln 2 all of Bernstein does. So both hold at once, and for each
// auditor the smaller may be taken after looking at the rows.

import { requireOption } from './sampleSize.ts'

interface HeldOutClass {
  /** ln R: the natural logarithm of the number of auditors, which lie in [-1,1]. */
  readonly logAuditors: number
  /** K: how many signs a sum has. */
  readonly bins: number
  /** 1 - delta */
  readonly confidence: number
  /** J: predictors that the same rows helped to choose between. */
  readonly candidates?: number
}

interface HeldOutSlackOptions extends HeldOutClass {
  /** n', or effectiveRows for weighted rows. */
  readonly rows: number
}

/** Hoeffding: t = sqrt(2 (ln(2R/delta) + K ln 2 + ln J) / n'). */
export function heldOutSlack({ rows, ...heldOut }: HeldOutSlackOptions): number {
  requireOption('rows', rows, rows > 0, 'a number above 0')
  return slackAt(rows, logEvents(heldOut))
}

interface BernsteinSlackOptions extends HeldOutSlackOptions {
  /** The mean of b(x)^2 (y - v_S)^2 on the rows, or more. Rows must weigh the same. */
  readonly secondMoment: number
}

/** Empirical Bernstein: sqrt(2 m L' / (n' - 1)) + 14 L' / (3 (n' - 1)), m the second moment. */
export function bernsteinSlack({ rows, secondMoment, ...heldOut }: BernsteinSlackOptions): number {
  requireOption('rows', rows, rows > 1, 'a number above 1')
  requireOption('secondMoment', secondMoment, secondMoment >= 0 && secondMoment <= 1, 'a number from 0 to 1')
  const exponent = logEvents(heldOut) + Math.LN2
  return Math.sqrt((2 * secondMoment * exponent) / (rows - 1)) + (14 * exponent) / (3 * (rows - 1))
}

export const INEQUALITIES = ['Hoeffding', 'empirical Bernstein'] as const

export type Inequality = (typeof INEQUALITIES)[number]

export interface Slack {
  readonly slack: number
  readonly inequality: Inequality
}

interface SmallerSlackOptions extends HeldOutSlackOptions {
  /** Absent where rows weigh differently: then Hoeffding alone speaks. */
  readonly secondMoment?: number | undefined
}

/** The smaller of the two, rounded up to nine digits: logarithms may differ in the last bit between JavaScript engines. */
export function smallerSlack({ secondMoment, ...options }: SmallerSlackOptions): Slack {
  const hoeffding = { slack: roundUp(heldOutSlack(options)), inequality: 'Hoeffding' } as const
  if (secondMoment === undefined || options.rows <= 1) return hoeffding
  const slack = roundUp(bernsteinSlack({ ...options, secondMoment }))
  return slack < hoeffding.slack ? { slack, inequality: 'empirical Bernstein' } : hoeffding
}

/** Nine digits after the point, no less than the value. */
export const roundUp = (value: number): number => Math.ceil(value * 1e9) / 1e9

interface RowsForSlackOptions extends HeldOutClass {
  readonly slack: number
}

/** The smallest number of rows whose slack by Hoeffding is no more than the one asked for. */
export function rowsForSlack({ slack, ...heldOut }: RowsForSlackOptions): number {
  requireOption('slack', slack, slack > 0, 'a number above 0')
  const exponent = logEvents(heldOut)
  // Rounding can put the quotient on the wrong side of a whole number: start below it and step up.
  let rows = Math.max(1, Math.floor((2 * exponent) / slack ** 2) - 1)
  while (rows < Number.MAX_SAFE_INTEGER && slackAt(rows, exponent) > slack) rows += 1
  return rows
}

/**
 * Rows that count as much as these weighted ones: Hoeffding's inequality for a weighted mean has (sum w)^2 / sum w^2 in
 * place of n. It holds given the weights: when they depend on x or y, what is bounded is the distance to the weighted
 * mean of the rows' expectations given their weights, which is not quite the weighted population's error.
 *
 * The empirical Bernstein inequality has no such form in these sums alone: it needs the largest weight and the sum of
 * w^2 z^2. Weighted rows are left to Hoeffding.
 */
export function effectiveRows(sumOfWeights: number, sumOfSquaredWeights: number): number {
  requireOption('sumOfWeights', sumOfWeights, sumOfWeights > 0, 'a number above 0')
  requireOption('sumOfSquaredWeights', sumOfSquaredWeights, sumOfSquaredWeights > 0, 'a number above 0')
  return sumOfWeights ** 2 / sumOfSquaredWeights
}

/** ln of all trees up to a depth over splitCount candidate splits: each of the 2^depth - 1 inner nodes takes one or none. */
export function logTrees(splitCount: number, depth: number): number {
  return (2 ** depth - 1) * Math.log(splitCount + 1)
}

/**
 * ln R for these trees with any leaf values in [-1,1]: each leaf takes one sign. Signs are enough because K1 is convex in
 * b, and so is its deviation (a maximum of functions linear in the leaf values): both are largest at vertices of
 * [-1,1]^leaves.
 */
export function logTreeAuditors(splitCount: number, depth: number): number {
  return logTrees(splitCount, depth) + 2 ** depth * Math.LN2
}

const slackAt = (rows: number, exponent: number): number => Math.sqrt((2 * exponent) / rows)

function logEvents({ logAuditors, bins, confidence, candidates = 1 }: HeldOutClass): number {
  requireOption('logAuditors', logAuditors, logAuditors >= 0, 'a number from 0')
  requireOption('bins', bins, Number.isInteger(bins) && bins >= 1, 'a whole number from 1')
  requireOption(
    'confidence',
    confidence,
    confidence > 0 && confidence < 1,
    'a number between 0 and 1, both excluded',
  )
  requireOption(
    'candidates',
    candidates,
    Number.isInteger(candidates) && candidates >= 1,
    'a whole number from 1',
  )
  return Math.log(2 / (1 - confidence)) + logAuditors + bins * Math.LN2 + Math.log(candidates)
}
