// The timeline of a monitor: the evidence that scores are off somewhere, after each batch, and the gap of everyone in each.

import type { MonitorReport } from '@featureboost/core'
import { Axes, Chart, linePath } from '../chart/Chart.tsx'
import { Mark, markPath, type Side } from '../chart/marks.tsx'
import { linearScale, spanOf } from '../chart/scale.ts'
import { Figure } from '../Figure.tsx'
import { decimal, signed } from '../format.ts'

export function Timeline({ report }: { report: MonitorReport }) {
  const { delta, timeline } = report
  const sure = -Math.log10(delta)
  const points = timeline.map((point, index) => ({ ...point, number: index + 1 }))
  const evidence = points.filter(point => point.evidence !== undefined)
  const gaps = points.filter(point => point.gap !== undefined)
  const reading = readingOf(report, sure)
  const last = Math.max(2, points.length)
  const ticks = Math.min(6, last - 1)
  return (
    <>
      <Figure id="timeline" title="Evidence over time" reading={reading}>
        <Chart name="Evidence over time" description={reading} height={280}>
          {area => {
            const x = linearScale([1, last], [area.left, area.right], ticks)
            const y = linearScale(
              spanOf([0, 1.2 * sure, ...evidence.map(point => Math.min(point.evidence!, 4 * sure))]),
              [area.bottom, area.top],
              5,
            )
            const at = (value: number) => y(Math.min(value, 4 * sure))
            return (
              <>
                <Axes area={area} x={x} y={y} xLabel="batch" yLabel="e-value, power of ten" />
                <line class="truth" x1={area.left} x2={area.right} y1={y(sure)} y2={y(sure)} />
                <path
                  class="line after"
                  d={linePath(evidence.map(point => [x(point.number), at(point.evidence!)] as const))}
                />
                <Dots
                  dots={(evidence.length > MOST_DOTS ? [] : evidence).map(point => ({
                    title: `${point.batch}: ${point.evidence}`,
                    side: point.evidence! >= sure || point.alarms > 0 ? 'after' : 'before',
                    ...{ x: x(point.number), y: at(point.evidence!) },
                  }))}
                />
              </>
            )
          }}
        </Chart>
      </Figure>
      <Figure id="gaps" title="Everyone, batch by batch" reading={gapReading(gaps)}>
        <Chart
          name="Everyone, batch by batch"
          description={gapReading(gaps)}
          height={280}
          margin={{ left: 70 }}
        >
          {area => {
            const x = linearScale([1, last], [area.left, area.right], ticks)
            const y = linearScale(
              spanOf([-0.01, 0.01, ...gaps.map(point => point.gap!)]),
              [area.bottom, area.top],
              5,
            )
            return (
              <>
                <Axes area={area} x={x} y={y} xLabel="batch" yLabel="outcome less score" />
                <line class="truth" x1={area.left} x2={area.right} y1={y(0)} y2={y(0)} />
                <Dots
                  dots={gaps.map(point => ({
                    title: `${point.batch}: ${signed(point.gap!)}`,
                    side: 'before',
                    ...{ x: x(point.number), y: y(point.gap!) },
                  }))}
                />
              </>
            )
          }}
        </Chart>
      </Figure>
    </>
  )
}

interface Dot {
  readonly title: string
  readonly side: Side
  readonly x: number
  readonly y: number
}

/** More are drawn in one stroke, and not at all on a line: an element each would keep the page busy, and nobody could point at one. */
const MOST_DOTS = 400

function Dots({ dots }: { dots: readonly Dot[] }) {
  if (dots.length > MOST_DOTS)
    return (['before', 'after'] as const).map(wanted => {
      const own = dots.filter(({ side }) => side === wanted)
      return (
        <path
          key={wanted}
          class={`mark ${wanted}`}
          d={own.map(({ side, x, y }) => markPath(side, x, y, 1.5)).join('')}
        />
      )
    })
  return dots.map(({ title, ...dot }, index) => (
    <g key={index}>
      <title>{title}</title>
      <Mark {...dot} r={3} />
    </g>
  ))
}

function readingOf({ raised }: MonitorReport, sure: number): string {
  const when = raised === undefined ? 'It was not reached.' : `It was first reached after batch ${raised}.`
  return `The average e-value of all groups after each batch, as a power of ten; the line, at ${decimal(sure, 2)}, is where it is sure that scores are off somewhere. ${when}`
}

function gapReading(gaps: readonly { readonly gap?: number }[]): string {
  const most = Math.max(0, ...gaps.map(({ gap = 0 }) => Math.abs(gap)))
  return `The mean of outcome less score over everyone in each batch alone, at most ${decimal(most)} either way; single batches are noisy, and no alarm is raised by one of them as such.`
}
