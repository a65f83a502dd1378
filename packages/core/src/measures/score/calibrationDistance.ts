// Distance to calibration (Błasiok, Gopalan, Hu and Nakkiran 2023): how far, on average over the rows, the nearest perfectly calibrated
// score is from this one. It cannot be had exactly from scores and outcomes; it lies between two numbers that can.
//
// At least: half the smooth calibration error. For a calibrated g and a function h of that kind, E[h(g) (y - g)] = 0, so
// E[h(f) (y - f)] = E[(h(f) - h(g)) (y - f)] + E[h(g) (g - f)], and both terms are at most E|f - g|.
//
// At most: the distance to the nearest score that predicts one number on each of some intervals of this one, the mean label there.
// Such a score is calibrated. The best intervals are found by dynamic programming.

import { shareSteps } from './bins.ts'
import { smoothCalibrationError } from './smoothCalibration.ts'
import type { Steps } from './steps.ts'

export interface CalibrationDistance {
  readonly atLeast: number
  readonly atMost: number
}

/** Intervals begin and end between runs of scores of about equal weight, of which there are at most so many. */
const RUNS = 1000

export const calibrationDistance = (steps: Steps): CalibrationDistance => ({
  atLeast: smoothCalibrationError(steps) / 2,
  atMost: intervalDistance(steps, RUNS),
})

/** Exact over all intervals where there are no more distinct scores than runs; else a little above. */
export function intervalDistance(steps: Steps, runs: number): number {
  const edges = edgesOf(steps, runs)
  const costOf = costs(steps)
  const best = new Float64Array(edges.length)
  for (let end = 1; end < edges.length; end++) {
    let least = Number.POSITIVE_INFINITY
    for (let start = 0; start < end; start++)
      least = Math.min(least, best[start] + costOf(edges[start], edges[end]))
    best[end] = least
  }
  return Math.min(1, best[best.length - 1] / steps.weight)
}

/** The first step of every run, and the end of the last. */
function edgesOf({ predictions, stepWeights }: Steps, runs: number): number[] {
  const count = predictions.length
  if (count <= runs) return Array.from({ length: count + 1 }, (_, step) => step)
  const ofStep = shareSteps(stepWeights, runs)
  const edges = [0]
  for (let step = 1; step < count; step++) if (ofStep[step] !== ofStep[step - 1]) edges.push(step)
  return [...edges, count]
}

/** Of the steps from start up to end: the sum of weight times distance of the score from their mean label. */
function costs({ predictions, stepLabels, stepWeights }: Steps): (start: number, end: number) => number {
  const running = (numberOf: (step: number) => number) => {
    const sums = new Float64Array(predictions.length + 1)
    for (let step = 0; step < predictions.length; step++) sums[step + 1] = sums[step] + numberOf(step)
    return sums
  }
  const weights = running(step => stepWeights[step])
  const labels = running(step => stepLabels[step])
  const scores = running(step => stepWeights[step] * predictions[step])
  return (start, end) => {
    const weight = weights[end] - weights[start]
    const mean = (labels[end] - labels[start]) / weight
    let [low, high] = [start, end]
    while (low < high) {
      const middle = (low + high) >> 1
      if (predictions[middle] < mean) low = middle + 1
      else high = middle
    }
    const below = mean * (weights[low] - weights[start]) - (scores[low] - scores[start])
    const above = scores[end] - scores[low] - mean * (weights[end] - weights[low])
    return Math.max(0, below + above)
  }
}
