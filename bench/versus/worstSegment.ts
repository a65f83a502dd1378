// MCE in sigmas, with what it becomes when rows are drawn anew: each row gets a random weight of mean 1 (the Bayesian
// bootstrap), the same for every score, and the worst of the segments that came near is found again. So the differences
// between two scores also know that another segment may be the worst. Where all scores of a segment are 0 or 1 its sigma is
// 0, and MCE may be infinite.

import { type MulticalibrationError, makeRandom, segmentError } from '@featureboost/core/internal'
import { levelColumn, type SegmentColumn } from '../../packages/core/src/measures/score/segments.ts'
import type { RedrawnError } from './spread.ts'

type Segment = MulticalibrationError['segments'][number]

interface Scored {
  readonly labels: Float64Array
  readonly predictions: Float64Array
}

/** So many segments came near, at most; and so many rows are in them, at most, unless one alone has more. */
const CANDIDATES = 100
const CANDIDATE_ROWS = 2_000_000
const DRAWS = 100
/** The default of segmentError. */
const LEVELS = 3

export function worstSegment(rows: Scored, columns: readonly SegmentColumn[]): RedrawnError {
  const { segments, worst } = segmentError(rows, columns)
  const value = worst.ratio
  if (!Number.isFinite(value)) return { value, draws: new Float64Array(DRAWS) }
  const kept = nearestOf(segments)
  const order = Uint32Array.from(rows.labels.keys()).sort((a, b) => rows.predictions[a] - rows.predictions[b])
  const findMembers = makeMembership(columns, order)
  const members = kept.map(({ where }) => findMembers(where))
  const random = makeRandom(1)
  const weights = new Float64Array(order.length)
  const draws = Float64Array.from({ length: DRAWS }, () => {
    for (let row = 0; row < weights.length; row++) weights[row] = -Math.log1p(-random.next())
    return members.reduce((most, segment) => Math.max(most, walkRatio(rows, segment, weights)), 0)
  })
  return { value, draws }
}

function nearestOf(segments: readonly Segment[]): Segment[] {
  const nearest = segments.toSorted((a, b) => b.ratio - a.ratio).slice(0, CANDIDATES)
  let rowCount = 0
  return nearest.filter((segment, index) => {
    rowCount += segment.rowCount
    return index === 0 || rowCount <= CANDIDATE_ROWS
  })
}

type Where = readonly { readonly column: string; readonly level: string }[]

/** The rows of a segment in the given order, by the rules that levels were made with. */
function makeMembership(
  columns: readonly SegmentColumn[],
  order: Uint32Array,
): (where: Where) => Uint32Array {
  const leveled = new Map(
    columns.map(column => [column.name, levelColumn(column, order, LEVELS, order.length)] as const),
  )
  return where => {
    const tests = where.map(({ column, level }) => {
      const { codes, levels } = leveled.get(column)!
      return { codes, wanted: levels.indexOf(level) }
    })
    return order.filter((_, place) => tests.every(({ codes, wanted }) => codes[place] === wanted))
  }
}

/** Highest less lowest point of the walk of weighted residuals, over its sigma; `segment` in the order of scores. */
export function walkRatio(
  { labels, predictions }: Scored,
  segment: Uint32Array,
  weights: Float64Array,
): number {
  let [sum, high, low, variance] = [0, 0, 0, 0]
  for (let place = 0; place < segment.length; place++) {
    const row = segment[place]
    const score = predictions[row]
    sum += weights[row] * (labels[row] - score)
    variance += weights[row] * score * (1 - score)
    // Equal scores are one step.
    if (place + 1 < segment.length && predictions[segment[place + 1]] === score) continue
    if (sum > high) high = sum
    else if (sum < low) low = sum
  }
  return variance > 0 ? (high - low) / Math.sqrt(variance) : 0
}
