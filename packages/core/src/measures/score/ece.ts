// ECE: the weighted mean, over bins of predictions, of |mean label - mean prediction|; and the bins themselves, which are
// the data of a reliability diagram.

import { type Bins, sumByBin } from './bins.ts'
import { normalMultiple } from './normal.ts'
import type { Estimate } from './scoredRows.ts'
import type { Steps } from './steps.ts'

export interface ReliabilityBin {
  /** The smallest and the largest prediction in the bin. */
  readonly from: number
  readonly to: number
  readonly rowCount: number
  readonly weight: number
  readonly meanPrediction: number
  /** Wilson's interval, for the bin as it is drawn. */
  readonly meanLabel: Estimate
}

/** Sum over bins of |sum of w (y - f)| / W. */
export function expectedCalibrationError(steps: Steps, bins: Bins): number {
  const residuals = sumByBin(bins, steps.residuals)
  return Math.min(1, residuals.reduce((sum, residual) => sum + Math.abs(residual), 0) / steps.weight)
}

/** Bins without rows are left out. */
export function reliabilityBins(steps: Steps, bins: Bins, confidence: number): ReliabilityBin[] {
  const found: ReliabilityBin[] = []
  for (let first = 0, end = 0; first < bins.ofStep.length; first = end) {
    while (end < bins.ofStep.length && bins.ofStep[end] === bins.ofStep[first]) end++
    found.push(describeBin(steps, first, end, confidence))
  }
  return found
}

function describeBin(steps: Steps, first: number, end: number, confidence: number): ReliabilityBin {
  const { starts, labels, weights, predictions, stepWeights } = steps
  let [weight, weightSquares, labelSum, predictionSum] = [0, 0, 0, 0]
  for (let index = starts[first]; index < starts[end]; index++) {
    weight += weights[index]
    weightSquares += weights[index] ** 2
    labelSum += weights[index] * labels[index]
  }
  for (let step = first; step < end; step++) predictionSum += stepWeights[step] * predictions[step]
  const mean = Math.min(1, labelSum / weight)
  let variance = 0
  for (let index = starts[first]; index < starts[end]; index++) {
    variance += (weights[index] * (labels[index] - mean) ** 2) / weight
  }
  return {
    from: predictions[first],
    to: predictions[end - 1],
    rowCount: starts[end] - starts[first],
    weight,
    meanPrediction: predictionSum / weight,
    meanLabel: wilson(mean, variance, weight ** 2 / weightSquares, confidence),
  }
}

/**
 * Wilson's score interval. Labels between 0 and 1 vary less than 0/1 labels of the same mean, and count as the larger
 * number of 0/1 rows whose mean would vary as little.
 */
function wilson(mean: number, variance: number, count: number, confidence: number): Estimate {
  const most = mean * (1 - mean)
  const rows = variance > 0 && variance < most ? (count * most) / variance : count
  const square = normalMultiple(confidence) ** 2 / rows
  const center = (mean + square / 2) / (1 + square)
  const reach = Math.sqrt(square * (most + square / 4)) / (1 + square)
  return {
    value: mean,
    low: Math.max(0, Math.min(mean, center - reach)),
    high: Math.min(1, Math.max(mean, center + reach)),
  }
}
