// The segment map: how far off a score is in each group, against the size of the group. One stop for the keyboard: arrow keys
// go from group to group, the most significant first; Enter looks into it. Marks that look alike are one path, however many they are.

import type { Evidence } from '@featureboost/core'
import type { GroupRef, Segment } from '@featureboost/core/internal'
import { useMemo, useState } from 'preact/hooks'
import { type Area, Axes, bandPath, Chart } from '../chart/Chart.tsx'
import { Legend, markPath, type Side } from '../chart/marks.tsx'
import { Nearest } from '../chart/Nearest.tsx'
import { linearScale, logScale, type Scale } from '../chart/scale.ts'
import { type Group, keyOf, relationOf, segmentGroup, useChosen } from '../chosen.ts'
import { Choice, Figure } from '../Figure.tsx'
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
            {area => <SegmentMarks area={area} evidence={evidence} shown={shown} onDrill={onDrill} />}
          </Chart>
        </>
      )}
    </Figure>
  )
}

interface MarksProps extends MapProps {
  readonly area: Area
  readonly shown: Shown
}

function SegmentMarks({ area, evidence, onDrill, shown }: MarksProps) {
  const { x, y } = scalesOf(evidence, area)
  const { segments } = evidence.segments
  return (
    <>
      <Zone evidence={evidence} x={x} y={y} />
      <Density evidence={evidence} shown={shown} x={x} y={y} />
      <Axes area={area} x={x} y={y} xLabel="rows in the group" yLabel="outcomes less scores" />
      <line class="truth" x1={area.left} x2={area.right} y1={y(0)} y2={y(0)} />
      <g class="segments">
        <Marks groups={segments} shown={shown} x={x} y={y} />
        <ChosenMarks evidence={evidence} shown={shown} x={x} y={y} />
      </g>
      <PickSegment area={area} evidence={evidence} shown={shown} onDrill={onDrill} x={x} y={y} />
    </>
  )
}

interface ScaledProps {
  readonly shown: Shown
  readonly x: Scale
  readonly y: Scale
}

/** What a mark needs; also of groups that are not of the map. */
type Marked = Pick<Segment, 'weight' | 'before' | 'after'>

const isMoved = ({ after, before }: Marked, shown: Shown): boolean =>
  shown === 'both' && after !== undefined && (isSure(before) || isSure(after))

/** From what a score was to what it has become; then marks that are not sure beneath those that are. */
function Marks({ groups, shown, x, y }: ScaledProps & { groups: readonly Marked[] }) {
  const moved = groups.flatMap(group =>
    isMoved(group, shown)
      ? [`M${x(group.weight).toFixed(1)} ${y(group.before.gap).toFixed(1)}V${y(group.after!.gap).toFixed(1)}`]
      : [],
  )
  const marks = (side: Side, sure: boolean) =>
    groups
      .flatMap(({ after, before, weight }) => {
        const gap = side === 'after' ? after : before
        if (gap === undefined || isSure(gap) !== sure) return []
        return [markPath(side, x(weight), y(gap.gap), sure ? 4.5 : 3)]
      })
      .join('')
  const sides = (['before', 'after'] as const).filter(side => shown === 'both' || shown === side)
  return (
    <>
      <path class="moved" d={moved.join('')} />
      {[false, true].flatMap(sure =>
        sides.map(side => (
          <path
            key={`${side}${sure}`}
            class={`mark ${side} ${sure ? 'sure' : 'unsure'}`}
            d={marks(side, sure)}
          />
        )),
      )}
    </>
  )
}

/** The chosen group, whether or not the map has it, and the groups of the map that it holds or that hold it. */
function ChosenMarks({ evidence, shown, x, y }: ScaledProps & { evidence: Evidence }) {
  const chosen = useChosen().value
  const nested = useMemo(() => nestedOf(evidence, chosen), [evidence, chosen])
  if (chosen === undefined) return null
  const { after, before, weight } = chosen
  const isOn = (gap: { readonly gap: number } | undefined): gap is { readonly gap: number } =>
    gap !== undefined && weight >= x.domain[0] && weight <= x.domain[1] && Math.abs(gap.gap) <= y.domain[1]
  const [old, now] = [isOn(before) ? before : undefined, isOn(after) ? after : undefined]
  const at = x(weight)
  return (
    <g class="chosen" data-on-screen>
      <path
        class="nested"
        d={nested
          .map(each =>
            markPath(shown === 'after' ? 'after' : 'before', x(each.weight), y(gapOf(each, shown)), 4.5),
          )
          .join('')}
      />
      {shown === 'both' && old && now && (
        <line class="moved" x1={at} x2={at} y1={y(old.gap)} y2={y(now.gap)} />
      )}
      {shown !== 'after' && old && <path class="mark before" d={markPath('before', at, y(old.gap), 6)} />}
      {shown !== 'before' && now && <path class="mark after" d={markPath('after', at, y(now.gap), 6)} />}
    </g>
  )
}

const gapOf = ({ after, before }: Marked, shown: Shown): number =>
  (shown === 'after' && after !== undefined ? after : before).gap

function nestedOf({ segments: map }: Evidence, chosen: Group | undefined): Segment[] {
  if (chosen === undefined) return []
  return map.segments.filter(segment => relationOf(refOf(map, segment), chosen) === 'nested')
}

type PickProps = ScaledProps & MarksProps

function PickSegment({ area, evidence, onDrill, shown, x, y }: PickProps) {
  const chosen = useChosen()
  const { segments: map } = evidence
  const keys = useMemo(() => map.segments.map(segment => keyOf(refOf(map, segment))), [map])
  const marks = useMemo(
    () => map.segments.map(segment => ({ x: x(segment.weight), y: y(gapOf(segment, shown)) })),
    [map, shown, area.width, area.height],
  )
  return (
    <Nearest
      name="segment-marks"
      label="Groups, the most significant first"
      area={area}
      marks={marks}
      wordsOf={index => segmentWords(map, map.segments[index])}
      chosen={chosen.value && keys.indexOf(keyOf(chosen.value))}
      onChoose={index => {
        chosen.value = segmentGroup(evidence, index)
      }}
      {...(onDrill !== undefined && { onOpen: index => onDrill(refOf(map, map.segments[index])) })}
    />
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
