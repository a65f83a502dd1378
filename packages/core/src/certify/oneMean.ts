// How far the mean of one fixed quantity can lie from what independent rows show of it.
//
// An upper bound on the WORST error of a class needs no more than this. The worst auditor of the population is one auditor, fixed before
// the rows were seen, as is its sign in every bin: its error is the mean of one z = sigma_S b(x) (y - v_S) in [-1,1]. The largest
// error measured over the class is at least that auditor's measured mean. So
//
//   worst error on new rows  <=  largest error measured + how far ONE mean can fall short,
//
// and neither the number of auditors nor the number of bins is paid for. (They are for statements about every auditor by itself, and
// for lower bounds: heldOut.ts.) Noise makes the measured maximum larger than the true one, never smaller: that is on the safe side.
//
// One mean. For x >= -1 and a tilt 0 <= t < 1, exp(t x - psi(t) x^2) <= 1 + t x with psi(t) = -ln(1 - t) - t (Fan, Grama and Liu
// 2015). Put x = -z and multiply over n independent rows: with probability 1 - e^-L
//
//   E[z]  <=  mean z + (psi(t) mean z^2 + L/n) / t,
//
// and z^2 is at most (y - v_S)^2, which has no sign to search for. The tilt must not depend on the rows that are summed up: it is
// the best one for the mean square on other rows (the fitting ones), or several are tried and paid for.
//
// Weights, ids and copies. What is independent is a unit: a row, all rows of one id, or all copies of a row. Let w be the weight of a
// unit, W the largest there is, and m = E[w z] / E[w]. Then u = w (m - z), summed within the unit, has mean 0 and u/W >= -1, so the same
// product says, with probability 1 - e^-L,
//
//   m - weighted mean of z  <=  (psi(t) sum u^2 / (W sum w) + L W / sum w) / t,
//
// and the root of sum u^2 is at most m sqrt(sum w^2) + sqrt(A), where A, the sum of squared w z, is at most W times the weighted sum of
// (y - v_S)^2, and at most sum w^2. The largest m that satisfies this is the smaller root of a quadratic. Weights may be
// tied to labels in any way: only the largest must be known.

import type { FoldUnits } from '../data/foldUnits.ts'
import { checkNumbers } from '../data/given.ts'
import { requireOption } from './sampleSize.ts'

/** Does every unit weigh the same? Then m is a plain mean over units. */
export const areEqual = ({ largestWeight, squaredWeight, weight }: FoldUnits): boolean =>
  squaredWeight === largestWeight * weight

/** psi(t) = -ln(1 - t) - t */
export const psi = (tilt: number): number => -Math.log1p(-tilt) - tilt

/**
 * The tilt with the least (psi(t) m + L/n) / t, for a mean square m: where t^2/(1 - t) + ln(1 - t) + t = L/(n m). Rounded to six digits, as
 * logarithms may differ in the last bit between JavaScript engines.
 */
export function bestTilt(exponent: number, rows: number, meanSquare: number): number {
  const target = exponent / (rows * meanSquare)
  let [low, high] = [0, 1]
  for (let step = 0; step < 40; step++) {
    const middle = (low + high) / 2
    if (middle ** 2 / (1 - middle) - psi(middle) < target) low = middle
    else high = middle
  }
  return Math.min(LARGEST_TILT, Math.max(LEAST_TILT, Math.round(high * 1e6) / 1e6))
}

const LEAST_TILT = 1e-6
const LARGEST_TILT = 0.999

interface MeanOptions {
  readonly units: FoldUnits
  /** Does every unit weigh the same? */
  readonly equal: boolean
  /** The weighted mean of z on the rows, or more. */
  readonly mean: number
  /** The weighted mean of z^2 on the rows, or more. */
  readonly meanSquare: number
  /** L: the limit fails with probability e^-L at most. */
  readonly exponent: number
  readonly tilt: number
}

/** E[z] is at most this, and never more than 1 is said. */
export function upperLimit({ equal, exponent, mean, meanSquare, tilt, units }: MeanOptions): number {
  const share = units.largestWeight / units.weight
  if (equal) {
    return Math.min(1, mean + (psi(tilt) * meanSquare + exponent * share) / tilt)
  }
  const squares = relativeSquares(units, meanSquare)
  const factor = psi(tilt) / tilt
  const quadratic = factor * squares.weights
  const linear = 1 - 2 * factor * Math.sqrt(squares.weights * squares.values)
  const constant = mean + factor * squares.values + (exponent * share) / tilt
  const discriminant = linear ** 2 - 4 * quadratic * constant
  if (linear <= 0 || discriminant < 0) return 1
  const root = Math.sqrt(discriminant)
  // Beyond the larger root the inequality holds again: if that is below 1, nothing is excluded there.
  if (linear + root < 2 * quadratic) return 1
  return Math.min(1, (2 * constant) / (linear + root))
}

/** E[z] is at least this, for z whose mean is not negative; below 0 it says nothing. */
export function lowerLimit({ equal, exponent, mean, meanSquare, tilt, units }: MeanOptions): number {
  const share = units.largestWeight / units.weight
  if (equal) {
    return mean - (psi(tilt) * meanSquare + exponent * share) / tilt
  }
  // u = w (z - m) >= -2 W; and m is at most the mean here, or there is nothing to show.
  const squares = relativeSquares(units, meanSquare)
  const spread = (mean * Math.sqrt(squares.weights) + Math.sqrt(squares.values)) ** 2 / 2
  return mean - (psi(tilt) * spread + 2 * exponent * share) / tilt
}

/** The sums of w^2 and of w^2 z^2 over units, each over W sum w; the second as far as it is known. */
function relativeSquares({ largestWeight, squaredWeight, weight }: FoldUnits, meanSquare: number) {
  const weights = squaredWeight / (largestWeight * weight)
  return { weights, values: Math.min(meanSquare, weights) }
}

interface OneMeanSlackOptions {
  /** Independent rows of equal weight. */
  readonly rows: number
  /** Of y - v, the outcome less the rounded prediction; 1 where nothing is known. */
  readonly meanSquare: number
  /** 1 - delta */
  readonly confidence: number
  /** J: predictors that the same rows helped to choose between. */
  readonly candidates?: number
}

/** How much the worst error on new rows can be above the largest that was measured, where the mean square was foreseen. */
export function oneMeanSlack(options: OneMeanSlackOptions): number {
  checkNumbers(options)
  const { candidates = 1, confidence, meanSquare, rows } = options
  requireOption('rows', rows, rows > 0, 'a number above 0')
  requireOption('meanSquare', meanSquare, meanSquare > 0 && meanSquare <= 1, 'a number above 0, up to 1')
  requireOption(
    'confidence',
    confidence,
    confidence > 0 && confidence < 1,
    'a number between 0 and 1, both excluded',
  )
  requireOption('candidates', candidates, candidates >= 1, 'a number from 1')
  const exponent = Math.log(candidates / (1 - confidence))
  const tilt = bestTilt(exponent, rows, meanSquare)
  return (psi(tilt) * meanSquare + exponent / rows) / tilt
}

/** Nine digits after the point, no less than the value. */
export const roundUp = (value: number): number => Math.ceil(value * 1e9) / 1e9

/** Nine digits after the point, no more than the value. */
export const roundDown = (value: number): number => Math.floor(value * 1e9) / 1e9
