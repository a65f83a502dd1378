// Worst errors with what every row adds to them, so that two scores on the same rows can be compared in pairs.
//
// A worst error is the largest of many sums over rows with signs. Where the largest is found is held fixed; then the error is
// a mean of one number per row, and the difference of two errors has the spread of the differences of these numbers. The
// variance of a maximum is at most the largest variance among what it is the maximum of, so the interval is, if anything, too
// wide. That a measured maximum lies above the true one hits both scores alike.

import type { Estimate } from '@featureboost/core'

export interface WorstSum {
  /** The mean of `shares`, unless infinite. */
  readonly value: number
  /** One for each row. */
  readonly shares: Float64Array
}

export const meanOf = (shares: Float64Array): number =>
  shares.reduce((sum, share) => sum + share, 0) / shares.length

/** Of a 95 % interval. */
const NORMAL_REACH = 1.959964

/** a minus b. An error without bound, which MCE has for scores of 0 and 1, is more than any other, whatever the rows. */
export function differenceOf(a: WorstSum, b: WorstSum): Estimate {
  const count = a.shares.length
  const value = a.value - b.value
  if (!Number.isFinite(value)) return { value, low: value, high: value }
  let squares = 0
  for (let row = 0; row < count; row++) squares += (a.shares[row] - b.shares[row] - value) ** 2
  const reach = (NORMAL_REACH * Math.sqrt(squares / (count - 1))) / Math.sqrt(count)
  return { value, low: value - reach, high: value + reach }
}
