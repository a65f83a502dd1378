// What noise alone makes of the worst group: labels are drawn from the predictions, and the largest statistic of the whole
// family is found again. The observed one has this very distribution if the predictions are right, so its rank among the
// draws is an exact p-value (Besag and Clifford), whatever the shape and overlap of the groups.

import { type CancelSignal, throwIfCancelled } from '../../common/cancel.ts'
import type { Noise } from '../../engine/engine.ts'
import type { FamilyVariance } from './candidates.ts'
import { type Family, sumFamily } from './family.ts'
import { largestOfMargins, largestSquare } from './quadrants.ts'
import { splitCount, widthOf } from './splitSums.ts'

/** The largest R^2 / V of one draw. */
export async function drawFamilyMaximum(
  family: Family,
  variance: FamilyVariance,
  noise: Noise,
  draw: number,
  leastVariance: number,
): Promise<number> {
  const drawn = await sumFamily(family, { kind: 'drawn', noise, draw })
  const width = widthOf(family.levels)
  const residuals = drawn.margins('residuals')
  let best = largestOfMargins(0, residuals, variance.margins, width, leastVariance)
  let index = 0
  for await (const pair of drawn.pairs()) {
    const { a, b } = pair
    const [r, v] = [residuals, variance.margins].map(({ all, axes }) => ({ all, a: axes[a], b: axes[b] }))
    const shape = { splitsA: splitCount(family.axes[a]), splitsB: splitCount(family.axes[b]), width }
    const sums = { ...r, both: pair.sums('residuals') }
    best = largestSquare(best, sums, { ...v, both: variance.pairs[index++] }, shape, leastVariance)
  }
  return best
}

export interface NullDraws {
  /** The largest R^2 / V of every draw, in the order of draws. */
  readonly squares: readonly number[]
}

/**
 * Draws until `limit`, or until `enough` of them have reached the observed square: then the p-value is far from small,
 * and known well enough.
 */
export async function drawMaxima(
  draw: (index: number) => Promise<number>,
  observed: number,
  { limit, enough, signal }: { limit: number; enough: number; signal: CancelSignal | undefined },
): Promise<NullDraws> {
  const squares: number[] = []
  let reached = 0
  while (squares.length < limit && reached < enough) {
    throwIfCancelled(signal, 'the draws of an audit')
    const square = await draw(squares.length)
    squares.push(square)
    if (square >= observed) reached++
  }
  return { squares }
}

/** The rank of a square among the draws; with `enough` reached, sequential draws give reached / draws. */
export function rankPValue({ squares }: NullDraws, square: number, enough: number): number {
  const reached = squares.filter(one => one >= square).length
  return reached >= enough ? reached / squares.length : (reached + 1) / (squares.length + 1)
}
