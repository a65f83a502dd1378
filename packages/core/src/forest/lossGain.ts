// Two predictions of the same rows, compared by their log loss.

import { logLossUnits } from '../common/logistic.ts'
import { addProduct, emptySplitSum, ONE, splitSumValue } from '../common/units.ts'
import type { ForestRows } from './forestRows.ts'

export interface LossRows extends ForestRows {
  /** What one observation weighs. */
  readonly rowWeight: number
}

/** What one observation weighs: where it is not known, the sum of squared weights over that of weights. */
export function rowWeightOf({ observationWeight, rowCount, weight }: ForestRows): number {
  if (observationWeight !== undefined) return observationWeight
  if (weight === undefined) return 1
  let [sum, squares] = [0, 0]
  for (let row = 0; row < rowCount; row++) {
    sum += weight[row]
    squares += weight[row] ** 2
  }
  return squares / sum
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

/**
 * Standard errors by which rows contradict what was predicted before. Were that the truth, any other prediction would lose half of
 * its squared differences on average: to lose less, or to gain, is evidence, long before a gain is sure.
 */
export const evidenceAgainst = ({ gain, spread }: LossGain): number =>
  spread === 0 ? 0 : (gain + spread ** 2 / 2) / spread

/** Squared standard errors that a difference owes to luck where it was kept because it is large. */
const LUCK = 2.5

/** Of a difference with so much evidence, the share that other rows may be expected to have as well: the surer, the more. */
export const shareBeyondLuck = (evidence: number): number =>
  evidence <= 0 ? 0 : Math.max(0, 1 - LUCK / evidence ** 2)
