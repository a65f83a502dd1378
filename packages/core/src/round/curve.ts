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
  readonly bins: number
  readonly error: number
}

export async function errorCurve(
  roundings: readonly Rounding[],
  measure: (rounding: Rounding) => Promise<number>,
): Promise<CurvePoint[]> {
  const curve: CurvePoint[] = []
  for (const rounding of roundings) curve.push({ bins: rounding.bins, error: await measure(rounding) })
  return curve
}
