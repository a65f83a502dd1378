// What a model file holds, as plain data. FORMAT.md describes the file; read.ts trusts nothing of it.

import type { Certificate } from '../certify/facts.ts'
import type { GroupAuditors, LinearAuditors, TreeAuditors } from '../classes/auditors.ts'
import type { FactorKind } from '../classes/factors.ts'
import type { Copies } from '../data/copies.ts'
import type { Holdout, StartKind } from '../data/roles.ts'
import type { RecordedOptions } from '../options/recorded.ts'
import type { Encoding } from '../quantize/encoding.ts'
import type { Rounding } from '../round/discretize.ts'
import type { Update } from '../update/update.ts'

export const MODEL_FORMAT = 'featureboost-model'
/**
 * What is written. Read as well: version 2, which held rows out and bounded errors on new rows by older rules and does not record the
 * options of the fit, and version 1, which does not say which numbers are dates either.
 */
export const MODEL_VERSION = 3
export const MODEL_VERSIONS = [1, 2, MODEL_VERSION] as const
export type ModelVersion = (typeof MODEL_VERSIONS)[number]

/** The most prediction bins K that a model may have. */
export const MAX_LEVELS = 10_000

/** The most value bins of a feature; one more holds missing values. */
export const MAX_BINS = 255

/** Auditors as data; functions are kept by name only, because a file cannot hold code. */
export type AuditorsData =
  | GroupAuditors
  | TreeAuditors
  | LinearAuditors
  | { readonly kind: 'functions'; readonly functions: readonly string[]; readonly valueBins?: number }

/** How the rows were read, so that verification can read them alike. */
export interface ModelRoles {
  readonly label: string
  /** The value of the label that counts as 1. Absent: it holds numbers or truth values. */
  readonly positive?: string
  /** Rows without a label are left out. */
  readonly dropMissingLabels?: true
  readonly weight?: string
  readonly fold?: string
  readonly holdout?: Holdout
  /** What exact copies of a row were taken for. Absent in models of before: for independent rows. */
  readonly copies?: Copies
  /** Columns whose values and overlaps the certificate tells of by name. */
  readonly protect?: readonly string[]
}

/** Where a model comes from that was not fitted here. */
export interface Imported {
  readonly from: 'mcgrad' | 'isotonic' | 'sigmoid'
  /** Of the file that was read. */
  readonly sha256: string
}

export interface ModelData {
  readonly format: typeof MODEL_FORMAT
  readonly version: ModelVersion
  /** Then there are no options, and the certificate speaks of no rows. */
  readonly imported?: Imported
  readonly roles: ModelRoles
  readonly start: StartKind
  readonly encoding: Encoding
  readonly auditors: AuditorsData
  readonly factors: FactorKind
  readonly cellBudget: number
  /** With the other parts, a call of `fit`. Absent before version 3, and where there was no fit. */
  readonly options?: RecordedOptions
  readonly updates: readonly Update[]
  readonly roundings: readonly Rounding[]
  readonly certificate: Certificate
}
