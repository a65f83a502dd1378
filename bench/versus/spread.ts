// Worst errors with what is needed to compare those of two scores on the same rows, in pairs.
//
// K1 and the level-set error are the largest of many sums over rows with signs. Where the largest is found is held fixed; then
// the error is a mean of one number per row, and the difference of two errors has the spread of the differences of these
// numbers. The variance of a maximum is at most the largest variance among what it is the maximum of, so the interval is, if
// anything, too wide. MCE, a maximum of ratios, is drawn anew instead. That a measured maximum lies above the true one hits
// both scores alike.

import type { Estimate } from '@featureboost/core'

export interface WorstSum {
  /** The mean of `shares`. */
  readonly value: number
  /** One for each row. */
  readonly shares: Float64Array
}

export interface RedrawnError {
  readonly value: number
  /** The error with rows drawn anew; draws of the same rows go together. Of no use where the value is infinite. */
  readonly draws: Float64Array
}

export const meanOf = (values: Float64Array): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** Of a 95 % interval. */
const NORMAL_REACH = 1.959964

/** a minus b. */
export function differenceOf(a: WorstSum, b: WorstSum): Estimate {
  return around(a.value - b.value, spreadOf(a.shares, b.shares) / Math.sqrt(a.shares.length))
}

/** a minus b. An error without bound is more than any other, whatever the rows. */
export function redrawnDifference(a: RedrawnError, b: RedrawnError): Estimate {
  const value = a.value - b.value
  return Number.isFinite(value)
    ? around(value, spreadOf(a.draws, b.draws))
    : { value, low: value, high: value }
}

const around = (value: number, error: number): Estimate => ({
  value,
  low: value - NORMAL_REACH * error,
  high: value + NORMAL_REACH * error,
})

/** The standard deviation of a minus b. */
function spreadOf(a: Float64Array, b: Float64Array): number {
  const differences = a.map((value, index) => value - b[index])
  const mean = meanOf(differences)
  const squares = differences.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return Math.sqrt(squares / (differences.length - 1))
}
