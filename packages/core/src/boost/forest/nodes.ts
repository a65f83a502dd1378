// The nodes of a growing tree: which rows they hold, their sums, and what would be their best split.

import type { BestSplit } from './splits.ts'

export interface Leaf {
  /** Rows grown on, and rows held apart, as ranges of the order. */
  readonly rows: Range
  readonly held: Range
  readonly first: number
  readonly second: number
  readonly ridge: number
}

export interface Node extends Leaf {
  /** Where its sums are, as long as it may be split. */
  readonly slot: number
  readonly best: BestSplit | undefined
  children?: { readonly yes: Node; readonly no: Node }
}

export interface Range {
  readonly from: number
  readonly to: number
}

/** Nodes that cannot be split are done with. */
export function takeMostGainful(open: Node[]): Node | undefined {
  let found = -1
  for (let index = 0; index < open.length; index++) {
    const { best } = open[index]
    if (best !== undefined && (found < 0 || best.gain > open[found].best!.gain)) found = index
  }
  return found < 0 ? undefined : open.splice(found, 1)[0]
}

/** A row of weight 2 counts as two. */
export function weighRows(order: Int32Array, { from, to }: Range, weight: Int32Array | undefined): number {
  if (weight === undefined) return to - from
  let sum = 0
  for (let index = from; index < to; index++) sum += weight[order[index]]
  return sum
}
