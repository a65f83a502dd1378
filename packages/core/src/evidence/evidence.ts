// Evidence: everything that a report or a page draws of a score, as plain data. It holds sums, never rows, unless rows were
// asked for; its size does not grow with the rows, and hardly with the columns.

import type { MeasureChange, NamedEstimate } from '../audit/measures.ts'
import type { Significance } from '../audit/worst/worstGroups.ts'
import type { ColumnKind, Value } from '../data/column.ts'
import type { ReliabilityBin } from '../measures/score/ece.ts'
import type { Estimate } from '../measures/score/scoredRows.ts'
import type { CurvePoint } from '../round/curve.ts'
import type { HeatMap, ProtectedEvidence, SegmentMap, WorstGroup } from './groupEvidence.ts'

export const EVIDENCE_FORMAT = 'featureboost-evidence'
export const EVIDENCE_VERSION = 1

/** Everything that a report draws, as plain JSON. */
export interface Evidence {
  readonly format: typeof EVIDENCE_FORMAT
  readonly version: typeof EVIDENCE_VERSION
  readonly about: About
  /** The first thing to read. */
  readonly verdict: Verdict
  readonly before: ScoreEvidence
  /** With a model: its corrected score on the same rows. */
  readonly after?: ScoreEvidence
  /** With a model: every measure before and after, with its difference. */
  readonly changes?: readonly MeasureChange[]
  readonly segments: SegmentMap
  /** Worst groups of the score, patterns first, and what became of them. */
  readonly worst: readonly WorstGroup[]
  readonly patterns: PatternSummary
  /** Worst groups of the corrected score. */
  readonly worstAfter?: readonly WorstGroup[]
  /** Every protected group; only where columns are protected. */
  readonly protected?: readonly ProtectedEvidence[]
  readonly heat: HeatMap
  readonly moved?: Moved
  readonly updates?: Updates
  readonly certificate?: CertificateSummary
  readonly comparison?: ComparisonTable
}

export interface Verdict {
  readonly sentence: string
  readonly level: 'good' | 'attention' | 'bad'
  /** What was searched, |z| and p, of every score. */
  readonly details: readonly string[]
}

/** The few groups that explain why so many are off. */
export interface PatternSummary {
  /** As many of the worst groups, from the first. */
  readonly count: number
  /** Kinds of groups that are surely off, and those that the patterns explain. */
  readonly findings: number
  readonly explained: number
  /** The same in words; absent where nothing was merged. */
  readonly sentence?: string
}

export interface About {
  /** What the data is called, such as its file. */
  readonly name: string
  readonly rowCount: number
  /** The rows that everything here was measured on. */
  readonly auditedCount: number
  readonly rows: AuditedRows
  readonly weight: number
  /** Mean label. */
  readonly baseRate: number
  readonly label: string
  readonly score: string
  readonly weightColumn?: string
  /** What was searched, in words. */
  readonly auditors: string
  readonly columns: readonly ColumnFacts[]
  /** Columns that are not listed. */
  readonly moreColumns: number
  /** Of the library. */
  readonly library: string
  readonly options: Readonly<Record<string, unknown>>
  /** The command that repeats the run. */
  readonly command?: string
}

/** All; those that the model was not fitted to; or, where none were held out, those that it was. */
export type AuditedRows = 'all' | 'held-out' | 'fitting'

export interface ColumnFacts {
  readonly name: string
  readonly kind: ColumnKind
  readonly role: 'label' | 'score' | 'weight' | 'feature' | 'other'
  readonly missing: number
  readonly histogram: ColumnHistogram
}

export type ColumnHistogram =
  /** Counts of equally wide bins. */
  | {
      readonly kind: 'numbers'
      readonly from: number
      readonly to: number
      readonly counts: readonly number[]
    }
  /** The most frequent values, and all others together. Values of few rows are not named. */
  | {
      readonly kind: 'values'
      readonly values: readonly { readonly value: string; readonly count: number }[]
      readonly otherCount: number
      readonly otherRows: number
    }

/** What is known of one score. */
export interface ScoreEvidence {
  readonly name: string
  readonly measures: readonly NamedEstimate[]
  readonly significance: Significance
  readonly reliability: Reliability
  readonly walk: Walk
  /** Error against K, and the roundings to K bins. */
  readonly curve: RoundingCurve
}

export interface Reliability {
  /** Equally wide; bins without rows are left out. */
  readonly bins: readonly ReliabilityBin[]
  /** Equally wide on the logit scale, for rare outcomes. */
  readonly logitBins: readonly ReliabilityBin[]
  /** Is the outcome so rare, or so common, that the logit scale shows more? */
  readonly rare: boolean
  readonly confidence: number
  /** Rows in equally wide bins of the score. */
  readonly histogram: readonly number[]
}

/** The cumulative difference between labels and scores, over rows in the order of their scores. */
export interface Walk {
  /** Thinned; highest and lowest points are kept. */
  readonly points: readonly WalkPoint[]
  /** Its range, which is the ECCE. */
  readonly range: number
  /** The standard deviation of its end, if scores are right. */
  readonly sigma: number
  readonly p: number
}

export interface WalkPoint {
  /** Of all weight so far. */
  readonly share: number
  readonly score: number
  /** Sum of w (y - f) so far, over all weight. */
  readonly sum: number
  /** Its standard deviation, if scores are right. */
  readonly noise: number
}

export interface RoundingCurve {
  /** K from small to large. */
  readonly points: readonly RoundingPoint[]
  readonly supportedBins?: number
  readonly confidence: number
}

export interface RoundingPoint extends CurvePoint {
  /** Only those that hold rows. */
  readonly levels: readonly RoundedLevel[]
}

/** One bin of a rounding, from/to/value: what scores in it become. */
export interface RoundedLevel {
  readonly from: number
  readonly to: number
  readonly value: number
  readonly weight: number
  readonly meanLabel: number
}

export interface Moved {
  /** Both axes are cut into so many equally wide bins. */
  readonly bins: number
  /** Rows at [old bin, new bin, count]; cells without rows are left out. */
  readonly density: readonly (readonly [from: number, to: number, count: number])[]
  readonly meanMove: number
  readonly meanAbsoluteMove: number
  readonly largestMove: number
  /** Only where rows were asked for. */
  readonly rows?: readonly MovedRow[]
}

export interface MovedRow {
  /** Among the audited ones, counted from 1. */
  readonly row: number
  readonly before: number
  readonly after: number
  readonly label: number
  readonly values: readonly (readonly [column: string, value: Value])[]
}

export interface Updates {
  readonly total: number
  /** The first of them. */
  readonly words: readonly string[]
}

export interface CertificateSummary {
  readonly holds: boolean
  /** What the error is at most on the fitting rows; absent where nothing is proven of it. */
  readonly onFitting?: number
  /** What it is at most on new rows, and how surely; absent where nothing is proven of them. */
  readonly onNew?: { readonly bound: number; readonly confidence: number }
  /** What is proven on the fitting rows and on new ones. */
  readonly sentence: string
  readonly guarantee: string
  readonly epsilon: number
  readonly bins: number
  readonly proven: readonly string[]
  readonly measured: readonly string[]
  readonly caveats: readonly string[]
  readonly rowCount: number
  readonly fingerprint: string
  readonly modelHash: string
}

/** Methods of correction on the same rows. */
export interface ComparisonTable {
  readonly recommendation: string
  readonly measures: readonly { readonly key: string; readonly name: string }[]
  /** The score that was given first. */
  readonly rows: readonly ComparisonRow[]
}

export interface ComparisonRow {
  readonly name: string
  /** By the key of the measure. */
  readonly values: Readonly<Record<string, Estimate>>
  /** Keys of measures where no method is better by more than the intervals allow. */
  readonly best: readonly string[]
  readonly seconds?: number
  /** Why there are no values. */
  readonly error?: string
}
