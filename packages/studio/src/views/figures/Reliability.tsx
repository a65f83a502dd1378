// The reliability diagram: outcomes against scores, with intervals, on the plain or the logit scale; below it, how many rows.

import type { Evidence } from '@featureboost/core'
import type { ReliabilityBin, ScoreEvidence } from '@featureboost/core/internal'
import { useState } from 'preact/hooks'
import { type Area, Axes, Chart, linePath } from '../chart/Chart.tsx'
import { Legend, Mark, type Side } from '../chart/marks.tsx'
import { Nearest } from '../chart/Nearest.tsx'
import { linearScale, logitScale, type Scale, spanOf } from '../chart/scale.ts'
import { Choice, Figure } from '../Figure.tsx'
import { count, decimal, plural, range } from '../format.ts'
import { scoresOf } from './sides.ts'

type AxisKind = 'plain' | 'logit'

const HISTOGRAM = 54
/** Beyond the outermost marks, on the logit scale. */
const LOGIT_ROOM = 0.8

export function Reliability({ evidence }: { evidence: Evidence }) {
  const [axis, setAxis] = useState<AxisKind>(evidence.before.reliability.rare ? 'logit' : 'plain')
  const scores = scoresOf(evidence)
  const reading = readingOf(evidence)
  return (
    <Figure
      id="reliability"
      title="Reliability"
      reading={reading}
      tools={<Choice label="Scale" options={['plain', 'logit']} value={axis} onChange={setAxis} />}
    >
      <Legend sides={scores.map(({ score, side }) => ({ side, name: score.name }))} />
      <Chart
        name="Reliability diagram"
        description={reading}
        role="group"
        height={width => Math.min(460, width * 0.85) + HISTOGRAM}
        margin={{ bottom: 42 + HISTOGRAM }}
      >
        {area => <Diagram area={area} axis={axis} scores={scores} />}
      </Chart>
    </Figure>
  )
}

type Scores = ReturnType<typeof scoresOf>

function Diagram({ area, axis, scores }: { area: Area; axis: AxisKind; scores: Scores }) {
  const [x, y] = scalesOf(area, axis, scores)
  const inner = { ...area, height: area.height - HISTOGRAM }
  return (
    <>
      <Axes area={inner} x={x} y={y} xLabel="score" yLabel="outcomes, mean label" />
      <line class="truth" x1={x(x.domain[0])} y1={y(x.domain[0])} x2={x(x.domain[1])} y2={y(x.domain[1])} />
      {scores.map(({ score, side }) => (
        <Curve key={side} side={side} bins={binsOf(score, axis)} x={x} y={y} />
      ))}
      <Counts area={area} axis={axis} scores={scores} x={x} />
      <PickBin area={area} axis={axis} scores={scores} x={x} y={y} />
    </>
  )
}

const binsOf = ({ reliability }: ScoreEvidence, axis: AxisKind): readonly ReliabilityBin[] =>
  axis === 'logit' ? reliability.logitBins : reliability.bins

/** Both axes alike, so that the diagonal is the truth. The logit scale begins where the scores do. */
function scalesOf(area: Area, axis: AxisKind, scores: Scores): [Scale, Scale] {
  if (axis === 'plain') {
    return [linearScale([0, 1], [area.left, area.right], 5), linearScale([0, 1], [area.bottom, area.top], 5)]
  }
  const bins = scores.flatMap(({ score }) => binsOf(score, axis))
  const means = bins.flatMap(({ meanLabel, meanPrediction }) => [meanPrediction, meanLabel.value])
  const logits = means.filter(mean => mean > 0 && mean < 1).map(mean => Math.log(mean / (1 - mean)))
  const [low, high] = spanOf(logits.length === 0 ? [0] : logits, 0).map(
    (end, side) => 1 / (1 + Math.exp(-end - (side === 0 ? -LOGIT_ROOM : LOGIT_ROOM))),
  )
  return [logitScale([low, high], [area.left, area.right]), logitScale([low, high], [area.bottom, area.top])]
}

/** Bins without rows leave no mark; the line goes on only between neighbours. */
function Curve({ bins, side, x, y }: { bins: readonly ReliabilityBin[]; side: Side; x: Scale; y: Scale }) {
  const within = (value: number) => inside(value, y)
  const points = bins.map(
    ({ meanLabel, meanPrediction }) => [x(within(meanPrediction)), y(within(meanLabel.value))] as const,
  )
  return (
    <g>
      <path class={`line ${side}`} d={linePath(points)} />
      {bins.map((bin, index) => (
        <g key={bin.from}>
          <line
            class={`whisker ${side}`}
            x1={points[index][0]}
            x2={points[index][0]}
            y1={y(within(bin.meanLabel.low))}
            y2={y(within(bin.meanLabel.high))}
          />
          <Mark side={side} x={points[index][0]} y={points[index][1]} />
        </g>
      ))}
    </g>
  )
}

const inside = (value: number, { domain: [low, high] }: Scale): number => Math.min(high, Math.max(low, value))

interface PickProps {
  readonly area: Area
  readonly axis: AxisKind
  readonly scores: Scores
  readonly x: Scale
  readonly y: Scale
}

function PickBin({ area, axis, scores, x, y }: PickProps) {
  const bins = scores.flatMap(({ score, side }) =>
    binsOf(score, axis).map(bin => ({
      x: x(inside(bin.meanPrediction, y)),
      y: y(inside(bin.meanLabel.value, y)),
      words: `${scores.length > 1 ? `${side}: ` : ''}${binWords(bin)}`,
    })),
  )
  return (
    <Nearest
      name="reliability-marks"
      label="Scores and what their outcomes are"
      area={area}
      marks={bins}
      wordsOf={index => bins[index].words}
    />
  )
}

const binWords = ({ meanLabel, meanPrediction, rowCount }: ReliabilityBin): string =>
  `scores around ${decimal(meanPrediction)}: outcomes ${decimal(meanLabel.value)} (${range(meanLabel.low, meanLabel.high)}), ${count(rowCount)} rows`

/** Rows per bin, one strip for each score, in the room under the axis. */
function Counts({ area, axis, scores, x }: { area: Area; axis: AxisKind; scores: Scores; x: Scale }) {
  const top = area.bottom + 44
  const tall = (HISTOGRAM - 10) / scores.length
  return (
    <g>
      {scores.map(({ score, side }, strip) => {
        const bars = barsOf(score, axis, x)
        const most = Math.max(1, ...bars.map(({ rows }) => rows))
        return bars.map(({ from, rows, to }) => (
          <rect
            key={`${side}${from}`}
            class={`bar ${side}`}
            x={x(from) + 0.5}
            width={Math.max(0.5, x(to) - x(from) - 1)}
            y={top + (strip + 1) * tall - (rows / most) * (tall - 3)}
            height={(rows / most) * (tall - 3)}
          />
        ))
      })}
      <text class="tick" x={area.left - 6} y={top + (HISTOGRAM - 10) / 2} dy="0.32em" text-anchor="end">
        rows
      </text>
    </g>
  )
}

function barsOf({ reliability }: ScoreEvidence, axis: AxisKind, x: Scale) {
  const [low, high] = x.domain
  if (axis === 'plain') {
    const { histogram } = reliability
    return histogram.map((rows, bin) => ({
      from: bin / histogram.length,
      to: (bin + 1) / histogram.length,
      rows,
    }))
  }
  return reliability.logitBins.flatMap(({ from, rowCount, to }) =>
    to <= low || from >= high
      ? []
      : [{ from: Math.max(low, from), to: Math.min(high, Math.max(to, from)), rows: rowCount }],
  )
}

function readingOf({ after, before }: Evidence): string {
  const [worst] = shownBins(before).toSorted((a, b) => missOf(b) - missOf(a))
  if (worst === undefined) return 'There are no rows to show.'
  const now =
    after === undefined
      ? ''
      : ` After the correction the largest such distance is ${decimal(largestMiss(after))}.`
  return `On the diagonal a score of 0.3 means 30 outcomes in 100. Scores around ${decimal(worst.meanPrediction, 2)} are farthest from it: outcomes average ${decimal(worst.meanLabel.value)} on ${plural(worst.rowCount, 'row')}.${now} Whiskers are ${Math.round(100 * before.reliability.confidence)} % intervals; bins without rows stay empty.`
}

/** On the scale that is shown at first. */
const shownBins = ({ reliability }: Pick<ScoreEvidence, 'reliability'>): readonly ReliabilityBin[] =>
  reliability.rare ? reliability.logitBins : reliability.bins

const missOf = ({ meanLabel, meanPrediction }: ReliabilityBin): number =>
  Math.abs(meanLabel.value - meanPrediction) * Math.sqrt(meanLabel.high - meanLabel.low < 0.5 ? 1 : 0)

const largestMiss = ({ reliability }: ScoreEvidence): number =>
  Math.max(0, ...shownBins({ reliability }).map(missOf))
