// What an engine can do besides whose rows are in this process: it saves time, or shows single rows. No answer depends on it.

import type { CellSums, ScoreKind, SideBests } from '../kernels/pairs/cells.ts'
import type { PairSide } from '../kernels/pairs/quadrants.ts'
import type { JointHistogramRequest } from './questions.ts'

/** Every split of a feature as the root, with every split of a feature, the same or another, on either side. */
export interface PairSearchRequest extends Omit<JointHistogramRequest, 'pairs' | 'outcome' | 'levelCuts'> {
  readonly features: readonly number[]
  readonly score: ScoreKind
  /** Sums of everything, per level. */
  readonly total: CellSums
  /** Histograms of the features: a root and a child may split on the same one. */
  readonly marginals: readonly CellSums[]
  /** One for each feature, with the bests that are to be improved. */
  readonly sides: readonly PairSide[]
  /** How many cells may be kept for later questions, as long as no prediction moves. */
  readonly keepCells?: number
}

export interface Local {
  /** Current predictions in units, in row order. */
  snapshot(): Promise<Int32Array>
  /** An exhaustive search over pairs without handing out their cells: the bests of every side. Only where cells are in one place. */
  searchPairs(request: PairSearchRequest): Promise<SideBests[]>
  /** The caller is done with these sums: their memory may hold the next answer. */
  release(sums: CellSums): void
}
