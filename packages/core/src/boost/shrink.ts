// A learning rate: the same update, a smaller step.

import type { RoundUpdate } from '../update/update.ts'

export function shrinkUpdate(update: RoundUpdate, rate: number): RoundUpdate {
  if (rate === 1) return update
  return update.kind === 'table'
    ? { ...update, values: update.values.map(value => Math.round(rate * value) + 0) }
    : { ...update, coefficients: update.coefficients.map(value => rate * value) }
}
