// Protected groups, every one of them: rows, outcomes, score, gap before and after.

import type { Evidence } from '@featureboost/core'
import type { GroupGap, ProtectedEvidence } from '@featureboost/core/internal'
import { Figure } from '../Figure.tsx'
import { count, decimal, pValue } from '../format.ts'
import { CopyButton } from '../table/CopyButton.tsx'
import { DataTable, type TableColumn } from '../table/DataTable.tsx'
import { Gap } from './Gap.tsx'

export function ProtectedGroups({ groups }: { groups: NonNullable<Evidence['protected']> }) {
  return (
    <Figure id="protected" title="Protected groups" reading={readingOf(groups)} wide>
      <DataTable
        name="Protected groups"
        columns={columnsFor(groups)}
        rows={groups}
        filter
        groupOf={group => group}
        shown={60}
      />
    </Figure>
  )
}

type Row = ProtectedEvidence

function columnsFor(groups: readonly Row[]): TableColumn<Row>[] {
  const hasAfter = groups.some(({ after }) => after !== undefined)
  return [
    { title: 'group', value: ({ words }) => words, show: ({ words }) => <bdi>{words}</bdi> },
    { title: 'rows', value: ({ weight }) => weight, show: ({ weight }) => count(weight), number: true },
    {
      title: 'outcomes',
      value: ({ meanLabel }) => meanLabel,
      show: ({ meanLabel }) => (meanLabel === undefined ? 'too few rows' : decimal(meanLabel)),
      number: true,
    },
    ...scoreColumns(hasAfter ? ' before' : '', ({ before }) => before),
    ...(hasAfter ? scoreColumns(' after', ({ after }) => after) : []),
    {
      title: 'SQL',
      onScreen: true,
      value: ({ sql }) => sql,
      show: ({ sql, words }) =>
        sql !== undefined && <CopyButton text={sql} label="Copy" what={`the WHERE clause of ${words}`} />,
    },
  ]
}

function scoreColumns(side: string, read: (row: Row) => GroupGap | undefined): TableColumn<Row>[] {
  const bound = (title: string, key: 'low' | 'high'): TableColumn<Row> => ({
    title: `${title}${side}`,
    value: row => read(row)?.[key],
    hidden: true,
  })
  return [
    {
      title: `score${side}`,
      value: row => read(row)?.meanScore,
      show: row => decimalOf(read(row)?.meanScore),
      number: true,
    },
    {
      title: `gap${side}`,
      value: row => read(row)?.gap,
      show: row => {
        const gap = read(row)
        return gap && <Gap gap={gap} />
      },
      number: true,
    },
    bound('from', 'low'),
    bound('to', 'high'),
    {
      title: `p${side}`,
      value: row => read(row)?.p,
      show: row => pOf(read(row)?.p),
      number: true,
    },
  ]
}

const decimalOf = (value: number | undefined): string => (value === undefined ? '' : decimal(value))
const pOf = (p: number | undefined): string => (p === undefined ? '' : pValue(p).replace(/^p (= )?/, ''))

function readingOf(groups: readonly Row[]): string {
  const tested = groups.filter(({ before }) => before !== undefined)
  const isOff = (gap: GroupGap | undefined) => gap !== undefined && (gap.low > 0 || gap.high < 0)
  const off = (read: (row: Row) => GroupGap | undefined) =>
    count(tested.filter(row => isOff(read(row))).length)
  const hasAfter = tested.some(({ after }) => after !== undefined)
  const now = hasAfter ? `, and ${off(({ after }) => after)} after the correction` : ''
  const small = groups.length - tested.length
  const few = small === 0 ? '' : ` ${count(small)} more have too few rows to tell.`
  return `Every value of the protected columns, and every overlap. Surely off, which means that the interval leaves out 0: ${off(({ before }) => before)} of ${count(tested.length)} tested${now}. Intervals and p-values hold for all of them at once.${few}`
}
