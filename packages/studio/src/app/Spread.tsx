// How the values of a column are spread, small: bars for numbers, the most frequent values for the rest.

import { formatCount, formatNumber, formatTime } from '@featureboost/core/internal'
import type { ColumnCard, Shape } from '../data/describe.ts'

const WIDTH = 120
const HEIGHT = 28

export function Spread({ column }: { column: ColumnCard }) {
  return column.shape.kind === 'numbers' ? (
    <Bars column={column} shape={column.shape} />
  ) : (
    <Top column={column} shape={column.shape} />
  )
}

interface BarsProps {
  readonly column: ColumnCard
  readonly shape: Extract<Shape, { kind: 'numbers' }>
}

function Bars({ column: { time }, shape: { counts, high, low } }: BarsProps) {
  const show = (value: number) => (time === undefined ? formatNumber(value) : formatTime(value, time))
  const most = Math.max(1, ...counts)
  const width = WIDTH / counts.length
  const words = `from ${show(low)} to ${show(high)}`
  return (
    <span class="spread">
      <svg class="bars" width={WIDTH} height={HEIGHT} role="img" aria-label={`Histogram, ${words}`}>
        {counts.map((count, bin) => {
          const height = count === 0 ? 0 : Math.max(1.5, (HEIGHT * count) / most)
          return <rect key={bin} x={bin * width} y={HEIGHT - height} width={width - 1} height={height} />
        })}
      </svg>
      <span class="hint">{words}</span>
    </span>
  )
}

function Top({ column, shape }: { column: ColumnCard; shape: Extract<Shape, { kind: 'values' }> }) {
  const named = shape.top
    .slice(0, 3)
    .map(({ value }) => (value.length > 18 ? `${value.slice(0, 17)}…` : value))
  const rest = column.distinct - named.length
  return (
    <span
      class="hint"
      title={shape.top.map(({ count, value }) => `${value}: ${formatCount(count)}`).join('\n')}
    >
      {named.join(', ')}
      {rest > 0 && ` and ${formatCount(rest)} more`}
    </span>
  )
}
