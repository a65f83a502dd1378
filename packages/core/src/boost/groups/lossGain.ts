// Two predictions of the same rows, compared by their log loss.

import { logLossUnits } from '../../common/logistic.ts'
import { addProduct, emptySplitSum, ONE, splitSumValue } from '../../common/units.ts'
import type { ForestRows } from '../forest/rows.ts'

export interface LossRows extends ForestRows {
  /** What one row weighs: the sum of squared weights over that of weights. */
  readonly rowWeight: number
}

export interface LossGain {
  /** How much smaller the log loss of the second predictions is, in nats, over all rows. */
  readonly gain: number
  /** Its standard error, from row to row. */
  readonly spread: number
}

/** Differences are squared in so many units, so that their squares can be summed. */
const ROUGH = 2 ** 12

/** Of the rows of some parts, or of all. Whole numbers are summed: the order of rows does not matter. */
export function lossGain(
  { label, part, rowCount, rowWeight, weight }: LossRows,
  before: Int32Array,
  after: Int32Array,
  parts?: readonly number[],
): LossGain {
  const squares = emptySplitSum()
  let sum = 0
  for (let row = 0; row < rowCount; row++) {
    if (parts !== undefined && !parts.includes(part[row])) continue
    const difference = logLossUnits(label[row], before[row]) - logLossUnits(label[row], after[row])
    const counted = weight === undefined ? 1 : weight[row]
    sum += counted * difference
    const rough = Math.round(difference / ROUGH)
    addProduct(squares, rough, rough, counted)
  }
  return { gain: sum / ONE / rowWeight, spread: ROUGH * Math.sqrt(splitSumValue(squares) / rowWeight) }
}
