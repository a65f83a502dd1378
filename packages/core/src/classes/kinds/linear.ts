// Linear functions of the numeric columns and of category indicators.

import type { Column } from '../../data/table.ts'
import type { FeatureSchema } from '../../quantize/schema.ts'
import type { SignalSchema } from '../../quantize/signals.ts'
import type { LinearAuditors } from '../auditors.ts'
import { type AuditorKind, checkColumns, featureIndexes, type GivenColumns, PLAIN } from './kind.ts'

export const linearKind: AuditorKind<LinearAuditors> = {
  ...PLAIN,
  check({ budget, columns }, refuse) {
    if (!(budget > 0 && Number.isFinite(budget))) refuse(`a budget of ${budget}.`, 'a number above 0')
    checkColumns(columns, refuse)
  },
  budget: ({ budget }) => budget,
  hasLevelSets: false,
  refusal: (_auditors, factors) =>
    factors === 'level-sets'
      ? {
          message: 'linear auditors have a continuum of values, so their level sets are no finite partition.',
          hint: 'Use trees or groups for level sets, or linear auditors with "table" or "weighted" factors.',
        }
      : undefined,
  extend: (auditors, given) => ({ ...PLAIN.extend(), signals: linearSignals(auditors, given) }),
  space: ({ budget }, _factors, { signals }) => ({
    kind: 'signals',
    signals: signals.map((_, index) => index),
    span: true,
    budget,
  }),
}

/** A constant, every number scaled to [-1,1] by its range on the fitting rows, every category but the pooled. */
function linearSignals(auditors: LinearAuditors, { columns, features, use }: GivenColumns): SignalSchema[] {
  const wanted = featureIndexes(auditors.columns, features)
  return [{ kind: 'one' }, ...wanted.flatMap(index => featureSignals(features[index], columns[index], use))]
}

function featureSignals(
  schema: FeatureSchema,
  column: Column,
  use: (row: number) => boolean,
): SignalSchema[] {
  const { name } = schema
  if (schema.kind === 'boolean') return [{ kind: 'indicator', column: name, value: true }]
  if (schema.kind === 'categorical') {
    return schema.categories.map(value => ({ kind: 'indicator', column: name, value }))
  }
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  const { values } = column as Column & { kind: 'numeric' }
  values.forEach((value, row) => {
    if (!use(row) || Number.isNaN(value)) return
    low = Math.min(low, value)
    high = Math.max(high, value)
  })
  const scale = high / 2 - low / 2
  return scale > 0 ? [{ kind: 'scaled', column: name, center: low / 2 + high / 2, scale }] : []
}
