// The search below root splits, one after the other: the best tree so far, and what the trees that were not looked at can reach.

import type { OpenSplits } from '../../../oracle/search.ts'
import { numberLeaves, ROOT, type Tree } from '../../../update/update.ts'
import type { SearchRoom } from './room.ts'
import { SignSearch, type Work } from './signs.ts'

export interface WorstSigned {
  readonly tree: Tree
  /** Its K1, in residual units times weight. */
  readonly error: number
  /** No tree has more: the same number where all were looked at, or shown to have no more. */
  readonly atMost: number
}

/** A root split: the position of its feature among those searched, and its number among the feature's splits. */
export interface RootSplit {
  readonly feature: number
  readonly split: number
}

export class RootSearch {
  readonly #splits: OpenSplits
  readonly #room: SearchRoom
  readonly #work: Work
  readonly #signs: SignSearch
  /** Numbers that are looked at to list the vectors of a root. */
  readonly #listed: number
  #best: { readonly tree: Tree; readonly error: number }
  #open = 0

  constructor(splits: OpenSplits, room: SearchRoom, start: WorstSigned, work: Work) {
    this.#splits = splits
    this.#room = room
    this.#best = start
    this.#work = work
    this.#listed = 2 * room.vectors.yes.norms.length * room.levels
    this.#signs = new SignSearch(room.vectors, room.levels, work)
  }

  get answer(): WorstSigned {
    const { error, tree } = this.#best
    return { tree, error, atMost: Math.max(error, this.#open) }
  }

  /** Can a root with this bound have a better tree? Where no work is left, the bound is noted instead. */
  wants(bound: number): boolean {
    if (bound <= this.#best.error) return false
    if (this.#work.left > 0) return true
    this.leave(bound)
    return false
  }

  /** Trees that can reach so much are not looked at. */
  leave(bound: number): void {
    this.#open = Math.max(this.#open, bound)
  }

  /** The room holds the cells below the root. Only vectors are listed that are better than the best with the largest of the other side. */
  search(root: RootSplit, climbs: boolean): void {
    const { norms } = this.#room.features[root.feature]
    const { error } = this.#best
    this.#room.listVectors(error - norms[2 * root.split + 1], error - norms[2 * root.split])
    this.#work.left -= this.#listed
    const { best, open } = this.#signs.run(error, climbs)
    this.leave(open)
    if (best !== undefined) this.#best = { tree: treeOf(this.#splits, root, best), error: best.error }
  }
}

/** The tree of two vectors. */
function treeOf({ steps }: OpenSplits, root: RootSplit, { no, yes }: { yes: number; no: number }): Tree {
  const splits = steps.flatMap(feature => feature.splits)
  const side = (vector: number): Tree =>
    vector === 0 ? ROOT : { split: splits[vector - 1], yes: ROOT, no: ROOT }
  return numberLeaves({ split: steps[root.feature].splits[root.split], yes: side(yes), no: side(no) })
}
