// The same trees and updates for rows whose columns stand elsewhere among others.

import type { Tree, Update } from './update.ts'
import { mapSplits, treesOf, withTrees } from './visit.ts'

export const shiftTree = (tree: Tree, by: number): Tree =>
  by === 0 ? tree : mapSplits(tree, split => ({ ...split, feature: split.feature + by }))

/** So many features and signals further on. */
export function shiftUpdate(update: Update, features: number, signals: number): Update {
  const shifted = withTrees(
    update,
    treesOf(update).map(tree => shiftTree(tree, features)),
  )
  if (shifted.kind !== 'linear') return shifted
  return { ...shifted, signals: shifted.signals.map(signal => signal + signals) }
}
