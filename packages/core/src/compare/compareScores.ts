// Two scores on the same rows, before and after or model A and model B: both audited, and every measure with its difference.

import { type Audit, auditScore } from '../audit/audit.ts'
import { type OpenedScore, openScore } from '../audit/open.ts'
import { type AuditOptions, type AuditSettings, readAuditSettings } from '../audit/settings.ts'
import type { SearchProgress } from '../audit/worst/progress.ts'
import type { WorstErrors } from '../certify/worstErrors.ts'
import type { Task } from '../common/task.ts'
import { checkNames, checkOptionsObject } from '../data/given.ts'
import type { TableSource } from '../data/source.ts'
import type { Table } from '../data/table.ts'
import { readWording } from '../data/wording.ts'
import type { Comparison, Comparisons } from '../measures/score/compare.ts'
import type { Estimate, ScoredRows } from '../measures/score/scoredRows.ts'
import { beginComparing } from '../measures/score/thread.ts'
import { AUDIT_OPTIONS } from '../options/options.ts'

export interface ComparedScores {
  /** With half the doubt in every interval, so that what they say of a difference holds with the confidence asked for. */
  readonly a: Audit
  readonly b: Audit
  /** Differences are a minus b: positive where b is better, but for AUC and PR-AUC. Intervals are paired. */
  readonly measures: Comparisons
  /** Worst errors over the auditors; their differences have the intervals that both bounds leave. */
  readonly worst: Readonly<Record<keyof WorstErrors, Comparison>>
  /** MCE and its sigma, in the same way; only where segmentDepth asks for it. */
  readonly mce?: { readonly value: Comparison; readonly sigma: Comparison }
}

/**
 * Audits two scores of the same rows and compares every measure. `prediction` and `other` are the two
 * columns; neither is a feature, unless listed as one.
 */
export async function compareScores(
  rows: Table | TableSource,
  given: AuditOptions & { readonly other: string } & Changes,
): Promise<ComparedScores> {
  checkOptionsObject(given)
  const { changes = 'asked', ...options } = given
  checkNames('except', options.except)
  const read = readWording(
    rows,
    { ...options, scores: [options.prediction, options.other] },
    options.onWarning,
  )
  // One after the other: an engine for each at a time.
  return await auditPair(pairSettings(options), { ...options, changes }, async (settings, audit) => {
    const opened = await openScore(read, settings)
    try {
      return await audit(opened)
    } finally {
      await opened.close()
    }
  })
}

/** Opens the rows of one score, and gives what is found in them. */
type AuditOpened = (
  settings: AuditSettings,
  audit: (opened: OpenedScore) => Promise<AuditedScore>,
) => Promise<AuditedScore>

/** Both audits. While the second one searches, its measures are compared with those of the first, in a thread of their own. */
export async function auditPair(
  [a, b]: readonly [AuditSettings, AuditSettings],
  { changes = 'asked', confidence = AUDIT_OPTIONS.confidence.default, seed, threads }: CompareOptions,
  auditOpened: AuditOpened,
): Promise<ComparedScores> {
  const auditOne = async (settings: AuditSettings, opened: OpenedScore) => ({
    found: await auditScore(opened, settings),
    scored: opened.scored,
  })
  const before = await auditOpened(a, opened => auditOne(a, opened))
  let comparing: Task<Comparisons> | undefined
  try {
    const after = await auditOpened(b, async opened => {
      const paired = changes === 'sure' ? sureConfidence(confidence) : confidence
      const options = { confidence: paired, ...(seed !== undefined && { seed }) }
      comparing = beginComparing(before.scored, opened.scored, options, { apart: threads !== 1 })
      return await auditOne(b, opened)
    })
    return compareAudits(before, after, await comparing!.answer)
  } finally {
    await comparing?.stop()
  }
}

interface CompareOptions extends Pick<AuditOptions, 'confidence' | 'seed' | 'threads'>, Changes {}

/** Paired differences: with the confidence asked for, or with that of a verdict. */
export interface Changes {
  readonly changes?: 'asked' | 'sure'
}

/**
 * Of a change that a verdict calls better or worse: a fifth of the doubt, 99 % where 95 % is asked for. Two losses are looked at, and
 * their normal intervals hold too seldom where few rows carry most of the difference (docs/decisions/0023).
 */
const SURE_SHARE = 5
export const sureConfidence = (confidence: number): number => 1 - (1 - confidence) / SURE_SHARE

/** What the audits of two columns run with, which have half the doubt each. */
export function pairSettings({
  other,
  ...options
}: AuditOptions & { readonly other: string }): [AuditSettings, AuditSettings] {
  const { confidence = AUDIT_OPTIONS.confidence.default, except = [], features, prediction } = options
  // Where no phases part the two searches, they are two halves of one piece of work.
  const { onPhase, onProgress } = options
  const halfOf = (half: number) => (progress: SearchProgress) =>
    onProgress?.({ ...progress, share: (half + progress.share) / 2 })
  const settingsOf = (score: string, apart: string, half: number) =>
    readAuditSettings({
      ...options,
      ...(onPhase === undefined && { onProgress: halfOf(half) }),
      ...(features === undefined && { except: [...except, apart] }),
      confidence: (1 + confidence) / 2,
      prediction: score,
    })
  return [settingsOf(prediction, other, 0), settingsOf(other, prediction, 1)]
}

interface AuditedScore {
  readonly found: Audit
  readonly scored: ScoredRows
}

function compareAudits(
  { found: a, scored: before }: AuditedScore,
  { found: b, scored: after }: AuditedScore,
  measures: Comparisons,
): ComparedScores {
  const set = isSameScore(before, after) ? setEqual : setAgainst
  return {
    a,
    b,
    measures,
    worst: {
      multiaccuracy: set(a.multiaccuracy, b.multiaccuracy),
      multicalibration: set(a.multicalibration, b.multicalibration),
      levelSet: set(a.levelSet, b.levelSet),
      swapRegret: set(a.swapRegret, b.swapRegret),
    },
    ...(a.mce !== undefined &&
      b.mce !== undefined && {
        mce: { value: set(a.mce.value, b.mce.value), sigma: set(a.mce.sigma, b.mce.sigma) },
      }),
  }
}

function isSameScore({ predictions: one }: ScoredRows, { predictions: other }: ScoredRows): boolean {
  if (one.length !== other.length) return false
  for (let row = 0; row < one.length; row++) if (one[row] !== other[row]) return false
  return true
}

/** Of one score and itself: whatever its errors are, they do not differ. */
const setEqual = (a: Estimate, b: Estimate): Comparison => ({
  a,
  b,
  difference: { value: 0, low: 0, high: 0 },
})

/** The two intervals hold at once: the difference has what both leave. */
export const setAgainst = (a: Estimate, b: Estimate): Comparison => ({
  a,
  b,
  difference: { value: a.value - b.value, low: a.low - b.high, high: a.high - b.low },
})
