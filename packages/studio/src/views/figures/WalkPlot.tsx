// The cumulative difference: labels less scores, summed over rows in the order of their scores.

import type { Evidence } from '@featureboost/core'
import type { WalkPoint } from '@featureboost/core/internal'
import { Axes, bandPath, Chart, linePath } from '../chart/Chart.tsx'
import { Legend, type Side } from '../chart/marks.tsx'
import { Nearest } from '../chart/Nearest.tsx'
import { linearScale, spanOf } from '../chart/scale.ts'
import { Figure } from '../Figure.tsx'
import { decimal, percent, pValue, signed } from '../format.ts'
import { scoresOf } from './sides.ts'

/** Of the noise: where a right score stays nineteen times in twenty, at any one place. */
const BAND = 2

export function WalkPlot({ evidence }: { evidence: Evidence }) {
  const scores = scoresOf(evidence)
  const reading = readingOf(evidence)
  const points = scores.flatMap(({ score, side }) => score.walk.points.map(point => ({ point, side })))
  const sums = scores.flatMap(({ score }) =>
    score.walk.points.flatMap(({ noise, sum }) => [sum, BAND * noise, -BAND * noise]),
  )
  return (
    <Figure id="walk" title="Cumulative difference" reading={reading}>
      <Legend sides={scores.map(({ score, side }) => ({ side, name: score.name }))} />
      <Chart
        name="Cumulative difference"
        description={reading}
        role="group"
        height={width => Math.min(460, width * 0.85)}
        margin={{ left: 64 }}
      >
        {area => {
          const x = linearScale([0, 1], [area.left, area.right], 5)
          const y = linearScale(spanOf(sums), [area.bottom, area.top], 5)
          const at = (value: (point: WalkPoint) => number) => (point: WalkPoint) =>
            [x(point.share), y(value(point))] as const
          return (
            <>
              {scores.map(({ score: { walk }, side }) => (
                <path
                  key={side}
                  class="noise"
                  d={bandPath(
                    walk.points.map(at(({ noise }) => BAND * noise)),
                    walk.points.map(at(({ noise }) => -BAND * noise)),
                  )}
                />
              ))}
              <Axes
                area={area}
                x={x}
                y={y}
                xLabel="share of rows, lowest scores first"
                yLabel="sum of label less score, per row"
              />
              <line class="truth" x1={area.left} x2={area.right} y1={y(0)} y2={y(0)} />
              {scores.map(({ score: { walk }, side }) => (
                <path key={side} class={`line ${side}`} d={linePath(walk.points.map(at(({ sum }) => sum)))} />
              ))}
              <Nearest
                name="walk-marks"
                label="Points of the curve, lowest scores first"
                area={area}
                by="x"
                marks={points.map(({ point }) => {
                  const [across, along] = at(({ sum }) => sum)(point)
                  return { x: across, y: along }
                })}
                wordsOf={index => wordsAt(points[index], scores.length > 1)}
              />
            </>
          )
        }}
      </Chart>
    </Figure>
  )
}

function wordsAt({ point, side }: { point: WalkPoint; side: Side }, isTwo: boolean): string {
  const { noise, score, share, sum } = point
  const band = `${decimal(BAND * noise, 4)} either way is the band of a right score`
  return `${isTwo ? `${side}: ` : ''}up to scores of ${decimal(score)}, ${percent(share)} of the rows: ${signed(sum, 4)} per row; ${band}`
}

function readingOf({ after, before }: Evidence): string {
  const now =
    after === undefined
      ? ''
      : ` After the correction: ${decimal(after.walk.range, 4)} (${pValue(after.walk.p)}).`
  return `Where the line climbs, scores are too low; where it falls, too high; a right score mostly stays in the shaded band. From its lowest to its highest point it spans ${decimal(before.walk.range, 4)} (${pValue(before.walk.p)}).${now}`
}
