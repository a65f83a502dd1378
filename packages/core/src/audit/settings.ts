// From the options of an audit to the settings it runs with.

import { type GroupAuditors, type TreeAuditors, trees } from '../classes/auditors.ts'
import { checkAuditors } from '../classes/kinds/kinds.ts'
import type { CancelSignal } from '../common/cancel.ts'
import { FeatureBoostError } from '../common/errors.ts'
import type { Copies } from '../data/copies.ts'
import type { Roles } from '../data/roles.ts'
import type { ScoreScale } from '../data/scoreScale.ts'
import type { MakeEngine } from '../engine/engine.ts'
import { defaultEngine } from '../engine/engines.ts'
import { checkOptions } from '../options/check.ts'
import { AUDIT_OPTIONS } from '../options/options.ts'
import type { ScoreRoles } from './scores.ts'
import type { SearchProgress } from './worst/progress.ts'

/** What an audit does, in this order. */
export type AuditPhase = 'reading' | 'learning' | 'loading' | 'measuring' | 'searching' | 'summing up'

/** The options of an audit; docs/options.md says what each means. */
export interface AuditOptions {
  readonly label: string
  readonly prediction: string
  readonly weight?: string
  readonly positive?: string
  readonly scoreScale?: ScoreScale
  readonly categorical?: readonly string[]
  readonly dropMissingLabels?: boolean
  readonly copies?: Copies
  readonly features?: readonly string[]
  readonly except?: readonly string[]
  readonly protect?: readonly string[]
  /** trees() of depth 1 or 2, or groups(). */
  readonly auditors?: TreeAuditors | GroupAuditors
  readonly bins?: number
  readonly coarseBins?: number
  readonly rare?: number
  readonly cellBudget?: number
  readonly confidence?: number
  readonly significance?: number
  readonly draws?: number
  readonly budget?: number
  readonly listed?: number
  readonly segmentDepth?: number
  readonly seed?: number
  readonly threads?: number
  readonly signal?: CancelSignal
  readonly onPhase?: (phase: AuditPhase) => void
  readonly onProgress?: (progress: SearchProgress) => void
  readonly onWarning?: (sentence: string) => void
  readonly engine?: MakeEngine
}

export interface AuditSettings {
  readonly roles: ScoreRoles & Pick<Roles, 'features' | 'except'> & { readonly copies: Copies }
  readonly protect: readonly string[]
  readonly auditors: TreeAuditors | GroupAuditors
  readonly bins: number
  readonly cellBudget: number
  readonly quantize: { readonly bins: number; readonly coarseBins: number; readonly rare: number }
  readonly confidence: number
  readonly significance: number
  readonly draws: number
  readonly budget: number
  readonly listed: number
  readonly segmentDepth: number
  readonly seed: number
  readonly threads: number | undefined
  readonly signal: CancelSignal | undefined
  readonly onPhase: (phase: AuditPhase) => void
  readonly onProgress: (progress: SearchProgress) => void
  readonly engine: MakeEngine
}

export function readAuditSettings(options: AuditOptions): AuditSettings {
  checkOptions({ ...options }, AUDIT_OPTIONS)
  const { copies = AUDIT_OPTIONS.copies.default, except, features, label, prediction, weight } = options
  const auditors = options.auditors ?? trees()
  checkAuditors(auditors)
  checkDepth(auditors)
  const defaults = AUDIT_OPTIONS
  const coarseBins = options.coarseBins ?? defaults.coarseBins.default
  return {
    roles: {
      label,
      prediction,
      ...(weight !== undefined && { weight }),
      ...(features !== undefined && { features }),
      ...(except !== undefined && { except }),
      copies,
    },
    protect: options.protect ?? [],
    auditors,
    bins: options.bins ?? defaults.bins.default,
    cellBudget: options.cellBudget ?? defaults.cellBudget.default,
    quantize: { bins: 255, coarseBins, rare: options.rare ?? defaults.rare.default },
    confidence: options.confidence ?? defaults.confidence.default,
    significance: options.significance ?? defaults.significance.default,
    draws: options.draws ?? defaults.draws.default,
    budget: options.budget ?? defaults.budget.default,
    listed: options.listed ?? defaults.listed.default,
    segmentDepth: options.segmentDepth ?? defaults.segmentDepth.default,
    seed: options.seed ?? defaults.seed.default,
    threads: options.threads,
    signal: options.signal,
    onPhase: options.onPhase ?? (() => {}),
    onProgress: options.onProgress ?? (() => {}),
    engine: options.engine ?? defaultEngine(options),
  }
}

function checkDepth(auditors: TreeAuditors | GroupAuditors): void {
  const { kind } = auditors
  if (kind === 'groups' || (kind === 'trees' && auditors.depth <= 2)) return
  throw new FeatureBoostError(
    'FB_OPTION_VALUE',
    `an audit cannot search ${kind === 'trees' ? 'deeper trees' : kind}.`,
    {
      found: auditors,
      expected: 'trees() of depth 1 or 2, or groups()',
    },
  )
}
