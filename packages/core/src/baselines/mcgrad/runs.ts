// Runs of MCGrad side by side: each on all rows but one fold, which says how good it is, and one on all rows, which gives
// the updates. Round after round, the runs in turn; whoever asks ends them.

import { logLossUnits } from '../../common/logistic.ts'
import type { ForestRows } from '../../forest/forestRows.ts'
import type { ForestRules } from '../../forest/trainer.ts'
import { McgradGrower, type McgradRound, NOBODY } from './round.ts'

export interface RunsQuestion {
  readonly rows: ForestRows
  readonly rules: ForestRules
  /** How far from 0 and 1 the given scores are taken to lie. */
  readonly clip: number
  /** The part that each run holds apart, or NOBODY. */
  readonly runs: readonly number[]
  readonly roundLimit: number
}

/** After every round of a run: the loss of its fold, or of the run on all rows what it did. */
export type RoundNews =
  | { readonly apart: number; readonly loss: number }
  | ({ readonly apart: typeof NOBODY } & McgradRound)

export function* growRuns({ clip, roundLimit, rows, rules, runs }: RunsQuestion): Generator<RoundNews, void> {
  const grower = new McgradGrower(rows, rules)
  const predictions: Int32Array[] = runs.map(() => rows.start)
  for (let round = 1; round <= roundLimit; round++) {
    for (const [index, apart] of runs.entries()) {
      // Only scores that are given can be hard: later ones are a unit away from 0 and 1, or count as such.
      const grown = grower.grow(predictions[index], apart, round === 1 ? clip : 1)
      predictions[index] = grown.prediction
      yield apart === NOBODY
        ? { apart, ...grown }
        : { apart, loss: lossOfPart(rows, grown.prediction, apart) }
    }
  }
}

/** The mean log loss of one part, from losses in whole units of 2^-20. */
export function lossOfPart(
  { label, part, rowCount, weight }: ForestRows,
  prediction: Int32Array,
  wanted: number,
): number {
  let [sum, total] = [0, 0]
  for (let row = 0; row < rowCount; row++) {
    if (part[row] !== wanted) continue
    const counted = weight === undefined ? 1 : weight[row]
    sum += counted * Math.floor(logLossUnits(label[row], prediction[row]) / 16 + 0.5)
    total += counted
  }
  return (sum / total) * 2 ** -20
}
