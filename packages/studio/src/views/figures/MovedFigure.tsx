// What the correction changed: old scores against new ones, the updates in words, and, if asked for, the rows that moved most.

import type { Moved, MovedRow, Updates } from '@featureboost/core/internal'
import { Axes, Chart } from '../chart/Chart.tsx'
import { Nearest } from '../chart/Nearest.tsx'
import { linearScale } from '../chart/scale.ts'
import { Figure } from '../Figure.tsx'
import { count, decimal, plural, range, signed } from '../format.ts'
import { DataTable, type TableColumn } from '../table/DataTable.tsx'

export function MovedFigure({ moved }: { moved: Moved }) {
  const reading = readingOf(moved)
  const most = Math.max(...moved.density.map(([, , rows]) => rows))
  return (
    <Figure id="moved" title="What moved" reading={reading}>
      <Chart
        name="Old scores against new scores"
        description={reading}
        role="group"
        height={width => Math.min(420, width * 0.85)}
      >
        {area => {
          const x = linearScale([0, 1], [area.left, area.right], 5)
          const y = linearScale([0, 1], [area.bottom, area.top], 5)
          const [wide, tall] = [(area.right - area.left) / moved.bins, (area.bottom - area.top) / moved.bins]
          return (
            <>
              <Axes area={area} x={x} y={y} xLabel="score before" yLabel="score after" />
              {moved.density.map(([from, to, rows]) => (
                <rect
                  key={`${from},${to}`}
                  class="density"
                  x={area.left + from * wide}
                  y={area.bottom - (to + 1) * tall}
                  width={wide}
                  height={tall}
                  fill-opacity={(0.12 + 0.88 * (Math.log1p(rows) / Math.log1p(most))).toFixed(3)}
                />
              ))}
              <line class="truth" x1={x(0)} y1={y(0)} x2={x(1)} y2={y(1)} />
              <Nearest
                name="moved-marks"
                label="Scores before and after"
                area={area}
                marks={moved.density.map(([from, to]) => ({
                  x: area.left + (from + 0.5) * wide,
                  y: area.bottom - (to + 0.5) * tall,
                  wide,
                  tall,
                }))}
                wordsOf={index => wordsOf(moved, index)}
              />
            </>
          )
        }}
      </Chart>
    </Figure>
  )
}

function wordsOf({ bins, density }: Moved, index: number): string {
  const [from, to, rows] = density[index]
  const ends = (bin: number) => range(bin / bins, (bin + 1) / bins, 2)
  return `scores of ${ends(from)} became ${ends(to)}: ${plural(rows, 'row')}`
}

function readingOf({ density, largestMove, meanAbsoluteMove, meanMove }: Moved): string {
  const rows = density.reduce((sum, [, , each]) => sum + each, 0)
  return `Each cell counts rows by their score before and after, stronger for more; above the diagonal scores rose. Of ${count(rows)} rows the average moved by ${decimal(meanAbsoluteMove)} either way, ${signed(meanMove)} on balance; the largest move is ${signed(largestMove)}.`
}

export function UpdatesFigure({ updates }: { updates: Updates }) {
  const more = updates.total - updates.words.length
  const reading = `The correction is ${updates.total === 1 ? 'one update' : `${count(updates.total)} updates, applied in this order`}${more > 0 ? `; ${count(more)} more are not listed` : ''}.`
  return (
    <Figure id="updates" title="The updates, in words" reading={reading}>
      {updates.words.length === 0 ? (
        <p class="empty">Nothing helped on rows that were held apart: the score is left as it is.</p>
      ) : (
        <ol class="updates">
          {updates.words.map((words, index) => (
            <li key={index}>
              <bdi>{words}</bdi>
            </li>
          ))}
        </ol>
      )}
    </Figure>
  )
}

export function MovedRows({ rows }: { rows: readonly MovedRow[] }) {
  const names = rows.length === 0 ? [] : rows[0].values.map(([name]) => name)
  const columns: TableColumn<MovedRow>[] = [
    { title: 'row', value: ({ row }) => row, number: true },
    { title: 'before', value: ({ before }) => before, show: ({ before }) => decimal(before), number: true },
    { title: 'after', value: ({ after }) => after, show: ({ after }) => decimal(after), number: true },
    { title: 'label', value: ({ label }) => label, number: true },
    ...names.map(
      (name, index): TableColumn<MovedRow> => ({
        title: name,
        value: ({ values }) => values[index][1],
        show: ({ values }) => <bdi>{String(values[index][1] ?? '')}</bdi>,
      }),
    ),
  ]
  return (
    <Figure
      id="moved-rows"
      title="Rows that moved most"
      reading={`The ${count(rows.length)} rows with the largest moves, as they are in the data. This report holds them because it was asked to.`}
      wide
    >
      <DataTable name="Rows that moved most" columns={columns} rows={rows} />
    </Figure>
  )
}
