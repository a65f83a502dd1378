// HKRR: Hébert-Johnson, Kim, Reingold, Rothblum 2018, Algorithm 1, as the package `multicalibration` runs it without its noise:
// every cell of a group and a bin of width lambda that is heavy enough moves to its mean label, group after group and bin after
// bin, until a pass moves none. In the end every bin predicts its mean prediction.

import { throwIfCancelled } from '../common/cancel.ts'
import { clipUnits, ONE } from '../common/units.ts'
import type { Update } from '../update/update.ts'
import type { Baseline, BaselineRows, BaselineSettings } from './baseline.ts'
import { GroupCells } from './groups/groupCells.ts'
import { curveOfLevels, Levels } from './groups/levels.ts'
import { PatchLog } from './groups/patchLog.ts'
import { meanUnits } from './rows/scores.ts'

export const hkrr: Baseline = {
  name: 'hkrr',
  title: 'HKRR',
  help: 'Moves cells of a group and a bin to their mean labels until all are near (Hébert-Johnson, Kim, Reingold and Rothblum 2018).',
  reads: ['roundLimit'],
  run: (rows, settings) => patchCells(rows, settings).updates,
}

/** 1 / lambda. */
const BINS = 10
const PASS_LIMIT = 100

/** alpha: a cell counts from this share of a bin's fair share of its group. */
const LEAST_SHARE = 0.1

/** A cell is left alone within this share of lambda. */
const TOLERANCE = 0.1

export function patchCells(
  rows: BaselineRows,
  { bins = BINS, onRound, roundLimit = PASS_LIMIT, signal }: BaselineSettings,
): { updates: Update[]; predictions: Int32Array } {
  const levels = new Levels(bins, 'above')
  const cells = new GroupCells(rows, levels)
  const patches = new PatchLog(levels)
  const weights = cells.groups.map((_, group) => cells.groupWeight(group))
  for (let pass = 1; pass <= roundLimit; pass++) {
    let moved = false
    for (const [group, { tree }] of cells.groups.entries()) {
      throwIfCancelled(signal, 'the patching of cells')
      for (let level = 0; level < bins; level++) {
        const move = moveOfCell(cells, group, level, weights[group])
        if (move === 0) continue
        cells.moveCell(group, level, prediction => clipUnits(prediction + move))
        patches.add(tree, level, move)
        moved = true
      }
    }
    onRound?.(pass)
    if (!moved) break
  }
  const means = meansOfLevels(rows, cells.prediction, levels)
  return {
    updates: [...patches.updates(), curveOfLevels(levels, means)],
    predictions: cells.prediction.map(units => means[levels.of(units)]!),
  }
}

/** To the mean label, in units; 0 where the cell is too light or near enough. */
function moveOfCell(cells: GroupCells, group: number, level: number, groupWeight: number): number {
  const { count } = cells.levels
  const weight = cells.weights[group * count + level]
  if (weight === 0 || weight < LEAST_SHARE * (1 / count) * groupWeight) return 0
  const move = meanUnits(cells.residuals[group * count + level], weight)
  return Math.abs(move) * count < TOLERANCE * ONE ? 0 : move
}

/** The mean prediction of every level that holds one. */
function meansOfLevels(
  { rowCount, weight }: BaselineRows,
  prediction: Int32Array,
  levels: Levels,
): (number | undefined)[] {
  const [weights, sums] = [new Float64Array(levels.count), new Float64Array(levels.count)]
  for (let row = 0; row < rowCount; row++) {
    const level = levels.of(prediction[row])
    const counted = weight === undefined ? 1 : weight[row]
    weights[level] += counted
    sums[level] += counted * prediction[row]
  }
  return Array.from(weights, (total, level) => (total === 0 ? undefined : meanUnits(sums[level], total)))
}
