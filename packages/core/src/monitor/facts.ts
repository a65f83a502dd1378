// What a monitor has to say, as data.

import type { GroupKind } from './data.ts'
import type { Gap } from './interval.ts'

/** The mean of outcome less score over some batches, and how far it can be from that. */
export interface WatchedGap extends Gap {
  /** The first of these batches. */
  readonly from: string
  /** Rows, or what they weigh relative to the usual. */
  readonly rows: number
}

export interface WatchedGroup {
  readonly group: string
  /** "found": one of all groups of two conditions, which stood out and is followed since then. */
  readonly kind: GroupKind | 'found'
  /** Over all batches with labels; of groups that were found, since they are followed. */
  readonly overall: WatchedGap
  /** The e-value, as a power of ten: 2 is 100. */
  readonly evidence: number
  /** The batch after which it was first sure that this group is off. */
  readonly alarm?: string
  /** Which way it is surely off: its scores are too low, too high, or were both. */
  readonly side?: 'low' | 'high' | 'both'
  /** From where on the evidence is strongest: an estimate of when it began, and the gap from there on. */
  readonly since?: WatchedGap
}

export interface WatchedColumn {
  readonly column: string
  /** The population stability index of the last batch against the reference. */
  readonly psi: number
  /** What the index comes to by chance alone, about, in a batch of this size. */
  readonly psiByChance: number
  /** The batch after which it was first sure that the column is not as it was. */
  readonly alarm?: string
}

export interface TimelinePoint {
  readonly batch: string
  readonly rows: number
  /** Of everyone in this batch alone; absent where outcomes are not known. */
  readonly gap?: number
  /** The average of all e-values after this batch, as a power of ten. */
  readonly evidence?: number
  /** Groups with an alarm after this batch. */
  readonly alarms: number
  /** The index of the score; absent where its rows had been counted before. */
  readonly psi?: number
}

/** What a monitor knows after its batches. */
export interface MonitorReport {
  readonly modelHash: string
  readonly delta: number
  readonly maxGap: number
  readonly batches: number
  readonly rows: number
  readonly labelledBatches: number
  readonly labelledRows: number
  readonly referenceRows: number
  /** Is it sure that the score is off somewhere? */
  readonly alarm: boolean
  /** The batch after which that was first sure. */
  readonly raised?: string
  /** Groups with an alarm first, then everyone, then those with the most evidence. */
  readonly groups: readonly WatchedGroup[]
  /** How many groups of one or two conditions are watched besides, and of which columns they are made. */
  readonly searched: { readonly groups: number; readonly columns: readonly string[] }
  readonly columns: readonly WatchedColumn[]
  readonly advice: { readonly refit: boolean; readonly sentence: string }
  readonly timeline: readonly TimelinePoint[]
}
