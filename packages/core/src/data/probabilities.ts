// Label and prediction columns -> whole units of 2^-24. Every row must hold a probability.

import { FeatureBoostError } from '../common/errors.ts'
import { toUnits } from '../common/units.ts'
import { type BooleanColumn, type Column, columnLength, type NumericColumn, showValue } from './column.ts'
import { type Rejection, rejectMissing, rejectRows } from './reject.ts'

/** `before`: rows in earlier chunks, so that errors name the row of the whole. */
export function readLabel(column: Column, before = 0): Int32Array {
  return unitsOf(checkLabel(column, before))
}

export function checkLabel(column: Column, before = 0): NumericColumn | BooleanColumn {
  const numbers = checkKind(column, 'label', 'Turn it into 0 and 1 first: 1 where the event happened.')
  rejectMissing(numbers, 'label', before)
  rejectRows(numbers, LABEL_RANGE, before)
  return numbers
}

const LABEL_RANGE: Rejection = {
  code: 'FB_LABEL_RANGE',
  bad: isOutside,
  message: value => `${showValue(value)} is not a label.`,
  expected: '0 to 1',
}

export function readPrediction(column: Column, before = 0): Int32Array {
  return unitsOf(checkPrediction(column, before))
}

export function checkPrediction(column: Column, before = 0): NumericColumn | BooleanColumn {
  const numbers = checkKind(column, 'prediction', 'Pass the probability of the label being 1, as a number.')
  rejectMissing(numbers, 'prediction', before)
  rejectRows(numbers, PREDICTION_RANGE, before)
  return numbers
}

const PREDICTION_RANGE: Rejection = {
  code: 'FB_PREDICTION_RANGE',
  bad: isOutside,
  message: value => `${showValue(value)} is not a probability.`,
  expected: '0 to 1',
  hint: 'If these are log-odds, pass them through the logistic function first.',
}

function checkKind(column: Column, role: string, hint: string): NumericColumn | BooleanColumn {
  if (column.kind !== 'categorical') return column
  // A column without a single value has no kind of its own: what is wrong with it is that its values are missing.
  if (column.categories.length === 0) rejectMissing(column, role)
  const examples = column.categories.slice(0, 2).map(showValue).join(' and ')
  throw new FeatureBoostError('FB_COLUMN_KIND', `the ${role} holds strings, such as ${examples}.`, {
    column: column.name,
    expected: 'numbers from 0 to 1, or booleans',
    hint,
  })
}

function isOutside(value: unknown): boolean {
  return typeof value === 'number' && (value < 0 || value > 1)
}

export function unitsOf(column: NumericColumn | BooleanColumn): Int32Array {
  const units = new Int32Array(columnLength(column))
  for (let row = 0; row < units.length; row++) units[row] = toUnits(column.values[row])
  return units
}

/** In units: labels that differ by less than 2^-24 are the same to every engine. */
export const isConstant = (label: Int32Array): boolean => label.every(units => units === label[0])

export function constantLabel(column: string): FeatureBoostError {
  return new FeatureBoostError('FB_LABEL_CONSTANT', 'every label is the same.', {
    column,
    hint: 'Check that this column is the outcome and that the rows were not filtered by it.',
  })
}
