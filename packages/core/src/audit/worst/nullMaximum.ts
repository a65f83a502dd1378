// What noise alone makes of the worst group: labels are drawn from the predictions, and the largest statistic of the whole
// family is found again. The observed one has this very distribution if the predictions are right, so its rank among the
// draws is an exact p-value (Besag and Clifford), whatever the shape and overlap of the groups.

import { type CancelSignal, throwIfCancelled } from '../../common/cancel.ts'
import type { Noise } from '../../engine/engine.ts'
import { type Family, sumFamily } from '../../oracle/groups/family.ts'
import { splitCount, widthOf } from '../../oracle/groups/splitSums.ts'
import type { FamilyVariance } from './candidates.ts'
import { largestOfMargins, largestSquare } from './quadrants.ts'

/** The largest R^2 / V of one draw; or, once it reaches `enough`, what has been found so far. */
export async function drawFamilyMaximum(
  family: Family,
  variance: FamilyVariance,
  noise: Noise,
  draw: number,
  leastVariance: number,
  enough: number = Number.POSITIVE_INFINITY,
): Promise<number> {
  const drawn = await sumFamily(family, { kind: 'drawn', noise, draw })
  const width = widthOf(family.levels)
  const residuals = drawn.margins('residuals')
  let best = largestOfMargins(0, residuals, variance.margins, width, leastVariance)
  let index = 0
  if (best >= enough) return best
  for await (const pair of drawn.pairs()) {
    const { a, b } = pair
    const [r, v] = [residuals, variance.margins].map(({ all, axes }) => ({ all, a: axes[a], b: axes[b] }))
    const shape = { splitsA: splitCount(family.axes[a]), splitsB: splitCount(family.axes[b]), width }
    const sums = { ...r, both: pair.sums('residuals') }
    best = largestSquare(best, sums, { ...v, both: variance.pairs[index++] }, shape, leastVariance)
    if (best >= enough) return best
  }
  return best
}

export interface NullDraws {
  /** The largest R^2 / V of every draw, in the order of draws. If all reached the observed one: no more than that each did. */
  readonly squares: readonly number[]
}

/** The largest square of a draw; a draw that reaches `enough` may end there. */
export type DrawMaximum = (draw: number, enough?: number) => Promise<number>

/**
 * Draws until `limit`, or until `enough` of them have reached the observed square: then the p-value is far from small,
 * and known well enough.
 */
export async function drawMaxima(
  draw: DrawMaximum,
  observed: number,
  { limit, enough, signal }: { limit: number; enough: number; signal: CancelSignal | undefined },
): Promise<NullDraws> {
  if (limit >= enough) {
    const quick = await drawReaching(draw, observed, enough, signal)
    if (quick.length === enough) return { squares: quick }
  }
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

/** Draws that end as soon as they reach the observed square, until one does not: the common case where nothing is off. */
async function drawReaching(
  draw: DrawMaximum,
  observed: number,
  count: number,
  signal: CancelSignal | undefined,
): Promise<number[]> {
  const squares: number[] = []
  while (squares.length < count) {
    throwIfCancelled(signal, 'the draws of an audit')
    const square = await draw(squares.length, observed)
    if (square < observed) return squares
    squares.push(square)
  }
  return squares
}

/** The rank of a square among the draws; with `enough` reached, sequential draws give reached / draws. */
export function rankPValue({ squares }: NullDraws, square: number, enough: number): number {
  const reached = squares.filter(one => one >= square).length
  return reached >= enough ? reached / squares.length : (reached + 1) / (squares.length + 1)
}
