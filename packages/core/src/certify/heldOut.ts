// The certificate from rows that were never used for fitting (THEORY section 6(b)): how far the multicalibration error
// K1 measured on them can be from the population's, for every auditor at once.
//
// K1(b) is the largest of 2^K signed sums E[sum_S sigma_S b(x) (y - v_S) 1(f(x) in S)]. With f and the v_S fixed before
// the rows were seen, each sum is a mean of independent values in [-1,1], and Hoeffding's inequality with a union over
// R auditors, 2^K signs and J candidates gives the slack. The signs come in opposite pairs, so it holds on both sides.

import { requireOption } from './sampleSize.ts'

export interface HeldOutClass {
  /** ln R: the natural logarithm of the number of auditors, which lie in [-1,1]. */
  readonly logAuditors: number
  readonly bins: number
  /** 1 - delta */
  readonly confidence: number
  /** J: predictors that the same rows helped to choose between. */
  readonly candidates?: number
}

export interface HeldOutSlackOptions extends HeldOutClass {
  /** n', or effectiveRows for weighted rows. */
  readonly rows: number
}

/** t = sqrt(2 (ln(2R/delta) + K ln 2 + ln J) / n'). */
export function heldOutSlack({ rows, ...heldOut }: HeldOutSlackOptions): number {
  requireOption('rows', rows, rows > 0, 'a number above 0')
  return slackAt(rows, logEvents(heldOut))
}

export interface RowsForSlackOptions extends HeldOutClass {
  readonly slack: number
}

/** The smallest number of rows whose held-out slack is no more than the one asked for. */
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
 */
export function effectiveRows(sumOfWeights: number, sumOfSquaredWeights: number): number {
  requireOption('sumOfWeights', sumOfWeights, sumOfWeights > 0, 'a number above 0')
  requireOption('sumOfSquaredWeights', sumOfSquaredWeights, sumOfSquaredWeights > 0, 'a number above 0')
  return sumOfWeights ** 2 / sumOfSquaredWeights
}

/**
 * ln R for all trees up to a depth over splitCount candidate splits, with any leaf values in [-1,1]: each of the
 * 2^depth - 1 inner nodes takes one split or none, each leaf one sign. Signs are enough because K1 is convex in b, and so
 * is its deviation (a maximum of functions linear in the leaf values): both are largest at vertices of [-1,1]^leaves.
 */
export function logTreeAuditors(splitCount: number, depth: number): number {
  const leafCount = 2 ** depth
  return (leafCount - 1) * Math.log(splitCount + 1) + leafCount * Math.LN2
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
