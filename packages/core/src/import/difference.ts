// How far the predictions of an imported model can be from those of the package it comes from, which computes in doubles: ours are
// rounded to units of 2^-24 after every update, and so are the steps of trees. docs/import.md tells the argument.

import { ONE } from '../common/units.ts'
import type { CurveUpdate } from '../update/update.ts'
import type { McgradRound } from './forests.ts'

export interface ImportDifference {
  /** No prediction differs by more, but for those that `near` speaks of. */
  readonly atMost: number
  /** Whoever comes so near to a place where a tree asks for the prediction may take its other branch. */
  readonly near?: number
}

const sigmoid = (logit: number): number => 1 / (1 + Math.exp(-logit))

/** The log odds of one unit: predictions are kept within one unit of 0 and 1 where they have log odds. */
const FARTHEST = Math.log(ONE - 1)
const GRID = 4096

/**
 * The most by which a difference in the prediction grows as log odds x become scale * (x + s), with s from low to high: the ratio of
 * slopes of the sigmoid, scale * cosh(x / 2)^2 / cosh(y / 2)^2, at its largest.
 */
function growth(scale: number, low: number, high: number): number {
  const width = (2 * FARTHEST) / GRID
  let largest = 0
  for (let point = 0; point <= GRID; point++) {
    const x = point * width - FARTHEST
    const nearest = scale * Math.max(0, x + low, -(x + high))
    largest = Math.max(largest, (Math.cosh(x / 2) / Math.cosh(nearest / 2)) ** 2)
  }
  // Between points of the grid the logarithm changes by at most (1 + scale) * width / 2.
  return scale * largest * Math.exp(((1 + scale) * width) / 2)
}

/** Counted round by round, in units: what was there grows, and every rounding adds to it. */
export function differenceOfRounds(rounds: readonly McgradRound[]): ImportDifference {
  let units = 1
  let near = 0
  for (const { scale, trees } of rounds) {
    near = Math.max(near, units)
    const reach = (pick: (...values: number[]) => number) =>
      trees.reduce((sum, { leafValues }) => sum + pick(...leafValues), 0)
    const [low, high] = [reach(Math.min), reach(Math.max)]
    const steps = scale * (trees.length / 2 + 1) + 1
    const beyond = ONE * Math.max(sigmoid(scale * (high - FARTHEST)), sigmoid(-scale * (low + FARTHEST)))
    units = growth(scale, low, high) * units + steps / 4 + beyond + 1
  }
  return { atMost: share(units), near: share(near) }
}

/** Half a unit of the score, on the steepest stretch; and what the curve itself and its rounding are off. */
export function differenceOfCurve({ from, to }: CurveUpdate, fitted: number): ImportDifference {
  const steepest = from.reduce(
    (most, units, index) =>
      index === 0 ? 0 : Math.max(most, Math.abs(to[index] - to[index - 1]) / (units - from[index - 1])),
    0,
  )
  return { atMost: share(steepest + 3 * fitted + 2) }
}

/** Two digits, rounded up. */
function share(units: number): number {
  const probability = Math.min(1, units / ONE)
  const digit = 10 ** (Math.floor(Math.log10(probability)) - 1)
  return Number((Math.ceil(probability / digit) * digit).toPrecision(2))
}
