// Two scores on the same rows, before and after or model A and model B: both audited, and every measure with its difference.

import { type Audit, audit } from '../audit/audit.ts'
import { collectScores } from '../audit/scores.ts'
import type { AuditOptions } from '../audit/settings.ts'
import type { WorstErrors } from '../certify/worstErrors.ts'
import type { TableSource } from '../data/source.ts'
import type { Table } from '../data/table.ts'
import { type Comparison, type Comparisons, compareMeasures } from '../measures/score/compare.ts'
import type { Estimate } from '../measures/score/rows.ts'
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
  { other, ...options }: AuditOptions & { readonly other: string },
): Promise<ComparedScores> {
  const { except = [], features, label, prediction, weight } = options
  const apart = (score: string): AuditOptions =>
    features === undefined ? { ...options, except: [...except, score] } : options
  const { confidence = AUDIT_OPTIONS.confidence.default, seed } = options
  const doubled = { confidence: (1 + confidence) / 2 }
  const a = await audit(rows, { ...apart(other), ...doubled })
  const b = await audit(rows, { ...apart(prediction), ...doubled, prediction: other })
  const scoresOf = (score: string) =>
    collectScores(rows, a.rows.rowCount, {
      label,
      prediction: score,
      ...(weight !== undefined && { weight }),
    })
  const measures = compareMeasures(await scoresOf(prediction), await scoresOf(other), {
    confidence,
    ...(seed !== undefined && { seed }),
  })
  return {
    a,
    b,
    measures,
    worst: {
      multiaccuracy: setAgainst(a.multiaccuracy, b.multiaccuracy),
      multicalibration: setAgainst(a.multicalibration, b.multicalibration),
      levelSet: setAgainst(a.levelSet, b.levelSet),
      swapRegret: setAgainst(a.swapRegret, b.swapRegret),
    },
    ...(a.mce !== undefined &&
      b.mce !== undefined && {
        mce: { value: setAgainst(a.mce.value, b.mce.value), sigma: setAgainst(a.mce.sigma, b.mce.sigma) },
      }),
  }
}

/** The two intervals hold at once: the difference has what both leave. */
export const setAgainst = (a: Estimate, b: Estimate): Comparison => ({
  a,
  b,
  difference: { value: a.value - b.value, low: a.low - b.high, high: a.high - b.low },
})
