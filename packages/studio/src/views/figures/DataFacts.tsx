// The data: its columns with their roles, what is missing, how values are spread; and how to repeat the run.

import type { Evidence } from '@featureboost/core'
import type { ColumnFacts } from '@featureboost/core/internal'
import { Figure } from '../Figure.tsx'
import { count, percent } from '../format.ts'
import { CopyButton } from '../table/CopyButton.tsx'
import { DataTable, type TableColumn } from '../table/DataTable.tsx'

export function DataFacts({ evidence: { about } }: { evidence: Evidence }) {
  const more = about.moreColumns > 0 ? ` ${count(about.moreColumns)} more columns are not listed.` : ''
  return (
    <Figure
      id="data"
      title="The data"
      reading={`Mean outcome ${percent(about.baseRate)}. Searched: ${about.auditors}. Values of fewer than 10 rows are counted, not named.${more}`}
      wide
    >
      <DataTable name="Columns" columns={columnsFor(about.auditedCount)} rows={about.columns} shown={12} />
      {about.command !== undefined && (
        <div class="ev-command">
          <code>{about.command}</code>
          <CopyButton text={about.command} label="Copy" what="the command that repeats this run" />
        </div>
      )}
      <p class="small-print">
        featureboost {about.library};{' '}
        {Object.entries(about.options)
          .map(([name, value]) => `${name} ${String(value)}`)
          .join(', ')}
      </p>
    </Figure>
  )
}

const columnsFor = (rows: number): readonly TableColumn<ColumnFacts>[] => [
  { title: 'column', value: ({ name }) => name, show: ({ name }) => <bdi>{name}</bdi> },
  { title: 'role', value: ({ role }) => role },
  { title: 'kind', value: ({ kind }) => kind },
  {
    title: 'missing',
    value: ({ missing }) => missing,
    show: ({ missing }) => (missing === 0 ? '0' : `${count(missing)} (${percent(missing / rows)})`),
    number: true,
  },
  { title: 'values', value: valuesText, show: facts => <Spread facts={facts} /> },
]

function valuesText({ histogram }: ColumnFacts): string {
  if (histogram.kind === 'numbers') return `${endText(histogram.from)} to ${endText(histogram.to)}`
  const named = histogram.values.map(({ count: rows, value }) => `${value} ${count(rows)}`)
  return [
    ...named,
    ...(histogram.otherCount > 0
      ? [`${count(histogram.otherCount)} more ${count(histogram.otherRows)}`]
      : []),
  ].join(', ')
}

/** Scores are counted in units, so that 0.001 is 0.00099999. */
const endText = (value: number): string => String(Number(value.toPrecision(Math.abs(value) < 1 ? 4 : 6)))

const [WIDE, TALL] = [120, 24]

function Spread({ facts }: { facts: ColumnFacts }) {
  const { histogram } = facts
  const bars =
    histogram.kind === 'numbers' ? histogram.counts : histogram.values.map(({ count: rows }) => rows)
  const most = Math.max(1, ...bars)
  const each = WIDE / Math.max(bars.length, histogram.kind === 'numbers' ? 1 : 8)
  return (
    <span class="ev-spread">
      {bars.length > 0 && (
        <svg width={WIDE} height={TALL} aria-hidden="true">
          {bars.map((rows, index) => (
            <rect
              key={index}
              class="spread-bar"
              x={index * each}
              width={Math.max(1, each - 1)}
              y={TALL - (rows / most) * TALL}
              height={(rows / most) * TALL}
            />
          ))}
        </svg>
      )}
      <bdi>{valuesText(facts)}</bdi>
    </span>
  )
}
