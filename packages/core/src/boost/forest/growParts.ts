// The forests of some parts of a cross-fit, one after the other.

import type { ForestRows } from './rows.ts'
import { type ForestRules, ForestTrainer, type GrownForest } from './trainer.ts'

export interface ForestQuestion {
  readonly rows: ForestRows
  readonly cuts: Int32Array
  readonly rules: ForestRules
  readonly parts: readonly number[]
}

export interface GrownPart extends GrownForest {
  readonly part: number
}

/** After every tree: the loss of the rows held apart. */
export interface TreeGrown {
  readonly part: number
  readonly trees: number
  readonly loss: number
}

export function growParts(
  { cuts, parts, rows, rules }: ForestQuestion,
  tell: (grown: TreeGrown) => void,
): GrownPart[] {
  const trainer = new ForestTrainer(rows, cuts, rules)
  return parts.map(part => {
    let trees = 0
    return { part, ...trainer.train(part, loss => tell({ part, trees: ++trees, loss })) }
  })
}
