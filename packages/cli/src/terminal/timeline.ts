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
  // Twice as high as the line: what lies beyond is beyond doubt.
  const levelOf = (evidence: number) =>
    Math.max(0, Math.min(HEIGHT - 1, Math.round((evidence / (2 * sure)) * (HEIGHT - 1))))
  const line = levelOf(sure)
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
      wrap(readingOf(timeline.length - points.length, sure), view.width),
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
  return [
    `${padStart('|gap|', GUTTER - 1)} ${paint.dim(bars.join(''))}  up to ${most.toFixed(3)}, everyone, each batch alone`,
  ]
}

const readingOf = (hidden: number, sure: number): string =>
  `Up is the average e-value of all groups, on a logarithmic scale; ${Math.round(10 ** sure)} is sure.${hidden === 0 ? '' : ` ${hidden} earlier batches are not shown.`}`
