// ECCE: the range of the cumulative residual walk, D_k = sum of w (y - f) over the k smallest predictions, over W; that
// is the largest |sum of residuals| over any interval of predictions. Ties are safe: the walk is looked at only where a
// step ends. `ecceByRow` is the walk of MCGrad, which also looks inside ties, in whatever order rows were given.

import { shareSteps } from './bins.ts'
import { brownianRangeQuantile, brownianRangeTail } from './brownianRange.ts'
import { sortByKeys } from './order.ts'
import { checkRows, type ScoredRows } from './scoredRows.ts'
import { bandShare, residualError, type Seminorm } from './seminorm.ts'
import { countedRows, type Steps, sumOf, toKey } from './steps.ts'

export interface Ecce {
  readonly value: number
  /** Standard deviation of the walk's end if predictions are right. */
  readonly sigma: number
  /** value / sigma. */
  readonly ratio: number
  /** P(a ratio this large) if predictions are right, for many rows. */
  readonly pValue: number
}

export function ecce(steps: Steps): Ecce {
  const { high, low } = walk(steps.residuals, steps.weight)
  return withSigma(high - low, nullSigma(steps))
}

export function withSigma(value: number, sigma: number): Ecce {
  const ratio = value === 0 ? 0 : value / sigma
  return { value, sigma, ratio, pValue: brownianRangeTail(ratio) }
}

/** sqrt(sum w^2 f (1-f)) / W for labels of 0 and 1; for others sqrt(sum w^2 r^2) / W, as f (1-f) is far too much for them. */
function nullSigma(steps: Steps): number {
  if (!steps.binary) return Math.sqrt(sumOf(steps.residualSquares)) / steps.weight
  const { predictions, stepWeightSquares } = steps
  let sum = 0
  for (let step = 0; step < predictions.length; step++) {
    sum += stepWeightSquares[step] * predictions[step] * (1 - predictions[step])
  }
  return Math.sqrt(sum) / steps.weight
}

/** The range with the start, 0, included; every D_k is a sum over W. */
function walk(residuals: Float64Array, weight: number): { high: number; low: number } {
  let [sum, high, low] = [0, 0, 0]
  for (let step = 0; step < residuals.length; step++) {
    sum += residuals[step]
    if (sum > high) high = sum
    else if (sum < low) low = sum
  }
  return { high: high / weight, low: low / weight }
}

/**
 * MCGrad's variant, for comparison: rows sorted by prediction, ties left in the order given, the walk looked at after
 * every row. Equal to `ecce` where no two predictions are equal; elsewhere it depends on the order of rows.
 */
export function ecceByRow(given: ScoredRows): Ecce {
  checkRows(given)
  const order = sortByKeys(countedRows(given), [toKey(given.predictions)])
  let [sum, high, low, weight, variance] = [0, 0, 0, 0, 0]
  for (const row of order) {
    const w = given.weights?.[row] ?? 1
    const f = given.predictions[row]
    sum += w * (given.labels[row] - f)
    high = Math.max(high, sum)
    low = Math.min(low, sum)
    weight += w
    variance += w * w * f * (1 - f)
  }
  return withSigma((high - low) / weight, Math.sqrt(variance) / weight)
}

/** MCGrad's sigma for outcomes other than 0/1: from differences of successive residuals, ties in the order given. */
export function successiveSigma(given: ScoredRows): number {
  checkRows(given)
  const order = sortByKeys(countedRows(given), [toKey(given.predictions)])
  const weightOf = (row: number) => given.weights?.[row] ?? 1
  const residualOf = (row: number) => given.labels[row] - given.predictions[row]
  let [squares, pairs, weight] = [0, 0, weightOf(order[0])]
  for (let index = 1; index < order.length; index++) {
    const [before, row] = [order[index - 1], order[index]]
    const both = weightOf(before) + weightOf(row)
    squares += ((residualOf(row) - residualOf(before)) * both) ** 2
    pairs += both
    weight += weightOf(row)
  }
  return order.length < 2 ? 0 : Math.sqrt(squares / (4 * weight * pairs))
}

/** Mean overshoot of a Brownian motion over its highest point at times a step of variance 1 apart (Chernoff, Siegmund). */
const OVERSHOOT = 0.5826

/**
 * As a seminorm: a maximum over intervals of predictions. Band: the range of G is at most q = (quantile of the Brownian
 * range) * sigma. On it the highest point of D^ lies where D is within q of its own highest, and there D^ is within 2q of
 * its highest; likewise the lowest. Rows are drawn in blocks of about equal variance; what the walk may do inside a block
 * is added as its mean overshoot on both sides.
 */
export function ecceSeminorm(steps: Steps, confidence: number, blockLimit: number): Seminorm {
  const count = Math.min(blockLimit, steps.predictions.length)
  const ofStep = shareSteps(steps.residualSquares, count)
  const reach = 2 * brownianRangeQuantile(bandShare(confidence)) * residualError(steps)
  const { high, low } = walk(steps.residuals, steps.weight)
  const mayBeHigh = new Uint8Array(count + 1)
  const mayBeLow = new Uint8Array(count + 1)
  mayBeHigh[0] = Number(high <= reach)
  mayBeLow[0] = Number(-low <= reach)
  let sum = 0
  // Position b is the start of block b: a point inside a block stands for both ends of it.
  for (let step = 0; step < ofStep.length; step++) {
    sum += steps.residuals[step] / steps.weight
    const block = ofStep[step]
    if (sum >= high - reach) mayBeHigh[block] = mayBeHigh[block + 1] = 1
    if (sum <= low + reach) mayBeLow[block] = mayBeLow[block + 1] = 1
  }
  const inside = 2 * OVERSHOOT * largestMergedError(steps, ofStep, count)
  return {
    value: high - low,
    blocks: { ofStep, count },
    excess: noise => inside + restrictedRange(noise, mayBeHigh, mayBeLow),
  }
}

function restrictedRange(noise: Float64Array, mayBeHigh: Uint8Array, mayBeLow: Uint8Array): number {
  let [sum, high, low] = [0, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let position = 0; position <= noise.length; position++) {
    if (mayBeHigh[position] === 1 && sum > high) high = sum
    if (mayBeLow[position] === 1 && sum < low) low = sum
    sum += noise[position]
  }
  return high - low
}

/** The largest standard error of a block made of several steps; a block of one step has no inside. */
function largestMergedError(steps: Steps, ofStep: Uint32Array, count: number): number {
  const squares = new Float64Array(count)
  const merged = new Uint32Array(count)
  ofStep.forEach((block, step) => {
    squares[block] += steps.residualSquares[step]
    merged[block]++
  })
  return (
    Math.sqrt(
      squares.reduce((most, square, block) => (merged[block] > 1 && square > most ? square : most), 0),
    ) / steps.weight
  )
}
