// Scores in percent or as log odds, as probabilities.

import { FeatureBoostError } from '../common/errors.ts'
import { clipStep, expOfStep } from '../common/logistic.ts'
import { ONE } from '../common/units.ts'
import { type Column, showValue } from './column.ts'
import { type Rejection, rejectRows } from './reject.ts'

export const SCORE_SCALES = ['probability', 'percent', 'logit'] as const
export type ScoreScale = (typeof SCORE_SCALES)[number]

/** A score of each scale, and what it may be. */
export const SCORE_WORDS: Readonly<Record<ScoreScale, { readonly name: string; readonly range: string }>> = {
  probability: { name: 'probability', range: 'a number from 0 to 1' },
  percent: { name: 'percentage', range: 'a number from 0 to 100' },
  logit: { name: 'log odds', range: 'a finite number' },
}

/** A score of this scale as a probability; undefined where it lies outside the scale. */
export function probabilityOf(score: number, scale: ScoreScale): number | undefined {
  if (scale === 'logit') {
    const odds = expOfStep(clipStep(score * ONE))
    return odds / (1 + odds)
  }
  const share = scale === 'percent' ? score / 100 : score
  return share >= 0 && share <= 1 ? share : undefined
}

/** What is missing stays so, and what is no number is left to be refused with the role it has. */
export function asProbabilities(column: Column, scale: ScoreScale, before = 0): Column {
  if (scale === 'probability' || column.kind === 'categorical') return column
  if (column.kind === 'boolean' || column.time !== undefined) throw notOnScale(column, scale)
  if (scale === 'percent') rejectRows(column, PERCENT_RANGE, before)
  const { kind, name } = column
  return {
    kind,
    name,
    values: column.values.map(score => (Number.isNaN(score) ? score : probabilityOf(score, scale)!)),
  }
}

const PERCENT_RANGE: Rejection = {
  code: 'FB_PREDICTION_RANGE',
  bad: value => probabilityOf(value as number, 'percent') === undefined && value !== null,
  message: value => `${showValue(value)} is not a percentage.`,
  expected: '0 to 100',
}

const notOnScale = (column: Column, scale: ScoreScale): FeatureBoostError =>
  new FeatureBoostError(
    'FB_COLUMN_KIND',
    `the prediction holds ${column.kind === 'boolean' ? 'truth values' : 'dates'}.`,
    {
      column: column.name,
      expected: `numbers, as the score scale "${scale}" says`,
    },
  )
