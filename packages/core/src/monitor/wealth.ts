// The e-process of a group: one unit of money, part of which is put on every bet at the beginning of every batch. So it is a mixture over
// bets and over the batches from which on they are made: whenever scores go wrong, some of the money has not been lost before. Its mean
// never rises while the claim is true; by Ville's inequality it ever reaches 1/delta with a chance of at most delta.

import { expOfStep, lnOf, MAX_STEP } from '../common/logistic.ts'
import { ONE } from '../common/units.ts'
import { LOG_ONE } from './bets.ts'

/** The logarithm of nothing: less than anything that is worth adding. */
export const NOTHING = -(2 ** 50)

/** The share of the money that is put on bets at the beginning of a batch, counted from 1; all of them together come to 1. */
export const startShare = (batch: number): number => 1 / Math.sqrt(batch) - 1 / Math.sqrt(batch + 1)

/** What has not been put on anything after so many batches. */
const restAfter = (batches: number): number => 1 / Math.sqrt(batches + 1)

/** More than the rounding of square roots and logarithms. */
const SPARE = 2 ** -6

/** A logarithm in units, rounded down. */
export const logUnits = (value: number): number => Math.floor(lnOf(value) * LOG_ONE - SPARE)

/** The logarithm of a + b, rounded down, from those of both. */
export function addLogs(a: number, b: number): number {
  const [high, low] = a > b ? [a, b] : [b, a]
  const step = ((low - high) / LOG_ONE) * ONE
  if (step < -MAX_STEP) return high
  return high + Math.floor(lnOf(1 + expOfStep(step)) * LOG_ONE - SPARE)
}

/**
 * The money on bets after a batch, as logarithms: at [group * betCount + bet]. `before` is empty before the first batch; `won` is what the
 * rows of the batch multiplied each by; `batch` counts batches with labels from 1.
 */
export function nextWealth(
  before: readonly number[],
  won: ArrayLike<number>,
  batch: number,
  betCount: number,
): number[] {
  const stake = logUnits(startShare(batch) / betCount)
  return Array.from({ length: won.length }, (_, index) =>
    Math.max(NOTHING, addLogs(before[index] ?? NOTHING, stake) + won[index]),
  )
}

/** The logarithm of the e-value of a group: all its money, on bets or not. */
export function evidenceOf(
  wealth: readonly number[],
  group: number,
  betCount: number,
  batches: number,
): number {
  let sum = logUnits(restAfter(batches))
  for (let bet = 0; bet < betCount; bet++) sum = addLogs(sum, wealth[group * betCount + bet] ?? NOTHING)
  return sum
}

/** Logarithms of two e-values of a group: against scores that are not too low, and against scores that are not too high. */
export interface Sides {
  readonly low: number
  readonly high: number
}

const [TWICE, HALF] = [logUnits(2), logUnits(1 / 2)]

/** The money on upward bets and that on downward ones, each as if all of it had been theirs. */
export function sidesOf(wealth: readonly number[], group: number, betCount: number, batches: number): Sides {
  const rest = logUnits(restAfter(batches))
  const half = betCount / 2
  const from = (first: number) => {
    let sum = NOTHING
    for (let bet = first; bet < first + half; bet++)
      sum = addLogs(sum, wealth[group * betCount + bet] ?? NOTHING)
    return addLogs(rest, Math.max(NOTHING, sum + TWICE))
  }
  return { low: from(0), high: from(half) }
}

/** The logarithm of the e-value of a group, either way. */
export const eitherSide = ({ high, low }: Sides): number => addLogs(low, high) + HALF
