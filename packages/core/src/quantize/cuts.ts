// Cuts of a numeric column: weighted quantiles of its distinct values, plus the thresholds that declared
// predicates require.

import { FeatureBoostError } from '../common/errors.ts'
import { momentKind } from '../data/infer.ts'
import type { NumericColumn } from '../data/table.ts'
import { chooseBoundaries } from './boundaries.ts'
import { type Counting, countOf } from './counting.ts'
import type { NumericSchema } from './schema.ts'
import { lowerBound, lowerBoundOf } from './search.ts'

/** Ascending; -0 before 0. There is no NaN among the values. */
export type SortNumbers = (values: Float64Array) => Float64Array

/** Distinct values, ascending, and the total weight of each. */
interface Distinct {
  readonly values: Float64Array
  readonly weights: Float64Array
}

export function fitNumeric(
  column: NumericColumn,
  counting: Counting,
  bins: number,
  coarseBins: number,
  required: readonly number[],
  sort: SortNumbers = values => values.sort(),
): Omit<NumericSchema, 'missing'> {
  const thresholds = checkThresholds(column.name, required, Math.min(bins, coarseBins) - 1)
  const distinct = distinctValues(column.values, counting, sort)
  const { values } = distinct
  const whole = column.time === undefined && values.length > 0 && values.every(Number.isSafeInteger)
  const cuts = fineCuts(distinct, bins, thresholds, whole)
  const forced = thresholds.map(threshold => lowerBound(cuts, threshold))
  const coarse = chooseBoundaries(weighBins(distinct, cuts), coarseBins, forced)
  const { format, name, time } = column
  return {
    ...{ name, kind: 'numeric', cuts, coarse },
    // Adding 0 makes -0 equal to 0.
    ...(values.length > 0 && { range: [values[0] + 0, values[values.length - 1] + 0] as const }),
    ...(whole && { whole }),
    ...(time !== undefined && { time: time === 'time' ? time : momentKind(values) }),
    ...(format !== undefined && { format }),
  }
}

function checkThresholds(column: string, required: readonly number[], limit: number): number[] {
  for (const threshold of required) {
    if (Number.isFinite(threshold)) continue
    throw new FeatureBoostError('FB_NOT_FINITE', `the threshold ${threshold} is not a finite number.`, {
      column,
      found: threshold,
    })
  }
  const thresholds = [...new Set(required)].sort((a, b) => a - b)
  if (thresholds.length <= limit) return thresholds
  const message = `declared predicates need ${thresholds.length} cuts.`
  throw new FeatureBoostError('FB_CUTS_TOO_MANY', message, {
    column,
    found: thresholds.length,
    expected: `at most ${limit}, one less than the (coarse) bins`,
    hint: 'Declare fewer thresholds on this column or raise the number of bins.',
  })
}

function distinctValues(all: Float64Array, counting: Counting, sort: SortNumbers): Distinct {
  const sorted = sort(countedValues(all, counting))
  const values = new Float64Array(sorted.length)
  const weights = new Float64Array(sorted.length)
  let last = -1
  for (let i = 0; i < sorted.length; i++) {
    if (i === 0 || sorted[i] !== sorted[i - 1]) values[++last] = sorted[i]
    weights[last]++
  }
  const distinct = { values: values.subarray(0, last + 1), weights: weights.subarray(0, last + 1) }
  if (counting.weight !== undefined) addWeights(distinct, all, counting)
  return distinct
}

function countedValues(all: Float64Array, counting: Counting): Float64Array {
  const counted = new Float64Array(all.length)
  let length = 0
  for (let row = 0; row < all.length; row++) {
    if (!Number.isNaN(all[row]) && countOf(counting, row) > 0) counted[length++] = all[row]
  }
  return counted.subarray(0, length)
}

/** Every row counts as 1 so far; most rows of most tables do. */
function addWeights({ values, weights }: Distinct, all: Float64Array, counting: Counting): void {
  for (let row = 0; row < all.length; row++) {
    const count = countOf(counting, row)
    if (count > 1 && !Number.isNaN(all[row])) weights[lowerBoundOf(values, all[row])] += count - 1
  }
}

/**
 * A threshold that parts two neighbouring values serves as the cut between them. One that does not (it lies
 * outside all values, or another lies in the same gap) costs a bin, which the quantiles then lack. Whole numbers are cut at
 * whole numbers.
 */
function fineCuts(
  { values, weights }: Distinct,
  bins: number,
  thresholds: readonly number[],
  whole: boolean,
): number[] {
  const forced = new Set<number>()
  for (const threshold of thresholds) {
    const next = lowerBound(values, threshold)
    const last = values[next] === threshold ? next : next - 1
    if (last >= 0 && last < values.length - 1) forced.add(last)
  }
  const spare = thresholds.length - forced.size
  const free = chooseBoundaries(weights, bins - spare, [...forced])
    .filter(position => !forced.has(position))
    .map(position => shortestBetween(values[position], values[position + 1]))
    .map(cut => (whole ? Math.floor(cut) : cut))
  return [...free, ...thresholds].sort((a, b) => a - b)
}

/** A decimal number c with a <= c < b and few digits, near the middle: 24.5 for 24 and 25. */
export function shortestBetween(a: number, b: number): number {
  const middle = a / 2 + b / 2
  for (let digits = 1; digits <= 17; digits++) {
    const rounded = Number(middle.toPrecision(digits))
    if (rounded >= a && rounded < b) return rounded
  }
  return a
}

function weighBins({ values, weights }: Distinct, cuts: readonly number[]): Float64Array {
  const totals = new Float64Array(cuts.length + 1)
  let bin = 0
  for (let i = 0; i < values.length; i++) {
    while (values[i] > cuts[bin]) bin++
    totals[bin] += weights[i]
  }
  return totals
}
