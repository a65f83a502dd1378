// Folds: which rows are for fitting and which are held out, and that each fold has something to say.

import { FeatureBoostError } from '../common/errors.ts'
import { type Column, columnLength, showValue, valueAt } from './column.ts'
import { rejectMissing, rejectRows } from './reject.ts'

const FOLDS = ['fit', 'holdout'] as const

/** Per row: 0 = fit, 1 = holdout. */
export function readFold(column: Column): Uint8Array {
  rejectMissing(column, 'fold')
  rejectRows(column, {
    code: 'FB_FOLD_VALUE',
    bad: value => value !== FOLDS[0] && value !== FOLDS[1],
    message: value => `${showValue(value)} is not a fold.`,
    expected: '"fit" or "holdout"',
  })
  const fold = new Uint8Array(columnLength(column))
  for (let row = 0; row < fold.length; row++) if (valueAt(column, row) === FOLDS[1]) fold[row] = 1
  return fold
}

/** Both folds need rows, and rows that weigh something. */
export function checkFolds(fold: Uint8Array, weight: Int32Array | undefined, hint: string): void {
  const rowCounts = [0, 0]
  const totals = [0, 0]
  for (let row = 0; row < fold.length; row++) {
    rowCounts[fold[row]]++
    totals[fold[row]] += weight === undefined ? 1 : weight[row]
  }
  for (const [index, name] of FOLDS.entries()) {
    if (totals[index] > 0) continue
    const problem = rowCounts[index] === 0 ? 'has no rows' : 'has only rows of weight 0'
    throw new FeatureBoostError('FB_NO_ROWS', `the fold "${name}" ${problem}.`, { hint })
  }
}
