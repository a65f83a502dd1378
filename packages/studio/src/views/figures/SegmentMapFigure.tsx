// The segment map: how far off a score is in each group, against the size of the group. One stop for the keyboard: arrow keys
// go from group to group, the most significant first; Enter looks into it.

import type { Evidence } from '@featureboost/core'
import type { GroupRef } from '@featureboost/core/internal'
import { useId, useState } from 'preact/hooks'
import { type Area, Axes, bandPath, Chart } from '../chart/Chart.tsx'
import { Legend, markPath, type Side } from '../chart/marks.tsx'
import { linearScale, logScale, type Scale } from '../chart/scale.ts'
import { Choice, Figure } from '../Figure.tsx'
import { SegmentCard } from './SegmentCard.tsx'
import { isSure, mapReading, refOf, segmentWords } from './segmentWords.ts'
import { scoresOf } from './sides.ts'

type Shown = 'both' | Side

interface MapProps {
  readonly evidence: Evidence
  readonly onDrill?: ((group: GroupRef) => void) | undefined
}

export function SegmentMapFigure({ evidence, onDrill }: MapProps) {
  const corrected = evidence.after !== undefined
  const [shown, setShown] = useState<Shown>(corrected ? 'both' : 'before')
  const [chosen, setChosen] = useState(0)
  const { segments } = evidence.segments
  const reading = segments.length === 0 ? 'No group has enough rows to say anything.' : mapReading(evidence)
  const scores = scoresOf(evidence)
  return (
    <Figure
      id="segments"
      title="Segment map"
      reading={reading}
      wide
      tools={
        corrected && (
          <Choice label="Scores" options={['both', 'before', 'after']} value={shown} onChange={setShown} />
        )
      }
    >
      {segments.length === 0 ? (
        <p class="empty">Groups need about 40 rows at a score of 0.5, and more at scores near 0 or 1.</p>
      ) : (
        <>
          <Legend sides={scores.map(({ score, side }) => ({ side, name: score.name }))} />
          <Chart
            name="Segment map"
            description={reading}
            role="group"
            height={width => Math.max(300, Math.min(480, width * 0.5))}
          >
            {area => (
              <SegmentMarks
                area={area}
                evidence={evidence}
                shown={shown}
                chosen={chosen}
                onChoose={setChosen}
                onDrill={onDrill}
              />
            )}
          </Chart>
          <SegmentCard evidence={evidence} chosen={chosen} onChoose={setChosen} onDrill={onDrill} />
        </>
      )}
    </Figure>
  )
}

interface MarksProps extends MapProps {
  readonly area: Area
  readonly shown: Shown
  readonly chosen: number
  readonly onChoose: (index: number) => void
}

function SegmentMarks({ area, chosen, evidence, onChoose, onDrill, shown }: MarksProps) {
  const id = useId()
  const { x, y } = scalesOf(evidence, area)
  const { segments } = evidence.segments
  const choose = (index: number) => onChoose((index + segments.length) % segments.length)
  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Record<string, number> = {
      ArrowRight: chosen + 1,
      ArrowDown: chosen + 1,
      ArrowLeft: chosen - 1,
      ArrowUp: chosen - 1,
      Home: 0,
      End: segments.length - 1,
    }
    if (event.key === 'Enter') onDrill?.(refAt(evidence, chosen))
    else if (event.key in moves) choose(moves[event.key])
    else return
    event.preventDefault()
  }
  // The chosen one is drawn last, on top of its neighbours.
  const order = [...segments.keys()].reverse().filter(index => index !== chosen)
  return (
    <>
      <Zone evidence={evidence} x={x} y={y} />
      <Density evidence={evidence} shown={shown} x={x} y={y} />
      <Axes area={area} x={x} y={y} xLabel="rows in the group" yLabel="outcomes less scores" />
      <line class="truth" x1={area.left} x2={area.right} y1={y(0)} y2={y(0)} />
      <g
        class="segments"
        role="listbox"
        // In SVG names of attributes are told by their case.
        tabindex={0}
        aria-label="Groups, the most significant first"
        aria-activedescendant={`${id}-${chosen}`}
        onKeyDown={onKeyDown}
      >
        {[...order, chosen].map(index => (
          <g
            key={index}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === chosen}
            aria-label={segmentWords(evidence.segments, segments[index])}
            class={index === chosen ? 'segment chosen' : 'segment'}
            onClick={() => {
              onChoose(index)
            }}
            onDblClick={() => onDrill?.(refAt(evidence, index))}
          >
            <SegmentMark evidence={evidence} index={index} shown={shown} x={x} y={y} />
          </g>
        ))}
      </g>
    </>
  )
}

const refAt = ({ segments: map }: Evidence, index: number): GroupRef => refOf(map, map.segments[index])

function SegmentMark({
  evidence,
  index,
  shown,
  x,
  y,
}: {
  evidence: Evidence
  index: number
  shown: Shown
  x: Scale
  y: Scale
}) {
  const { segments: map } = evidence
  const { after, before, weight } = map.segments[index]
  const at = x(weight)
  const mark = (side: Side, gap: typeof before) => (
    <path
      class={isSure(gap) ? `mark ${side} sure` : `mark ${side} unsure`}
      d={markPath(side, at, y(gap.gap), isSure(gap) ? 4.5 : 3)}
    />
  )
  const moved = shown === 'both' && after !== undefined && (isSure(before) || isSure(after))
  return (
    <>
      <title>{segmentWords(map, map.segments[index])}</title>
      {moved && <line class="moved" x1={at} x2={at} y1={y(before.gap)} y2={y(after.gap)} />}
      {shown !== 'after' && mark('before', before)}
      {shown !== 'before' && after !== undefined && mark('after', after)}
    </>
  )
}

/** Both scores on one scale, symmetric around no gap. */
function scalesOf({ segments: { density, segments } }: Evidence, area: Area) {
  const weights = [...segments.map(({ weight }) => weight), ...(density?.weights ?? [])]
  const gaps = segments.flatMap(({ after, before }) => [before.gap, after?.gap ?? 0].map(Math.abs))
  const reach = gaps.reduce((most, gap) => Math.max(most, gap), Math.max(0.02, density?.reach ?? 0)) * 1.08
  const low = weights.reduce((least, weight) => Math.min(least, weight))
  const high = weights.reduce((most, weight) => Math.max(most, weight))
  return {
    x: logScale([low / 1.3, Math.max(high, low * 2) * 1.3], [area.left, area.right]),
    y: linearScale([-reach, reach], [area.bottom, area.top], 6),
  }
}

interface BeneathProps {
  readonly evidence: Evidence
  readonly x: Scale
  readonly y: Scale
}

/** Outside it every group is surely off. */
function Zone({ evidence: { segments }, x, y }: BeneathProps) {
  const [low, high] = x.domain
  const reach = y.domain[1]
  const sizes = Array.from({ length: 61 }, (_, index) => low * (high / low) ** (index / 60))
  const line = (sign: number) =>
    sizes.map(size => [x(size), y(sign * Math.min(reach, segments.zone / Math.sqrt(size)))] as const)
  return (
    <>
      <path class="undetectable" d={bandPath(line(1), line(-1))} />
      <text class="zone" x={x(low) + 8} y={y(Math.min(reach, segments.zone / Math.sqrt(low))) + 16}>
        may be chance
      </text>
    </>
  )
}

/** All groups, where not all have marks: the more there are in a cell, the darker. */
function Density({ evidence: { segments }, shown, x, y }: BeneathProps & { shown: Shown }) {
  const { density } = segments
  if (density === undefined) return null
  const cells = shown === 'after' ? (density.after ?? density.before) : density.before
  const most = cells.reduce((top, [, , groups]) => Math.max(top, groups), 1)
  const [low, high] = density.weights
  const size = (column: number) => x(low * (high / low) ** (column / density.columns))
  const gap = (row: number) => y(density.reach * ((2 * row) / density.rows - 1))
  return (
    <g class="beneath">
      {cells.map(([column, row, groups]) => (
        <rect
          key={column * density.rows + row}
          x={size(column).toFixed(1)}
          y={gap(row + 1).toFixed(1)}
          width={(size(column + 1) - size(column)).toFixed(1)}
          height={(gap(row) - gap(row + 1)).toFixed(1)}
          fill-opacity={(0.08 + 0.42 * (Math.log(1 + groups) / Math.log(1 + most))).toFixed(2)}
        />
      ))}
    </g>
  )
}
