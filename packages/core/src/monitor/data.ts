// What the state of a monitor holds, as plain data: the claims, what is watched, the reference, money on bets, and every batch. All of
// money and sums are whole numbers: the same batches give the same bytes everywhere.

import type { Predicate } from '../classes/auditors.ts'
import type { FeatureSchema } from '../quantize/schema.ts'

export const MONITOR_FORMAT = 'featureboost-monitor'
export const MONITOR_VERSION = 1

/** Why a group is watched by name. */
export const GROUP_KINDS = ['everyone', 'declared', 'protected', 'correction'] as const
export type GroupKind = (typeof GROUP_KINDS)[number]

export interface NamedGroup {
  readonly kind: GroupKind
  readonly words: string
  /** All of them hold; everyone has none. */
  readonly where: readonly Predicate[]
}

/** What the reference rows looked like. */
export interface Reference {
  readonly rowCount: number
  /** Columns that are looked at, and the corrected score as the last. */
  readonly features: readonly FeatureSchema[]
  /** Rows in each bin of each of these; the last bin is for categories that none of them has. */
  readonly counts: readonly (readonly number[])[]
}

/** What was seen of one group in one batch: whole numbers, as in GapSums, and the logarithm of its e-value after the batch. */
export type GroupEntry = readonly [weight: number, sum: number, squares: number, evidence: number]

/** A batch, in the order in which they came. */
export interface Batch {
  readonly name: string
  readonly rowCount: number
  /** Of its rows without labels, in any order. */
  readonly print: string
  /** With labels; absent where they have not come yet. */
  readonly labelled?: {
    readonly print: string
    /** Counted from 1: bets go from one of these to the next. */
    readonly order: number
    /** Named groups first, then groups that are followed, as many as there were then. */
    readonly groups: readonly GroupEntry[]
    /** The logarithm of the average of all e-values. */
    readonly evidence: number
  }
  /** The population stability index of each column, in millionths; absent where its rows had been counted before. */
  readonly drift?: readonly number[]
}

/** Since which batch, counted from 1 among those with labels, an alarm stands. */
export interface Alarm {
  /** Index of a named group, or of one of the search. */
  readonly group: number
  readonly kind: 'named' | 'searched'
  /** Which way its scores are off. */
  readonly side: 'low' | 'high'
  readonly order: number
}

export interface MonitorData {
  readonly format: typeof MONITOR_FORMAT
  readonly version: typeof MONITOR_VERSION
  readonly modelHash: string
  /** The chance of ever raising a false alarm, at most; as much again for drift of columns. */
  readonly delta: number
  /** Gaps up to this raise no alarm. */
  readonly maxGap: number
  readonly label: string
  /** What a row usually weighs; absent where rows have no weights. */
  readonly weight?: { readonly column: string; readonly usual: number }
  readonly named: readonly NamedGroup[]
  /** Indexes into the features of the reference: columns of which all groups of two conditions are watched. */
  readonly searched: readonly number[]
  readonly reference: Reference
  /** Groups of the search that stand out, by their index: their batches are kept from then on. */
  readonly followed: readonly { readonly group: number; readonly order: number }[]
  /** Logarithms of money on bets: [group][bet], empty before the first batch. */
  readonly namedWealth: readonly number[]
  readonly searchedWealth: readonly number[]
  /** [column][bin][bet], one after the other. */
  readonly driftWealth: readonly number[]
  /** When the average of all e-values first reached 1/delta; absent where it never did. */
  readonly raised?: number
  readonly alarms: readonly Alarm[]
  /** Indexes of columns and the number of the batch, counted from 1 among those whose columns were counted. */
  readonly driftAlarms: readonly { readonly feature: number; readonly order: number }[]
  readonly batches: readonly Batch[]
}
