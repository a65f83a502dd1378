// The timeline of a monitor in letters: the evidence that scores are off somewhere after each batch, from nothing (below) to sure (the
// line), and the gap of everyone in each batch.

import type { MonitorReport } from '@featureboost/core'
import type { TimelinePoint } from '@featureboost/core/internal'
import { section, wrap } from './layout.ts'
import type { View } from './view.ts'
import { clip, padEnd, padStart, visible } from './width.ts'

/** Left of the chart: "alarm │". */
const GUTTER = 8
const HEIGHT = 7

/** The last batches, as many as there is room for. */
export function layoutTimeline({ delta, timeline }: MonitorReport, view: View): string {
  const room = Math.min(90, view.width - GUTTER)
  const points = timeline.slice(-room)
  const sure = -Math.log10(delta)
  // The chart is twice as high as the line: what lies beyond is beyond doubt. Nothing is on the line that is not sure.
  const line = Math.floor(HEIGHT / 2)
  const levelOf = (evidence: number) => {
    const level = Math.round((evidence / sure) * line)
    return evidence >= sure
      ? Math.min(HEIGHT - 1, Math.max(line, level))
      : Math.max(0, Math.min(line - 1, level))
  }
  const { glyphs, paint } = view
  const rows = Array.from({ length: HEIGHT }, (_, index) => HEIGHT - 1 - index).map(level => {
    const cells = points.map(({ alarms, evidence }) => {
      if (evidence === undefined) return ' '
      if (levelOf(evidence) === level)
        return alarms > 0 || evidence >= sure ? paint.bad(glyphs.after) : glyphs.before
      return level === line ? paint.dim(glyphs.line) : ' '
    })
    const label = level === line ? 'sure' : level === 0 ? '1' : ''
    return `${padStart(label, GUTTER - 2)} ${glyphs.upright}${cells.join('')}`.trimEnd()
  })
  const first = clip(visible(points[0].batch), Math.floor(room / 2), glyphs.cut)
  const last = clip(visible(points.at(-1)!.batch), Math.floor(room / 2), glyphs.cut)
  const axis = `${' '.repeat(GUTTER)}${points.length > first.length + last.length + 2 ? padEnd(first, points.length - last.length) + last : `${first} to ${last}`}`
  return section(
    'Timeline: evidence that scores are off somewhere, after each batch',
    [
      ...rows,
      `${padStart('', GUTTER - 2)} ${glyphs.corner}${glyphs.line.repeat(points.length)}`,
      axis,
      ...gapBars(points, view),
      wrap(readingOf(timeline.length - points.length, sure, points), view.width),
    ].join('\n'),
    view,
  )
}

/** How far everyone's outcomes were from their scores, batch by batch; the tallest bar is the largest gap. */
function gapBars(points: readonly TimelinePoint[], { glyphs, paint }: View): string[] {
  const most = Math.max(...points.map(({ gap = 0 }) => Math.abs(gap)))
  if (most === 0) return []
  const bars = points.map(({ gap }) =>
    gap === undefined
      ? ' '
      : glyphs.bars[
          Math.min(glyphs.bars.length - 1, Math.floor((Math.abs(gap) / most) * glyphs.bars.length))
        ],
  )
  return [`${padStart('|gap|', GUTTER - 1)} ${paint.dim(bars.join(''))}`.trimEnd()]
}

function readingOf(hidden: number, sure: number, points: readonly TimelinePoint[]): string {
  const most = Math.max(...points.map(({ gap = 0 }) => Math.abs(gap)))
  const bars =
    most === 0
      ? ''
      : ` Bars: how far outcomes and scores of everyone are apart in each batch alone, up to ${most.toFixed(3)}.`
  const rest = hidden === 0 ? '' : ` ${hidden} earlier batches are not shown.`
  return `Up is the average e-value of all groups, on a logarithmic scale; ${Math.round(10 ** sure)} is sure.${bars}${rest}`
}
