// What the page and its worker say to each other. The table stays in the worker; only what is drawn comes over.

import type { MonitorReport, Predicate } from '@featureboost/core'
import type { AuditedRows, ComparisonTable, Ladder, MeasureChange } from '@featureboost/core/internal'
import type { ColumnCard } from '../data/describe.ts'
import type { LeftOut } from '../data/loaded.ts'
import type { FileWords } from '../data/open.ts'
import type { DataProblem } from '../data/problem.ts'
import type { Choice } from '../run/choice.ts'
import type { PageEvidence } from './evidence.ts'
import type { FoundError, PlantedError } from './planted.ts'

export type Request =
  | {
      readonly kind: 'open'
      readonly name: string
      readonly blob: Blob
      readonly written: FileWords
      readonly categorical: readonly string[]
    }
  | { readonly kind: 'example'; readonly categorical: readonly string[] }
  | { readonly kind: 'audit'; readonly choice: Choice; readonly command: string; readonly within?: Group }
  | {
      readonly kind: 'fit'
      readonly choice: Choice
      readonly file: string
      readonly written: FileWords
    }
  | { readonly kind: 'compare'; readonly choice: Choice }
  /** The figures of a model that is there, before and after. */
  | {
      readonly kind: 'measure'
      readonly choice: Choice
      readonly modelText: string
      readonly command: string
    }
  | { readonly kind: 'score'; readonly choice: Choice; readonly modelText: string }
  /** What decisions by the score come to, before and after. */
  | { readonly kind: 'ladder'; readonly choice: Choice; readonly modelText: string }
  /** Two scores on the rows that both can be measured on. */
  | {
      readonly kind: 'pair'
      readonly choice: Choice
      readonly a: ScoreRecipe
      readonly b: ScoreRecipe
    }
  /** The table itself, as CSV. */
  | { readonly kind: 'save' }
  /** The state of a monitor, the model that it belongs to, or both. */
  | { readonly kind: 'watch'; readonly state?: Blob | string; readonly model?: Blob | string }
  /** One more batch for a monitor. */
  | {
      readonly kind: 'batch'
      readonly stateText: string
      readonly modelText: string
      readonly name: string
      readonly blob: Blob
      readonly written: FileWords
      readonly choice: BatchChoice
    }

/** What is said of a batch when it is added. */
export interface BatchChoice {
  readonly name: string
  /** Outcomes are not read, even where some are there. */
  readonly unlabelled: boolean
  /** Rows that were recorded before count once more. */
  readonly again: boolean
}

/** How a score comes about: a column as it is, or what a model makes of it. Its choice says how the file is read. */
export interface ScoreRecipe {
  readonly choice: Choice
  readonly modelText?: string
}

/** Two scores, a and b, on the same rows. */
export interface ScorePair {
  readonly rowCount: number
  /** Rows that no model of these was fitted to; those of a fit; or all, where there is no model. */
  readonly rows: AuditedRows
  /** b less a, with paired intervals. */
  readonly changes: readonly MeasureChange[]
}

/** Rows of one group alone. */
export interface Group {
  readonly words: string
  readonly where: readonly Predicate[]
  /** The same as a condition in SQL, where it is not too long. */
  readonly sql?: string
}

export interface Answers {
  readonly open: Opened
  readonly example: Opened
  readonly audit: AuditAnswer
  readonly fit: FitAnswer
  readonly compare: ComparisonTable
  readonly measure: MeasureAnswer
  readonly score: Blob
  readonly ladder: Ladder
  readonly pair: ScorePair
  readonly save: Blob
  readonly watch: WatchAnswer
  readonly batch: BatchAnswer
}

export interface WatchAnswer {
  readonly state?: WatchedState
  readonly model?: { readonly text: string; readonly hash: string }
}

/** The state of a monitor as text, and what it has to say. */
export interface WatchedState {
  readonly text: string
  readonly report: MonitorReport
}

export interface BatchAnswer extends WatchedState {
  /** What the batch is called: as it was before, where only its outcomes are new. */
  readonly batch: string
}

export interface Opened {
  readonly name: string
  readonly rowCount: number
  readonly columns: readonly ColumnCard[]
  readonly leftOut: readonly LeftOut[]
  /** Rows that are exact copies of another, in all columns but those that look like ids. */
  readonly copyCount: number
}

export interface AuditAnswer {
  readonly evidence: PageEvidence
  /** Of the example alone. */
  readonly planted?: readonly FoundError[]
}

export interface MeasureAnswer {
  readonly evidence: PageEvidence
  /** Of the example alone. */
  readonly planted?: readonly PlantedError[]
}

export interface FitAnswer extends Partial<MeasureAnswer> {
  readonly modelText: string
  readonly modelHash: string
  readonly certificate: string
  readonly command: string
  readonly stopReason: string
  readonly keptCount: number
  /** Cut off by a person, and kept as far as it was. */
  readonly wasStopped: boolean
}

export type ToWorker =
  | { readonly id: number; readonly request: Request }
  /** Ends what is running; `keep`: with what has been reached. */
  | { readonly stop: 'keep' | 'drop' }

export type FromWorker =
  | { readonly id: number; readonly news: News }
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly failure: Failure }

export type News =
  | { readonly kind: 'rows'; readonly done: number; readonly of: number }
  | { readonly kind: 'phase'; readonly phase: string }
  /** Of the search of an audit, 0 to 1. */
  | { readonly kind: 'search'; readonly share: number }
  | { readonly kind: 'warning'; readonly sentence: string }
  | { readonly kind: 'steps'; readonly steps: readonly Step[] }
  /** The audit is done; its figures are still being made. */
  | { readonly kind: 'found'; readonly first: FirstFindings }

export interface FirstFindings {
  readonly verdict: string
  /** Sentences, one for each group. */
  readonly worst: readonly string[]
}

/** One step of a fit: a round of boosting, or a tree of one part of a forest. */
export interface Step {
  /** Which line of the curve it belongs to. */
  readonly line: string
  readonly at: number
  readonly loss: number
  readonly words: string
}

export interface Failure {
  readonly code?: string
  readonly message: string
  readonly column?: string
  /** With the table that it held. */
  readonly isWorkerLost?: boolean
  /** What can be said of the file, so that it is read after all. */
  readonly asks?: DataProblem['asks']
}
