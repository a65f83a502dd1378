// What one observation weighs where weights are whole numbers. They may be counts of people who are alike, each an observation; or survey
// weights, or copies of one row, of which only one was ever observed. Outcomes tell: rows that are alike in everything but the
// outcome stray from their predictions as far as so many independent ones do, or farther by as much as an observation weighs
// (Pearson's estimate of the dispersion of a binomial). Errors of the predictions make it larger, which is the safe side.

import { addProduct, emptySplitSum, ONE } from '../common/units.ts'
import type { LearnableRows } from './roleRows.ts'
import type { StartKind } from './roles.ts'

/**
 * From 1 to what it is where every row is one observation: the sum of squared weights over that of weights. `keys`: rows with the same
 * one are alike; `startKind`: where rows start that have no prediction of their own.
 */
export function observationWeight(rows: LearnableRows, keys: Int32Array, startKind: StartKind): number {
  const { fold, label, start, weight } = rows
  if (weight === undefined || label === undefined) return 1
  const order = fittingRows(weight, fold).sort((a, b) => keys[a] - keys[b])
  // Whole numbers, and cells in the order of their keys: the order of rows does not matter.
  let [strayed, expected, total] = [0, 0, 0]
  const squares = emptySplitSum()
  for (let from = 0; from < order.length; ) {
    let [to, residual] = [from, 0]
    for (; to < order.length && keys[order[to]] === keys[order[from]]; to++) {
      const row = order[to]
      const prediction = startKind.kind === 'constant' ? startKind.units : start![row]
      residual += weight[row] * (label[row] - prediction)
      expected += weight[row] * Math.floor((prediction * (ONE - prediction)) / ONE)
      total += weight[row]
      addProduct(squares, weight[row], weight[row], 1)
    }
    strayed += residual ** 2
    from = to
  }
  const most = (squares.high * ONE + squares.low) / total
  return Math.max(1, Math.min(most, expected === 0 ? most : strayed / ONE / expected))
}

function fittingRows(weight: Int32Array, fold: Uint8Array | undefined): Int32Array {
  const rows = new Int32Array(weight.length)
  let count = 0
  for (let row = 0; row < weight.length; row++) {
    if (weight[row] > 0 && fold?.[row] !== 1) rows[count++] = row
  }
  return rows.subarray(0, count)
}
