// Linear moves and second moments of signals. They are rare and stay in TypeScript: doubles are added in a fixed order
// within a row, whole numbers over rows.

import { addProduct, clipUnits, emptySplitSum, levelOf, type SplitSum } from '../../common/units.ts'
import type { SegmentRows } from '../../kernels/kernels.ts'
import type { LinearUpdate } from '../../update/update.ts'
import type { MomentsRequest } from '../engine.ts'

/** Loss sums of one fold, ready to be added up over shards. */
export interface ShardLoss {
  weight: number
  squaredWeight: number
  readonly squares: SplitSum
}

/** Adds the loss of a segment's rows after a linear update to `total`; with `keep` the predictions move. */
export function moveLinearRows(
  total: ShardLoss,
  ints: Int32Array,
  [from, to, , label, prediction, weight]: SegmentRows,
  signals: readonly number[],
  { coefficients, levels }: LinearUpdate,
  keep: boolean,
): void {
  for (let row = from; row < to; row++) {
    const current = ints[(prediction >>> 2) + row]
    const offset = levelOf(current, levels) * signals.length
    let distance = 0
    for (let k = 0; k < signals.length; k++) {
      distance += coefficients[offset + k] * ints[(signals[k] >>> 2) + row]
    }
    const moved = clipUnits(current + Math.round(distance))
    if (keep) ints[(prediction >>> 2) + row] = moved
    const counted = weight === 0 ? 1 : ints[(weight >>> 2) + row]
    const residual = ints[(label >>> 2) + row] - moved
    total.weight += counted
    total.squaredWeight += counted * counted
    addProduct(total.squares, residual, residual, counted)
  }
}

interface MomentSums {
  count: number
  readonly gram: SplitSum[]
  readonly cross: SplitSum[]
}

export const emptyMoments = ({ levels, signals }: MomentsRequest): MomentSums[] =>
  Array.from({ length: levels }, () => ({
    count: 0,
    gram: Array.from({ length: signals.length ** 2 }, emptySplitSum),
    cross: Array.from({ length: signals.length }, emptySplitSum),
  }))

export function addMoments(
  moments: readonly MomentSums[],
  ints: Int32Array,
  [from, to, , label, prediction, weight]: SegmentRows,
  signals: readonly number[],
  { levels, levelValues }: MomentsRequest,
): void {
  const size = signals.length
  for (let row = from; row < to; row++) {
    const current = ints[(prediction >>> 2) + row]
    const level = levelOf(current, levels)
    const residual = ints[(label >>> 2) + row] - (levelValues === undefined ? current : levelValues[level])
    const counted = weight === 0 ? 1 : ints[(weight >>> 2) + row]
    const { cross, gram } = moments[level]
    moments[level].count += counted
    for (let i = 0; i < size; i++) {
      const one = ints[(signals[i] >>> 2) + row]
      addProduct(cross[i], one, residual, counted)
      for (let j = 0; j < size; j++)
        addProduct(gram[i * size + j], one, ints[(signals[j] >>> 2) + row], counted)
    }
  }
}
