// HJZ: Haghtalab, Jordan, Zhao 2023, the game in which every row plays Hedge over its two outcomes and the adversary answers with
// the worst cell of a group and a bin (best response), as the package `multicalibration` runs it. For two outcomes one round of
// Hedge adds half its step size to the logit, or takes it off.

import { throwIfCancelled } from '../common/cancel.ts'
import { moveOdds } from '../common/logistic.ts'
import { ONE, toUnits } from '../common/units.ts'
import { type ForestUpdate, leafCount } from '../engine/update.ts'
import type { Baseline, BaselineRows, BaselineSettings } from './baseline.ts'
import { GroupCells } from './groupCells.ts'
import { Levels, treeOfLevels } from './levels.ts'

export const hjz: Baseline = {
  name: 'hjz',
  title: 'HJZ: best response against Hedge (Haghtalab, Jordan, Zhao 2023)',
  help: 'In each round the cell of a group and a bin with the largest error moves on the logit scale, by ever smaller steps.',
  run: (rows, settings) => playGame(rows, settings).updates,
}

const BINS = 10
const ROUND_LIMIT = 30

/** Each step size is this share of the one before; the first is this share of 1. */
const DECAY = 0.9

/** Hedge never moves a probability of 0 or 1; the logit scale needs at least one unit. */
const CLIP = 1

export function playGame(
  rows: BaselineRows,
  { bins = BINS, learningRate = DECAY, onRound, roundLimit = ROUND_LIMIT, signal }: BaselineSettings,
): { updates: ForestUpdate[]; predictions: Int32Array } {
  const levels = new Levels(bins, 'below')
  const cells = new GroupCells(rows, levels)
  const updates: ForestUpdate[] = []
  let outside = rowsOutside(cells.prediction, cells.prediction.keys())
  let stepSize = 1
  for (let round = 1; round <= roundLimit; round++) {
    throwIfCancelled(signal, 'the game')
    const worst = worstCell(cells)
    if (worst === undefined) break
    const { group, level, residual } = worst
    stepSize *= learningRate
    const step = Math.sign(residual) * toUnits(stepSize / 2)
    // An update clips every row before it moves any.
    for (const row of outside) cells.move(row, clip(cells.prediction[row]))
    const moved = cells.moveCell(group, level, prediction => moveOdds(prediction, step))
    outside = rowsOutside(cells.prediction, moved)
    const tree = treeOfLevels(cells.groups[group].tree, levels, [level])
    const steps = [step, 0].slice(0, leafCount(tree))
    updates.push({ kind: 'forest', clip: CLIP, trees: [{ tree, steps }] })
    onRound?.(round)
  }
  return { updates, predictions: cells.prediction }
}

const clip = (prediction: number): number => Math.max(CLIP, Math.min(ONE - CLIP, prediction))

const rowsOutside = (prediction: Int32Array, rows: Iterable<number>): number[] =>
  [...rows].filter(row => clip(prediction[row]) !== prediction[row])

/** The cell whose predictions are farthest from its labels, in sum; the lowest bin and then the first group of equal ones. */
function worstCell({ groups, levels, residuals }: GroupCells) {
  let worst: { group: number; level: number; residual: number } | undefined
  for (let level = 0; level < levels.count; level++) {
    for (let group = 0; group < groups.length; group++) {
      const residual = residuals[group * levels.count + level]
      if (Math.abs(residual) > Math.abs(worst?.residual ?? 0)) worst = { group, level, residual }
    }
  }
  return worst
}
