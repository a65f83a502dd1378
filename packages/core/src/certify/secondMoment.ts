// How far labels are from the rounded predictions, on a fold: the mean of (y - v_S)^2, no less than any auditor's mean square, and the mean
// of |y - v_S|, which no error exceeds. From questions that engines answer anyway.
//
// Labels lie in [0,1], so y^2 = y - y (1 - y), and a cell with weight W, label sum Y and value v has
//   sum (y - v)^2 = Y (1 - v)^2 + (W - Y) v^2 - sum y (1 - y).
// The first two terms come from level sums. The last is 0 for labels of 0 and 1; on a whole fold it is known for all
// labels, because a move of -1 takes every prediction to 0, where the squared loss is the sum of y^2.

import { ONE, splitSumValue } from '../common/units.ts'
import type { Engine, LevelSums } from '../engine/engine.ts'
import type { Rounding } from '../round/discretize.ts'
import { ROOT, type Update } from '../update/update.ts'

const TO_ZERO: Update = { kind: 'table', tree: ROOT, levels: 1, values: [-ONE] }

/** The mean of (y - v_S)^2 on a fold, exactly. */
export async function meanSquaredResidual(engine: Engine, rounding: Rounding, fold: number): Promise<number> {
  const levelValues = Int32Array.from(rounding.values)
  const [sums] = await engine.levelSums({ fold, levels: rounding.bins, levelValues, trees: [ROOT] })
  const { squares, weight } = (await engine.evaluate(TO_ZERO))[fold]
  const labels = rounding.values.reduce((sum, _, level) => sum + labelSum(sums, rounding, level), 0)
  const spread = labels / ONE - splitSumValue(squares)
  const residuals = rounding.values.reduce((sum, _, level) => sum + squaresAtMost(sums, rounding, level), 0)
  return Math.min(1, Math.max(0, residuals - spread) / weight)
}

/** The mean of |y - v_S| on a fold: exact for labels of 0 and 1, and never too small. Every error over auditors in [-1,1] is within it. */
export async function meanAbsoluteResidual(
  engine: Engine,
  rounding: Rounding,
  fold: number,
): Promise<number> {
  const levelValues = Int32Array.from(rounding.values)
  const [sums] = await engine.levelSums({ fold, levels: rounding.bins, levelValues, trees: [ROOT] })
  let [total, weight] = [0, 0]
  rounding.values.forEach((units, level) => {
    const value = units / ONE
    const positive = labelSum(sums, rounding, level) / ONE
    total += positive * (1 - value) + (sums.counts[level] - positive) * value
    weight += sums.counts[level]
  })
  return total / weight
}

/** The sum of (y - v_S)^2 over the rows of a level in leaf 0: exact for labels of 0 and 1, and never too small. */
function squaresAtMost(sums: LevelSums, rounding: Rounding, level: number): number {
  const value = rounding.values[level] / ONE
  const positive = labelSum(sums, rounding, level) / ONE
  return positive * (1 - value) ** 2 + (sums.counts[level] - positive) * value ** 2
}

/** The sum of labels, in units. */
const labelSum = ({ counts, residuals }: LevelSums, rounding: Rounding, level: number): number =>
  residuals[level] + rounding.values[level] * counts[level]
