// collectEvidence: one score, or a score and what a model makes of it, measured for a report or a page. Everything that is
// drawn is found here; what draws it needs nothing else.

import { type Audit, audit } from '../audit/audit.ts'
import { type AuditOptions, type AuditPhase, readAuditSettings } from '../audit/settings.ts'
import type { Auditors } from '../classes/auditors.ts'
import {
  type BeforeAfterOptions,
  compareModelScores,
  followGroups,
  searchable,
} from '../compare/beforeAfter.ts'
import { scoreModelRows } from '../compare/modelScores.ts'
import { holdIfSmall } from '../data/hold.ts'
import { isSource, type TableSource } from '../data/source.ts'
import type { Table } from '../data/table.ts'
import { curveTerms } from '../model/errorAgainstBins.ts'
import type { Model } from '../model/model.ts'
import { auditorsOf, isFittedTo, modelRowRoles } from '../model/openRows.ts'
import { AUDIT_OPTIONS } from '../options/options.ts'
import { comparisonTable, type MethodsFound } from './comparison.ts'
import { dataFacts, describeData, describeMoves, describeScore } from './describe.ts'
import { mapScores, scoreCurve } from './engines.ts'
import { type About, EVIDENCE_FORMAT, EVIDENCE_VERSION, type Evidence } from './evidence.ts'
import { changesOf, plainEstimate } from './measures.ts'
import { type IsNamed, nameAll, rareShare } from './naming.ts'
import { certificateOf, updatesOf } from './summary.ts'
import { verdictOfChange, verdictOfScore } from './verdict.ts'
import { describeWorst, listFindings } from './worst.ts'

export type EvidencePhase = AuditPhase | 'scoring' | 'grouping' | 'rounding'

export interface EvidenceOptions extends Omit<AuditOptions, 'label' | 'prediction' | 'onPhase'> {
  /** Default with a model: its own. */
  readonly label?: string
  /** Not with a model, which knows the score that it corrects. */
  readonly prediction?: string
  readonly model?: Model
  /** An audit of these rows with these options, not with a model: it is then not made again. */
  readonly audited?: Audit
  /** What the data is called. */
  readonly name?: string
  /** The command that repeats the run. */
  readonly command?: string
  /** Also the rows that moved most, as they are. Default: no row leaves the library. */
  readonly includeRows?: boolean
  /** What compareMethods found. */
  readonly comparison?: MethodsFound
  readonly onPhase?: (phase: EvidencePhase) => void
}

export async function collectEvidence(
  rows: Table | TableSource,
  options: EvidenceOptions,
): Promise<Evidence> {
  const { model } = options
  return model === undefined ? evidenceOfScore(rows, options) : evidenceOfModel(rows, model, options)
}

/** One score, and the audit of it. */
async function evidenceOfScore(given: Table | TableSource, options: EvidenceOptions): Promise<Evidence> {
  const { label, prediction } = options
  const { auditors: declared, except, features, weight } = options
  const auditOptions: AuditOptions = {
    ...searchOptions(options),
    label: label!,
    prediction: prediction!,
    ...(weight !== undefined && { weight }),
    ...(features !== undefined && { features }),
    ...(except !== undefined && { except }),
    ...(declared !== undefined && { auditors: declared }),
  }
  const rows = await holdIfSmall(given)
  const asked = readAuditSettings(auditOptions)
  const rare = rareFor(rows, asked.auditors, options)
  const settings = readAuditSettings({ ...auditOptions, rare })
  const { auditors, roles } = settings
  const found =
    options.audited !== undefined && rare === asked.quantize.rare
      ? options.audited
      : await audit(rows, { ...auditOptions, rare })
  const facts = await dataFacts(rows, roles)
  const isNamed = namingFor(auditors, options, facts.isNamed)
  options.onPhase?.('grouping')
  const mapped = await mapScores(rows, roles, [prediction!], settings, auditors, isNamed)
  options.onPhase?.('rounding')
  const curve = await scoreCurve(rows, roles, settings)
  const before = await describeScore(rows, roles, found, curve, settings.confidence)
  const about = await describeData(
    rows,
    { ...options, rare },
    {
      found,
      roles,
      rows: 'all',
      rowCount: found.rows.rowCount,
      facts,
    },
  )
  return {
    ...frame(about, options),
    verdict: verdictOfScore(found),
    before,
    ...mapped,
    worst: listFindings(found).map(each => describeWorst(each, isNamed)),
  }
}

/** A score and the model's correction of it, on the rows that it was not fitted to, where that is known. */
async function evidenceOfModel(
  given: Table | TableSource,
  model: Model,
  options: EvidenceOptions,
): Promise<Evidence> {
  const { onPhase, signal } = options
  onPhase?.('scoring')
  const fitted = await isFittedTo(model, given, options.engine)
  const scored = await scoreModelRows(model, given, { signal, split: fitted })
  const { label, weight, features } = modelRowRoles(model)
  const rolesOf = (prediction: string) => ({
    label,
    prediction,
    features,
    ...(weight !== undefined && { weight }),
  })
  const auditors = searchable(auditorsOf(model))
  const searching = { ...searchOptions(options), rare: rareFor(scored.rows, auditors, options) }
  const compared = await compareModelScores(model, scored, searching)
  const settings = readAuditSettings({ ...searching, ...rolesOf(scored.before) })
  const facts = await dataFacts(scored.rows, rolesOf(scored.before), scored.after)
  const isNamed = namingFor(auditors, options, facts.isNamed)
  onPhase?.('grouping')
  const mapped = await mapScores(
    scored.rows,
    rolesOf(scored.before),
    [scored.before, scored.after],
    settings,
    auditors,
    isNamed,
  )
  onPhase?.('rounding')
  const curveOf = (prediction: string, correct: boolean) =>
    scoreCurve(scored.rows, rolesOf(prediction), settings, { model, correct, terms: curveTerms(model) })
  const [before, after] = [
    await describeScore(
      scored.rows,
      rolesOf(scored.before),
      compared.a,
      await curveOf(scored.before, false),
      settings.confidence,
    ),
    await describeScore(
      scored.rows,
      rolesOf(scored.after),
      compared.b,
      await curveOf(scored.after, true),
      settings.confidence,
    ),
  ]
  const changes = changesOf(compared).map(change => ({
    ...change,
    before: plainEstimate(change.before),
    after: plainEstimate(change.after),
  }))
  const listed = listFindings(compared.a)
  const followed = await followGroups(
    model,
    scored,
    listed.map(({ finding }) => finding),
    settings.confidence,
  )
  const rows = !fitted ? 'all' : scored.heldOut ? 'held-out' : 'fitting'
  const about = await describeData(
    scored.rows,
    { ...options, rare: searching.rare },
    {
      found: compared.a,
      roles: rolesOf(scored.before),
      rows,
      rowCount: fitted ? model.certificate.rows.rowCount : scored.rowCount,
      facts,
    },
  )
  return {
    ...frame(about, options),
    verdict: verdictOfChange(compared.a, compared.b, changes, { rowCount: scored.rowCount, rows }),
    before,
    after,
    changes,
    ...mapped,
    worst: listed.map((each, index) => describeWorst(each, isNamed, followed[index].after)),
    worstAfter: listFindings(compared.b).map(each => describeWorst(each, isNamed)),
    moved: await describeMoves(scored, rolesOf, features, options),
    updates: updatesOf(model, isNamed),
    certificate: certificateOf(model, isNamed),
  }
}

/** Values of few rows are pooled, so that no group is named after one; unless rows may be shown, or groups were declared. */
function rareFor(
  rows: Table | TableSource,
  { kind }: Auditors,
  { includeRows, rare = AUDIT_OPTIONS.rare.default }: EvidenceOptions,
): number {
  // Rows that are too many to be held have values of few rows pooled by the default.
  return includeRows || kind === 'groups' || isSource(rows) ? rare : Math.max(rare, rareShare(rows.rowCount))
}

const namingFor = ({ kind }: Auditors, { includeRows }: EvidenceOptions, isNamed: IsNamed): IsNamed =>
  includeRows || kind === 'groups' ? nameAll : isNamed

const frame = (
  about: About,
  { comparison }: EvidenceOptions,
): Pick<Evidence, 'format' | 'version' | 'about' | 'comparison'> => ({
  format: EVIDENCE_FORMAT,
  version: EVIDENCE_VERSION,
  about,
  ...(comparison !== undefined && { comparison: comparisonTable(comparison) }),
})

type SearchOptions = BeforeAfterOptions & Pick<AuditOptions, 'onPhase'>

/** What an audit is told, but for the columns: a model knows its own. */
function searchOptions(options: EvidenceOptions): SearchOptions {
  const columns = ['label', 'prediction', 'weight', 'features', 'except', 'auditors']
  const known = Object.keys(AUDIT_OPTIONS).filter(name => !columns.includes(name))
  const given = known.flatMap(name => {
    const value = options[name as keyof EvidenceOptions]
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(given)
}
