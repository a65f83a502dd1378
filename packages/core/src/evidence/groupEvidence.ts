// What evidence holds of groups: the segment map, the worst groups, the heat map.

import type { Predicate } from '../classes/auditors.ts'

/** A score in one group of rows. */
export interface GroupGap {
  readonly meanScore: number
  /** Mean label minus mean score: positive where scores are too low. */
  readonly gap: number
  readonly low: number
  readonly high: number
  /** Absent where nothing was tested, as in a group that was chosen by how wrong it was. */
  readonly z?: number
  /** Corrected for everything that was looked at. */
  readonly p?: number
}

export interface GroupRef {
  readonly words: string
  readonly where: readonly Predicate[]
  /** For a WHERE clause; absent where it would be longer than anyone wants to read. */
  readonly sql?: string
}

export interface Segment {
  /** Places in `parts`: one, or two whose overlap this is. */
  readonly parts: readonly number[]
  readonly weight: number
  readonly meanLabel: number
  readonly before: GroupGap
  readonly after?: GroupGap
}

export interface SegmentPart {
  readonly words: string
  /** Absent where it would be longer than anyone wants to read. */
  readonly where?: readonly Predicate[]
}

export interface SegmentMap {
  /** One condition each: a value or a range of one column, or a group that was declared. */
  readonly parts: readonly SegmentPart[]
  /** The most significant first. */
  readonly segments: readonly Segment[]
  /** Groups looked at; p-values are corrected for so many. */
  readonly testCount: number
  /** Tested, and not listed. */
  readonly leftOut: number
  readonly tooSmall: number
  /** A gap of this over the root of a group's size is found four times out of five. */
  readonly detectable: number
  readonly confidence: number
  /** The p-value up to which a gap is more than noise. */
  readonly significance: number
}

export interface WorstGroup extends GroupRef {
  /** Scores that the group is about; absent: all. */
  readonly scores?: { readonly from: number; readonly to: number }
  readonly list: 'surest' | 'too low' | 'too high'
  readonly weight: number
  readonly meanLabel: number
  readonly before: GroupGap
  readonly after?: GroupGap
}

/** A protected group. Of one with too few rows only their number is told. */
export interface ProtectedEvidence extends GroupRef {
  readonly weight: number
  readonly meanLabel?: number
  readonly before?: GroupGap
  readonly after?: GroupGap
}

/** Groups of one condition against levels of the score. */
export interface HeatMap {
  /** Where levels begin, and where the last ends: equally wide, or narrower where outcomes are rare. */
  readonly edges: readonly number[]
  readonly rows: readonly HeatRow[]
  readonly leftOut: number
}

export interface HeatRow {
  /** A place in the parts of the segment map. */
  readonly part: number
  /** One for each level; null where there are no rows. */
  readonly before: readonly (HeatCell | null)[]
  readonly after?: readonly (HeatCell | null)[]
}

export interface HeatCell {
  readonly weight: number
  readonly gap: number
  /** Of this cell alone; 0 where there are too few rows to tell. */
  readonly z: number
}
