// The verdict on the terminal: what rows that the model has not seen say, then what is proven. It is never shortened to fit a line.

import type { BeforeAfter, Certificate } from '@featureboost/core'
import { type FitVerdict, judgeCompared, provenSentence } from '@featureboost/core/internal'
import { wrap } from './layout.ts'
import type { View } from './view.ts'
import { visible } from './width.ts'

export const judgeBeforeAfter = ({ allRows, compared, corrects, rowCount, rows }: BeforeAfter): FitVerdict =>
  judgeCompared(compared, { allRows, corrects, rowCount, rows })

/** What a model file says by itself. `claimed`: of new rows there is only its word; `mark`: so there is of all of it. */
export const layoutProven = (
  certificate: Certificate,
  { claimed, mark }: { readonly claimed: boolean; readonly mark?: string },
  { width }: View,
): string =>
  wrap(`Verdict${mark === undefined ? '' : ` (${mark})`}: ${provenSentence(certificate, claimed)}`, width)

/** Without an audit there is nothing to say of the score itself. */
export function layoutVerdict(certificate: Certificate, found: BeforeAfter | undefined, view: View): string {
  if (found === undefined) return wrap(`Verdict: ${provenSentence(certificate)}`, view.width)
  const { level, score, sentences } = judgeBeforeAfter(found)
  const [first, groups] = sentences.map(visible)
  const paint = { good: view.paint.good, attention: view.paint.bold, bad: view.paint.bad }[level]
  const advice = score === 'worse' ? [ADVICE] : []
  return wrap(
    `Verdict: ${[paint(first), groups, provenSentence(certificate), ...advice].join(' ')}`,
    view.width,
  )
}

const ADVICE =
  'Do not use this model as it is: fit with the default method, with a larger epsilon, or with more rows.'
