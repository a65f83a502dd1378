// The logit scale in units: exp, ln and what is made of them, from additions, multiplications and divisions alone. Those
// are the same to the bit everywhere; Math.exp and Math.log are not. The kernels do the same steps.

import { ONE } from './units.ts'

/** The largest step on the logit scale, in units: beyond exp(32) there is nothing left to move. */
export const MAX_STEP = 32 * ONE

/** ln 2 in two parts: times a whole number below 2^21 the first is exact. */
export const LN2_HIGH = 0.6931471803691238
export const LN2_LOW = 1.9082149292705877e-10

/** Powers of two from 2^-64 to 2^64, by doubling and halving, which are exact. */
const POWERS = powersOfTwo(64)

function powersOfTwo(most: number): Float64Array {
  const powers = new Float64Array(2 * most + 1)
  powers[most] = 1
  for (let k = 1; k <= most; k++) {
    powers[most + k] = 2 * powers[most + k - 1]
    powers[most - k] = powers[most - k + 1] / 2
  }
  return powers
}

/** What `expOfStep` and `lnOfUnits` have written out, for those who say their steps in another language: the highest power first. */
export const EXPONENTIAL = [
  6227020800, 479001600, 39916800, 3628800, 362880, 40320, 5040, 720, 120, 24, 6, 2, 1, 1,
].map(factorial => 1 / factorial)
export const LOGARITHM = [19, 17, 15, 13, 11, 9, 7, 5, 3, 1].map(power => 2 / power)

/** e to a step of at most MAX_STEP units either way. */
export function expOfStep(step: number): number {
  const x = step / ONE
  const k = Math.floor(x * Math.LOG2E + 0.5)
  const rest = x - k * LN2_HIGH - k * LN2_LOW
  // The powers of the rest over 13!, 12!, ... 0!; a loop over them would take twice as long.
  let sum = 1 / 6227020800
  sum = sum * rest + 1 / 479001600
  sum = sum * rest + 1 / 39916800
  sum = sum * rest + 1 / 3628800
  sum = sum * rest + 1 / 362880
  sum = sum * rest + 1 / 40320
  sum = sum * rest + 1 / 5040
  sum = sum * rest + 1 / 720
  sum = sum * rest + 1 / 120
  sum = sum * rest + 1 / 24
  sum = sum * rest + 1 / 6
  sum = sum * rest + 1 / 2
  sum = sum * rest + 1
  sum = sum * rest + 1
  return sum * POWERS[64 + k]
}

/** A prediction whose logit has moved by a step: its odds times e to the step. */
export function moveOdds(prediction: number, step: number): number {
  const odds = prediction * expOfStep(step)
  return Math.floor((ONE * odds) / (odds + (ONE - prediction)) + 0.5)
}

export const clipStep = (step: number): number => Math.max(-MAX_STEP, Math.min(MAX_STEP, step))

/** The largest scale, in units: 65,536 either way. */
export const MAX_SCALE = 2 ** 40

/** The logit of a prediction between 0 and 1, both excluded, in whole units. */
export const logitUnits = (prediction: number): number =>
  Math.floor((lnOfUnits(prediction) - lnOfUnits(ONE - prediction)) * ONE + 0.5)

/** A prediction whose logit has moved by a step and was then multiplied by a scale, both in units. */
export const scaleOdds = (prediction: number, step: number, scale: number): number =>
  scaleLogit(logitUnits(prediction) + step, scale)

/** The prediction of a logit times a scale, both in units. */
export const scaleLogit = (logit: number, scale: number): number =>
  moveOdds(ONE / 2, clipStep(Math.floor((scale * logit) / ONE + 0.5)))

const double = new Float64Array(1)
const halves = new Uint32Array(double.buffer)
double[0] = 1
const HIGH = halves[0] === 0 ? 1 : 0

/** The natural logarithm of a positive whole number of units, as a number in [0,1]: from -16.6 to 0. */
export function lnOfUnits(units: number): number {
  double[0] = units
  let exponent = (halves[HIGH] >>> 20) - 1023
  halves[HIGH] = (halves[HIGH] & 0xfffff) | 0x3ff00000
  let mantissa = double[0]
  if (mantissa > Math.SQRT2) {
    mantissa /= 2
    exponent++
  }
  const s = (mantissa - 1) / (mantissa + 1)
  const square = s * s
  let sum = 2 / 19
  sum = sum * square + 2 / 17
  sum = sum * square + 2 / 15
  sum = sum * square + 2 / 13
  sum = sum * square + 2 / 11
  sum = sum * square + 2 / 9
  sum = sum * square + 2 / 7
  sum = sum * square + 2 / 5
  sum = sum * square + 2 / 3
  sum = sum * square + 2
  const scale = exponent - 24
  return scale * LN2_HIGH + (scale * LN2_LOW + sum * s)
}

/** The natural logarithm of a positive number. */
export const lnOf = (value: number): number => lnOfUnits(value * ONE)

/**
 * The log loss of a label (in units, 0 to ONE) at a prediction, as a whole number of units. Predictions count as at least
 * one unit away from 0 and 1, so it is finite: at most 16.6.
 */
export function logLossUnits(label: number, prediction: number): number {
  const inside = prediction < 1 ? 1 : prediction > ONE - 1 ? ONE - 1 : prediction
  const ones = label === 0 ? 0 : label * lnOfUnits(inside)
  const zeros = label === ONE ? 0 : (ONE - label) * lnOfUnits(ONE - inside)
  return Math.floor(0.5 - ones - zeros)
}
