// Methods of correction side by side, on the same rows.

import type { ComparisonRow, ComparisonTable } from '@featureboost/core/internal'
import { Figure } from '../Figure.tsx'
import { decimal, range } from '../format.ts'
import { DataTable, type TableColumn } from '../table/DataTable.tsx'

export function Methods({ comparison }: { comparison: ComparisonTable }) {
  const columns: TableColumn<ComparisonRow>[] = [
    {
      title: 'method',
      value: ({ name }) => name,
      show: ({ error, name }) => (error === undefined ? name : `${name}: ${error}`),
    },
    ...comparison.measures.map(
      ({ key, name }): TableColumn<ComparisonRow> => ({
        title: name,
        value: ({ values }) => values[key]?.value,
        show: method => <Value method={method} measure={key} />,
        number: true,
      }),
    ),
    {
      title: 'seconds',
      value: ({ seconds }) => seconds,
      show: ({ seconds }) => seconds !== undefined && decimal(seconds, 1),
      number: true,
    },
  ]
  return (
    <Figure
      id="methods"
      title="Methods compared"
      reading={`${comparison.recommendation} A dot marks the best of a measure and all that its interval cannot tell from it.`}
      wide
    >
      <DataTable name="Methods compared" columns={columns} rows={comparison.rows} />
    </Figure>
  )
}

function Value({ measure, method: { best, values } }: { method: ComparisonRow; measure: string }) {
  const estimate = values[measure]
  if (estimate === undefined) return null
  const isBest = best.includes(measure)
  return (
    <span class={isBest ? 'best' : ''} title={range(estimate.low, estimate.high, 4)}>
      {isBest && (
        <span role="img" aria-label="best or tied with the best">
          ●{' '}
        </span>
      )}
      {decimal(estimate.value, 4)}
    </span>
  )
}
