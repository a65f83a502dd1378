// The loss as a fit goes on, one line per fold or part, and the current step in words.

import { formatNumber } from '@featureboost/core'
import type { Step } from '../worker/protocol.ts'

const WIDTH = 640
const HEIGHT = 200
const PAD = { left: 56, right: 96, top: 12, bottom: 28 }
/** More points than pixels cost time and show nothing. */
const MOST_POINTS = 240

export function LossCurve({ steps }: { steps: readonly Step[] }) {
  if (steps.length === 0) return <p class="hint">The curve of the loss appears with the first step.</p>
  const lines = groupLines(steps)
  const [low, high] = rangeOf(steps)
  const last = steps[steps.length - 1]
  const most = steps.reduce((max, { at }) => Math.max(max, at), 1)
  const x = (at: number) => PAD.left + ((WIDTH - PAD.left - PAD.right) * at) / most
  const y = (loss: number) => PAD.top + ((HEIGHT - PAD.top - PAD.bottom) * (high - loss)) / (high - low || 1)
  const isForest = last.line.startsWith('part')
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
              {formatNumber(loss)}
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
            ? 'Each line is one part of the cross-fit: the log loss of rows that this part does not learn from. It falls while trees still help.'
            : 'The mean squared error after each round. When held-out rows stop gaining, the fit ends and the best round is kept.'}
        </span>
      </figcaption>
    </figure>
  )
}

function groupLines(steps: readonly Step[]): Map<string, Step[]> {
  const lines = new Map<string, Step[]>()
  for (const step of steps) {
    const line = lines.get(step.line)
    if (line === undefined) lines.set(step.line, [step])
    else line.push(step)
  }
  return lines
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
  const every = Math.ceil(points.length / MOST_POINTS)
  return every <= 1 ? points : points.filter((_, index) => index % every === 0 || index === points.length - 1)
}
