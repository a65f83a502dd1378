// Error against the number of bins K, and what rounding to the chosen K does to the score.

import type { Evidence } from '@featureboost/core'
import type { RoundedLevel, RoundingPoint } from '@featureboost/core/internal'
import { useId, useState } from 'preact/hooks'
import { Axes, bandPath, Chart, linePath } from '../chart/Chart.tsx'
import { Legend, Mark, type Side } from '../chart/marks.tsx'
import { Nearest } from '../chart/Nearest.tsx'
import { linearScale, logScale, plainNumber, type Scale } from '../chart/scale.ts'
import { Figure } from '../Figure.tsx'
import { count, decimal, range } from '../format.ts'
import { type SidedScore, scoresOf } from './sides.ts'

export function Rounding({ evidence }: { evidence: Evidence }) {
  const scores = scoresOf(evidence)
  const sizes = sizesOf(scores)
  const [place, setPlace] = useState(() => startOf(evidence, sizes))
  const id = useId()
  const bins = sizes[Math.min(place, sizes.length - 1)]
  const reading = readingOf(evidence, scores, bins)
  return (
    <Figure id="rounding" title="Error against bins" reading={reading} wide>
      <Legend sides={scores.map(({ score, side }) => ({ side, name: score.name }))} />
      <div class="slider">
        <label for={id}>
          Round the score to <b>{bins}</b> {bins === 1 ? 'bin' : 'bins'}
        </label>
        <input
          id={id}
          type="range"
          min={0}
          max={sizes.length - 1}
          step={1}
          value={place}
          aria-valuetext={`${bins} bins`}
          onInput={event => setPlace(Number(event.currentTarget.value))}
        />
      </div>
      <div class="pair">
        <ErrorChart
          scores={scores}
          bins={bins}
          description={reading}
          onChoose={chosen => setPlace(sizes.indexOf(chosen))}
        />
        <StairsChart scores={scores} bins={bins} />
      </div>
    </Figure>
  )
}

/** K that every score was measured with. */
function sizesOf(scores: readonly SidedScore[]): number[] {
  const lists = scores.map(({ score }) => score.curve.points.map(point => point.bins))
  return lists[0].filter(bins => lists.every(list => list.includes(bins)))
}

function startOf({ after, before, certificate }: Evidence, sizes: readonly number[]): number {
  const wanted = (after ?? before).curve.supportedBins ?? certificate?.bins ?? 10
  const place = sizes.indexOf(wanted)
  return place < 0 ? Math.floor(sizes.length / 2) : place
}

const pointAt = ({ score }: SidedScore, bins: number): RoundingPoint =>
  score.curve.points.find(point => point.bins === bins)!

interface ChartProps {
  readonly scores: readonly SidedScore[]
  readonly bins: number
}

interface ErrorProps extends ChartProps {
  readonly description: string
  readonly onChoose: (bins: number) => void
}

function ErrorChart({ bins, description, onChoose, scores }: ErrorProps) {
  const sizes = sizesOf(scores)
  const latest = scores[scores.length - 1]
  const errors = scores.flatMap(({ score, side }) =>
    score.curve.points.flatMap(point => (sizes.includes(point.bins) ? [{ point, side }] : [])),
  )
  const highest = Math.max(
    0.01,
    ...scores.flatMap(({ score }) => score.curve.points.map(({ error, high }) => Math.min(1, high ?? error))),
  )
  return (
    <Chart name="Error against bins" description={description} role="group" height={300}>
      {area => {
        const x = logScale(
          [Math.max(0.9, sizes[0] * 0.9), sizes[sizes.length - 1] * 1.1],
          [area.left, area.right],
          plainNumber,
        )
        const y = linearScale([0, highest * 1.05], [area.bottom, area.top], 5)
        return (
          <>
            <path class="noise" d={bandPath(edge(latest, 'high', x, y), edge(latest, 'low', x, y))} />
            <Axes area={area} x={x} y={y} xLabel="bins K" yLabel="multicalibration error" />
            <line class="cursor" x1={x(bins)} x2={x(bins)} y1={area.top} y2={area.bottom} />
            {scores.map(sided => (
              <g key={sided.side}>
                <path
                  class={`line ${sided.side}`}
                  d={linePath(sided.score.curve.points.map(({ bins: at, error }) => [x(at), y(error)]))}
                />
                <Mark side={sided.side} x={x(bins)} y={y(pointAt(sided, bins).error)} />
              </g>
            ))}
            <Nearest
              name="error-marks"
              label="Errors by the number of bins"
              area={area}
              by="x"
              marks={errors.map(({ point }) => ({ x: x(point.bins), y: y(point.error) }))}
              wordsOf={index => errorWords(errors[index], scores.length > 1)}
              chosen={errors.findIndex(({ point, side }) => point.bins === bins && side === latest.side)}
              onChoose={index => onChoose(errors[index].point.bins)}
            />
          </>
        )
      }}
    </Chart>
  )
}

function errorWords({ point, side }: { point: RoundingPoint; side: Side }, isTwo: boolean): string {
  const { bins, error, high, low } = point
  const onNew =
    low === undefined || high === undefined ? '' : `; on new rows ${range(low, Math.min(1, high), 4)}`
  return `${isTwo ? `${side}: ` : ''}${bins} ${bins === 1 ? 'bin' : 'bins'}: error ${decimal(error, 4)}${onNew}`
}

/** One side of the interval that holds the error on new rows. */
function edge(
  { score }: SidedScore,
  side: 'low' | 'high',
  x: Scale,
  y: Scale,
): (readonly [number, number])[] {
  return score.curve.points.flatMap(({ bins, [side]: value }) =>
    value === undefined ? [] : [[x(bins), y(Math.min(1, value))] as const],
  )
}

type Stair = RoundedLevel & { readonly side: Side; readonly most: number }

function stepsOf(sided: SidedScore, bins: number): Stair[] {
  const { levels } = pointAt(sided, bins)
  const most = Math.max(...levels.map(({ weight }) => weight))
  return levels.map(level => ({ ...level, side: sided.side, most }))
}

const stepWords = ({ from, meanLabel, side, to, value, weight }: Stair): string =>
  `${side}: scores ${decimal(from)} to ${decimal(to)} become ${decimal(value)}; outcomes ${decimal(meanLabel)} on ${count(weight)} rows`

/** Each step is a bin: its height is what scores in it become, the mark what happened to their rows. */
function StairsChart({ bins, scores }: ChartProps) {
  const description = `What scores become when they are rounded to ${bins} bins, and the mean outcome of each bin.`
  const steps = scores.flatMap(sided => stepsOf(sided, bins))
  return (
    <Chart name="Rounded scores" description={description} role="group" height={300}>
      {area => {
        const x = linearScale([0, 1], [area.left, area.right], 5)
        const y = linearScale([0, 1], [area.bottom, area.top], 5)
        return (
          <>
            <Axes area={area} x={x} y={y} xLabel="score" yLabel="rounded score (step), outcomes (mark)" />
            <line class="truth" x1={x(0)} y1={y(0)} x2={x(1)} y2={y(1)} />
            {steps.map(({ from, meanLabel, most, side, to, value, weight }) => (
              <g key={`${side}${from}`}>
                <line class={`line ${side}`} x1={x(from)} x2={x(to)} y1={y(value)} y2={y(value)} />
                <Mark
                  side={side}
                  x={x((from + to) / 2)}
                  y={y(meanLabel)}
                  r={2 + 3 * Math.sqrt(weight / most)}
                />
              </g>
            ))}
            <Nearest
              name="step-marks"
              label="Bins and what their scores become"
              area={area}
              marks={steps.map(({ from, meanLabel, to }) => ({ x: x((from + to) / 2), y: y(meanLabel) }))}
              wordsOf={index => stepWords(steps[index])}
            />
          </>
        )
      }}
    </Chart>
  )
}

function readingOf({ after, before }: Evidence, scores: readonly SidedScore[], bins: number): string {
  const [old, now] = scores.map(sided => pointAt(sided, bins).error)
  const supported = (after ?? before).curve.supportedBins
  const advice =
    supported === undefined
      ? ' These rows are too few to support any rounding by that band.'
      : ` These rows support up to ${supported} ${supported === 1 ? 'bin' : 'bins'}: with more, they could not tell neighbouring bins apart.`
  const error = now === undefined ? decimal(old, 4) : `${decimal(old, 4)} before and ${decimal(now, 4)} after`
  return `Rounded to ${bins} ${bins === 1 ? 'bin' : 'bins'}, the worst group and level is off by ${error} (weighed by its share of rows). The shaded band holds ${now === undefined ? 'its' : "the latter's"} value on new rows with ${Math.round(100 * (after ?? before).curve.confidence)} % confidence, for all K at once.${advice}`
}
