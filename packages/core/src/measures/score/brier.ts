// The Brier score, E[(y - f)^2], and two decompositions that add up exactly.
//
// On distinct predictions (Murphy): score = reliability - resolution + uncertainty. With every prediction its own level
// this is exact but reads noise as reliability and resolution where few rows share a prediction.
// On bins (Stephenson, Coelho and Jolliffe): score = reliability - resolution + uncertainty + withinVariance -
// withinCovariance; the last two say what merging predictions into bins hides, and without them nothing adds up.
// For labels that are not 0 or 1, uncertainty is the variance of y.

import { type Bins, sumByBin } from './bins.ts'
import { meanOf, type SmoothMeasure } from './interval.ts'
import { type Steps, sumOf } from './steps.ts'

export interface BrierParts {
  /** E[(f - E[y|f])^2]: 0 if predictions are right on average at every level. */
  readonly reliability: number
  /** E[(E[y|f] - E[y])^2]: how far apart predictions set the outcomes. */
  readonly resolution: number
  /** Var(y). */
  readonly uncertainty: number
}

export interface BinnedBrierParts extends BrierParts {
  /** Variance of predictions within bins. */
  readonly withinVariance: number
  /** Twice the covariance of predictions and labels within bins. */
  readonly withinCovariance: number
}

export function brierScore(steps: Steps): SmoothMeasure {
  const losses = new Float64Array(steps.labels.length)
  eachRow(steps, (index, prediction) => {
    losses[index] = (steps.labels[index] - prediction) ** 2
  })
  return meanOf(steps, losses)
}

/** Var(y), with the influence value (y - mean)^2 - Var(y). */
export function labelVariance(steps: Steps): SmoothMeasure {
  const mean = meanLabel(steps)
  return meanOf(
    steps,
    steps.labels.map(label => (label - mean) ** 2),
  )
}

export function brierParts(steps: Steps): BrierParts {
  const mean = meanLabel(steps)
  let [reliability, resolution] = [0, 0]
  for (let step = 0; step < steps.predictions.length; step++) {
    const weight = steps.stepWeights[step]
    reliability += steps.residuals[step] ** 2 / weight
    resolution += weight * (steps.stepLabels[step] / weight - mean) ** 2
  }
  return {
    reliability: reliability / steps.weight,
    resolution: resolution / steps.weight,
    uncertainty: labelVariance(steps).value,
  }
}

export function binnedBrierParts(steps: Steps, bins: Bins): BinnedBrierParts {
  const weights = sumByBin(bins, steps.stepWeights)
  const residuals = sumByBin(bins, steps.residuals)
  const labels = sumByBin(bins, steps.stepLabels)
  const mean = meanLabel(steps)
  let [reliability, resolution] = [0, 0]
  weights.forEach((weight, bin) => {
    if (weight === 0) return
    reliability += residuals[bin] ** 2 / weight
    resolution += weight * (labels[bin] / weight - mean) ** 2
  })
  return {
    reliability: reliability / steps.weight,
    resolution: resolution / steps.weight,
    uncertainty: labelVariance(steps).value,
    ...withinBins(steps, bins, weights, labels),
  }
}

/** Deviations from the means of the bin, so that nothing cancels. */
function withinBins(steps: Steps, bins: Bins, weights: Float64Array, labels: Float64Array) {
  const products = steps.predictions.map((prediction, step) => prediction * steps.stepWeights[step])
  const predictions = sumByBin(bins, products)
  let [variance, covariance] = [0, 0]
  for (let step = 0; step < steps.predictions.length; step++) {
    const bin = bins.ofStep[step]
    const weight = steps.stepWeights[step]
    const deviation = steps.predictions[step] - predictions[bin] / weights[bin]
    variance += weight * deviation ** 2
    covariance += deviation * (steps.stepLabels[step] - (weight * labels[bin]) / weights[bin])
  }
  return { withinVariance: variance / steps.weight, withinCovariance: (2 * covariance) / steps.weight }
}

function meanLabel({ stepLabels, weight }: Steps): number {
  return sumOf(stepLabels) / weight
}

/** Visits rows in canonical order with the prediction of their step. */
export function eachRow(steps: Steps, visit: (index: number, prediction: number) => void): void {
  for (let step = 0; step < steps.predictions.length; step++) {
    const prediction = steps.predictions[step]
    for (let index = steps.starts[step]; index < steps.starts[step + 1]; index++) visit(index, prediction)
  }
}
