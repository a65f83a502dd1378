// The slack of rows that were never used for fitting (THEORY section 6(b)), for every auditor at once and on both sides: how far the
// multicalibration error K1 measured on them can be from the population's, whichever auditor is looked at afterwards. Plans are made
// with it, as it needs to know nothing of the rows; a bound on the worst error alone costs far less (oneMean.ts).
//
// K1(b) is the largest of 2^K signed sums E[z], z = sigma_S b(x) (y - v_S) for f(x) in S. With f and the v_S fixed before
// the n rows were seen, z lies in [-1,1] and is independent from row to row: by Hoeffding's inequality the mean of z falls short of E[z]
// by more than sqrt(2 L / n) with probability at most e^-L.
//
// The union is over R auditors, 2^K signs and J candidates. Signs come in opposite pairs, so that none of the sums falls
// short means that none is in excess either: it holds on both sides.

import { checkArgument, checkNumbers } from '../data/given.ts'
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
  /** n': independent rows. */
  readonly rows: number
}

/**
 * How far the error of any auditor on new rows can be from that on held-out rows, by Hoeffding's
 * inequality: t = sqrt(2 (ln(2R/delta) + K ln 2 + ln J) / n').
 */
export function heldOutSlack(options: HeldOutSlackOptions): number {
  checkNumbers(options)
  const { rows, ...heldOut } = options
  requireOption('rows', rows, rows > 0, 'a number above 0')
  return slackAt(rows, logEvents(heldOut))
}

interface RowsForSlackOptions extends HeldOutClass {
  readonly slack: number
}

/** The smallest number of rows whose slack by Hoeffding is no more than the one asked for. */
export function rowsForSlack(options: RowsForSlackOptions): number {
  checkNumbers(options)
  const { slack, ...heldOut } = options
  requireOption('slack', slack, slack > 0, 'a number above 0')
  const exponent = logEvents(heldOut)
  // Rounding can put the quotient on the wrong side of a whole number: start below it and step up.
  let rows = Math.max(1, Math.floor((2 * exponent) / slack ** 2) - 1)
  while (rows < Number.MAX_SAFE_INTEGER && slackAt(rows, exponent) > slack) rows += 1
  return rows
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
  checkArgument(
    'splitCount',
    splitCount,
    typeof splitCount === 'number' && splitCount >= 0,
    'a number from 0',
  )
  checkArgument('depth', depth, typeof depth === 'number' && depth >= 0, 'a number from 0')
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
