// The parts of evidence that are read off rows and audits: the data, each score, and what moved.

import type { Audit } from '../audit/audit.ts'
import { measuresOf, plainEstimate } from '../audit/measures.ts'
import type { ScoreRoles } from '../audit/scores.ts'
import type { AuditOptions } from '../audit/settings.ts'
import type { CancelSignal } from '../common/cancel.ts'
import { VERSION } from '../common/version.ts'
import type { TableSource } from '../data/source.ts'
import type { Table } from '../data/table.ts'
import type { ScoredRows } from '../measures/score/scoredRows.ts'
import { makeSteps } from '../measures/score/steps.ts'
import { AUDIT_OPTIONS } from '../options/options.ts'
import { clipText } from './caps.ts'
import { columnFacts } from './columnFacts.ts'
import type { About, AuditedRows, Moved, RoundingCurve, ScoreEvidence } from './evidence.ts'
import { movedOf, movedRows } from './moved.ts'
import { reliabilityOf } from './reliability.ts'
import { walkOf } from './walk.ts'

export function describeScore(
  scored: ScoredRows,
  found: Audit,
  curve: RoundingCurve,
  confidence: number,
): ScoreEvidence {
  const steps = makeSteps(scored)
  return {
    name: clipText(found.score),
    measures: measuresOf(found).map(each => ({ ...each, estimate: plainEstimate(each.estimate) })),
    significance: found.significance,
    reliability: reliabilityOf(steps, scored, found.measures.eceWidth.bins, confidence),
    walk: walkOf(steps, found.measures.ecce),
    curve,
  }
}

export async function describeMoves(
  rows: Table | TableSource,
  old: ScoredRows,
  now: ScoredRows,
  features: readonly string[],
  { includeRows, signal }: { readonly includeRows?: boolean; readonly signal?: CancelSignal },
): Promise<Moved> {
  const scores = { before: old.predictions, after: now.predictions, labels: old.labels }
  const moved = movedOf(scores)
  return includeRows ? { ...moved, rows: await movedRows(rows, scores, features, signal) } : moved
}

/** What the data is called, and what was asked of it. */
type DataOptions = Partial<AuditOptions> & { readonly name?: string; readonly command?: string }

interface Described {
  readonly found: Audit
  readonly scored: ScoredRows
  readonly roles: DataRoles
  readonly rows: AuditedRows
  readonly rowCount: number
  readonly facts: Awaited<ReturnType<typeof dataFacts>>
}

type DataRoles = ScoreRoles & { readonly features?: readonly string[]; readonly except?: readonly string[] }

/** `leaveOut`: a column that was added to the data. */
export function dataFacts(rows: Table | TableSource, roles: DataRoles, leaveOut?: string) {
  const isFeature = (name: string) => roles.features?.includes(name) ?? !roles.except?.includes(name)
  return columnFacts(rows, leaveOut, name => {
    if (name === roles.label) return 'label'
    if (name === roles.prediction) return 'score'
    if (name === roles.weight) return 'weight'
    return isFeature(name) ? 'feature' : 'other'
  })
}

export function describeData(
  options: DataOptions,
  { facts, found, roles, rowCount, rows: audited, scored }: Described,
): About {
  const { stepLabels, weight } = makeSteps(scored)
  return {
    name: clipText(options.name ?? 'data'),
    rowCount,
    auditedCount: found.rows.rowCount,
    rows: audited,
    weight: found.rows.weight,
    baseRate: stepLabels.reduce((sum, labels) => sum + labels, 0) / weight,
    label: clipText(roles.label),
    score: clipText(roles.prediction),
    ...(roles.weight !== undefined && { weightColumn: clipText(roles.weight) }),
    auditors: clipText(found.auditors, 400),
    columns: facts.columns,
    moreColumns: facts.moreColumns,
    library: VERSION,
    options: plainOptions(options),
    ...(options.command !== undefined && { command: clipText(options.command, 2000) }),
  }
}

/** Numbers that were set, and what they are otherwise. */
function plainOptions(options: DataOptions): Readonly<Record<string, number>> {
  const pairs = Object.entries(AUDIT_OPTIONS).flatMap(([name, spec]): [string, number][] => {
    const given = options[name as keyof DataOptions]
    if (typeof given === 'number') return [[name, given]]
    return 'default' in spec && typeof spec.default === 'number' ? [[name, spec.default]] : []
  })
  return Object.fromEntries(pairs)
}
