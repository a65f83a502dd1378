// What a monitor has to say, for the terminal: the verdict, groups, when it began, a timeline and the columns.

import type { MonitorReport } from '@featureboost/core'
import {
  formatCount,
  formatNumber,
  outward,
  type WatchedColumn,
  type WatchedGap,
  type WatchedGroup,
} from '@featureboost/core/internal'
import { fitTable, section, type TableColumn, wrap } from './layout.ts'
import { layoutTimeline } from './timeline.ts'
import type { View } from './view.ts'
import { clip, visible } from './width.ts'

interface MonitorPage {
  /** What the command has done. */
  readonly did: string
  readonly view: View
}

/** Paragraphs. */
export function layoutMonitor(report: MonitorReport, { did, view }: MonitorPage): string[] {
  const { paint, width } = view
  const { advice, alarm, groups } = report
  const head = alarm ? paint.bad(paint.bold('ALARM')) : paint.good('No alarm')
  const off = groups.filter(each => each.alarm !== undefined)
  return [
    wrap(visible(did), width),
    `${head}\n${wrap(visible(advice.sentence), width)}`,
    ...(report.labelledBatches === 0 ? [] : [groupTable(report, view)]),
    ...off.slice(0, MOST_TOLD).map(group => wrap(visible(sinceWords(group)), width, 2)),
    ...(off.length > MOST_TOLD ? [`${off.length - MOST_TOLD} more groups with an alarm: see --json.`] : []),
    ...(report.timeline.length < 2 ? [] : [layoutTimeline(report, view)]),
    ...(report.batches === 0 ? [] : [columnTable(report, view)]),
    wrap(visible(promise(report)), width),
  ]
}

/** Alarms that are told in a sentence each. */
const MOST_TOLD = 3
const MOST_ROWS = 12

/** Columns of text that a table of groups has beside the names, about. */
const BESIDE = 54
const SHORTEST_NAME = 24

function groupTable({ groups, labelledBatches, labelledRows, searched }: MonitorReport, view: View): string {
  const shown = groups.slice(0, MOST_ROWS)
  // The names are whole in the sentences; what is beside them matters here.
  const longest = Math.max(SHORTEST_NAME, view.tableWidth - BESIDE)
  const cells = (read: (group: WatchedGroup) => string) => shown.map(read)
  const columns: TableColumn[] = [
    { title: 'group', cells: cells(({ group }) => clip(visible(group), longest, view.glyphs.cut)) },
    { title: 'rows', cells: cells(({ overall }) => formatCount(overall.rows)) },
    { title: 'gap', cells: cells(({ overall }) => formatGap(overall.gap)) },
    { title: 'surely within', cells: cells(({ overall }) => rangeWords(overall)), spare: 1 },
    { title: 'e-value', cells: cells(({ evidence }) => evidenceWords(evidence)) },
    { title: 'alarm', cells: cells(({ alarm }) => visible(alarm ?? '')) },
  ]
  const batches = `${formatCount(labelledRows)} rows in ${labelledBatches} batch${labelledBatches === 1 ? '' : 'es'}`
  const title = `Groups, outcome less score, on ${batches} with outcomes`
  const hidden = groups.length - shown.length
  const note = [
    ...(hidden === 0 ? [] : [`${hidden} more are not shown.`]),
    ...(searched.groups === 0
      ? []
      : [
          `${formatCount(searched.groups)} groups of one or two conditions on ${formatCount(searched.columns.length)} columns are watched besides; those that stand out appear above, counted from when they did.`,
        ]),
  ].join(' ')
  return `${section(title, fitTable(columns, view), view)}${note === '' ? '' : `\n${wrap(note, view.width)}`}`
}

const formatGap = (gap: number): string => `${gap < 0 ? '-' : '+'}${Math.abs(gap).toFixed(3)}`

function rangeWords(gap: WatchedGap): string {
  const { high, low } = outward(gap, 3)
  return `${formatGap(low)} to ${formatGap(high)}`
}

/** From 10,000 on as a power of ten, rounded down. */
function evidenceWords(evidence: number): string {
  if (evidence >= 4) return `10^${Math.floor(evidence)}`
  return formatNumber(Math.floor(10 ** evidence * 100) / 100, 3)
}

const SIDES = {
  low: 'scores are surely too low',
  high: 'scores are surely too high',
  both: 'scores were surely too low and too high',
}

function sinceWords({ alarm, group, kind, side, since }: WatchedGroup): string {
  const found = kind === 'found' ? ' It is counted since it stood out.' : ''
  const raised = `${group}: ${SIDES[side!]}; the alarm was raised after batch ${alarm}.`
  if (since === undefined) return `${raised}${found}`
  return `${raised} Counted from batch ${since.from} on the evidence is strongest: outcomes less scores are ${formatGap(since.gap)} on average there, surely within ${rangeWords(since)} (${formatCount(since.rows)} rows). When it began can only be estimated.${found}`
}

function columnTable({ batches, columns, referenceRows }: MonitorReport, view: View): string {
  const rank = ({ alarm, psi, psiByChance }: WatchedColumn) =>
    (alarm === undefined ? 0 : 1e6) + psi / Math.max(1e-9, psiByChance)
  const shown = [...columns].sort((a, b) => rank(b) - rank(a)).slice(0, MOST_ROWS)
  const cells = (read: (column: WatchedColumn) => string) => shown.map(read)
  const table = fitTable(
    [
      { title: 'column', cells: cells(({ column }) => visible(column)) },
      { title: 'PSI', cells: cells(({ psi }) => psi.toFixed(4)) },
      { title: 'by chance', cells: cells(({ psiByChance }) => psiByChance.toFixed(4)), spare: 1 },
      {
        title: 'surely not as before',
        cells: cells(({ alarm }) => visible(alarm === undefined ? '' : `since ${alarm}`)),
      },
    ],
    view,
  )
  const hidden = columns.length - shown.length
  const title = `Columns and score, the last of ${batches} batch${batches === 1 ? '' : 'es'} beside ${formatCount(referenceRows)} reference rows`
  return `${section(title, table, view)}${hidden === 0 ? '' : `\n${hidden} more columns changed less.`}`
}

function promise({ delta, maxGap }: MonitorReport): string {
  const chance = formatNumber(delta)
  const gap = maxGap === 0 ? '' : ` Gaps up to ${formatNumber(maxGap)} raise none.`
  return `The chance of ever raising a false alarm is at most ${chance}, over all groups and batches, however often one looks, if rows are independent; and at most ${chance} for columns.${gap} All intervals hold together, at all times, with a confidence of ${formatNumber(1 - delta)}.`
}
