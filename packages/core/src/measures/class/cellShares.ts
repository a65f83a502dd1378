// Worst errors as means of one number per row, and so their differences between two scores with intervals from pairs of rows.
//
// K1 and the level-set error are the largest of many means of residuals with signs. With the largest held fixed, the error is
// the mean of one share per row, and the difference of two errors varies as the differences of shares do. The variance of a
// maximum is at most about the largest variance among what it is the maximum of; that a measured maximum lies above the true
// one is the same for both scores, about.

import { fromUnits, levelOf, toUnits } from '../../common/units.ts'
import type { Rounding } from '../../round/discretize.ts'
import { findLeaf, flattenTree } from '../../update/walk.ts'
import { normalMultiple } from '../score/normal.ts'
import type { Estimate, ScoredRows } from '../score/scoredRows.ts'
import type { SignedCells } from './multicalibration.ts'

/** Per row: its residual to the rounded score, with the sign of its cell. */
export function cellShares(
  { labels, predictions }: ScoredRows,
  bins: readonly ArrayLike<number>[],
  binCounts: readonly number[],
  { values, bins: levels }: Rounding,
  { signs, tree }: SignedCells,
): Float64Array {
  const flat = flattenTree(tree, binCounts)
  const shares = new Float64Array(labels.length)
  for (let row = 0; row < shares.length; row++) {
    const level = levelOf(toUnits(predictions[row]), levels)
    const sign = signs[findLeaf(flat, bins, row, 0) * levels + level]
    shares[row] = sign * (labels[row] - fromUnits(values[level]))
  }
  return shares
}

/** `value`: a minus b, as measured. */
export function shareDifference(
  value: number,
  a: Float64Array,
  b: Float64Array,
  weights: ArrayLike<number> | undefined,
  confidence: number,
): Estimate {
  const counted = Float64Array.from(a, (_, row) => weights?.[row] ?? 1)
  const squares = counted.map((weight, row) => (weight * (a[row] - b[row] - value)) ** 2)
  const weight = sumOf(counted)
  const count = weight ** 2 / sumOf(counted.map(each => each ** 2))
  const error = (Math.sqrt(sumOf(squares)) / weight) * Math.sqrt(count / (count - 1))
  const reach = normalMultiple(confidence) * error
  return { value, low: value - reach, high: value + reach }
}

/** From the smallest to the largest: the same to the bit for every order of rows. */
const sumOf = (values: Float64Array): number => values.toSorted().reduce((sum, value) => sum + value, 0)
