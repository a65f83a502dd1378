// Bets on one outcome y, 0 to 1, of which it is claimed that its mean is p. A bet on a shift s of the logit multiplies money by
//
//   (1 + y g) / (1 + p g),   g = e^s - 1,
//
// which is 1 + lambda (y - p) with lambda = g / (1 + p g): above 0 for every p and y, and 1 on average where the mean of y is p, whatever
// else y is. For outcomes of 0 and 1 it is the likelihood ratio of the shifted odds. Logarithms are whole numbers of 2^-20, rounded
// down, so sums do not depend on the order of rows, and money that is written down is never more than was won.

import { expOfStep, lnOf } from '../common/logistic.ts'
import { ONE } from '../common/units.ts'

/** Logarithms of money are whole numbers of units of 2^-20. */
export const LOG_ONE = 2 ** 20

/** How far off the logit may be that is bet on; each shift is bet on upwards and downwards. */
export const SHIFTS: readonly number[] = [1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2]

/** For groups of which there are thousands: gaps that are small enough for the others show in large groups first. */
export const SEARCH_SHIFTS: readonly number[] = [1 / 8, 1 / 4, 1 / 2, 1]

/** Upwards first. */
export const betsOf = (shifts: readonly number[]): readonly number[] => [
  ...shifts,
  ...shifts.map(shift => -shift),
]

/** A relative weight is a whole number of 256ths of the weight that is usual; a row counts at most 8 times as much. */
export const USUAL = 256
export const MOST_USUAL = 8

/** Far more than what is lost to rounding in lnOf, far less than a unit. */
const SPARE = 2 ** -10

/** The logarithms of what bets make of one row. */
export class RowBets {
  readonly bets: readonly number[]
  readonly #gap: number
  /** g of every bet, for each relative weight that has come up. */
  readonly #growths = new Map<number, Float64Array>()

  /** `gap`, in units: upward bets win only where y is above p by more than this on average, downward ones below. */
  constructor(bets: readonly number[], gap = 0) {
    this.bets = bets
    this.#gap = gap
  }

  /** Into `out`, one number per bet. `label` and `prediction` in units; `weight` in 256ths. */
  read(out: Float64Array, label: number, prediction: number, weight: number = USUAL): void {
    const growths = this.#growthsAt(weight)
    const high = Math.min(ONE, prediction + this.#gap) / ONE
    const low = Math.max(0, prediction - this.#gap) / ONE
    const outcome = label / ONE
    const share = weight / USUAL
    for (let bet = 0; bet < growths.length; bet++) {
      const shift = this.bets[bet]
      const won = label === 0 ? 0 : label === ONE ? shift * share : lnOf(1 + outcome * growths[bet])
      const asked = lnOf(1 + (shift > 0 ? high : low) * growths[bet])
      out[bet] = Math.floor((won - asked) * LOG_ONE - SPARE)
    }
  }

  #growthsAt(weight: number): Float64Array {
    const known = this.#growths.get(weight)
    if (known !== undefined) return known
    const growths = Float64Array.from(this.bets, shift => expOfStep((shift * weight * ONE) / USUAL) - 1)
    this.#growths.set(weight, growths)
    return growths
  }
}

/**
 * The same for `count` of `rowCount` rows that are of a kind, where the share of that kind is claimed to be from `low` to `high`, which are
 * numbers in [0,1].
 */
export function betOnCount(
  bets: readonly number[],
  { count, high, low, rowCount }: { count: number; rowCount: number; low: number; high: number },
): number[] {
  return bets.map(shift => {
    const growth = expOfStep(shift * ONE) - 1
    const asked = lnOf(1 + (shift > 0 ? high : low) * growth)
    return Math.floor((count * shift - rowCount * asked) * LOG_ONE - SPARE * (1 + rowCount))
  })
}
