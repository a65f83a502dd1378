// Since when a group is off, as far as batches tell: the batch from which on the evidence counted alone is largest. It is an estimate, and
// no more: the true change may lie some batches before or after it.

import { lnOf } from '../common/logistic.ts'
import { ONE } from '../common/units.ts'
import type { GapSums } from './interval.ts'
import { startShare } from './wealth.ts'

export interface Since {
  /** Index among the entries. */
  readonly index: number
  readonly sums: GapSums
}

/**
 * `entries`: of a group, batch after batch; `orders`: their numbers among batches with labels. Gaps up to `maxGap` do not count.
 */
export function changePoint(
  entries: readonly GapSums[],
  orders: readonly number[],
  maxGap: number,
): Since | undefined {
  let best: (Since & { score: number }) | undefined
  let [weight, sum, squares] = [0, 0, 0]
  for (let index = entries.length - 1; index >= 0; index--) {
    weight += entries[index].weight
    sum += entries[index].sum
    squares += entries[index].squares
    const excess = Math.abs(sum / ONE) - maxGap * weight
    if (excess <= 0 || squares === 0) continue
    const score = (excess * excess) / (2 * (squares / ONE)) + lnOf(startShare(orders[index]))
    if (best === undefined || score > best.score) best = { index, sums: { weight, sum, squares }, score }
  }
  return best && { index: best.index, sums: best.sums }
}
