// HKRR: Hebert-Johnson, Kim, Reingold, Rothblum 2018, Algorithm 1, as the package `multicalibration` runs it without its noise:
// every cell of a group and a bin of width lambda that is heavy enough moves to its mean label, group after group and bin after
// bin, until a pass moves none. In the end every bin predicts its mean prediction.

import { throwIfCancelled } from '../common/cancel.ts'
import { clipUnits, levelOf, ONE } from '../common/units.ts'
import { leafCount, type TableUpdate, type Tree, type Update } from '../engine/update.ts'
import type { Baseline, BaselineRows, BaselineSettings } from './baseline.ts'
import { GroupCells } from './groupCells.ts'
import { levelCurve, levelStart } from './levels.ts'
import { meanUnits } from './scores.ts'

export const hkrr: Baseline = {
  name: 'hkrr',
  title: 'HKRR: patches of groups and bins (Hebert-Johnson, Kim, Reingold, Rothblum 2018)',
  help: 'Moves each cell of a group and a bin to its mean label until all heavy cells are within a tenth of a bin.',
  run: (rows, settings) => patchCells(rows, settings).updates,
}

/** 1 / lambda. */
const BINS = 10
const PASS_LIMIT = 100

/** alpha: a cell counts from this share of a bin's fair share of its group. */
const LEAST_SHARE = 0.1

/** A cell is left alone within this share of lambda. */
const TOLERANCE = 0.1

/** `predictions` are those after the patches and after the curve. */
export function patchCells(
  rows: BaselineRows,
  { bins = BINS, onRound, roundLimit = PASS_LIMIT, signal }: BaselineSettings,
): { updates: Update[]; predictions: Int32Array } {
  const cells = new GroupCells(rows, bins)
  const patches = new PatchLog(bins)
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
  return finishWithMeans(rows, cells.prediction, patches.updates, bins)
}

/** To the mean label, in units; 0 where the cell is too light or near enough. */
function moveOfCell(cells: GroupCells, group: number, level: number, groupWeight: number): number {
  const cell = group * cells.levels + level
  const weight = cells.weights[cell]
  if (weight === 0 || weight * cells.levels < LEAST_SHARE * groupWeight) return 0
  const move = meanUnits(cells.residuals[cell], weight)
  return Math.abs(move) * cells.levels < TOLERANCE * ONE ? 0 : move
}

function finishWithMeans(
  { rowCount, weight }: BaselineRows,
  prediction: Int32Array,
  patches: readonly TableUpdate[],
  bins: number,
): { updates: Update[]; predictions: Int32Array } {
  const [weights, sums] = [new Float64Array(bins), new Float64Array(bins)]
  for (let row = 0; row < rowCount; row++) {
    const level = levelOf(prediction[row], bins)
    weights[level] += weight === undefined ? 1 : weight[row]
    sums[level] += (weight === undefined ? 1 : weight[row]) * prediction[row]
  }
  const means = Array.from(weights, (total, level) =>
    total === 0 ? undefined : meanUnits(sums[level], total),
  )
  return {
    updates: [...patches, levelCurve(means)],
    predictions: prediction.map(units => means[levelOf(units, bins)]!),
  }
}

/** Patches as updates; several of one group share one where it does not matter that they come one after the other. */
class PatchLog {
  readonly updates: TableUpdate[] = []
  readonly #levels: number
  #tree: Tree | undefined
  #moves: number[] = []

  constructor(levels: number) {
    this.#levels = levels
  }

  add(tree: Tree, level: number, move: number): void {
    if (tree !== this.#tree || this.#mayHold(level)) {
      this.#tree = tree
      // Leaf 0 is the group; whoever is in another leaf stays.
      this.#moves = new Array<number>(leafCount(tree) * this.#levels).fill(0)
      this.updates.push({ kind: 'table', tree, levels: this.#levels, values: this.#moves })
    }
    this.#moves[level] = move
  }

  /** Was the level patched in this update, or could a patch of it have moved a prediction there? */
  #mayHold(level: number): boolean {
    const [from, to] = this.#range(level)
    return this.#moves.some((move, earlier) => {
      if (move === 0) return false
      const [low, high] = this.#range(earlier)
      return earlier === level || (clipUnits(low + move) <= to && clipUnits(high + move) >= from)
    })
  }

  #range(level: number): [number, number] {
    return [levelStart(level, this.#levels), levelStart(level + 1, this.#levels) - 1]
  }
}
