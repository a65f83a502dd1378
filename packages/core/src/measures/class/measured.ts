// What every measure of a worst auditor answers with.

import { ONE } from '../../common/units.ts'

export interface Measured {
  /** The error of the worst auditor that was found. */
  readonly error: number
  /** No auditor of the class has a larger error than this; equal to `error` where the search was exact. */
  readonly atMost: number
  /** The worst auditor, in words. */
  readonly worst: string
}

/** What the measures need to know beside the class: which rows, how fine, how much work. */
export interface AuditScope {
  readonly fold: number
  readonly cellBudget: number
  /** Numbers that the search for the worst tree may look at (worstTree/search.ts); absent: as many as it usually may. */
  readonly work?: number
}

/** Sums of residual units over weight become a mean error. */
export const errorOf = (units: number, weight: number): number => units / ONE / weight

/** The sum of the first `cells` absolute values. */
export function sumAbsolute(residuals: Float64Array, cells: number): number {
  let sum = 0
  for (let cell = 0; cell < cells; cell++) sum += Math.abs(residuals[cell])
  return sum
}
