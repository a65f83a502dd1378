// Generated rows for the measures: few predictions, so that ties are common, and all kinds of labels and weights.

import fc from 'fast-check'
import type { ScoredRows } from '../../../src/measures/score/scoredRows.ts'

export interface Row {
  readonly prediction: number
  readonly label: number
  readonly weight: number
}

export interface RowsOptions {
  readonly fractional?: boolean
  readonly minLength?: number
  readonly maxLength?: number
}

export function rowArrays({ fractional = false, minLength = 1, maxLength = 30 }: RowsOptions = {}) {
  const share = (parts: number) => fc.integer({ min: 0, max: parts }).map(part => part / parts)
  const row = fc.record({
    prediction: fc.oneof(share(6), share(97)),
    label: fractional ? share(5) : fc.constantFrom(0, 1),
    weight: fc.integer({ min: 1, max: 4 }),
  })
  return fc.array(row, { minLength, maxLength })
}

export const toRows = (rows: readonly Row[]): ScoredRows => ({
  predictions: rows.map(({ prediction }) => prediction),
  labels: rows.map(({ label }) => label),
  weights: rows.map(({ weight }) => weight),
})

/** Each row as often as its weight says. */
export const repeated = (rows: readonly Row[]): ScoredRows => {
  const copies = rows.flatMap(row => new Array<Row>(row.weight).fill(row))
  return { predictions: copies.map(row => row.prediction), labels: copies.map(row => row.label) }
}

export const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

export const totalWeight = (rows: readonly Row[]): number => total(rows.map(({ weight }) => weight))
