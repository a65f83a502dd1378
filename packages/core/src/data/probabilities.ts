// Label and prediction columns -> whole units of 2^-24. Every row must hold a probability.

import { FeatureBoostError } from '../common/errors.ts'
import { toUnits } from '../common/units.ts'
import { type BooleanColumn, type Column, columnLength, type NumericColumn, showValue } from './column.ts'
import { rejectMissing, rejectRows } from './reject.ts'

export function readLabel(column: Column): Int32Array {
  const numbers = checkKind(column, 'label', 'Turn it into 0 and 1 first: 1 where the event happened.')
  rejectMissing(numbers, 'label')
  rejectRows(numbers, {
    code: 'FB_LABEL_RANGE',
    bad: isOutside,
    message: value => `${showValue(value)} is not a label.`,
    expected: '0 to 1',
  })
  const label = unitsOf(numbers)
  rejectConstant(column.name, label)
  return label
}

export function readPrediction(column: Column): Int32Array {
  const numbers = checkKind(column, 'prediction', 'Pass the probability of the label being 1, as a number.')
  rejectMissing(numbers, 'prediction')
  rejectRows(numbers, {
    code: 'FB_PREDICTION_RANGE',
    bad: isOutside,
    message: value => `${showValue(value)} is not a probability.`,
    expected: '0 to 1',
    hint: 'If these are log-odds, pass them through the logistic function first.',
  })
  return unitsOf(numbers)
}

function checkKind(column: Column, role: string, hint: string): NumericColumn | BooleanColumn {
  if (column.kind !== 'categorical') return column
  throw new FeatureBoostError('FB_COLUMN_KIND', `the ${role} holds strings.`, {
    column: column.name,
    expected: 'numbers from 0 to 1, or booleans',
    hint,
  })
}

const isOutside = (value: unknown): boolean => typeof value === 'number' && (value < 0 || value > 1)

function unitsOf(column: NumericColumn | BooleanColumn): Int32Array {
  const units = new Int32Array(columnLength(column))
  for (let row = 0; row < units.length; row++) units[row] = toUnits(column.values[row])
  return units
}

/** In units: labels that differ by less than 2^-24 are the same to every engine. */
function rejectConstant(column: string, label: Int32Array): void {
  if (label.some(units => units !== label[0])) return
  throw new FeatureBoostError('FB_LABEL_CONSTANT', 'every label is the same.', {
    column,
    hint: 'Check that this column is the outcome and that the rows were not filtered by it.',
  })
}
