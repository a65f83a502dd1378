// The log loss, E[-y ln f - (1-y) ln(1-f)], natural logarithms.
//
// A row that is certain and wrong has an infinite loss, and one such row makes the mean infinite. As in scikit-learn,
// predictions are therefore clipped to [epsilon, 1 - epsilon] with the epsilon of doubles, 2^-52, unless another is
// given: a certain and wrong row then costs 36. With epsilon 0 nothing is clipped and the loss may be infinite.

import { eachRow } from './brier.ts'
import { meanOf, type SmoothMeasure } from './interval.ts'
import type { Steps } from './steps.ts'

const LOG_LOSS_EPSILON = 2 ** -52

/** Influence values are of no use (NaN or infinite) where the value is infinite. */
export function logLoss(steps: Steps, epsilon = LOG_LOSS_EPSILON): SmoothMeasure {
  const losses = new Float64Array(steps.labels.length)
  let [last, ofOne, ofZero] = [-1, 0, 0]
  eachRow(steps, (index, prediction) => {
    if (prediction !== last) {
      last = prediction
      ofOne = -Math.log(clip(prediction, epsilon))
      ofZero = -Math.log(clip(1 - prediction, epsilon))
    }
    losses[index] = blend(steps.labels[index], ofOne, ofZero)
  })
  return meanOf(steps, losses)
}

const clip = (probability: number, epsilon: number): number =>
  Math.min(1 - epsilon, Math.max(epsilon, probability))

/** y * ofOne + (1-y) * ofZero with 0 * infinity = 0. */
function blend(label: number, ofOne: number, ofZero: number): number {
  if (label === 1) return ofOne
  if (label === 0) return ofZero
  return label * ofOne + (1 - label) * ofZero
}
