// By how much a group is off: a confidence sequence for the mean of y - p, or rather for the mean of what was to be expected of y - p, row
// by row, given all that was known before. For xi from -1 to 1 and 0 <= lambda < 1
//
//   exp(lambda xi - psi(lambda) xi^2) <= 1 + lambda xi,   psi(lambda) = -ln(1 - lambda) - lambda
//
// (Fan, Grama and Liu 2015), so exp(lambda sum(xi - E xi) - psi(lambda) sum(xi^2)) is a supermartingale whatever the means are, and Ville's
// inequality bounds the sum at all times at once (Howard, Ramdas, McAuliffe and Sekhon 2021). A few lambdas share the level.

import { lnOf } from '../common/logistic.ts'
import { ONE } from '../common/units.ts'
import { USUAL } from './bets.ts'

/** Sums over rows, c being a row's relative weight and r its y - p. */
export interface GapSums {
  /** Of c, as a number of rows of usual weight. */
  readonly weight: number
  /** Of c r, in units of 2^-24. */
  readonly sum: number
  /** Of c^2 r^2, in units of 2^-24. */
  readonly squares: number
}

export interface Gap {
  /** The mean of y - p, or what is known of it where there is no row: 0. */
  readonly gap: number
  readonly low: number
  readonly high: number
}

const LAMBDAS = Array.from({ length: 14 }, (_, index) => 2 ** -(index + 1))

/** `most`: the largest c that a row may have. `level`: the chance to be wrong, ever. */
export function gapInterval({ squares, sum, weight }: GapSums, most: number, level: number): Gap {
  if (weight === 0) return { gap: 0, low: -1, high: 1 }
  const asked = lnOf((2 * LAMBDAS.length) / level)
  const noise = squares / ONE / (most * most)
  const slack = LAMBDAS.map(lambda => (noise * (-lnOf(1 - lambda) - lambda) + asked) / lambda)
  // Each weighted row is rounded by at most half a unit, and weighs at least one 256th.
  const rounding = most === 1 ? 0 : USUAL / 2 / ONE
  const half = (most * Math.min(...slack)) / weight + rounding
  const gap = sum / ONE / weight
  return { gap, low: Math.max(-1, gap - half), high: Math.min(1, gap + half) }
}
