// The engine interface: everything the learner may ask about the rows. Rows live in an engine; boosting,
// oracles, audits and certificates see only these sums. All sums are exact integers (see common/units.ts), so
// every engine gives the same answer to the same question, and the same model comes out of all of them.
// Questions that do not wait for each other may be asked at once, and an engine may answer them together.

import type { RowLedger } from '../data/ledger.ts'
import type { Update } from '../update/update.ts'
import type { RowSource } from './engineRows.ts'
import type { ColumnRange } from './fingerprint.ts'
import type { Local } from './local.ts'
import type {
  EngineShape,
  FoldLoss,
  Histogram,
  HistogramRequest,
  JointHistogramRequest,
  LevelMoments,
  LevelSums,
  LevelSumsRequest,
  MomentsRequest,
} from './questions.ts'
import type { SampledRows, SampleRequest } from './sample.ts'

export type { CellSums } from '../kernels/pairs/cells.ts'
export type { EngineRows, RowChunk, RowSource, RowsShape } from './engineRows.ts'
export type { PairSearchRequest } from './local.ts'
export type { Noise, Outcome } from './outcome.ts'
export * from './questions.ts'

export interface Engine extends Partial<Local> {
  readonly name: string
  readonly shape: EngineShape

  /** Weight and residual sum for every [feature, leaf, bin, level] cell asked for. The answer is the asker's to overwrite. */
  histogram(request: HistogramRequest): Promise<Histogram>
  /** The same for pairs of features: cells at [offsets[pairIndex] + (binA * binsB + binB) * levels + level]. */
  jointHistogram(request: JointHistogramRequest): Promise<Histogram>
  /** The same for every leaf of every given tree. One leaf (ROOT) gives the plain level sums. */
  levelSums(request: LevelSumsRequest): Promise<LevelSums[]>
  /** Second moments of the signals, level by level, for least squares. */
  moments(request: MomentsRequest): Promise<LevelMoments[]>

  /** The loss of every fold as it is. */
  losses(): Promise<FoldLoss[]>
  /** The loss of every fold as it would be after an update; nothing moves. */
  evaluate(update: Update): Promise<FoldLoss[]>
  /** Moves every prediction by the update, clips to [0,1], and gives the new losses. */
  apply(update: Update): Promise<FoldLoss[]>
  /** Every prediction back to its start. */
  reset(): Promise<void>

  /** Some rows as they came in, in bins: what forests and baselines learn from. Absent: rows stay where they are. */
  sample?(request: SampleRequest): Promise<SampledRows>
  /** A checksum of all rows (bins and signals, all or some; label, start, weight, fold) that does not depend on their order. */
  fingerprint(columns?: ColumnRange): Promise<string>
  close(): Promise<void>
}

/** An engine whose rows are in this process. */
export type LocalEngine = Engine & Required<Pick<Engine, 'sample' | 'snapshot'>>

/** Takes rows in; engines that start workers need a moment. */
export interface MakeEngine {
  (rows: RowSource): Engine | Promise<Engine>
  /** For rows that are too many for this process: where to keep what must be known of every row until the engine has it. */
  readonly openLedger?: () => Promise<RowLedger>
}
