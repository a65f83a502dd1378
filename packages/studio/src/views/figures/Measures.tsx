// The measures of the score; with a correction, before and after, with the change and what its interval says.

import type { Evidence } from '@featureboost/core'
import type { MeasureChange, NamedEstimate } from '@featureboost/core/internal'
import { Figure } from '../Figure.tsx'
import { decimal, range, signed } from '../format.ts'
import { DataTable, type TableColumn } from '../table/DataTable.tsx'

export function Measures({ evidence }: { evidence: Evidence }) {
  const { before, changes } = evidence
  return (
    <Figure id="measures" title="Measures" reading={readingOf(evidence)} wide>
      {changes === undefined ? (
        <DataTable name="Measures" columns={PLAIN} rows={before.measures} />
      ) : (
        <DataTable name="Measures before and after" columns={CHANGES} rows={changes} />
      )}
    </Figure>
  )
}

const PLAIN: readonly TableColumn<NamedEstimate>[] = [
  { title: 'measure', value: ({ name }) => name },
  number('value', ({ estimate }) => estimate.value),
  {
    title: 'interval',
    value: ({ estimate }) => range(estimate.low, estimate.high, 4),
    number: true,
  },
]

const SIGNS = { better: '▼ better', worse: '▲ worse', unclear: '' }

const CHANGES: readonly TableColumn<MeasureChange>[] = [
  { title: 'measure', value: ({ name }) => name },
  number('before', ({ before }) => before.value),
  number('after', ({ after }) => after.value),
  {
    title: 'change',
    value: ({ change }) => change.value,
    show: ({ change }) => signed(change.value, 4),
    number: true,
  },
  { title: 'interval', value: ({ change }) => range(change.low, change.high, 4), number: true },
  {
    title: 'says',
    value: ({ judged }) => judged,
    show: ({ judged, key }) =>
      judged !== 'unclear' && <span class={`judged ${judged}`}>{signOf(judged, key)}</span>,
  },
]

/** AUC gets better by rising. */
const signOf = (judged: MeasureChange['judged'], key: string): string =>
  key === 'auc' ? SIGNS[judged].replace(/[▲▼]/, sign => (sign === '▲' ? '▼' : '▲')) : SIGNS[judged]

function number<Row>(title: string, value: (row: Row) => number): TableColumn<Row> {
  return { title, value, show: row => decimal(value(row), 4), number: true }
}

function readingOf({ before, changes }: Evidence): string {
  const confidence = Math.round(100 * before.reliability.confidence)
  if (changes === undefined)
    return `Each measure with the interval that holds its value in the population with ${confidence} % confidence. Less is better, but for AUC.`
  const better = changes.filter(({ judged }) => judged === 'better').length
  const worse = changes.filter(({ judged }) => judged === 'worse').length
  return `${better} of ${changes.length} measures got better by more than their intervals allow, ${worse} got worse; the others cannot be told apart. Less is better, but for AUC.`
}
