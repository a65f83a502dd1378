// The options of `decide`, once, as those of fits and audits.

import type { AuditOptions } from '../audit/settings.ts'
import { AUDIT_OPTIONS, integer, OPTIONS, type OptionSpec } from '../options/options.ts'
import type { LossSpec } from './losses.ts'

export const DECIDE_OPTIONS = {
  losses: {
    type: 'object',
    help: 'What decisions cost: a list of { falsePositive, falseNegative }, { threshold }, { losses }, { utilities } or { named }.',
  },
  protect: {
    type: 'columns',
    help: 'Columns whose values, and all their overlaps, are groups reported by name. Default: those that the fit protected.',
  },
  auditors: {
    type: 'object',
    help: 'trees() of depth 1 or 2, or groups(): what rules may look at besides the score. Default: the auditors of the model.',
  },
  bins: AUDIT_OPTIONS.bins,
  coarseBins: AUDIT_OPTIONS.coarseBins,
  rare: AUDIT_OPTIONS.rare,
  cellBudget: AUDIT_OPTIONS.cellBudget,
  confidence: AUDIT_OPTIONS.confidence,
  draws: integer(
    0,
    1000,
    'Draws of outcomes from the corrected score, behind the regret by chance; 0 leaves it out.',
    {
      default: 9,
    },
  ),
  seed: integer(0, 2 ** 32 - 1, 'Seed of these draws.', { default: 1 }),
  threads: OPTIONS.threads,
  fitted: {
    type: 'flag',
    help: 'Whether these are the rows of the fit, held-out ones included. Default: their checksum says.',
  },
  signal: { type: 'object', help: 'An AbortSignal that cancels the work.' },
  onPhase: OPTIONS.onPhase,
  engine: OPTIONS.engine,
} as const satisfies Record<string, OptionSpec>

export type DecidePhase = 'scoring' | 'deciding' | 'searching'

export interface DecideOptions
  extends Pick<
    AuditOptions,
    | 'protect'
    | 'auditors'
    | 'bins'
    | 'coarseBins'
    | 'rare'
    | 'cellBudget'
    | 'confidence'
    | 'draws'
    | 'seed'
    | 'threads'
    | 'signal'
    | 'engine'
  > {
  readonly losses: readonly LossSpec[]
  readonly fitted?: boolean
  readonly onPhase?: (phase: DecidePhase) => void
}
