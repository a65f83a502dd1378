// Smooth ECE (Blasiok and Nakkiran): residuals are smoothed along the predictions with a reflected Gaussian kernel of
// width sigma, smECE_sigma is the integral of the absolute value, and smECE is the fixed point smECE_sigma = sigma.
//
// This is the exact variant: all reflections, every row at its own prediction, ties and weights as they are, the fixed
// point itself; numerical errors stay below about 1e-6 of the value. relplot.ts repeats what the PyPI package computes.

import { gaussianKernel, integrateAbsolute, makeSmoother, spreadToGrid } from './smoothing.ts'
import type { Steps } from './steps.ts'

/** Nodes per kernel width, and widths after which the kernel is below 1e-16 of its height. */
const FINENESS = 16
const REACH = 8.6

/** Widths below are not told apart: smECE then is smECE at this width. */
const SMALLEST_WIDTH = 2 ** -14

/** smECE_sigma as a function of sigma. It never rises with sigma, since smoothing twice is smoothing more. */
export type SmoothCurve = (sigma: number) => number

/** Grids are kept, so that a search for sigma passes over the rows only once or twice. */
export function smoothCurve(steps: Steps): SmoothCurve {
  const grids = new Map<number, Float64Array>()
  const residuals = steps.residuals.map(residual => residual / steps.weight)
  return sigma => {
    const cells = 2 ** Math.max(2, Math.ceil(Math.log2(FINENESS / sigma)))
    const grid = grids.get(cells) ?? spreadToGrid(steps.predictions, residuals, cells)
    grids.set(cells, grid)
    const smoothed = new Float64Array(cells + 1)
    makeSmoother(gaussianKernel(sigma, cells, REACH), cells)(smoothed, grid)
    return integrateAbsolute(smoothed)
  }
}

/** Computed once, used for the value and both of its limits. */
export function smoothEce(steps: Steps, curve: SmoothCurve = smoothCurve(steps)): number {
  return fixedPoint(curve, sumAbsolute(steps))
}

/** smECE_0: the sum over steps of |D|, at least smECE_sigma for every sigma. */
function sumAbsolute({ residuals, weight }: Steps): number {
  return Math.min(1, residuals.reduce((sum, residual) => sum + Math.abs(residual), 0) / weight)
}

/**
 * The sigma with curve(sigma) = sigma, for a curve that does not rise and is at most `most`. Narrow widths cost most, so the
 * bracket comes down from above: if curve(s) < s the answer lies between curve(s) and s.
 */
export function fixedPoint(curve: SmoothCurve, most: number, precision = 1e-10): number {
  if (most <= SMALLEST_WIDTH) return most === 0 ? 0 : Math.min(most, curve(SMALLEST_WIDTH))
  let [high, highGap] = [most, curve(most) - most]
  if (highGap >= 0) return high
  for (;;) {
    const low = Math.max(SMALLEST_WIDTH, high / 2, high + highGap)
    const lowGap = curve(low) - low
    if (lowGap >= 0) return falsePosition(curve, { low, lowGap, high, highGap }, precision)
    if (low === SMALLEST_WIDTH) return low + lowGap
    high = low
    highGap = lowGap
  }
}

interface Bracket {
  low: number
  lowGap: number
  high: number
  highGap: number
}

/** In the Illinois way: an end that stays counts half. */
function falsePosition(curve: SmoothCurve, at: Bracket, precision: number): number {
  for (let last = 0, round = 0; round < MAX_ROUNDS && at.high - at.low > precision * at.high; round++) {
    const middle = (at.low * at.highGap - at.high * at.lowGap) / (at.highGap - at.lowGap)
    const gap = curve(middle) - middle
    if (Math.abs(gap) <= precision * middle) return middle
    if (gap > 0) {
      Object.assign(at, { low: middle, lowGap: gap })
      if (last > 0) at.highGap /= 2
    } else {
      Object.assign(at, { high: middle, highGap: gap })
      if (last < 0) at.lowGap /= 2
    }
    last = gap
  }
  return (at.low + at.high) / 2
}

const MAX_ROUNDS = 100
