// collectEvidence: one score, or a score and what a model makes of it, measured for a report or a page. Everything that is
// drawn is found here; what draws it needs nothing else.

import { type Audit, auditScore } from '../audit/audit.ts'
import { changesOf, plainEstimate } from '../audit/measures.ts'
import { protectedRows } from '../audit/protected.ts'
import { type AuditOptions, type AuditPhase, readAuditSettings } from '../audit/settings.ts'
import type { Auditors } from '../classes/auditors.ts'
import {
  auditOptionsFor,
  type BeforeAfter,
  type BeforeAfterOptions,
  describeChange,
  followGroups,
  protectedColumns,
  searchable,
} from '../compare/beforeAfter.ts'
import { auditPair, type ComparedScores, pairSettings } from '../compare/compareScores.ts'
import { type ModelScores, scoreModelRows } from '../compare/modelScores.ts'
import { knownCount, rareFor } from '../compare/rareValues.ts'
import { type Judged, judgeChange } from '../compare/verdict.ts'
import { checkArgument, checkNames, checkOptionsObject, checkRows } from '../data/given.ts'
import { holdIfSmall } from '../data/hold.ts'
import type { TableSource } from '../data/source.ts'
import type { Table } from '../data/table.ts'
import { readWords, WORD_OPTIONS } from '../data/wording.ts'
import { curveTerms } from '../model/errorAgainstBins.ts'
import { checkModel, type Model } from '../model/model.ts'
import { auditorsOf, isFittedTo } from '../model/modelRows.ts'
import { AUDIT_OPTIONS } from '../options/options.ts'
import { columnWarnings } from '../quantize/warnings.ts'
import { comparisonTable, type MethodsFound } from './comparison.ts'
import { dataFacts, describeData, describeMoves, describeScore } from './describe.ts'
import { mapScores, openShown, type ShownScore, scoreCurve } from './engines.ts'
import { type About, EVIDENCE_FORMAT, EVIDENCE_VERSION, type Evidence } from './evidence.ts'
import { type IsNamed, nameAll } from './naming.ts'
import { certificateOf, updatesOf } from './summary.ts'
import { verdictOfChange, verdictOfScore } from './verdict.ts'
import {
  describePatterns,
  describeProtected,
  describeWorst,
  followedGaps,
  knownGaps,
  listFindings,
} from './worst.ts'

export type EvidencePhase = AuditPhase | 'scoring' | 'grouping' | 'rounding'

export interface EvidenceOptions extends Omit<AuditOptions, 'label' | 'prediction' | 'onPhase'> {
  /** Default with a model: its own. */
  readonly label?: string
  /** Not with a model, which knows the score that it corrects. */
  readonly prediction?: string
  readonly model?: Model
  /** Are these the rows that the model was fitted to, held-out ones included? Default: their checksum says. */
  readonly fitted?: boolean
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

/**
 * Measures a score, or a score and what a model makes of it, for a report: everything that is drawn, as
 * plain data.
 */
export async function collectEvidence(
  rows: Table | TableSource,
  options: EvidenceOptions,
): Promise<Evidence> {
  checkOptionsObject(options)
  const { model } = options
  if (model === undefined) return await evidenceOfScore(rows, options)
  return (await collectChange(rows, { ...options, model })).evidence
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
  const rows = await holdIfSmall(readWords(given, options))
  const asked = readAuditSettings(auditOptions)
  const rare = rareFor(knownCount(rows), asked.auditors, options)
  const settings = readAuditSettings({ ...auditOptions, rare })
  const { auditors, confidence, roles } = settings
  const known = rare === asked.quantize.rare ? options.audited : undefined
  const shown = await openShown(rows, settings, known && { measures: known.measures })
  try {
    const { encoding, scored } = shown.opened
    // Who has audited the rows has been told.
    const warnings = options.audited === undefined ? encoding.features : []
    for (const warning of columnWarnings(warnings, scored.labels.length, options.categorical))
      options.onWarning?.(warning)
    const found = known ?? (await auditScore(shown.opened, settings))
    const facts = await dataFacts(rows, roles)
    const isNamed = namingFor(auditors, options, facts.isNamed)
    options.onPhase?.('grouping')
    const { criticalZ } = found.significance
    const mapped = await mapScores(shown, undefined, settings, {
      isNamed,
      criticalZ,
      known: knownGaps(found),
    })
    options.onPhase?.('rounding')
    const curve = await scoreCurve(shown, settings)
    const { rowCount } = found.rows
    const about = describeData({ ...options, rare }, { found, scored, roles, rows: 'all', rowCount, facts })
    return {
      ...frame(about, options),
      verdict: verdictOfScore(found, found.rows.rowCount),
      before: describeScore(scored, found, curve, confidence),
      ...mapped,
      worst: listFindings(found).map(each => describeWorst(each, isNamed)),
      patterns: describePatterns(found),
      ...protectedEvidence(found, undefined, isNamed),
    }
  } finally {
    await shown.opened.close()
  }
}

export interface ModelEvidence {
  readonly evidence: Evidence
  /** The same audits, in short. */
  readonly change: BeforeAfter
}

/** A score and the model's correction of it, on the rows that it was not fitted to, where that is known. */
export async function collectChange(
  rows: Table | TableSource,
  options: EvidenceOptions & { readonly model: Model },
): Promise<ModelEvidence> {
  checkOptionsObject(options)
  const { model, onPhase, signal } = options
  checkModel(model)
  checkNames('protect', options.protect)
  checkArgument(
    'option "onPhase"',
    onPhase,
    onPhase === undefined || typeof onPhase === 'function',
    'a function',
  )
  const given = checkRows(rows)
  onPhase?.('scoring')
  const fitted = options.fitted ?? (await isFittedTo(model, given, signal))
  const also = protectedColumns(model, options)
  const scored = await scoreModelRows(model, given, { also, signal, split: fitted })
  const auditors = options.auditors ?? searchable(auditorsOf(model))
  const searching = {
    ...searchOptions(options),
    auditors,
    rare: rareFor(knownCount(scored.rows), auditors, options),
  }
  const asked = auditOptionsFor(model, scored, searching)
  const shown: ShownScore[] = []
  try {
    // Both stay open: maps and curves are of both.
    const sure = { ...searching, changes: 'sure' } as const
    const compared = await auditPair(pairSettings(asked), sure, async (settings, audit) => {
      const encoding = shown[0]?.mapped.encoding
      const one = await openShown(scored.rows, settings, { model, ...(encoding && { encoding }) })
      shown.push(one)
      return await audit(one.opened)
    })
    const found = { model, scored, fitted, compared }
    return {
      evidence: await describeModel(found, shown, { ...options, rare: searching.rare }),
      change: await describeChange(model, scored, compared),
    }
  } finally {
    for (const { opened } of shown) await opened.close()
  }
}

interface FoundChange {
  readonly model: Model
  readonly scored: ModelScores
  readonly fitted: boolean
  readonly compared: ComparedScores
}

async function describeModel(
  { compared, fitted, model, scored }: FoundChange,
  [before, after]: readonly ShownScore[],
  options: EvidenceOptions,
): Promise<Evidence> {
  const { onPhase } = options
  const [old, now] = [before.opened, after.opened]
  const { auditors: declared = searchable(auditorsOf(model)) } = options
  const searching = { ...searchOptions(options), auditors: declared }
  const { other: _, ...asked } = auditOptionsFor(model, scored, searching)
  const settings = readAuditSettings(asked)
  const { auditors, confidence, roles } = settings
  const facts = await dataFacts(scored.rows, roles, scored.after)
  const isNamed = namingFor(auditors, options, facts.isNamed)
  const listed = listFindings(compared.a)
  const findings = listed.map(({ finding }) => finding)
  const critical = compared.b.significance.criticalZ
  const followed = followedGaps(await followGroups(model, scored, findings, critical), compared.b)
  onPhase?.('grouping')
  const mapped = await mapScores(before, after, settings, {
    isNamed,
    criticalZ: Math.max(critical, compared.a.significance.criticalZ),
    known: knownGaps(compared.a, followed, compared.b),
  })
  onPhase?.('rounding')
  const terms = curveTerms(model)
  const curves = [
    await scoreCurve(before, settings, { model, correct: false, terms }),
    await scoreCurve(after, settings, { model, correct: true, terms }),
  ]
  const changes = changesOf(compared).map(change => ({
    ...change,
    before: plainEstimate(change.before),
    after: plainEstimate(change.after),
  }))
  const rows = !fitted ? 'all' : scored.heldOut ? 'held-out' : 'fitting'
  const about = describeData(options, {
    found: compared.a,
    scored: old.scored,
    roles,
    rows,
    rowCount: fitted ? model.certificate.rows.rowCount : scored.rowCount,
    facts,
  })
  const judged: Judged = {
    ...{ rowCount: scored.rowCount, allRows: scored.allRows, rows },
    corrects: model.data.updates.length > 0,
  }
  return {
    ...frame(about, options),
    verdict: verdictOfChange(judgeChange(compared.b, changes, judged), compared.a, compared.b),
    before: describeScore(old.scored, compared.a, curves[0], confidence),
    after: describeScore(now.scored, compared.b, curves[1], confidence),
    changes,
    ...mapped,
    worst: listed.map((each, index) => describeWorst(each, isNamed, followed[index])),
    patterns: describePatterns(compared.a),
    worstAfter: listFindings(compared.b).map(each => describeWorst(each, isNamed)),
    ...protectedEvidence(compared.a, compared.b, isNamed),
    moved: await describeMoves(scored.rows, old.scored, now.scored, asked.features!, options),
    updates: updatesOf(model, isNamed),
    certificate: certificateOf(model, isNamed),
  }
}

function protectedEvidence(
  before: Audit,
  after: Audit | undefined,
  isNamed: IsNamed,
): Pick<Evidence, 'protected'> {
  if (before.protected === undefined) return {}
  const rows = protectedRows(before.protected, after?.protected)
  return { protected: rows.map(row => describeProtected(row, isNamed)) }
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

/** What an audit is told, but for the columns and how they are written: a model knows its own. */
function searchOptions(options: EvidenceOptions): SearchOptions {
  const columns = ['label', 'prediction', 'weight', 'features', 'except', 'auditors']
  const apart: readonly string[] = [...columns, ...WORD_OPTIONS]
  const known = Object.keys(AUDIT_OPTIONS).filter(name => !apart.includes(name))
  const given = known.flatMap(name => {
    const value = options[name as keyof EvidenceOptions]
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(given)
}
