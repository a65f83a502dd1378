// What noise alone makes of the worst group: labels are drawn from the predictions, and the largest statistic of the whole
// family is found again. The observed one has this very distribution if the predictions are right, so its rank among the
// draws is an exact p-value (Besag and Clifford), whatever the shape and overlap of the groups.

import { type CancelSignal, throwIfCancelled } from '../../common/cancel.ts'
import type { Noise } from '../../engine/engine.ts'
import type { KernelChoice } from '../../kernels/load.ts'
import { type Family, type FamilySums, type MarginSums, sumFamily } from '../../oracle/groups/family.ts'
import { splitCount, widthOf } from '../../oracle/groups/splitSums.ts'
import { spreadOf } from './candidates.ts'
import { sampleForDraws } from './drawnRows.ts'
import { DrawScanner } from './drawScanner.ts'
import { aroundPair, largestOfMargins, largestSquare } from './quadrants.ts'

/** What tests are measured by: the variance of the noise, and how much of it a group must have. */
export interface DrawOptions {
  readonly noise: Noise
  readonly shift: number
  readonly leastVariance: number
}

/**
 * The largest R^2 / V of draws of a family. The variances belong to the family, whatever the labels: they are found once, and
 * every draw is measured by them. `choice`: kernels that scan where the rows can be had; undefined: rows are asked for sums.
 */
export async function openDraws(
  family: Family,
  { leastVariance, noise, shift }: DrawOptions,
  choice: KernelChoice | undefined = 'auto',
): Promise<DrawMaximum> {
  const expected = await sumFamily(family, spreadOf({ noise, shift }))
  const variances = expected.margins('residuals')
  const rows = choice === undefined ? undefined : await sampleForDraws(family)
  const largestOf =
    rows === undefined
      ? await scanSums(family, expected, variances, leastVariance)
      : await scanRows(new DrawScanner(family, rows, variances, leastVariance, choice), expected, noise)
  return async (draw, enough = Number.POSITIVE_INFINITY) => {
    const drawn = await sumFamily(family, { kind: 'drawn', noise, draw })
    const residuals = drawn.margins('residuals')
    const best = largestOfMargins(0, residuals, variances, widthOf(family.levels), leastVariance)
    return best >= enough ? best : await largestOf(best, drawn, residuals, draw, enough)
  }
}

/** The largest of all pairs, or `best` if that is larger; what has been found so far, once it reaches `enough`. */
type PairMaximum = (
  best: number,
  drawn: FamilySums,
  residuals: MarginSums,
  draw: number,
  enough: number,
) => number | Promise<number>

async function scanRows(scanner: DrawScanner, expected: FamilySums, noise: Noise): Promise<PairMaximum> {
  for await (const pair of expected.pairs()) scanner.addPair(pair, pair.sums('residuals'))
  return (best, _, residuals, draw, enough) => scanner.largest(residuals, noise, draw, best, enough)
}

/** The same from the sums that the engine gives, whatever it is. */
async function scanSums(
  { axes, levels }: Family,
  expected: FamilySums,
  variances: MarginSums,
  leastVariance: number,
): Promise<PairMaximum> {
  const ofPairs: Float64Array[] = []
  for await (const pair of expected.pairs()) ofPairs.push(pair.sums('residuals'))
  return async (best, drawn, residuals, _, enough) => {
    let [largest, index] = [best, 0]
    for await (const pair of drawn.pairs()) {
      const { a, b } = pair
      const r = aroundPair(residuals, a, b, pair.sums('residuals'))
      const v = aroundPair(variances, a, b, ofPairs[index++])
      const shape = { splitsA: splitCount(axes[a]), splitsB: splitCount(axes[b]), width: widthOf(levels) }
      largest = largestSquare(largest, r, v, shape, leastVariance)
      if (largest >= enough) return largest
    }
    return largest
  }
}

export interface NullDraws {
  /** The largest R^2 / V of every draw, in the order of draws. If all reached the observed one: no more than that each did. */
  readonly squares: readonly number[]
}

/** The largest square of a draw; a draw that reaches `enough` may end there. */
export type DrawMaximum = (draw: number, enough?: number) => Promise<number>

interface DrawLimits {
  readonly limit: number
  readonly enough: number
  readonly signal: CancelSignal | undefined
  /** Called after each draw with how many there are. */
  readonly onDraw?: (done: number) => void
}

/**
 * Draws until `limit`, or until `enough` of them have reached the observed square: then the p-value is far from small,
 * and known well enough.
 */
export async function drawMaxima(
  draw: DrawMaximum,
  observed: number,
  { enough, limit, onDraw = () => {}, signal }: DrawLimits,
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
    onDraw(squares.length)
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
