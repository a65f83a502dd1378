// Folds: which rows are for fitting and which are held out, and that each fold has something to say.

import { FeatureBoostError } from '../common/errors.ts'
import { type Column, columnLength, showValue, valueAt } from './column.ts'
import { type Rejection, rejectMissing, rejectRows } from './reject.ts'

const FOLDS = ['fit', 'holdout'] as const

/** Per row: 0 = fit, 1 = holdout. */
export function readFold(column: Column, before = 0): Uint8Array {
  rejectMissing(column, 'fold', before)
  rejectRows(column, NO_FOLD, before)
  const fold = new Uint8Array(columnLength(column))
  for (let row = 0; row < fold.length; row++) if (valueAt(column, row) === FOLDS[1]) fold[row] = 1
  return fold
}

const NO_FOLD: Rejection = {
  code: 'FB_FOLD_VALUE',
  bad: value => value !== FOLDS[0] && value !== FOLDS[1],
  message: value => `${showValue(value)} is not a fold.`,
  expected: '"fit" or "holdout"',
}

/** Rows of each fold, and those among them that weigh something. */
interface FoldTally {
  readonly rows: [number, number]
  readonly weighing: [number, number]
}

export const emptyTally = (): FoldTally => ({ rows: [0, 0], weighing: [0, 0] })

export function tallyFolds(tally: FoldTally, fold: Uint8Array, weight: ArrayLike<number> | undefined): void {
  for (let row = 0; row < fold.length; row++) {
    tally.rows[fold[row]]++
    if (weight === undefined || weight[row] > 0) tally.weighing[fold[row]]++
  }
}

/** Both folds need rows, and rows that weigh something. */
export function checkFolds({ rows, weighing }: FoldTally, hint: string): void {
  for (const [index, name] of FOLDS.entries()) {
    if (weighing[index] > 0) continue
    const problem = rows[index] === 0 ? 'has no rows' : 'has only rows of weight 0'
    throw new FeatureBoostError('FB_NO_ROWS', `the fold "${name}" ${problem}.`, { hint })
  }
}
