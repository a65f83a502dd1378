// MCE in sigmas with the share of every row: the worst segment's stretch of scores between the lowest and the highest point of
// its walk of residuals. The sigma is taken as fixed; where it is 0, because all scores are 0 or 1, MCE may be infinite.

import { segmentError } from '@featureboost/core'
import { levelColumn, type SegmentColumn } from '../../packages/core/src/audit/measures/segments.ts'
import type { WorstSum } from './spread.ts'

interface Scored {
  readonly labels: Float64Array
  readonly predictions: Float64Array
}

export function worstSegment(rows: Scored, columns: readonly SegmentColumn[]): WorstSum {
  const { worst } = segmentError(rows, columns)
  const shares = new Float64Array(rows.labels.length)
  if (!(worst.sigma > 0)) return { value: worst.ratio, shares }
  const inside = membersOf(worst.where, columns, rows.labels.length)
  const { from, sign, to } = widestStretch(rows, inside)
  const scale = (sign * rows.labels.length) / worst.weight / worst.sigma
  for (const row of inside) {
    const { [row]: score } = rows.predictions
    if (score >= from && score <= to) shares[row] = scale * (rows.labels[row] - score)
  }
  return { value: worst.ratio, shares }
}

type Where = readonly { readonly column: string; readonly level: string }[]

/** The rows of a segment, by the rules that levels were made with. */
function membersOf(where: Where, columns: readonly SegmentColumn[], rowCount: number): number[] {
  const all = Uint32Array.from({ length: rowCount }, (_, row) => row)
  const tests = where.map(({ column, level }) => {
    const { codes, levels } = levelColumn(columns.find(({ name }) => name === column)!, all, LEVELS, rowCount)
    return { codes, wanted: levels.indexOf(level) }
  })
  return [...all].filter(row => tests.every(({ codes, wanted }) => codes[row] === wanted))
}

/** The default of segmentError. */
const LEVELS = 3

/** Between which scores, both included, the residuals of the rows sum to the most, and their sign there. */
function widestStretch({ labels, predictions }: Scored, rows: number[]) {
  const sorted = rows.sort((a, b) => predictions[a] - predictions[b])
  let sum = 0
  let [low, high] = [
    { sum: 0, after: -1 },
    { sum: 0, after: -1 },
  ]
  sorted.forEach((row, index) => {
    sum += labels[row] - predictions[row]
    // Equal scores are one step.
    if (predictions[sorted[index + 1]] === predictions[row]) return
    if (sum > high.sum) high = { sum, after: index }
    if (sum < low.sum) low = { sum, after: index }
  })
  const [first, last] = low.after < high.after ? [low, high] : [high, low]
  return {
    from: predictions[sorted[first.after + 1]],
    to: predictions[sorted[last.after]],
    sign: last === high ? 1 : -1,
  }
}
