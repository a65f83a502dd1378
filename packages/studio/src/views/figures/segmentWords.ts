// Segments in words, and what a segment is for those who want to look into it.

import type { Evidence } from '@featureboost/core'
import {
  type GroupGap,
  type GroupRef,
  type Segment,
  type SegmentMap,
  whereOf,
} from '@featureboost/core/internal'
import { count, pValue, range, side } from '../format.ts'

export function nameOf({ parts }: SegmentMap, segment: Segment): string {
  return segment.parts.map(part => parts[part].words).join(' and ')
}

export function refOf(map: SegmentMap, segment: Segment): GroupRef {
  const parts = segment.parts.map(part => map.parts[part])
  const where = parts.flatMap(part => part.where ?? [])
  const known = parts.every(part => part.where !== undefined)
  return { words: nameOf(map, segment), where: known ? where : [], ...(known && { sql: whereOf(where) }) }
}

/** Its interval, which holds for all groups that were looked at, leaves out 0. */
export const isSure = ({ high, low }: GroupGap): boolean => low > 0 || high < 0

function gapWords(gap: GroupGap): string {
  const sure = gap.p === undefined ? '' : `, ${pValue(gap.p)} after correction`
  return `${side(gap.gap)} (outcomes less scores ${range(gap.low, gap.high)})${sure}`
}

export function segmentWords(map: SegmentMap, segment: Segment): string {
  const after = segment.after === undefined ? '' : `; after: ${gapWords(segment.after)}`
  return `${nameOf(map, segment)}, ${count(segment.weight)} rows: ${gapWords(segment.before)}${after}`
}

export function mapReading({ about, after, segments: map }: Evidence): string {
  const all = count(map.segments.length + map.leftOut)
  const sure = map.segments.filter(({ before }) => isSure(before))
  const left = map.segments.filter(segment => segment.after !== undefined && isSure(segment.after))
  const now = after === undefined ? '' : `, ${count(left.length)} after the correction`
  const beneath =
    map.leftOut > 0
      ? ` The ${count(map.segments.length)} most significant have marks; the squares beneath are all ${all}.`
      : ''
  return `Each mark is a group of one or two conditions, at all scores; higher means scores are too low there, lower too high. Of the ${all} groups tested on ${count(about.auditedCount)} rows ${count(sure.length)} are surely off${now}: their marks are large. Outside the shaded zone every group is surely off; within it, its mark says.${beneath} The search for the worst groups also looks at parts of the score, so it can find others.`
}
