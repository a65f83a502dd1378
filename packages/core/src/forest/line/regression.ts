// Logistic regression of the label on the logit of the score: the loss and its derivatives from points, and the update that
// its coefficients make. Exponentials and logarithms are those of common/logistic.ts, the same to the bit everywhere.

import { clipStep, expOfStep, lnOfUnits, MAX_SCALE, MAX_STEP } from '../../common/logistic.ts'
import { ONE } from '../../common/units.ts'
import type { ForestTree, ForestUpdate } from '../../update/update.ts'

/** Scores of 0 and 1 have no logit: they count as one unit away. */
export const NEAREST = 1

export const insideUnits = (units: number): number => Math.max(NEAREST, Math.min(ONE - NEAREST, units))

/** The chance that a logit stands for. */
export const chanceOf = (logit: number): number => 1 / (1 + expOfStep(clipStep(-logit * ONE)))

/** ln(1 + e^z), the log loss of a label 0 at the logit z. */
const softplus = (z: number): number =>
  Math.max(z, 0) + lnOfUnits((1 + expOfStep(clipStep(-Math.abs(z) * ONE))) * ONE)

/** The rows as a regression sees them: logit, weight and mean label at each score. Weights are shares of the whole, so that a loss is a mean. */
export interface LogitPoints {
  readonly logit: Float64Array
  readonly weight: Float64Array
  readonly mean: Float64Array
}

/** The mean log loss of chances with these logits, and its derivatives by each logit, weighted. */
export function logLossAt({ mean, weight }: LogitPoints, logits: (index: number) => number) {
  let value = 0
  const [first, second] = [new Float64Array(weight.length), new Float64Array(weight.length)]
  for (let index = 0; index < weight.length; index++) {
    const z = logits(index)
    const chance = chanceOf(z)
    value += weight[index] * (softplus(z) - mean[index] * z)
    first[index] = weight[index] * (chance - mean[index])
    second[index] = weight[index] * chance * (1 - chance)
  }
  return { value, first, second }
}

/** The logit becomes slope * logit + the sum of all trees, whose steps are logits here. */
export function affineUpdates(
  slope: number,
  trees: readonly { readonly tree: ForestTree['tree']; readonly steps: readonly number[] }[],
  clip = NEAREST,
): ForestUpdate[] {
  const scale = Math.round(Math.max(-MAX_SCALE, Math.min(MAX_SCALE, slope * ONE))) + 0
  const farthest = trees.reduce((sum, { steps }) => sum + Math.max(...steps.map(Math.abs)), 0)
  const planted = (divisor: number) =>
    trees.map(({ steps, tree }) => ({ tree, steps: stepUnits(steps, divisor) }))
  // One update scales what its steps have added. A slope near 0 would ask for steps without bound: then it comes first.
  if (farthest * ONE <= MAX_STEP * (Math.abs(scale) / ONE))
    return [{ kind: 'forest', clip, trees: planted(scale / ONE), scale }]
  return [
    { kind: 'forest', clip, trees: [], scale },
    { kind: 'forest', clip: NEAREST, trees: planted(1) },
  ]
}

const stepUnits = (steps: readonly number[], divisor: number): number[] =>
  steps.map(step => clipStep(Math.round((step / divisor) * ONE)) + 0)
