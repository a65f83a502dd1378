// The options of a comparison of methods, once, as those of fits and audits; and the settings it runs with.

import { type AuditSettings, readAuditSettings } from '../audit/settings.ts'
import type { GroupAuditors, TreeAuditors } from '../classes/auditors.ts'
import type { CancelSignal } from '../common/cancel.ts'
import type { Copies } from '../data/copies.ts'
import type { ScoreScale } from '../data/scoreScale.ts'
import type { MakeEngine } from '../engine/engine.ts'
import { checkOptions } from '../options/check.ts'
import {
  AUDIT_OPTIONS,
  integer,
  METHODS,
  type Method,
  number,
  OPTIONS,
  type OptionSpec,
} from '../options/options.ts'

export const COMPARE_OPTIONS = {
  label: OPTIONS.label,
  prediction: { type: 'column', required: true, help: 'The score that the methods correct, 0 to 1.' },
  weight: OPTIONS.weight,
  positive: OPTIONS.positive,
  scoreScale: OPTIONS.scoreScale,
  categorical: OPTIONS.categorical,
  dropMissingLabels: OPTIONS.dropMissingLabels,
  groupBy: {
    type: 'column',
    help: 'Ids of units, such as persons: rows with the same id are in one fold. Not for groups such as women and men. Not a feature unless listed as one.',
  },
  copies: OPTIONS.copies,
  features: {
    type: 'columns',
    help: 'Columns that methods and auditors may look at. Default: all without another role.',
  },
  except: { type: 'columns', help: 'Columns that they may not look at, such as ids.' },
  auditors: AUDIT_OPTIONS.auditors,
  methods: {
    type: 'choices',
    choices: METHODS,
    defaultWords: 'all of them',
    help: 'The methods to compare.',
  },
  folds: integer(2, 50, 'Parts of the rows; each is predicted by fits to the others.', { default: 5 }),
  bins: AUDIT_OPTIONS.bins,
  segmentDepth: integer(0, 3, AUDIT_OPTIONS.segmentDepth.help, { default: 2 }),
  confidence: number(0.5, 1, 'Confidence of every interval.', { open: true, default: 0.95 }),
  seed: integer(0, 2 ** 32 - 1, 'Seed of the folds, of the fits and of the intervals.', { default: 1 }),
  threads: OPTIONS.threads,
  signal: { type: 'object', help: 'An AbortSignal that cancels the comparison.' },
  onStep: { type: 'function', help: 'Called before every fit, and before each score is measured.' },
  onWarning: OPTIONS.onWarning,
  engine: OPTIONS.engine,
} as const satisfies Record<string, OptionSpec>

/** What is done next: a fit to all folds but one, or the measuring of what a method predicted. */
export interface ComparisonStep {
  readonly step: 'fitting' | 'scoring'
  /** 'base' is the score that was given. */
  readonly method: string
  /** From 1. */
  readonly methodNumber: number
  readonly methodCount: number
  /** From 1; absent while a score is measured. */
  readonly fold?: number
  readonly foldCount: number
}

export interface CompareOptions {
  readonly label: string
  readonly prediction: string
  readonly weight?: string
  readonly positive?: string
  readonly scoreScale?: ScoreScale
  readonly categorical?: readonly string[]
  readonly dropMissingLabels?: boolean
  readonly groupBy?: string
  readonly copies?: Copies
  readonly features?: readonly string[]
  readonly except?: readonly string[]
  /** trees() of depth 1 or 2, or groups(). */
  readonly auditors?: TreeAuditors | GroupAuditors
  readonly methods?: readonly Method[]
  readonly folds?: number
  readonly bins?: number
  readonly segmentDepth?: number
  readonly confidence?: number
  readonly seed?: number
  readonly threads?: number
  readonly signal?: CancelSignal
  readonly onStep?: (step: ComparisonStep) => void
  readonly onWarning?: (sentence: string) => void
  readonly engine?: MakeEngine
}

export interface CompareSettings {
  readonly methods: readonly Method[]
  readonly folds: number
  readonly confidence: number
  readonly seed: number
  readonly groupBy: string | undefined
  /** In folds and fits; what is measured on rows held apart counts every row, unless it was said otherwise. */
  readonly copies: Copies
  readonly onStep: (step: ComparisonStep) => void
  /** With half the doubt in every interval, so that what two of them say of a difference holds with the confidence asked for. */
  readonly audit: AuditSettings
}

export function readCompareSettings(options: CompareOptions): CompareSettings {
  checkOptions({ ...options }, COMPARE_OPTIONS)
  const { folds, groupBy, methods, onStep, ...rest } = options
  const { confidence = COMPARE_OPTIONS.confidence.default, seed = COMPARE_OPTIONS.seed.default } = rest
  const { copies = COMPARE_OPTIONS.copies.default, segmentDepth = COMPARE_OPTIONS.segmentDepth.default } =
    rest
  return {
    methods: methods ?? METHODS,
    folds: folds ?? COMPARE_OPTIONS.folds.default,
    confidence,
    seed,
    groupBy,
    copies,
    onStep: onStep ?? (() => {}),
    audit: readAuditSettings({ ...rest, segmentDepth, confidence: (1 + confidence) / 2 }),
  }
}
