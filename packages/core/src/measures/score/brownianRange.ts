// The law of max - min of a standard Brownian motion on [0,1]: what ECCE over its sigma follows, for many rows, when
// predictions are right.

import { normalTail } from './normal.ts'

/** Below, the series of the distribution function converges fast; above, that of the tail, which does not cancel. */
const MIDDLE = 2

/** P(range > x). */
export function brownianRangeTail(x: number): number {
  if (!(x > 0)) return 1
  return x < MIDDLE ? 1 - rangeBelow(x) : rangeAbove(x)
}

/** F(x) = sum over k >= 0 of (8/x^2 + 2/((k+1/2)^2 pi^2)) exp(-2 (k+1/2)^2 pi^2 / x^2). */
function rangeBelow(x: number): number {
  let sum = 0
  for (let k = 0.5; ; k++) {
    const square = (k * Math.PI) ** 2
    const term = (8 / x ** 2 + 2 / square) * Math.exp((-2 * square) / x ** 2)
    sum += term
    if (term < 1e-17) return sum
  }
}

/** Feller's density 8 sum (-1)^(k-1) k^2 phi(k x), integrated: 8 sum (-1)^(k-1) k P(N > k x). */
function rangeAbove(x: number): number {
  let sum = 0
  for (let k = 1; ; k++) {
    const term = 8 * k * normalTail(k * x)
    sum += k % 2 === 1 ? term : -term
    if (term <= 1e-17 * sum) return sum
  }
}

/** The x with P(range > x) = p. */
export function brownianRangeQuantile(p: number): number {
  let [low, high] = [0, 40]
  for (let round = 0; round < 60; round++) {
    const middle = (low + high) / 2
    if (brownianRangeTail(middle) > p) low = middle
    else high = middle
  }
  return (low + high) / 2
}
