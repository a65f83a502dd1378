// Two scores on the same rows, before and after or model A and model B: both audited, and every measure with its difference.

import { type Audit, auditScore } from '../audit/audit.ts'
import { openScore } from '../audit/open.ts'
import { type AuditOptions, type AuditSettings, readAuditSettings } from '../audit/settings.ts'
import type { WorstErrors } from '../certify/worstErrors.ts'
import type { TableSource } from '../data/source.ts'
import type { Table } from '../data/table.ts'
import { type Comparison, type Comparisons, compareMeasures } from '../measures/score/compare.ts'
import type { Estimate, ScoredRows } from '../measures/score/scoredRows.ts'
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

/** `prediction` and `other` are the two columns; neither is a feature, unless listed as one. */
export async function compareScores(
  rows: Table | TableSource,
  options: AuditOptions & { readonly other: string },
): Promise<ComparedScores> {
  const [a, b] = pairSettings(options)
  // One after the other: an engine for each at a time.
  const auditOne = async (settings: AuditSettings): Promise<AuditedScore> => {
    const opened = await openScore(rows, settings)
    try {
      return { found: await auditScore(opened, settings), scored: opened.scored }
    } finally {
      await opened.close()
    }
  }
  return compareAudits(await auditOne(a), await auditOne(b), options)
}

/** What the audits of two columns run with, which have half the doubt each. */
export function pairSettings({
  other,
  ...options
}: AuditOptions & { readonly other: string }): [AuditSettings, AuditSettings] {
  const { confidence = AUDIT_OPTIONS.confidence.default, except = [], features, prediction } = options
  const settingsOf = (score: string, apart: string) =>
    readAuditSettings({
      ...options,
      ...(features === undefined && { except: [...except, apart] }),
      confidence: (1 + confidence) / 2,
      prediction: score,
    })
  return [settingsOf(prediction, other), settingsOf(other, prediction)]
}

export interface AuditedScore {
  readonly found: Audit
  readonly scored: ScoredRows
}

export function compareAudits(
  { found: a, scored: before }: AuditedScore,
  { found: b, scored: after }: AuditedScore,
  { confidence = AUDIT_OPTIONS.confidence.default, seed }: Pick<AuditOptions, 'confidence' | 'seed'>,
): ComparedScores {
  const measures = compareMeasures(before, after, { confidence, ...(seed !== undefined && { seed }) })
  const compare = isSame(before, after) ? noDifference : setAgainst
  return {
    a,
    b,
    measures,
    worst: {
      multiaccuracy: compare(a.multiaccuracy, b.multiaccuracy),
      multicalibration: compare(a.multicalibration, b.multicalibration),
      levelSet: compare(a.levelSet, b.levelSet),
      swapRegret: compare(a.swapRegret, b.swapRegret),
    },
    ...(a.mce !== undefined &&
      b.mce !== undefined && {
        mce: { value: compare(a.mce.value, b.mce.value), sigma: compare(a.mce.sigma, b.mce.sigma) },
      }),
  }
}

function isSame({ predictions: a }: ScoredRows, { predictions: b }: ScoredRows): boolean {
  for (let row = 0; row < a.length; row++) if (a[row] !== b[row]) return false
  return true
}

/** Of one score and itself nothing differs, however little is known of its error. */
const noDifference = (a: Estimate, b: Estimate): Comparison => ({
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
