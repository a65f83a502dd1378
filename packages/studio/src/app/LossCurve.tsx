// The loss as a fit goes on, one line per fold or part, and the current step in words.

import { formatNumber } from '@featureboost/core/internal'
import type { Step } from '../worker/protocol.ts'

const WIDTH = 640
const HEIGHT = 200
const PAD = { left: 64, right: 96, top: 12, bottom: 28 }
/** More points than pixels cost time and show nothing. */
const MAX_POINTS = 240

/** There is at least one step. */
export function LossCurve({ steps: told }: { steps: readonly Step[] }) {
  const last = told[told.length - 1]
  const isForest = last.line.startsWith('part')
  const steps = isForest ? sinceFirst(told) : told
  const lines = groupLines(steps)
  const [low, high] = rangeOf(steps)
  const most = steps.reduce((max, { at }) => Math.max(max, at), 1)
  const x = (at: number) => PAD.left + ((WIDTH - PAD.left - PAD.right) * at) / most
  const y = (loss: number) => PAD.top + ((HEIGHT - PAD.top - PAD.bottom) * (high - loss)) / (high - low || 1)
  return (
    <figure class="curve">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`Loss by ${isForest ? 'tree' : 'round'}: ${formatNumber(last.loss)} at ${last.at}`}
      >
        {[high, (low + high) / 2, low].map(loss => (
          <g key={loss}>
            <line class="grid" x1={PAD.left} x2={WIDTH - PAD.right} y1={y(loss)} y2={y(loss)} />
            <text x={PAD.left - 6} y={y(loss)} class="tick" text-anchor="end" dominant-baseline="middle">
              {formatNumber(loss, isForest ? 2 : 4)}
            </text>
          </g>
        ))}
        {[...lines].map(([line, points], index) => {
          const end = points[points.length - 1]
          const shown = thin(points)
          return (
            <g key={line} class={`line line-${index % 2}`}>
              <polyline
                points={shown.map(({ at, loss }) => `${x(at).toFixed(1)},${y(loss).toFixed(1)}`).join(' ')}
              />
              <circle cx={x(end.at)} cy={y(end.loss)} r="3" />
              {lines.size <= 3 && (
                <text x={x(end.at) + 6} y={y(end.loss)} class="tick" dominant-baseline="middle">
                  {line}
                </text>
              )}
            </g>
          )
        })}
        <text x={(PAD.left + WIDTH - PAD.right) / 2} y={HEIGHT - 4} class="tick" text-anchor="middle">
          {isForest ? `trees (up to ${most})` : `rounds (${most} so far)`}
        </text>
      </svg>
      <figcaption>
        <span class="code">{last.words}</span>
        <span class="hint">
          {isForest
            ? 'Each line is one part of the cross-fit: how the log loss of rows that it does not learn from changed since its first tree. The line falls while trees help; the number of trees that is best over all parts is kept.'
            : 'The mean squared error after each round. When held-out rows stop gaining, the fit ends and the best round is kept.'}
        </span>
      </figcaption>
    </figure>
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

function rangeOf(steps: readonly Step[]): [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { loss } of steps) {
    low = Math.min(low, loss)
    high = Math.max(high, loss)
  }
  return [low, high]
}

const thin = (points: readonly Step[]): readonly Step[] => {
  const every = Math.ceil(points.length / MAX_POINTS)
  return every <= 1 ? points : points.filter((_, index) => index % every === 0 || index === points.length - 1)
}
