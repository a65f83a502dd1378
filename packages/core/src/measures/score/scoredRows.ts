// What the row-based measures are given and what they answer with, and the checks of what is given.

import { type ErrorCode, FeatureBoostError } from '../../common/errors.ts'
import { checkArgument, isObject } from '../../data/given.ts'

/** Plain arrays of one length, one entry a row. */
export interface ScoredRows {
  /** In [0,1]. */
  readonly predictions: ArrayLike<number>
  /** In [0,1]: 0 and 1, or anything between. */
  readonly labels: ArrayLike<number>
  /** Not negative, not all zero; every row counts once if left out. A row of weight 0 counts as absent. */
  readonly weights?: ArrayLike<number>
}

/** A measure on these rows and an interval for its value in the population they were drawn from. */
export interface Estimate {
  readonly value: number
  readonly low: number
  readonly high: number
}

export function checkRows(rows: ScoredRows): void {
  checkArgument('rows', rows, isObject(rows), 'predictions and labels')
  const { labels, predictions, weights } = rows
  for (const [name, values] of Object.entries({
    predictions,
    labels,
    ...(weights !== undefined && { weights }),
  }))
    checkArgument(name, values, isArrayLike(values), 'an array of numbers')
  const rowCount = predictions.length
  checkLength('labels', labels, rowCount)
  if (weights !== undefined) checkLength('weights', weights, rowCount)
  checkUnit('predictions', predictions, 'FB_PREDICTION_RANGE')
  checkUnit('labels', labels, 'FB_LABEL_RANGE')
  if (weights !== undefined) checkWeights(weights)
  if (rowCount === 0) throw new FeatureBoostError('FB_NO_ROWS', 'there are no rows to measure.')
}

const isArrayLike = (values: unknown): boolean =>
  isObject(values) && Number.isSafeInteger(values.length) && (values.length as number) >= 0

/** A column that goes with the rows must have one entry for each. */
export function checkLength(column: string, values: ArrayLike<unknown>, rowCount: number): void {
  if (values.length === rowCount) return
  throw new FeatureBoostError('FB_COLUMN_LENGTH', `${values.length} entries for ${rowCount} rows.`, {
    column,
    found: values.length,
    expected: `${rowCount} entries, one for each prediction`,
  })
}

function checkUnit(column: string, values: ArrayLike<number>, code: ErrorCode): void {
  for (let row = 0; row < values.length; row++) {
    if (values[row] >= 0 && values[row] <= 1) continue
    rejectNumber(column, values, row)
    throw new FeatureBoostError(code, `${values[row]} lies outside.`, {
      column,
      row: row + 1,
      found: values[row],
      expected: '0 to 1',
    })
  }
}

function checkWeights(weights: ArrayLike<number>): void {
  let total = 0
  for (let row = 0; row < weights.length; row++) {
    rejectNumber('weights', weights, row)
    if (weights[row] < 0) rejectWeight(`${weights[row]} is negative.`, { row: row + 1, found: weights[row] })
    total += weights[row]
  }
  if (weights.length > 0 && total === 0) rejectWeight('every weight is 0.', { found: 0 })
  if (total > LARGEST_TOTAL || (total > 0 && total < 1 / LARGEST_TOTAL))
    rejectWeight(
      `the weights sum to about ${Number(total.toPrecision(3))}, whose square is out of the range of numbers. Only their proportions count: multiply all by one number.`,
      { found: total },
    )
}

/** Errors are made of squares of weights. */
const LARGEST_TOTAL = 1e150

function rejectWeight(message: string, place: { row?: number; found: number }): never {
  const expected = 'weights of 0 or more with a sum of 1e-150 to 1e150'
  throw new FeatureBoostError('FB_WEIGHT_RANGE', message, { column: 'weights', ...place, expected })
}

function rejectNumber(column: string, values: ArrayLike<number>, row: number): void {
  const value = values[row]
  if (Number.isFinite(value)) return
  const missing = value === null || value === undefined || Number.isNaN(value)
  throw new FeatureBoostError(
    missing ? 'FB_MISSING_VALUE' : 'FB_NOT_FINITE',
    missing ? 'the value is missing.' : `${value} is not a finite number.`,
    { column, row: row + 1, found: value, expected: 'a finite number' },
  )
}
