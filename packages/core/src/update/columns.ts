// The same trees and updates for rows whose columns stand elsewhere among others.

import { isLeaf, type Split, type Tree, type Update } from './update.ts'

export function shiftTree(tree: Tree, by: number): Tree {
  if (by === 0 || isLeaf(tree)) return tree
  return { split: shiftSplit(tree.split, by), yes: shiftTree(tree.yes, by), no: shiftTree(tree.no, by) }
}

const shiftSplit = (split: Split, by: number): Split =>
  split.kind === 'below' ? split : { ...split, feature: split.feature + by }

/** So many features and signals further on. */
export function shiftUpdate(update: Update, features: number, signals: number): Update {
  switch (update.kind) {
    case 'table':
    case 'polynomial':
      return { ...update, tree: shiftTree(update.tree, features) }
    case 'forest':
      return {
        ...update,
        trees: update.trees.map(({ steps, tree }) => ({ steps, tree: shiftTree(tree, features) })),
      }
    case 'linear':
      return { ...update, signals: update.signals.map(signal => signal + signals) }
    case 'curve':
      return update
  }
}
