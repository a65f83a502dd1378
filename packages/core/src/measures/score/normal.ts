// The normal distribution: upper tail, quantile, and a table to draw from.

import type { Random } from '../../common/random.ts'

const DENSITY_AT_ZERO = 1 / Math.sqrt(2 * Math.PI)

const density = (x: number): number => DENSITY_AT_ZERO * Math.exp((-x * x) / 2)

/** From here on the continued fraction converges faster than the series, which would cancel. */
const FAR = 2.5
const FRACTION_TERMS = 120

/** P(N > x), with a small relative error also far out. */
export function normalTail(x: number): number {
  if (x < 0) return 1 - normalTail(-x)
  return x < FAR ? 0.5 - centralPart(x) : farTail(x)
}

/** P(0 < N < x) = density(x) (x + x^3/3 + x^5/15 + ...). */
function centralPart(x: number): number {
  let term = x
  let sum = x
  for (let odd = 3; Math.abs(term) > 1e-18; odd += 2) {
    term *= (x * x) / odd
    sum += term
  }
  return density(x) * sum
}

/** Laplace's continued fraction: density(x) / (x + 1/(x + 2/(x + 3/(x + ...)))). */
function farTail(x: number): number {
  let fraction = x
  for (let term = FRACTION_TERMS; term > 0; term--) fraction = x + term / fraction
  return density(x) / fraction
}

/** The x with P(N <= x) = p, for p strictly between 0 and 1. */
export function normalQuantile(p: number): number {
  if (p > 0.5) return -normalQuantile(1 - p)
  if (p === 0.5) return 0
  // Abramowitz and Stegun 26.2.23 to three digits, then Halley's method on the tail.
  const t = Math.sqrt(-2 * Math.log(p))
  const top = 2.515517 + t * (0.802853 + t * 0.010328)
  const bottom = 1 + t * (1.432788 + t * (0.189269 + t * 0.001308))
  let x = t - top / bottom
  for (let round = 0; round < 3; round++) {
    const step = (normalTail(x) - p) / density(x)
    x += step / (1 + (x * step) / 2)
  }
  return -x
}

/** The two-sided multiple of a standard error: 1.96 for 0.95. */
export const normalMultiple = (confidence: number): number => normalQuantile((1 + confidence) / 2)

/** The same where the error itself is known from so many degrees of freedom: Fisher's expansion of Student's quantile. */
export function studentMultiple(confidence: number, freedom: number): number {
  const z = normalMultiple(confidence)
  const n = Math.max(freedom, 2)
  const first = (z ** 3 + z) / 4
  const second = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96
  const third = (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384
  return z + first / n + second / n ** 2 + third / n ** 3
}

const TABLE_SIZE = 4096
let table: Float64Array | undefined

/** Equally likely values of mean 0 and variance 1: quantiles at the middle of equal shares, scaled. */
function normalTable(): Float64Array {
  if (table !== undefined) return table
  const values = new Float64Array(TABLE_SIZE)
  let squares = 0
  for (let index = 0; index < TABLE_SIZE / 2; index++) {
    values[index] = normalQuantile((index + 0.5) / TABLE_SIZE)
    values[TABLE_SIZE - 1 - index] = -values[index]
    squares += 2 * values[index] ** 2
  }
  const scale = Math.sqrt(TABLE_SIZE / squares)
  table = values.map(value => value * scale)
  return table
}

/** Fills an array with draws that are normal up to the table's fineness: good enough for sums and quantiles. */
export function fillNormal(target: Float64Array, random: Random): void {
  const values = normalTable()
  for (let index = 0; index < target.length; index++) target[index] = values[random.integer(TABLE_SIZE)]
}
