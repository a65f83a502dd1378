// The worst groups as a table: sort, filter, copy as SQL.

import type { Evidence } from '@featureboost/core'
import type { WorstGroup } from '@featureboost/core/internal'
import { useState } from 'preact/hooks'
import { Choice, Figure } from '../Figure.tsx'
import { count, decimal, pValue } from '../format.ts'
import { CopyButton } from '../table/CopyButton.tsx'
import { DataTable, type TableColumn } from '../table/DataTable.tsx'
import { Gap } from './Gap.tsx'

type Which = 'before' | 'after'

export function WorstGroups({ evidence }: { evidence: Evidence }) {
  const { worst, worstAfter } = evidence
  const [which, setWhich] = useState<Which>('before')
  const rows = which === 'after' && worstAfter !== undefined ? worstAfter : worst
  const name = which === 'after' ? 'Worst groups after the correction' : 'Worst groups'
  return (
    <Figure
      id="worst"
      title="Worst groups"
      reading={readingOf(evidence)}
      wide
      tools={
        worstAfter !== undefined && (
          <Choice label="Found in" options={['before', 'after']} value={which} onChange={setWhich} />
        )
      }
    >
      <DataTable
        key={which}
        name={name}
        columns={columnsFor(rows)}
        rows={rows}
        filter
        groupOf={group => group}
        printed={15}
        empty="No group has enough rows to say anything."
      />
    </Figure>
  )
}

function columnsFor(rows: readonly WorstGroup[]): TableColumn<WorstGroup>[] {
  const followed = rows.some(({ after }) => after !== undefined)
  return [
    { title: 'group', value: ({ words }) => words, show: ({ words }) => <bdi>{words}</bdi> },
    { title: 'list', value: ({ list }) => list },
    { title: 'rows', value: ({ weight }) => weight, show: ({ weight }) => count(weight), number: true },
    {
      title: 'outcomes',
      value: ({ meanLabel }) => meanLabel,
      show: ({ meanLabel }) => decimal(meanLabel),
      number: true,
    },
    {
      title: 'score',
      value: ({ before }) => before.meanScore,
      show: ({ before }) => decimal(before.meanScore),
      number: true,
    },
    {
      title: 'gap',
      value: ({ before }) => before.gap,
      show: ({ before }) => <Gap gap={before} />,
      number: true,
    },
    ...(followed
      ? [
          {
            title: 'gap after',
            value: ({ after }: WorstGroup) => after?.gap,
            show: ({ after }: WorstGroup) => after && <Gap gap={after} />,
            number: true,
          },
        ]
      : []),
    {
      title: 'p',
      value: ({ before }) => before.p,
      show: ({ before }) =>
        pValue(before.p ?? 1)
          .replace(/^p = /, '')
          .replace(/^p /, ''),
      number: true,
    },
    {
      title: 'SQL',
      onScreen: true,
      value: ({ sql }) => sql,
      show: ({ sql, words }) =>
        sql !== undefined && <CopyButton text={sql} label="Copy" what={`the WHERE clause of ${words}`} />,
    },
  ]
}

function readingOf({ after, before, worst, worstAfter }: Evidence): string {
  const { groupsTested, sentence } = before.significance
  const [first] = worst
  if (first === undefined)
    return 'Groups with too few rows cannot be judged, which does not mean that they are fine.'
  const now =
    after === undefined || worstAfter === undefined
      ? ''
      : ` After the correction: ${after.significance.sentence}`
  return `A gap is outcomes less scores: above 0 the score is too low. Intervals hold for all ${count(groupsTested)} groups of the search at once. ${sentence}${now}`
}
