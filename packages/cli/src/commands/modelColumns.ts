// Which columns of the data a model asks for, and which of them it knows as text.

import type { Model } from '@featureboost/core'
import type { OpenOptions } from '../data/open.ts'

/** To correct scores: the features and the score. `more` adds columns that are read besides. */
export function columnsToPredict(
  { data }: Model,
  more: readonly (string | undefined)[] = [],
): Required<Pick<OpenOptions, 'only' | 'text'>> {
  const { encoding, start } = data
  const features = encoding.features.filter(({ name }) => !encoding.functions.includes(name))
  const signals = encoding.signals.flatMap(signal => ('column' in signal ? [signal.column] : []))
  const scores = start.kind === 'column' ? [start.column] : []
  const named = [...features.map(({ name }) => name), ...signals, ...scores, ...more]
  return {
    only: [...new Set(named.filter(name => name !== undefined))],
    text: features.filter(({ kind }) => kind === 'categorical').map(({ name }) => name),
  }
}

/** To compute the certificate again: all that the fit looked at. */
export function columnsToVerify(model: Model): ReturnType<typeof columnsToPredict> {
  const { fold, holdout, label, weight } = model.data.roles
  return columnsToPredict(model, [label, weight, fold, holdout?.groupBy])
}

/** What scoring takes, the outcome, and where they are there the columns that say which rows were held out. */
export function columnsToReport(model: Model): Pick<OpenOptions, 'only' | 'text' | 'ifThere'> {
  const { fold, holdout, label, weight } = model.data.roles
  const ifThere = [fold, holdout?.groupBy].filter(name => name !== undefined)
  return { ...columnsToPredict(model, [label, weight]), ifThere }
}
