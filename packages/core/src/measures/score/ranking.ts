// How well predictions rank: the area under the ROC curve, and the average precision (PR-AUC).
//
// Labels between 0 and 1 are taken as fractions: a row is w y of a positive and w (1-y) of a negative. Without a positive
// or without a negative there is nothing to rank, and both are undefined.

import { type SmoothMeasure, unseenShare } from './interval.ts'
import type { Steps } from './steps.ts'

export interface RankingMeasure extends SmoothMeasure {
  /** Effective numbers of positives and negatives: (sum w y)^2 / sum (w y)^2. */
  readonly positives: number
  readonly negatives: number
  /** Share of positives. */
  readonly prevalence: number
}

interface Classes {
  readonly prevalence: number
  /** Weight of positives and negatives in all. */
  readonly positive: number
  readonly negative: number
  /** Effective numbers of rows. */
  readonly positives: number
  readonly negatives: number
}

/** P(a positive is ranked above a negative), ties counting half; influence values give the variance of DeLong. */
export function rocAuc(steps: Steps): RankingMeasure | undefined {
  const classes = countClasses(steps)
  if (classes === undefined) return undefined
  const { positive, negative } = classes
  const { stepLabels, stepWeights } = steps
  const [below, above] = [new Float64Array(stepLabels.length), new Float64Array(stepLabels.length)]
  let [positivesPassed, negativesPassed, area] = [0, 0, 0]
  for (let step = 0; step < stepLabels.length; step++) {
    const ones = stepLabels[step]
    const zeros = Math.max(0, stepWeights[step] - ones)
    below[step] = (negativesPassed + zeros / 2) / negative
    area += ones * below[step]
    positivesPassed += ones
    negativesPassed += zeros
    above[step] = (positive - positivesPassed + ones / 2) / positive
  }
  const value = Math.min(1, area / positive)
  return { ...classes, value, influence: rocInfluence(steps, classes, value, below, above) }
}

/**
 * psi = W (y (below - A) / P + (1-y) (above - A) / N), each class with its own n/(n-1): for labels of 0 and 1 and equal
 * weights the variance is exactly that of DeLong, DeLong and Clarke-Pearson.
 */
function rocInfluence(
  steps: Steps,
  { positive, negative, positives, negatives }: Classes,
  value: number,
  below: Float64Array,
  above: Float64Array,
): Float64Array {
  const influence = new Float64Array(steps.labels.length)
  const ofOne = (steps.weight / positive) * besselFactor(positives)
  const ofZero = (steps.weight / negative) * besselFactor(negatives)
  for (let step = 0; step < below.length; step++) {
    for (let index = steps.starts[step]; index < steps.starts[step + 1]; index++) {
      const label = steps.labels[index]
      influence[index] = label * ofOne * (below[step] - value) + (1 - label) * ofZero * (above[step] - value)
    }
  }
  return influence
}

/** Average precision as in scikit-learn: the mean, over positives, of the precision at their prediction; ties are one threshold. */
export function averagePrecision(steps: Steps): RankingMeasure | undefined {
  const classes = countClasses(steps)
  if (classes === undefined) return undefined
  const { stepLabels, stepWeights } = steps
  const precision = new Float64Array(stepLabels.length)
  // Sums over the steps at or below one: of ones / A and of ones T / A^2, with T the positives and A all rows at or above.
  const [inverse, ratio] = [new Float64Array(stepLabels.length), new Float64Array(stepLabels.length)]
  let [positivesAbove, above, sum] = [0, 0, 0]
  for (let step = stepLabels.length - 1; step >= 0; step--) {
    positivesAbove += stepLabels[step]
    above += stepWeights[step]
    precision[step] = Math.min(1, positivesAbove / above)
    sum += stepLabels[step] * precision[step]
    inverse[step] = stepLabels[step] / above
    ratio[step] = inverse[step] * precision[step]
  }
  for (let step = 1; step < stepLabels.length; step++) {
    inverse[step] += inverse[step - 1]
    ratio[step] += ratio[step - 1]
  }
  const value = Math.min(1, sum / classes.positive)
  return {
    ...classes,
    value,
    influence: precisionInfluence(steps, classes, value, precision, inverse, ratio),
  }
}

/**
 * A lower limit where every positive was ranked above every negative, so that nothing varies. With probability 1 - delta
 * all but a share p1 of positives lie above the lowest one seen, and at most a share p0 of negatives do (Clopper and
 * Pearson, delta/2 each side). The precision at a recall u is then at least u / (u + c), c = p0 (1-pi)/pi; integrated
 * over recalls up to 1 - p1. Here delta is half of 1 - confidence.
 */
export function perfectPrecisionLow(
  { positives, negatives, prevalence }: RankingMeasure,
  confidence: number,
): number {
  const half = (1 + confidence) / 2
  const recall = 1 - unseenShare(half, positives)
  const c = (unseenShare(half, negatives) * (1 - prevalence)) / prevalence
  return Math.max(0, recall - c * Math.log1p(recall / c))
}

/** psi = (W/P) (y (precision - AP) + y inverse - ratio): the derivative of AP in the weight of a row. */
function precisionInfluence(
  steps: Steps,
  { positive, positives }: Classes,
  value: number,
  precision: Float64Array,
  inverse: Float64Array,
  ratio: Float64Array,
): Float64Array {
  const influence = new Float64Array(steps.labels.length)
  const scale = (steps.weight / positive) * besselFactor(positives)
  for (let step = 0; step < precision.length; step++) {
    for (let index = steps.starts[step]; index < steps.starts[step + 1]; index++) {
      const gain = precision[step] - value + inverse[step]
      influence[index] = scale * (steps.labels[index] * gain - ratio[step])
    }
  }
  return influence
}

/** sqrt(n/(n-1)); NaN for a single row, whose spread nobody knows. */
const besselFactor = (count: number): number =>
  count > 1 + 1e-9 ? Math.sqrt(count / (count - 1)) : Number.NaN

function countClasses({ labels, weights }: Steps): Classes | undefined {
  let [positive, negative, positiveSquares, negativeSquares] = [0, 0, 0, 0]
  for (let index = 0; index < labels.length; index++) {
    const one = weights[index] * labels[index]
    const zero = weights[index] * (1 - labels[index])
    positive += one
    negative += zero
    positiveSquares += one * one
    negativeSquares += zero * zero
  }
  if (positive === 0 || negative === 0) return undefined
  return {
    positive,
    negative,
    positives: positive ** 2 / positiveSquares,
    negatives: negative ** 2 / negativeSquares,
    prevalence: positive / (positive + negative),
  }
}
