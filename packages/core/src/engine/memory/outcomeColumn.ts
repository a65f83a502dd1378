// Fills the columns of an outcome: what stands for the label, row by row, and squared weights. Plain loops.

import { centredLabel, drawnLabel, type Outcome, squareWeight, varianceOf } from '../outcome.ts'

/** `columns`: label, prediction, key and outcome, as positions in `ints`. */
export function fillOutcomes(
  ints: Int32Array,
  from: number,
  to: number,
  columns: readonly number[],
  outcome: Exclude<Outcome, { kind: 'label' }>,
): void {
  const [label, prediction, key, into] = columns
  for (let row = from; row < to; row++)
    ints[into + row] = standIn(outcome, ints[label + row], ints[prediction + row], ints[key + row])
}

function standIn(
  outcome: Exclude<Outcome, { kind: 'label' }>,
  label: number,
  prediction: number,
  key: number,
): number {
  if (outcome.kind === 'drawn') return drawnLabel(outcome.noise, prediction, key, outcome.draw)
  if (outcome.kind === 'centred') return centredLabel(outcome.noise, label, prediction)
  return prediction + varianceOf(outcome.noise, label, prediction)
}

export function squareWeights(
  ints: Int32Array,
  from: number,
  to: number,
  weight: number,
  into: number,
  shift: number,
): void {
  for (let row = from; row < to; row++) ints[into + row] = squareWeight(ints[weight + row], shift)
}
