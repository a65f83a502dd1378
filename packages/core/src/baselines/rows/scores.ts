// Rows summed by their score: what a method that looks at the score alone needs to know of them. The sums are exact, and
// come in the order of the scores, so whatever is computed from them knows neither the order of rows nor how often one
// stands there.

import { addProduct, emptySplitSum, ONE, splitSumValue } from '../../common/units.ts'
import { lowerBound } from '../../quantize/search.ts'
import type { CurveUpdate } from '../../update/update.ts'
import type { BaselineRows } from '../baseline.ts'

/** At each distinct score, ascending. */
export interface ScoreSums {
  readonly score: Int32Array
  readonly weight: Float64Array
  /** Weight times label, in units. */
  readonly label: Float64Array
}

export function sumByScore(
  { label, rowCount, weight }: Pick<BaselineRows, 'label' | 'rowCount' | 'weight'>,
  prediction: Int32Array,
): ScoreSums {
  // Sorting and searching: a million rows are too many for a set and a map.
  const score = Int32Array.from(prediction)
    .sort()
    .filter((units, index, sorted) => index === 0 || units !== sorted[index - 1])
  const sums = { score, weight: new Float64Array(score.length), label: new Float64Array(score.length) }
  for (let row = 0; row < rowCount; row++) {
    const index = lowerBound(score, prediction[row])
    const counted = weight === undefined ? 1 : weight[row]
    sums.weight[index] += counted
    sums.label[index] += counted * label[row]
  }
  return sums
}

/** A mean of whole units, rounded half up. */
export const meanUnits = (sum: number, weight: number): number => Math.floor(sum / weight + 0.5)

/** A curve that is flat from each start to the next. Starts ascend from 0. */
export function stepCurve(
  pieces: readonly { readonly start: number; readonly value: number }[],
): CurveUpdate {
  const [from, to]: [number[], number[]] = [[], []]
  const put = (units: number, value: number) => {
    if (from.at(-1) === units) return
    from.push(units)
    to.push(value)
  }
  for (const [index, { start, value }] of pieces.entries()) {
    put(start, value)
    put(index + 1 < pieces.length ? pieces[index + 1].start - 1 : ONE, value)
  }
  return { kind: 'curve', from, to }
}

/** The mean squared error of predictions, of all rows or of some; 0 where there is none. */
export function meanSquare(
  { label, rowCount, weight }: Pick<BaselineRows, 'label' | 'rowCount' | 'weight'>,
  prediction: Int32Array,
  rows?: Int32Array,
): number {
  const sum = emptySplitSum()
  let total = 0
  for (let index = 0; index < (rows?.length ?? rowCount); index++) {
    const row = rows === undefined ? index : rows[index]
    const [residual, counted] = [label[row] - prediction[row], weight === undefined ? 1 : weight[row]]
    addProduct(sum, residual, residual, counted)
    total += counted
  }
  return total === 0 ? 0 : splitSumValue(sum) / total
}
