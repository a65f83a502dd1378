// How far one update moves one prediction, and where it lands. Engines and the model's own `predict` share this,
// so a prediction made in an engine and one made from a model file are the same number.

import { clipStep, moveOdds } from '../common/logistic.ts'
import { clipUnits, levelOf, ONE } from '../common/units.ts'
import type { ForestUpdate, Update } from './update.ts'
import { type FlatTree, findLeaf, flattenTree } from './walk.ts'

export type Mover = (
  bins: readonly ArrayLike<number>[],
  signals: readonly ArrayLike<number>[],
  row: number,
  prediction: number,
) => number

/** A function from a row and its prediction (in units) to its next prediction (in units, clipped). */
export function makeMover(update: Update, binCounts: readonly number[]): Mover {
  if (update.kind === 'table') {
    const tree = flattenTree(update.tree, binCounts)
    return (bins, _signals, row, prediction) =>
      clipUnits(prediction + tableMove(tree, update.levels, update.values, bins, row, prediction))
  }
  if (update.kind === 'forest') return forestMover(update, binCounts)
  const { levels, coefficients } = update
  const indexes = update.signals
  return (_bins, signals, row, prediction) => {
    const offset = levelOf(prediction, levels) * indexes.length
    // Doubles, but added in a fixed order within one row: the same bits on every engine.
    let move = 0
    for (let k = 0; k < indexes.length; k++) move += coefficients[offset + k] * signals[indexes[k]][row]
    return clipUnits(prediction + Math.round(move))
  }
}

function tableMove(
  tree: FlatTree,
  levels: number,
  values: readonly number[],
  bins: readonly ArrayLike<number>[],
  row: number,
  prediction: number,
): number {
  const leaf = findLeaf(tree, bins, row, prediction)
  return values[leaf * levels + levelOf(prediction, levels)]
}

function forestMover({ clip, trees }: ForestUpdate, binCounts: readonly number[]): Mover {
  const walks = trees.map(({ steps, tree }) => ({ steps, tree: flattenTree(tree, binCounts) }))
  return (bins, _signals, row, prediction) => {
    let step = 0
    for (const { steps, tree } of walks) step += steps[findLeaf(tree, bins, row, prediction)]
    return moveOdds(Math.max(clip, Math.min(ONE - clip, prediction)), clipStep(step))
  }
}
