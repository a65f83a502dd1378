// Segments in words, and what a segment is for those who want to look into it.

import type { Evidence } from '@featureboost/core'
import {
  type GroupGap,
  type GroupRef,
  type Segment,
  type SegmentMap,
  whereOf,
} from '@featureboost/core/internal'
import { count, decimal, pValue, range, side } from '../format.ts'

export function nameOf({ parts }: SegmentMap, segment: Segment): string {
  return segment.parts.map(part => parts[part].words).join(' and ')
}

export function refOf(map: SegmentMap, segment: Segment): GroupRef {
  const parts = segment.parts.map(part => map.parts[part])
  const where = parts.flatMap(part => part.where ?? [])
  const known = parts.every(part => part.where !== undefined)
  return { words: nameOf(map, segment), where: known ? where : [], ...(known && { sql: whereOf(where) }) }
}

export const isSure = ({ p }: GroupGap, { significance }: SegmentMap): boolean =>
  p !== undefined && p <= significance

function gapWords(gap: GroupGap): string {
  const sure = gap.p === undefined ? '' : `, ${pValue(gap.p)} after correction`
  return `${side(gap.gap)} (outcomes less scores ${range(gap.low, gap.high)})${sure}`
}

export function segmentWords(map: SegmentMap, segment: Segment): string {
  const after = segment.after === undefined ? '' : `; after: ${gapWords(segment.after)}`
  return `${nameOf(map, segment)}, ${count(segment.weight)} rows: ${gapWords(segment.before)}${after}`
}

export function mapReading({ after, segments: map }: Evidence): string {
  const sure = map.segments.filter(({ before }) => isSure(before, map))
  const left = map.segments.filter(segment => segment.after !== undefined && isSure(segment.after, map))
  const size = Math.max(...map.segments.map(({ weight }) => weight))
  const detectable = decimal(map.detectable / Math.sqrt(1000))
  const now = after === undefined ? '' : `, ${count(left.length)} after the correction`
  const hidden =
    map.leftOut > 0
      ? ` Drawn are the ${count(map.segments.length)} most significant of ${count(map.segments.length + map.leftOut)}.`
      : ''
  const few =
    size >= 1000
      ? ` In a group of 1,000 rows, gaps under about ${detectable} cannot be found: that is the shaded zone.`
      : ''
  return `Each mark is a group; higher means scores are too low there, lower too high. ${count(sure.length)} of ${count(map.testCount)} groups are off by more than noise (p ≤ ${map.significance} after correction)${now}.${few}${hidden}`
}
