// The loss as a fit goes on, one line per fold or part, and the current step in words.

import { Axes, Chart, linePath } from '../views/chart/Chart.tsx'
import { linearScale, spanOf } from '../views/chart/scale.ts'
import type { Step } from '../worker/protocol.ts'

/** More points than pixels cost time and show nothing. */
const MAX_POINTS = 240
/** Room for the names of lines behind their ends. */
const NAMES = 96

const WORDS = {
  forest: {
    x: 'trees',
    y: 'log loss since the first tree',
    reading:
      'Each line is one part of the cross-fit: how the log loss of rows that it does not learn from changed since its first tree. The line falls while trees help; the number of trees that is best over all parts is kept.',
  },
  rounds: {
    x: 'rounds',
    y: 'mean squared error',
    reading:
      'The mean squared error after each round. When held-out rows stop gaining, the fit ends and the best round is kept.',
  },
}

/** There is at least one step. */
export function LossCurve({ steps: told }: { steps: readonly Step[] }) {
  const last = told[told.length - 1]
  const isForest = last.line.startsWith('part')
  const steps = isForest ? sinceFirst(told) : told
  const lines = groupLines(steps)
  const { reading, x: xLabel, y: yLabel } = WORDS[isForest ? 'forest' : 'rounds']
  const most = steps.reduce((max, { at }) => Math.max(max, at), 1)
  const isNamed = lines.size <= 3
  return (
    <section class="card curve evidence" aria-label="The fit, step by step">
      <Chart
        name="Loss of the fit"
        description={`${reading} Last: ${last.words}`}
        height={220}
        margin={{ left: 68, ...(isNamed && { right: NAMES }) }}
      >
        {area => {
          const x = linearScale([0, most], [area.left, area.right])
          const y = linearScale(spanOf(steps.map(({ loss }) => loss)), [area.bottom, area.top], 4)
          return (
            <>
              <Axes area={area} x={x} y={y} xLabel={xLabel} yLabel={yLabel} />
              {[...lines].map(([line, points], index) => {
                const end = points[points.length - 1]
                return (
                  <g key={line} class={`line line-${index % 2}`}>
                    <path d={linePath(thin(points).map(({ at, loss }) => [x(at), y(loss)]))} />
                    <circle cx={x(end.at)} cy={y(end.loss)} r="3" />
                    {isNamed && (
                      <text x={x(end.at) + 6} y={y(end.loss)} class="tick" dy="0.32em">
                        {line}
                      </text>
                    )}
                  </g>
                )
              })}
            </>
          )
        }}
      </Chart>
      <p class="code">{last.words}</p>
      <p class="hint">{reading}</p>
    </section>
  )
}

/** Parts have other rows held apart, so their losses differ more from each other than they change. */
function sinceFirst(steps: readonly Step[]): Step[] {
  const firsts = new Map<string, number>()
  return steps.map(step => {
    if (!firsts.has(step.line)) firsts.set(step.line, step.loss)
    return { ...step, loss: step.loss - firsts.get(step.line)! }
  })
}

function groupLines(steps: readonly Step[]): Map<string, Step[]> {
  const lines = new Map<string, Step[]>()
  for (const step of steps) {
    const line = lines.get(step.line)
    if (line === undefined) lines.set(step.line, [step])
    else line.push(step)
  }
  // In the order of their names, so that a line keeps its look.
  return new Map([...lines].sort(([a], [b]) => (a < b ? -1 : 1)))
}

const thin = (points: readonly Step[]): readonly Step[] => {
  const every = Math.ceil(points.length / MAX_POINTS)
  return every <= 1 ? points : points.filter((_, index) => index % every === 0 || index === points.length - 1)
}
