// Bins of predictions, for ECE, the reliability diagram and the binned Brier parts. Bins never part equal predictions.

import { type Steps, sumOf } from './steps.ts'

export interface Bins {
  /** The bin of each step, ascending. */
  readonly ofStep: Uint32Array
  readonly count: number
}

/** [0,1/K), ..., [(K-1)/K, 1], as in Definition 2.4. */
export function equalWidthBins(steps: Steps, count: number): Bins {
  const { predictions } = steps
  const ofStep = new Uint32Array(predictions.length)
  for (let step = 0; step < ofStep.length; step++) {
    ofStep[step] = Math.min(count - 1, Math.floor(predictions[step] * count))
  }
  return { ofStep, count }
}

/** A step goes where the middle of its weight lies among K equal shares. Heavy ties leave some bins empty. */
export const equalMassBins = (steps: Steps, count: number): Bins => ({
  ofStep: shareSteps(steps.stepWeights, count),
  count,
})

/** Cuts a row of non-negative masses into `count` runs of about equal mass: the run of each entry. */
export function shareSteps(masses: Float64Array, count: number): Uint32Array {
  const runs = new Uint32Array(masses.length)
  const total = sumOf(masses)
  let before = 0
  for (let index = 0; index < runs.length; index++) {
    const middle = before + masses[index] / 2
    before += masses[index]
    runs[index] = total > 0 ? Math.min(count - 1, Math.floor((count * middle) / total)) : 0
  }
  return runs
}

/** Sums of a quantity of the steps, one for each bin. */
export function sumByBin({ ofStep, count }: Bins, values: Float64Array): Float64Array {
  const sums = new Float64Array(count)
  for (let step = 0; step < ofStep.length; step++) sums[ofStep[step]] += values[step]
  return sums
}
