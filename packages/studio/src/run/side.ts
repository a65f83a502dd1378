// One result as one side of a comparison: what is told of a score, small enough to be kept while other files are looked at.

import type { Evidence } from '@featureboost/core'
import type { AuditedRows, NamedEstimate, WorstGroup } from '@featureboost/core/internal'

/** Worst groups of each side. */
const GROUPS = 5

export interface Side {
  /** The column, or the corrected score. */
  readonly score: string
  readonly file: string
  readonly label: string
  readonly rowCount: number
  readonly rows: AuditedRows
  readonly verdict: Evidence['verdict']
  readonly measures: readonly NamedEstimate[]
  readonly worst: readonly Pick<WorstGroup, 'words' | 'weight' | 'before'>[]
  readonly command: string
}

/** Of a fit: the corrected score. */
export function sideOf(evidence: Evidence, command: string): Side {
  const { about, after, before, verdict, worst, worstAfter } = evidence
  const shown = after ?? before
  const groups = after === undefined ? worst : (worstAfter ?? [])
  return {
    score: after === undefined ? before.name : `${before.name}, corrected`,
    ...{ file: about.name, label: about.label, rowCount: about.auditedCount, rows: about.rows },
    verdict,
    measures: shown.measures,
    worst: groups
      .filter(({ list }) => list === 'worst')
      .slice(0, GROUPS)
      .map(group => ({ words: group.words, weight: group.weight, before: group.before })),
    command,
  }
}
