// Exact arithmetic. Predictions, labels and table values are integers in units of 2^-24, so every sum over
// rows is an integer below 2^53: it does not depend on row order, thread count, chunk size or engine.

/** One, in units: a probability p is stored as round(p * ONE). */
export const ONE = 2 ** 24

/** The most that all weights together may be: then a sum of residuals stays below 2^52. */
export const MAX_TOTAL_WEIGHT = 2 ** 28

/** The nearest whole number of units; halves go up, as Math.round does. */
export const toUnits = (value: number): number => Math.round(value * ONE)

export const fromUnits = (units: number): number => units / ONE

export const clipUnits = (units: number): number => (units < 0 ? 0 : units > ONE ? ONE : units)

/** Index of the equal-width bin S of [0,1] that holds a prediction: [0,1/K), ..., [(K-1)/K, 1] (Definition 2.4). */
export function levelOf(units: number, levelCount: number): number {
  const level = Math.floor((units * levelCount) / ONE)
  return level < levelCount ? level : levelCount - 1
}

/** How many cuts, in ascending order, are at most the prediction: the level among one more than there are cuts. */
export function levelAmong(units: number, cuts: Int32Array): number {
  let [low, high] = [0, cuts.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (cuts[middle] <= units) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * A sum of products of two unit numbers, kept exact as two integers: each product p = high * 2^24 + low with
 * 0 <= low < 2^24, and both parts are summed.
 */
export interface SplitSum {
  high: number
  low: number
}

export const emptySplitSum = (): SplitSum => ({ high: 0, low: 0 })

/** Adds weight * a * b; both parts stay exact while |a * b| <= 2^48. */
export function addProduct(sum: SplitSum, a: number, b: number, weight: number): void {
  const product = a * b
  const high = Math.floor(product / ONE)
  sum.high += weight * high
  sum.low += weight * (product - high * ONE)
}

/** The value of a split sum in units of 1 (a product of two unit numbers carries 2^-48). */
export const splitSumValue = (sum: Readonly<SplitSum>): number => (sum.high + sum.low / ONE) / ONE
