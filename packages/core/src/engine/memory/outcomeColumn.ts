// Fills the columns of an outcome: what stands for the label, row by row, and squared weights. Plain loops.

import { drawnLabel, type Outcome, squareWeight, varianceOf } from '../outcome.ts'

/** `columns`: label, prediction, key and outcome, as positions in `ints`. */
export function fillOutcomes(
  ints: Int32Array,
  from: number,
  to: number,
  columns: readonly number[],
  outcome: Exclude<Outcome, { kind: 'label' }>,
): void {
  const [label, prediction, key, into] = columns
  const { noise } = outcome
  for (let row = from; row < to; row++) {
    const current = ints[prediction + row]
    ints[into + row] =
      outcome.kind === 'variance'
        ? current + varianceOf(noise, ints[label + row], current)
        : drawnLabel(noise, ints[label + row], current, ints[key + row], outcome.draw)
  }
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
