// Label and prediction columns -> whole units of 2^-24. Every row must hold a probability.

import { FeatureBoostError } from '../common/errors.ts'
import { joinWords } from '../common/text.ts'
import { toUnits } from '../common/units.ts'
import { type BooleanColumn, type Column, columnLength, type NumericColumn, showValue } from './column.ts'
import { likelyScale } from './likelyWords.ts'
import { type Rejection, rejectMissing, rejectRows } from './reject.ts'

/** `before`: rows in earlier chunks, so that errors name the row of the whole. */
export function readLabel(column: Column, before = 0): Int32Array {
  return unitsOf(checkLabel(column, before))
}

export function checkLabel(column: Column, before = 0): NumericColumn | BooleanColumn {
  const numbers = checkKind(column, 'label', positiveHint)
  rejectMissing(numbers, 'label', before, DROP_HINT)
  rejectRows(numbers, { ...LABEL_RANGE, hint: () => labelHint(numbers) }, before)
  return numbers
}

const DROP_HINT =
  'Fill these rows in, or leave them out with --drop-missing-labels (in the library dropMissingLabels).'

const LABEL_RANGE: Rejection = {
  code: 'FB_LABEL_RANGE',
  bad: isOutside,
  message: value => `${showValue(value)} is not a label.`,
  expected: '0 to 1',
}

/** Which value counts as 1 is for the user to say. */
function positiveHint(values: readonly string[]): string {
  const flags = values.slice(0, values.length > 4 ? 1 : 4).map(value => `--positive ${asWord(value)}`)
  const others = values.length > 4 ? ', or whichever value it is' : ''
  return `Which value counts as 1? Say ${joinWords(flags, 'or')}${others} (in the library positive).`
}

/** As a shell takes it. */
const asWord = (text: string): string =>
  /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`

/** Outcomes 1 and 2, or -1 and 1, are two words for it. */
function labelHint(column: NumericColumn | BooleanColumn): string | undefined {
  const values = new Set<number>()
  for (const value of column.values) if (!Number.isNaN(value) && values.size < 5) values.add(value)
  return values.size === 2 ? positiveHint([...values].sort((a, b) => a - b).map(String)) : undefined
}

export function readPrediction(column: Column, before = 0): Int32Array {
  return unitsOf(checkPrediction(column, before))
}

export function checkPrediction(column: Column, before = 0): NumericColumn | BooleanColumn {
  const numbers = checkKind(column, 'prediction', scoreHint)
  rejectMissing(numbers, 'prediction', before)
  rejectRows(numbers, { ...PREDICTION_RANGE, hint: () => scaleHint(numbers) }, before)
  return numbers
}

const PREDICTION_RANGE: Rejection = {
  code: 'FB_PREDICTION_RANGE',
  bad: isOutside,
  message: value => `${showValue(value)} is not a probability.`,
  expected: '0 to 1',
}

/** What the range of the scores, of these rows, speaks for. */
function scaleHint({ values }: NumericColumn | BooleanColumn): string | undefined {
  let [low, high] = [0, 0]
  for (const value of values) {
    if (value < low) low = value
    if (value > high) high = value
  }
  const likely = likelyScale(low, high)
  if (likely === 'logit') return 'If these are log odds, say --score-scale logit (in the library scoreScale).'
  return likely === 'percent'
    ? 'If they are in percent, say --score-scale percent (in the library scoreScale).'
    : undefined
}

/** Numbers that are text for how they are written. */
function scoreHint([example]: readonly string[]): string {
  if (/^-?\d*,\d+$/.test(example))
    return 'If the comma is a decimal comma, say --decimal , when reading a CSV.'
  return 'Pass the probability of the label being 1, as a number.'
}

function checkKind(
  column: Column,
  role: string,
  hint: (values: readonly string[]) => string,
): NumericColumn | BooleanColumn {
  if (column.kind !== 'categorical') return column
  // A column without a single value has no kind of its own: what is wrong with it is that its values are missing.
  if (column.categories.length === 0) rejectMissing(column, role)
  const examples = column.categories.slice(0, 2).map(showValue).join(' and ')
  throw new FeatureBoostError('FB_COLUMN_KIND', `the ${role} holds strings, such as ${examples}.`, {
    column: column.name,
    expected: 'numbers from 0 to 1, or booleans',
    hint: hint(column.categories),
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
