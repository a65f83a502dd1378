// How far one update moves one prediction, and where it lands. Engines and the model's own `predict` share this,
// so a prediction made in an engine and one made from a model file are the same number.

import { clipUnits, levelOf } from '../common/units.ts'
import type { Update } from './update.ts'
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
