// How far a search has come, of what was planned before it started.

import type { SearchCost } from './plan.ts'

export interface SearchProgress {
  readonly task: 'pairs of columns' | 'draws of the noise'
  readonly done: number
  /** At most: draws end early where they settle the matter. */
  readonly of: number
  /** Of the work of the whole search, 0 to 1. */
  readonly share: number
}

export type Tell = (progress: SearchProgress) => void

/** `draws`: those that are planned, once the ranking has shown how many these are. */
export function progressOf(tell: Tell, { draw, rank }: SearchCost) {
  return {
    pairs: (done: number, of: number, draws: number) =>
      tell({ task: 'pairs of columns', done, of, share: (rank * (done / of)) / (rank + draws * draw) }),
    draws: (done: number, of: number) =>
      tell({ task: 'draws of the noise', done, of, share: (rank + done * draw) / (rank + of * draw) }),
  }
}
