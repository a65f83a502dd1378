// What rows are worth as evidence: the sums, fold by fold, over units that are independent of each other. Any store can give them.

import { addProduct, emptySplitSum, ONE } from '../common/units.ts'

/**
 * A unit is an id, where rows have ids; else a row with all of its exact copies; and where copies are independent, a row. Rows of weight 0
 * are no part of any.
 */
export interface FoldUnits {
  /** Rows that weigh something; copies that are one are one. As many as units, unless rows have ids. */
  readonly rows: number
  /** Units that weigh something. */
  readonly count: number
  /** Of all units together. */
  readonly weight: number
  /** Of the heaviest unit. */
  readonly largestWeight: number
  /** The sum over units of the square of their weight. */
  readonly squaredWeight: number
}

/** Of all folds. */
export const countUnits = (folds: readonly FoldUnits[]): number =>
  folds.reduce((sum, { count }) => sum + count, 0)

/** Sums of several heaps of units as those of one. */
export const joinUnits = (one: readonly FoldUnits[], other: readonly FoldUnits[]): FoldUnits[] =>
  one.map((fold, side) => ({
    rows: fold.rows + other[side].rows,
    count: fold.count + other[side].count,
    weight: fold.weight + other[side].weight,
    largestWeight: Math.max(fold.largestWeight, other[side].largestWeight),
    squaredWeight: fold.squaredWeight + other[side].squaredWeight,
  }))

/** `weight`: of each unit; absent: 1. `fold`: of each unit; absent: all are for fitting, and there is one fold. */
export function sumUnits(
  unitCount: number,
  weight: Int32Array | undefined,
  fold: Uint8Array | undefined,
): FoldUnits[] {
  const sides = fold === undefined ? 1 : 2
  const squares = Array.from({ length: sides }, emptySplitSum)
  const [counts, totals, largest] = [0, 1, 2].map(() => new Array<number>(sides).fill(0))
  for (let unit = 0; unit < unitCount; unit++) {
    const counted = weight === undefined ? 1 : weight[unit]
    if (counted === 0) continue
    const side = fold === undefined ? 0 : fold[unit]
    counts[side]++
    totals[side] += counted
    if (counted > largest[side]) largest[side] = counted
    addProduct(squares[side], counted, counted, 1)
  }
  return counts.map((count, side) => ({
    rows: count,
    count,
    weight: totals[side],
    largestWeight: largest[side],
    squaredWeight: squares[side].high * ONE + squares[side].low,
  }))
}
