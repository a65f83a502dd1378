// Error against K from one fit: the predictions stay, only the rounding changes.

import type { Engine } from '../engine/engine.ts'
import { discretize, type Rounding } from './discretize.ts'

/** Numbers of bins that a model keeps roundings for, besides the planned one. */
export const CURVE_BINS: readonly number[] = [
  1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 16, 20, 25, 30, 32, 40, 50, 64, 80, 100,
]

export async function roundingsFor(engine: Engine, planned: number): Promise<Rounding[]> {
  const bins = [...new Set([...CURVE_BINS, planned])].sort((a, b) => a - b)
  const roundings: Rounding[] = []
  for (const count of bins) roundings.push(await discretize(engine, count))
  return roundings
}

export interface CurvePoint {
  /** K */
  readonly bins: number
  /** The worst multicalibration error measured. */
  readonly error: number
  /** The worst error on new rows lies between these; absent for auditors that no finite count covers, as is the slack. */
  readonly low?: number
  readonly high?: number
  /** How far the measured error may be above that of the same auditor on new rows, whichever auditor it is. */
  readonly slack?: number
}

export async function errorCurve(
  roundings: readonly Rounding[],
  measure: (rounding: Rounding) => Promise<Omit<CurvePoint, 'bins'>>,
): Promise<CurvePoint[]> {
  const curve: CurvePoint[] = []
  for (const rounding of roundings) curve.push({ bins: rounding.bins, ...(await measure(rounding)) })
  return curve
}

/**
 * The K that the rows support: the largest whose slack is at most 1/K, the width of its bins. Rounding to K bins moves a
 * prediction by up to 1/K, and its error is known up to the slack: with fewer bins rounding is the larger of the two, with
 * more the rows cannot tell neighbouring bins apart. The width falls and the slack grows with K, so the larger of them is
 * least where they cross, and slack + 1/K is there at most about twice the smallest there is. The crossing moves up with
 * the rows, in the end as their cube root.
 *
 * Not the K with the smallest error + slack: where auditors know nothing of the label every rounding is multicalibrated, a
 * constant too, and that K stays at a few bins for any number of rows. Undefined where not even one bin is supported.
 */
export function supportedBins(curve: readonly CurvePoint[]): number | undefined {
  const supported = curve.filter(({ bins, slack }) => slack !== undefined && slack <= 1 / bins)
  return supported.length === 0 ? undefined : Math.max(...supported.map(({ bins }) => bins))
}
