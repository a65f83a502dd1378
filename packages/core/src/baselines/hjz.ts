// HJZ: Haghtalab, Jordan, Zhao 2023, the game in which every row plays Hedge over its two outcomes and the adversary answers with
// the worst cell of a group and a bin (best response), as the package `multicalibration` runs it. For two outcomes one round of
// Hedge adds half its step size to the logit, or takes it off.

import { throwIfCancelled } from '../common/cancel.ts'
import { moveOdds } from '../common/logistic.ts'
import { ONE, toUnits } from '../common/units.ts'
import { type ForestUpdate, leafCount } from '../update/update.ts'
import type { Baseline, BaselineRows, BaselineSettings } from './baseline.ts'
import { GroupCells } from './groups/groupCells.ts'
import { Levels, treeOfLevels } from './groups/levels.ts'

export const hjz: Baseline = {
  name: 'hjz',
  title: 'HJZ',
  help: 'Moves the logits of whichever cell of a group and a bin is farthest off, in ever smaller steps (Haghtalab, Jordan and Zhao 2023).',
  reads: ['learningRate', 'roundLimit'],
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
  // The first update clips every row. No step, of half a logit at most, takes one back to 0 or 1.
  const start = rows.start.map(clip)
  const cells = new GroupCells({ ...rows, start }, levels)
  const updates: ForestUpdate[] = []
  let stepSize = 1
  for (let round = 1; round <= roundLimit; round++) {
    throwIfCancelled(signal, 'the game')
    const worst = worstCell(cells)
    if (worst === undefined) break
    const { group, level, residual } = worst
    stepSize *= learningRate
    const step = Math.sign(residual) * toUnits(stepSize / 2)
    cells.moveCell(group, level, prediction => moveOdds(prediction, step))
    const tree = treeOfLevels(cells.groups[group].tree, levels, [level])
    const steps = [step, 0].slice(0, leafCount(tree))
    updates.push({ kind: 'forest', clip: CLIP, trees: [{ tree, steps }] })
    onRound?.(round)
  }
  return { updates, predictions: updates.length === 0 ? rows.start : cells.prediction }
}

const clip = (prediction: number): number => Math.max(CLIP, Math.min(ONE - CLIP, prediction))

/**
 * The cell whose predictions are farthest from its labels, in sum; the lowest bin and then the first group of equal ones. None
 * where that is no more than a unit a row, which clipping may have done.
 */
function worstCell({ groups, levels, residuals, weights }: GroupCells) {
  let worst = { group: 0, level: 0, residual: 0, weight: 0 }
  for (let level = 0; level < levels.count; level++) {
    for (let group = 0; group < groups.length; group++) {
      const cell = group * levels.count + level
      const residual = residuals[cell]
      if (Math.abs(residual) > Math.abs(worst.residual)) {
        worst = { group, level, residual, weight: weights[cell] }
      }
    }
  }
  return Math.abs(worst.residual) > CLIP * worst.weight ? worst : undefined
}
