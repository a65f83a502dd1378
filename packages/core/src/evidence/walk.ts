// The cumulative difference plot: residuals summed over rows in the order of their scores. A stretch that climbs is where
// scores are too low, one that falls where they are too high, and its slope is by how much.

import type { Ecce } from '../measures/score/ecce.ts'
import type { Steps } from '../measures/score/steps.ts'
import { shorten } from './caps.ts'
import type { Walk, WalkPoint } from './evidence.ts'

/** Stretches of equal weight; of each, the first, the highest and the lowest point are kept. */
const STRETCHES = 150

export function walkOf(steps: Steps, { pValue, sigma, value }: Ecce): Walk {
  const { binary, predictions, residualSquares, residuals, stepWeightSquares, stepWeights, weight } = steps
  const points: WalkPoint[] = [{ share: 0, score: predictions[0], sum: 0, noise: 0 }]
  let stretch: WalkPoint[] = []
  let [passed, sum, variance, end] = [0, 0, 0, 1]
  for (let step = 0; step < predictions.length; step++) {
    const score = predictions[step]
    passed += stepWeights[step]
    sum += residuals[step]
    variance += binary ? stepWeightSquares[step] * score * (1 - score) : residualSquares[step]
    stretch.push({ share: passed / weight, score, sum: sum / weight, noise: Math.sqrt(variance) / weight })
    if (passed / weight < end / STRETCHES && step < predictions.length - 1) continue
    points.push(...extremes(stretch))
    stretch = []
    while (end / STRETCHES <= passed / weight) end++
  }
  return { points: points.map(shortenPoint), range: value, sigma, p: pValue }
}

/** Highest, lowest and last, in their order. */
function extremes(points: readonly WalkPoint[]): WalkPoint[] {
  let [high, low] = [0, 0]
  points.forEach(({ sum }, index) => {
    if (sum > points[high].sum) high = index
    if (sum < points[low].sum) low = index
  })
  const kept = new Set([high, low, points.length - 1])
  return [...kept].sort((a, b) => a - b).map(index => points[index])
}

const shortenPoint = ({ noise, score, share, sum }: WalkPoint): WalkPoint => ({
  share: shorten(share),
  score: shorten(score),
  sum: shorten(sum),
  noise: shorten(noise),
})
