// What evidence holds of groups: the segment map, the worst groups, the heat map.

import type { Predicate } from '../classes/auditors.ts'

/** A score in one group of rows. */
export interface GroupGap {
  readonly meanScore: number
  /** Mean label minus mean score: positive where scores are too low. */
  readonly gap: number
  readonly low: number
  readonly high: number
  /** Absent where nothing was tested, as of a score in groups that another score was worst in. */
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
  /** Groups looked at; p-values and intervals pay for these, and for all that the audit searched. */
  readonly testCount: number
  /** Tested, and not listed. */
  readonly leftOut: number
  readonly tooSmall: number
  /** A gap of this over the root of a group's size is found four times out of five. */
  readonly detectable: number
  /** Beyond this over the root of its size a group is surely off, whichever it is; nearer, its interval decides. */
  readonly zone: number
  /** All groups that were tested, where more were than are listed. */
  readonly density?: GroupDensity
  readonly confidence: number
  /** The p-value up to which a gap is more than noise. */
  readonly significance: number
}

/** How many groups there are of a size and a gap. */
export interface GroupDensity {
  /** Sizes are cut into columns of equal ratios, gaps from -reach to reach into rows of equal width. */
  readonly columns: number
  readonly rows: number
  readonly weights: readonly [low: number, high: number]
  readonly reach: number
  /** Cells that hold groups: the column from the left, the row from below. */
  readonly before: readonly (readonly [column: number, row: number, count: number])[]
  readonly after?: readonly (readonly [column: number, row: number, count: number])[]
}

export interface WorstGroup extends GroupRef {
  /** Scores that the group is about; absent: all. */
  readonly scores?: { readonly from: number; readonly to: number }
  readonly list: 'worst' | 'too low' | 'too high'
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
