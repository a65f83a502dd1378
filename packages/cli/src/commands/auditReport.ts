// An audit as text for the terminal, as Markdown and as JSON.

import type { Audit } from '@featureboost/core'
import {
  findMeasure,
  formatBound,
  formatCount,
  judgeAudit,
  MEASURES,
  type MeasureKey,
  measureOf,
  measuresOf,
  outward,
  protectedRows,
} from '@featureboost/core/internal'
import { layoutWorst } from '../terminal/groups.ts'
import { section, wrap } from '../terminal/layout.ts'
import { formatMeasure, layoutChanges, layoutMeasures } from '../terminal/measures.ts'
import { layoutProtected, markdownProtected } from '../terminal/protected.ts'
import { layoutReliability } from '../terminal/reliability.ts'
import type { View } from '../terminal/view.ts'
import { visible } from '../terminal/width.ts'
import type { Baseline } from './baseline.ts'
import type { Gate } from './gates.ts'

interface AuditReport {
  readonly found: Audit
  readonly gates: readonly Gate[]
  readonly baseline: Baseline | undefined
  /** Of the score of a model: are these the rows that it was fitted to, held-out ones included? */
  readonly fitted?: boolean | undefined
  /** Also what a statistician asks for. */
  readonly details?: boolean | undefined
}

const FITTED =
  'These are the rows that the model was fitted to, those held out among them: what is found here is too kind. Audit other rows, or see the held-out ones before and after with report.'

/** Keys are part of the interface: they may be added to, not renamed. `passed` is null where no gate was set. */
export function auditJson({ baseline, fitted, found, gates }: AuditReport): Record<string, unknown> {
  return {
    rows: found.rows.rowCount,
    copiedRows: found.rows.copyCount,
    fittedRows: fitted ?? null,
    weight: found.rows.weight,
    effectiveRows: found.rows.effectiveRows,
    fingerprint: found.rows.fingerprint,
    label: found.label,
    score: found.score,
    auditors: found.auditors,
    bins: found.bins,
    ...measuresJson(found),
    calibrationDistance: found.measures.calibrationDistance,
    continuousCalibration: found.measures.continuousCalibration,
    continuousMulticalibration: found.measures.continuousMulticalibration,
    averageError: found.averageError,
    worst: found.worst,
    patterns: found.patterns,
    tooLow: found.tooLow,
    tooHigh: found.tooHigh,
    notEnoughEvidence: found.notEnoughEvidence,
    protected: found.protected === undefined ? null : protectedRows(found.protected),
    significance: found.significance,
    verdict: found.verdict,
    level: levelOf(found),
    gate: gates.find(({ measure }) => measure === 'multicalibration') ?? null,
    gates,
    passed: gates.length === 0 ? null : gates.every(({ passed }) => passed),
    baseline: baseline === undefined ? null : baselineJson(baseline),
  }
}

/** MCE is one entry, with its sigma inside. */
function measuresJson(found: Audit): Record<string, unknown> {
  const keys = (Object.keys(MEASURES) as MeasureKey[]).filter(key => !('mce' in measureOf(key).at))
  const entries = keys.map(key => [key, findMeasure(key, found) ?? null] as const)
  return { ...Object.fromEntries(entries), mce: mceJson(found) }
}

const baselineJson = ({ file, measures, notes, rows, worse }: Baseline) => ({
  file,
  rows,
  measures: Object.fromEntries(
    measures.map(({ after, before, change, judged, key }) => [key, { before, after, change, judged }]),
  ),
  worse,
  notes,
})

/** Without the list of all segments, which can be long. */
function mceJson({ mce }: Audit) {
  if (mce === undefined) return null
  const { segments, ...rest } = mce
  return { ...rest, segmentCount: segments.length }
}

const levelOf = (found: Audit) => judgeAudit(found, found.rows.rowCount).level

const WORST = 'Worst groups, by the gap that is surely there times the rows that it concerns'

const subjectOf = ({ label, rows, score }: Audit): string =>
  `"${score}" against "${label}" on ${formatCount(rows.rowCount)} rows`

/** The verdict first: who reads no further knows the answer. */
export function layoutAudit(
  { baseline, details = false, fitted, found, gates }: AuditReport,
  view: View,
): string[] {
  const { paint, width } = view
  const verdict = { good: paint.good, attention: paint.bold, bad: paint.bad }[levelOf(found)]('Verdict:')
  return [
    wrap(`${verdict} ${visible(found.verdict)}`, width),
    ...(details ? [wrap(`In numbers: ${visible(found.significance.sentence)}`, width)] : []),
    ...(fitted ? [wrap(paint.careful(FITTED), width)] : []),
    wrap(`${paint.bold('Audit')} of ${visible(subjectOf(found))}: ${visible(found.auditors)}.`, width),
    section(
      'Reliability: outcomes (up) against scores (across)',
      layoutReliability({ before: found.measures.eceWidth.bins, names: [found.score] }, view),
      view,
    ),
    layoutMeasures(found, view),
    ...boundWords(found).map(words => wrap(words, width)),
    ...(baseline === undefined ? [] : layoutBaseline(baseline, view)),
    ...(found.protected === undefined
      ? []
      : [layoutProtected(protectedRows(found.protected), `${formatCount(found.rows.rowCount)} rows`, view)]),
    section(WORST, layoutWorst(found, details, view), view),
    ...gates.map(gate => wrap(gateWords(gate, view), width)),
  ]
}

function layoutBaseline(baseline: Baseline, view: View): string[] {
  const { paint, width } = view
  const words = worseWords(baseline)
  return [
    section(baselineTitle(baseline), layoutChanges(baseline.measures, view, ['then', 'now']), view),
    [
      wrap(baseline.worse.length === 0 ? words : `${paint.bad('Worse.')} ${words}`, width),
      ...baseline.notes.map(note => wrap(`Mind: ${note}`, width)),
    ].join('\n'),
  ]
}

const baselineTitle = ({ file, rows }: Baseline): string => `Against ${file} (${formatCount(rows)} rows)`

function worseWords({ measures, worse }: Baseline): string {
  if (worse.length === 0) return 'Nothing is worse than in the baseline by more than the intervals allow.'
  const names = measures
    .filter(({ key }) => worse.includes(key))
    .map(
      ({ after, before, name }) => `${name} ${formatMeasure(before.value)} to ${formatMeasure(after.value)}`,
    )
  return `By more than the intervals allow: ${names.join(', ')}.`
}

/** Where the worst error was not found for sure. */
export function boundWords({
  multicalibration: { atMost, value },
}: Pick<Audit, 'multicalibration'>): string[] {
  if (atMost <= value) return []
  return [
    `Not every tree was measured: the worst multicalibration error on these rows is at least ${formatMeasure(value)} and at most ${formatBound(atMost, 4)}.`,
  ]
}

function gateWords(gate: Gate, { paint }: View): string {
  return `${gate.passed ? paint.good('Passed.') : paint.bad('Failed.')} ${visible(gate.sentence)}`
}

export function markdownAudit({ baseline, fitted, found, gates }: AuditReport): string[] {
  const rows = measuresOf(found).map(({ estimate, name }) => {
    const { high, low } = outward(estimate, 4)
    return `| ${name} | ${formatMeasure(estimate.value)} | ${formatMeasure(low)} to ${formatMeasure(high)} |`
  })
  return [
    `# Audit of ${escapeMarkdown(subjectOf(found))}`,
    escapeMarkdown(found.verdict),
    ...(fitted ? [FITTED] : []),
    ['| measure | value | interval |', '|---|---:|---:|', ...rows].join('\n'),
    ...boundWords(found),
    ...(baseline === undefined ? [] : markdownBaseline(baseline)),
    ...(found.protected === undefined
      ? []
      : ['## Protected groups', markdownProtected(protectedRows(found.protected), escapeMarkdown)]),
    `## ${WORST}`,
    found.worst.map(({ sentence, test }) => `- ${escapeMarkdown(`${sentence} (${test})`)}`).join('\n'),
    escapeMarkdown(`In numbers: ${found.significance.sentence}`),
    ...gates.map(
      ({ passed, sentence }) => `**${passed ? 'Passed' : 'Failed'}.** ${escapeMarkdown(sentence)}`,
    ),
  ]
}

function markdownBaseline(baseline: Baseline): string[] {
  const rows = baseline.measures.map(
    ({ after, before, change, judged, name }) =>
      `| ${name} | ${formatMeasure(before.value)} | ${formatMeasure(after.value)} | ${formatMeasure(change.value)} | ${judged} |`,
  )
  return [
    `## ${escapeMarkdown(baselineTitle(baseline))}`,
    ['| measure | then | now | change | |', '|---|---:|---:|---:|---|', ...rows].join('\n'),
    [worseWords(baseline), ...baseline.notes].map(escapeMarkdown).join(' '),
  ]
}

/** Names of columns and categories come from the data. */
export const escapeMarkdown = (text: string): string =>
  visible(text).replace(/[\\`*_[\]<>|#]/g, character => `\\${character}`)
