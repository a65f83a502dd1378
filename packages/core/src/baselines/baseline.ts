// What a baseline is: a published method that corrects scores, told in updates like everything else here. So its model is
// written, certified, verified and exported as ours are, and the two can be compared on equal terms.

import type { CancelSignal } from '../common/cancel.ts'
import type { ForestRows } from '../forest/forestRows.ts'
import type { Tree, Update } from '../update/update.ts'

export interface Baseline {
  readonly name: string
  readonly title: string
  /** One sentence: what it does, and whose it is. */
  readonly help: string
  /** Options of a fit that it reads, besides those that all methods do. */
  readonly reads?: readonly ('learningRate' | 'roundLimit')[]
  /** Does it use several threads where it may? */
  readonly usesThreads?: true
  /** Starts from `rows.start` and says what moves every prediction. Sums over rows are of whole numbers, as everywhere. */
  readonly run: (
    rows: BaselineRows,
    settings: BaselineSettings,
  ) => readonly Update[] | Promise<readonly Update[]>
}

/**
 * The fitting rows. `part` goes from 0 to 59 and comes from what a row holds, not from its place: for every n that divides
 * 60, `part % n` is one of n folds.
 */
export interface BaselineRows extends ForestRows {
  readonly groups: readonly BaselineGroup[]
}

export const BASELINE_PARTS = 60

/** The most rows that a baseline learns from. */
export const BASELINE_ROWS = 2 ** 20

export interface BaselineGroup {
  readonly name: string
  /** Leaf 0 is the group and leaf 1 its outside. No group is everyone: a method that wants that one takes ROOT. */
  readonly tree: Tree
  /** Per row: 1 inside. Worked out when first asked for. */
  readonly member: Uint8Array
}

/** What is undefined has the default of the original. */
export interface BaselineSettings {
  readonly seed: number
  readonly bins?: number | undefined
  readonly learningRate?: number | undefined
  readonly roundLimit?: number | undefined
  readonly signal?: CancelSignal | undefined
  /** Threads it may use; what comes out does not depend on them. */
  readonly threads?: number | undefined
  /** Told after every round how many there were. */
  readonly onRound?: ((rounds: number) => void) | undefined
}
