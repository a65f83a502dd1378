// The forests of some parts of a cross-fit, one after the other.

import { type ForestTree, numberLeaves, type Tree } from '../update/update.ts'
import { type ForestRows, partCount } from './forestRows.ts'
import { type ForestRules, ForestTrainer, type GrownTree } from './trainer.ts'

export interface ForestQuestion {
  readonly rows: ForestRows
  readonly cuts: Int32Array
  /** One or more; every part has a forest by each of them. */
  readonly rules: readonly ForestRules[]
  /** Numbers of forests: that of the part, and for each of the rules before its own as many more as there are parts. */
  readonly parts: readonly number[]
  /** How many of these were taken, by any thread: each takes the next one when it is done with the last. */
  readonly taken?: Int32Array
}

/** A forest with full steps, as updates hold trees. */
export interface PartForest {
  readonly trees: readonly ForestTree[]
  /** Mean log loss of the rows held apart: at the start, and after each tree. */
  readonly losses: readonly number[]
}

export interface NumberedForest extends PartForest {
  /** The number of the forest. */
  readonly part: number
}

/** After every tree: the loss of the rows held apart. */
export interface TreeGrown {
  readonly part: number
  readonly trees: number
  readonly loss: number
}

/** The forests come as they are done. */
export type GrowthNews = TreeGrown | NumberedForest

/** Tree after tree: between two of them the thread may look about. */
export function* growParts({ cuts, parts, rows, rules, taken }: ForestQuestion): Generator<GrowthNews> {
  const trainers: ForestTrainer[] = []
  const count = partCount(rows)
  for (const part of takeParts(parts, taken)) {
    const by = Math.floor(part / count)
    trainers[by] ??= new ForestTrainer(rows, cuts, rules[by])
    const growing = trainers[by].train(part % count)
    let next = growing.next()
    for (let grown = 1; next.done !== true; grown++, next = growing.next())
      yield { part, trees: grown, loss: next.value }
    const { losses, trees } = next.value
    yield { part, losses, trees: trees.map(tree => treeInUnits(tree, cuts)) }
  }
}

function* takeParts(parts: readonly number[], taken: Int32Array = new Int32Array(1)): Generator<number> {
  for (let next = Atomics.add(taken, 0, 1); next < parts.length; next = Atomics.add(taken, 0, 1)) {
    yield parts[next]
  }
}

/** From bins of the score to scores. */
export function treeInUnits(grown: GrownTree, cuts: Int32Array): ForestTree {
  const steps: number[] = []
  const walk = (node: GrownTree): Tree => {
    if ('step' in node) {
      steps.push(node.step)
      return { leaf: 0 }
    }
    const { split } = node
    return {
      split: split.kind === 'score' ? { kind: 'below', units: cuts[split.bin] } : split,
      yes: walk(node.yes),
      no: walk(node.no),
    }
  }
  return { tree: numberLeaves(walk(grown)), steps }
}
