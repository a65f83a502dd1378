// A monitor, from one object: the verdict, a timeline, the groups and the columns.

import '../theme.css'
import '../views.css'
import '../charts.css'
import '../tables.css'
import '../print.css'
import type { MonitorReport } from '@featureboost/core'
import type { MonitorEvidence, WatchedColumn, WatchedGroup } from '@featureboost/core/internal'
import { Figure } from '../Figure.tsx'
import { count, decimal, plural, range, signed } from '../format.ts'
import { DataTable, type TableColumn } from '../table/DataTable.tsx'
import { Timeline } from './Timeline.tsx'

export function MonitorView({ evidence }: { evidence: MonitorEvidence }) {
  const { report } = evidence
  return (
    <div class="evidence">
      <MonitorVerdict report={report} />
      <div class="panels">
        {report.timeline.length > 0 && <Timeline report={report} />}
        <Figure id="groups" title="Groups" reading={groupReading(report)} wide>
          <DataTable name="Groups" columns={GROUPS} rows={report.groups} filter={report.groups.length > 10} />
        </Figure>
        <Figure id="columns" title="Columns and score" reading={columnReading(report)} wide>
          <DataTable name="Columns and score" columns={COLUMNS} rows={report.columns} />
        </Figure>
      </div>
    </div>
  )
}

function MonitorVerdict({ report }: { report: MonitorReport }) {
  const { advice, alarm, batches, labelledRows, rows } = report
  return (
    <section class={`ev-verdict ${alarm ? 'bad' : 'good'}`} aria-label="Verdict">
      <span class="verdict-sign" aria-hidden="true">
        {alarm ? '✕' : '✓'}
      </span>
      <div>
        <p class="verdict-line">
          <b>{alarm ? 'Alarm.' : 'No alarm.'}</b> <bdi>{advice.sentence}</bdi>
        </p>
        <p class="verdict-about">
          {plural(batches, 'batch').replace('batchs', 'batches')}, {count(rows)} rows, {count(labelledRows)}{' '}
          of them with outcomes
        </p>
      </div>
    </section>
  )
}

/** Nothing at all where there is none. */
const batchName = (name: string | undefined) =>
  name === undefined ? '' : <bdi class="batch-name">{name}</bdi>

const GROUPS: readonly TableColumn<WatchedGroup>[] = [
  { title: 'group', value: ({ group }) => group, show: ({ group }) => <bdi>{group}</bdi> },
  { title: 'watched as', value: ({ kind }) => kind },
  {
    title: 'rows',
    value: ({ overall }) => overall.rows,
    show: ({ overall }) => count(overall.rows),
    number: true,
  },
  {
    title: 'gap',
    value: ({ overall }) => overall.gap,
    show: ({ overall }) => signed(overall.gap),
    number: true,
  },
  { title: 'surely within', value: ({ overall }) => range(overall.low, overall.high), number: true },
  { title: 'e-value, as a power of ten', value: ({ evidence }) => evidence, number: true },
  { title: 'scores too', value: ({ side }) => side ?? '' },
  { title: 'alarm', value: ({ alarm }) => alarm ?? '', show: ({ alarm }) => batchName(alarm) },
  {
    title: 'strongest from',
    value: ({ since }) => since?.from ?? '',
    show: ({ since }) =>
      since === undefined ? (
        ''
      ) : (
        <>
          <bdi class="word">{since.from}</bdi>: {signed(since.gap)} ({range(since.low, since.high)})
        </>
      ),
  },
  { title: 'gap from there on', value: ({ since }) => since?.gap ?? '', number: true, hidden: true },
]

const COLUMNS: readonly TableColumn<WatchedColumn>[] = [
  { title: 'column', value: ({ column }) => column, show: ({ column }) => <bdi>{column}</bdi> },
  { title: 'PSI', value: ({ psi }) => psi, show: ({ psi }) => decimal(psi, 4), number: true },
  {
    title: 'by chance',
    value: ({ psiByChance }) => psiByChance,
    show: ({ psiByChance }) => decimal(psiByChance, 4),
    number: true,
  },
  {
    title: 'surely not as before since',
    value: ({ alarm }) => alarm ?? '',
    show: ({ alarm }) => batchName(alarm),
  },
]

function groupReading({ delta, searched }: MonitorReport): string {
  const besides =
    searched.groups === 0
      ? ''
      : ` ${count(searched.groups)} groups of one or two conditions on ${plural(searched.columns.length, 'column')} are watched besides; those that stand out are listed, counted from when they did.`
  return `Outcome less score. All intervals hold together, at all times, with a confidence of ${decimal(1 - delta, 2)}; the chance of ever raising a false alarm is at most ${delta}, if rows are independent. Where the evidence is strongest from is an estimate of when it began, and no more.${besides}`
}

const columnReading = ({ delta, referenceRows }: MonitorReport): string =>
  `The population stability index of the last batch beside ${count(referenceRows)} reference rows, and about what chance alone would make of it. That a column is surely not as before is said with a chance of at most ${delta} of ever being wrong about any.`
