// What a fit has to say: the answer first, in a few lines; with --details how it came about, the audit before and after, and the
// certificate.

import type { BeforeAfter, Certificate, FitOptions, Fitted, Model, Trace } from '@featureboost/core'
import {
  changesOf,
  formatBound,
  formatCount,
  formatNumber,
  outward,
  provenSentence,
} from '@featureboost/core/internal'
import type { DataColumn, OpenedData } from '../data/open.ts'
import { layoutAnswer, layoutBeforeAfter } from '../terminal/beforeAfter.ts'
import { layoutCertificate, layoutSummaries } from '../terminal/certificate.ts'
import { layoutGlossary } from '../terminal/glossary.ts'
import { layoutTable, wrap } from '../terminal/layout.ts'
import { rowsInWords } from '../terminal/measures.ts'
import { layoutProtected } from '../terminal/protected.ts'
import { judgeBeforeAfter, layoutVerdict } from '../terminal/verdict.ts'
import type { View } from '../terminal/view.ts'
import { visible } from '../terminal/width.ts'
import { copiesOfFit } from './copies.ts'

interface FitReport {
  readonly data: Pick<OpenedData, 'columns' | 'notes' | 'rowCount'>
  readonly fitted: Fitted
  /** Undefined with --no-audit, and where the rows cannot be audited. */
  readonly compared: BeforeAfter | undefined
  readonly options: ReportedOptions
}

type ReportedOptions = Pick<
  FitOptions,
  'label' | 'prediction' | 'weight' | 'fold' | 'groupBy' | 'copies' | 'except'
> & {
  readonly out: string
  readonly details?: boolean
}

/** Keys are part of the interface: they may be added to, not renamed. */
export function fitJson({ compared, data, fitted, options }: FitReport) {
  const { model, trace, used } = fitted
  const { certificate } = model
  return {
    rows: data.rowCount,
    copiedRows: fitted.copyCount,
    columns: data.columns,
    notes: data.notes,
    rounds: trace.keptCount,
    stopReason: trace.stopReason,
    groups: trace.groups ?? null,
    forest: trace.forest ?? null,
    forestShare: trace.forestShare ?? null,
    tolerance: used.tolerance,
    newRows: fitted.newRows ?? null,
    before: certificate.before,
    after: certificate.after,
    audit: compared === undefined ? null : auditJson(compared),
    verdict: verdictJson(certificate, compared),
    certificate,
    modelHash: model.hash,
    modelFile: options.out,
  }
}

/** What rows that the model has not seen say, where there are any; and what is proven. */
function verdictJson(certificate: Certificate, compared: BeforeAfter | undefined) {
  const proven = provenSentence(certificate)
  if (compared === undefined) return { proven }
  const { groupsOff, level, score, sentences } = judgeBeforeAfter(compared)
  return { score, groupsOff, level, sentence: sentences.join(' '), proven }
}

const auditJson = ({ compared, groups, protected: named, rowCount, rows }: BeforeAfter) => ({
  rows,
  rowCount,
  measures: Object.fromEntries(
    changesOf(compared).map(({ after, before, change, judged, key }) => [
      key,
      { before: plain(before), after: plain(after), change, judged },
    ]),
  ),
  groups,
  protected: named ?? null,
})

/** Some estimates carry more than they are asked for here. */
const plain = ({ high, low, value }: { value: number; low: number; high: number }) => ({ value, low, high })

/** Paragraphs; the verdict first. */
export function layoutFit(report: FitReport, view: View): string[] {
  const { compared, data, fitted, options } = report
  const { model } = fitted
  const { details = false, out } = options
  return [
    layoutVerdict(model.certificate, compared, view),
    ...(compared === undefined ? [] : layoutAnswer(compared, view)),
    ...(compared?.protected === undefined
      ? []
      : [layoutProtected(compared.protected, rowsInWords(compared), view)]),
    ...(details
      ? [layoutColumns(data, model, options, view), ...layoutDetails(fitted, compared, view)]
      : [wrap(`${rowWords(report)} ${correctionWords(fitted)}`, view.width)]),
    ...copiesOfFit(fitted.copyCount, data.rowCount, options, view),
    writtenLine(out, model, view, details),
  ]
}

/** How the correction came about, all measures and charts, the certificate, and what its words mean. */
export function layoutDetails(fitted: Fitted, compared: BeforeAfter | undefined, view: View): string[] {
  const { certificate } = fitted.model
  return [
    layoutBoosted(fitted, view),
    ...(fitted.newRows === undefined ? [] : [layoutNewRows(fitted.newRows, view)]),
    ...(compared === undefined ? [layoutSummaries(certificate, view)] : layoutBeforeAfter(compared, view)),
    `${view.paint.bold('Certificate')}\n${layoutCertificate(certificate, view)}`,
    layoutGlossary(view),
  ]
}

function rowWords({ compared, data, fitted: { model } }: FitReport): string {
  const columns = count(model.data.encoding.features.length, 'column')
  const held = compared?.rows === 'held-out' ? `, ${formatCount(compared.rowCount)} of them held out` : ''
  return `${formatCount(data.rowCount)} rows${held}; ${columns}.`
}

/** What the model consists of, in one sentence. */
export function correctionWords({ model, trace }: Fitted): string {
  const { baseline, groups = [], keptCount } = trace
  if (model.data.updates.length === 0) return 'The correction: none.'
  const trees = model.data.updates
    .slice(0, model.data.updates.length - groups.reduce((sum, { updateCount }) => sum + updateCount, 0))
    .reduce((sum, update) => sum + (update.kind === 'forest' ? update.trees.length : 0), 0)
  const parts = [
    ...(baseline === undefined ? [] : [`${baseline}, ${count(model.data.updates.length, 'update')}`]),
    ...(baseline === undefined && trees > 0 ? [count(trees, 'tree')] : []),
    ...(baseline === undefined && trees === 0 && groups.length === 0 ? [count(keptCount, 'round')] : []),
    ...(groups.length === 0 ? [] : [`${count(groups.length, 'group')} mended`]),
  ]
  return `The correction: ${parts.join(', ')}.`
}

const count = (number: number, noun: string): string =>
  `${formatCount(number)} ${noun}${number === 1 ? '' : 's'}`

/** How the correction came about, and the groups that were mended. */
export const layoutBoosted = (fitted: Fitted, { width }: View): string =>
  [wrap(boostedLine(fitted), width), ...mendedLines(fitted).map(line => wrap(line, width, 2))].join('\n')

/** How the correction came about. */
export function boostedLine({ model, trace }: Fitted): string {
  const { baseline, crossFit, keptCount, rounds, stopReason } = trace
  if (baseline !== undefined)
    return keptCount === 0
      ? `${baseline}: the score is left as it is.`
      : `${baseline}: ${formatCount(keptCount)} ${keptCount === 1 ? 'update' : 'updates'}.`
  if (crossFit === undefined)
    return `${formatCount(keptCount)} rounds kept of ${formatCount(rounds.length)}; stopped by ${stopReason}.`
  return [forestWords(model, trace), groupWords(trace)].filter(words => words !== '').join(' ')
}

function forestWords(model: Model, trace: Trace): string {
  const { crossFit = [], forest, forestShare, groups = [], keptCount, recalibration } = trace
  if (forest === 'outdone') return 'No forest: groups alone predict rows that they were not found by better.'
  if (forest === 'unsure') {
    const rest = groups.length > 0 ? '.' : ', and no group is surely off: the score is left as it is.'
    return `No forest surely helps on rows that it has not seen${rest}`
  }
  const first =
    recalibration === undefined
      ? ''
      : `The score as a whole: its logit times ${formatNumber(recalibration.slope)} ${recalibration.intercept < 0 ? 'minus' : 'plus'} ${formatNumber(Math.abs(recalibration.intercept))}. `
  const losses = (before: number, after: number) =>
    `${formatNumber(before, 4)} before, ${formatNumber(after, 4)} after`
  if (keptCount === 0) {
    if (recalibration === undefined)
      return 'No tree helps on rows that it has not seen: the score is left as it is.'
    return `${first}Log loss of rows that this was not fitted to: ${losses(recalibration.before, recalibration.after)}. No tree helps beyond that.`
  }
  const ofGroups = groups.reduce((sum, { updateCount }) => sum + updateCount, 0)
  const updates = model.data.updates.slice(0, model.data.updates.length - ofGroups)
  const trees = updates.reduce((sum, update) => sum + (update.kind === 'forest' ? update.trees.length : 0), 0)
  const grown = trees - (recalibration === undefined ? 0 : 1)
  if (forestShare !== undefined)
    return `${first}A forest of ${formatCount(grown)} trees, the average of smaller ones. What these gained on rows that they had not seen may be luck, but such rows surely contradict the score, so ${formatNumber(100 * forestShare)} % of every step is kept.`
  const seen = losses(recalibration?.before ?? crossFit[0], crossFit[keptCount])
  return `${first}A forest of ${formatCount(grown)} trees, the average of smaller ones; log loss of these, each on rows that it has not seen: ${seen}.`
}

function groupWords({ forest, groups }: Trace): string {
  if (groups === undefined) return ''
  if (groups.length === 0) return forest === 'kept' ? 'After it no group is surely off.' : ''
  const count = `${formatCount(groups.length)} ${groups.length === 1 ? 'group' : 'groups'}`
  return `${forest === 'kept' ? 'After it, ' : ''}${count} ${groups.length === 1 ? 'was' : 'were'} mended, until none was surely off:`
}

/** Theorem 7.6: what the drop of each round says of new rows. */
export function layoutNewRows(
  { confidence, deviation, rounds, rows, rowsNeeded }: NonNullable<Fitted['newRows']>,
  view: View,
): string {
  const at = `${formatCount(rows)} fitting rows, with ${formatNumber(100 * confidence)} % confidence`
  const says =
    deviation === undefined
      ? `nothing at ${at}: its deviation is too large there`
      : `at ${at}, that on new rows each drop of the loss is at most ${formatBound(2 * deviation)} less`
  const from =
    rowsNeeded === undefined
      ? ''
      : ` Every drop that was accepted would carry over from ${rowsNeeded.toExponential(1).replace('+', '')} rows on.`
  const text = wrap(`Rounds on new rows: Theorem 7.6 of the paper says ${says}.${from}`, view.width)
  const listed = rounds.slice(0, MAX_LISTED)
  if (listed.length === 0) return text
  const rest =
    rounds.length > MAX_LISTED ? [`... and ${formatCount(rounds.length - MAX_LISTED)} more rounds`] : []
  const lines = listed.map(({ drop, dropAtLeast, round }) => [
    String(round),
    drop.toPrecision(3),
    dropAtLeast === undefined ? 'nothing' : formatLow(dropAtLeast),
  ])
  const table = layoutTable(['round', 'drop on fitting rows', 'on new rows at least'], lines, view)
  return [text, table, ...rest].join('\n')
}

/** A lower bound, rounded down. */
const formatLow = (value: number): string =>
  value < 0 ? `-${formatBound(-value)}` : outward({ low: value, high: value }, 6).low.toFixed(6)

const MAX_LISTED = 8

function mendedLines({ trace: { groups = [] } }: Fitted): string[] {
  const lines = groups.slice(0, MAX_LISTED).map(({ words }) => `- ${words}`)
  return groups.length > MAX_LISTED ? [...lines, `- and ${groups.length - MAX_LISTED} more`] : lines
}

export const writtenLine = (out: string, { hash }: Model, { width }: View, details: boolean): string =>
  wrap(
    `Model written to ${out} (SHA-256 ${hash.slice(0, 16)}...). ${details ? 'Look inside:' : 'More: --details, or'} featureboost show ${out}`,
    width,
  )

/** Rows, roles, and the features by their kind. */
function layoutColumns(
  { columns, rowCount }: FitReport['data'],
  { data }: Model,
  { except = [], fold, groupBy, label, prediction, weight }: ReportedOptions,
  { width }: View,
): string {
  const start =
    data.start.kind === 'column'
      ? data.start.column
      : `none: starts from the base rate, ${formatNumber(data.start.units / 2 ** 24)}`
  const features = new Set(data.encoding.features.map(({ name }) => name))
  const signals = data.encoding.signals.flatMap(signal => ('column' in signal ? [signal.column] : []))
  const ofKind = (kind: DataColumn['kind']) =>
    columns
      .filter(column => column.kind === kind && (features.has(column.name) || signals.includes(column.name)))
      .map(({ name }) => name)
  const roles = new Set([label, prediction, weight, fold, groupBy])
  const lines: [string, readonly (string | undefined)[]][] = [
    ['outcome', [label]],
    ['score', [start]],
    ['weight', [weight]],
    ['fold', [fold]],
    ['ids', [groupBy]],
    ['numeric', ofKind('numeric')],
    ['categorical', ofKind('categorical')],
    ['boolean', ofKind('boolean')],
    ['left out', except.filter(name => !roles.has(name))],
  ]
  const written = lines.flatMap(([title, names]) => {
    const named = names.filter(name => name !== undefined)
    return named.length === 0 ? [] : [wrap(`  ${title.padEnd(13)}${visible(named.join(', '))}`, width, 15)]
  })
  return [`${formatCount(rowCount)} rows`, ...written].join('\n')
}
