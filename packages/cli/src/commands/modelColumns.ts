// Which columns of the data a model asks for, and which of them it knows as text.

import type { Model } from '@featureboost/core'
import type { Reading } from './session.ts'

export type ModelColumns = Required<Pick<Reading, 'only' | 'text' | 'categorical'>> &
  Pick<Reading, 'complete' | 'dateFormat' | 'oldDates'>

/** To correct scores: the features and the score. `more` adds columns that are read besides. */
export function columnsToPredict({ data }: Model, more: readonly (string | undefined)[] = []): ModelColumns {
  const { encoding, start } = data
  const features = encoding.features.filter(({ name }) => !encoding.functions.includes(name))
  const signals = encoding.signals.flatMap(signal => ('column' in signal ? [signal.column] : []))
  const scores = start.kind === 'column' ? [start.column] : []
  const words = features.flatMap(feature => (feature.kind === 'categorical' ? [feature] : []))
  const named = [...features.map(({ name }) => name), ...signals, ...scores, ...more]
  return {
    only: [...new Set(named.filter(name => name !== undefined))],
    text: words.filter(({ numbers }) => !numbers).map(({ name }) => name),
    categorical: words.filter(({ numbers }) => numbers).map(({ name }) => name),
    ...dateFormatOf(features),
    ...(data.version === 1 && { oldDates: true }),
  }
}

/**
 * Dates are written as when the model was fitted. A file that writes them otherwise is not guessed at: its column is text then, and
 * refused where that is no date of the model's.
 */
function dateFormatOf(features: Model['data']['encoding']['features']): Pick<ModelColumns, 'dateFormat'> {
  const times = features.flatMap(feature =>
    feature.kind === 'numeric' && feature.time !== undefined && feature.time !== 'time' ? [feature] : [],
  )
  if (times.length === 0) return {}
  return { dateFormat: times.find(({ format }) => format !== undefined)?.format ?? '%Y-%m-%d' }
}

/** To compute the certificate again: all that the fit looked at. */
export function columnsToVerify(model: Model): ReturnType<typeof columnsToPredict> {
  const { fold, holdout, label, weight } = model.data.roles
  return { ...columnsToPredict(model, [label, weight, fold, holdout?.groupBy]), ...completeRows(model) }
}

/** What scoring takes, the outcome, and where they are there the columns that say which rows were held out. */
export function columnsToReport(model: Model): ModelColumns & Pick<Reading, 'ifThere'> {
  const { fold, holdout, label, weight } = model.data.roles
  const ifThere = [fold, holdout?.groupBy].filter(name => name !== undefined)
  return { ...columnsToPredict(model, [label, weight]), ...completeRows(model), ifThere }
}

/** Rows without a label are left out where the fit left them out. */
const completeRows = ({ data: { roles } }: Model): Pick<Reading, 'complete'> =>
  roles.dropMissingLabels ? { complete: roles.label } : {}
