// The engine interface: everything the learner may ask about the rows. Rows live in an engine; boosting,
// oracles, audits and certificates see only these sums. All sums are exact integers (see common/units.ts), so
// every engine gives the same answer to the same question, and the same model comes out of all of them.

import { type SplitSum, splitSumValue } from '../common/units.ts'
import type { Outcome } from './outcome.ts'
import type { CellSums, ScoreKind } from './pairs/cells.ts'
import type { PairSide } from './pairs/quadrants.ts'
import type { RowSource } from './rows.ts'
import type { Tree, Update } from './update.ts'

export type { Noise, Outcome } from './outcome.ts'
export type { CellSums } from './pairs/cells.ts'
export type { EngineRows, RowChunk, RowSource, RowsShape } from './rows.ts'

/** Rows are counted with their weights; every question is about one fold. */
export const FIT = 0
export const HOLDOUT = 1

export interface EngineShape {
  readonly rowCount: number
  /** Fine bins per feature, the missing bin (always the last) included. */
  readonly binCounts: readonly number[]
  /** Coarse bins per feature, the missing bin (always the last) included. */
  readonly coarseCounts: readonly number[]
  readonly signalCount: number
  readonly foldCount: number
}

export interface HistogramRequest {
  readonly fold: number
  readonly levels: number
  /** One histogram for every leaf of this tree. */
  readonly tree: Tree
  /** Only these leaves, each named once, in this order; rows of the others are skipped. Absent: all, by number. */
  readonly leaves?: readonly number[]
  readonly features: readonly number[]
  readonly resolution: 'fine' | 'coarse'
  /** Where levels end, in units, ascending, one less than levels: a prediction at a cut lies above it. Absent: equal widths. */
  readonly levelCuts?: Int32Array
  /** What each level predicts, in units; without it every row's own prediction counts. */
  readonly levelValues?: Int32Array
  /** A sign for each of some levels: residuals count with the sign of their level, all levels together. `levels` is 1. */
  readonly levelSigns?: Int32Array
  /** What stands for the label; default: the label. Not together with levelValues. */
  readonly outcome?: Outcome
}

/**
 * Cells at [offsets[index] + (place * bins + bin) * levels + level], where index counts the features (or pairs) and place
 * the leaves that were asked for.
 */
export interface Histogram extends CellSums {
  readonly offsets: readonly number[]
}

export interface JointHistogramRequest {
  readonly fold: number
  readonly levels: number
  /** Pairs of two different features, counted in their coarse bins. */
  readonly pairs: readonly (readonly [number, number])[]
  readonly levelCuts?: Int32Array
  readonly levelValues?: Int32Array
  readonly levelSigns?: Int32Array
  readonly outcome?: Outcome
}

export interface LevelSumsRequest {
  readonly fold: number
  readonly levels: number
  readonly trees: readonly Tree[]
  readonly levelValues?: Int32Array
  readonly outcome?: Outcome
}

/** For one tree: cells at [leaf * levels + level]; `predictions` holds the sum of weight * prediction. */
export interface LevelSums extends CellSums {
  readonly predictions: Float64Array
}

export interface MomentsRequest {
  readonly fold: number
  readonly levels: number
  readonly signals: readonly number[]
  readonly levelValues?: Int32Array
}

/** For one level, with s signals: sums of signal * signal at [i * s + j], and of signal * residual at [i]. */
export interface LevelMoments {
  readonly count: number
  readonly gram: readonly Readonly<SplitSum>[]
  readonly cross: readonly Readonly<SplitSum>[]
}

/** Squared loss of one fold: the mean is splitSumValue(squares) / weight. */
export interface FoldLoss {
  readonly weight: number
  /** Sum of squared weights: how many equal rows these are worth. */
  readonly squaredWeight: number
  readonly squares: Readonly<SplitSum>
}

/** Every split of a feature as the root, with every split of a feature, the same or another, on either side. */
export interface PairSearchRequest extends Omit<JointHistogramRequest, 'pairs' | 'outcome' | 'levelCuts'> {
  readonly features: readonly number[]
  readonly score: ScoreKind
  /** Sums of everything, per level. */
  readonly total: CellSums
  /** Histograms of the features: a root and a child may split on the same one. */
  readonly marginals: readonly CellSums[]
  /** One for each feature. Their bests are improved in place. */
  readonly sides: readonly PairSide[]
  /** How many cells may be kept for later questions, as long as no prediction moves. */
  readonly keepCells?: number
}

export interface Engine {
  readonly name: string
  readonly shape: EngineShape

  /** Weight and residual sum for every [feature, leaf, bin, level] cell asked for. The answer is the asker's to overwrite. */
  histogram(request: HistogramRequest): Promise<Histogram>
  /** The same for pairs of features: cells at [offsets[pairIndex] + (binA * binsB + binB) * levels + level]. */
  jointHistogram(request: JointHistogramRequest): Promise<Histogram>
  /** An exhaustive search over pairs without handing out their cells; absent where these are not in one place. */
  readonly searchPairs?: (request: PairSearchRequest) => Promise<void>
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

  /** Current predictions in units, in row order. */
  snapshot(): Promise<Int32Array>
  /** A checksum of all rows (bins, signals, label, start, weight, fold) that does not depend on their order. */
  fingerprint(): Promise<string>
  close(): Promise<void>

  /** The caller is done with these sums: their memory may hold the next answer. */
  release?(sums: CellSums): void
}

/** Mean squared loss of a fold. */
export function meanLoss(loss: FoldLoss): number {
  return splitSumValue(loss.squares) / loss.weight
}

/** Takes rows in; engines that start workers need a moment. */
export type MakeEngine = (rows: RowSource) => Engine | Promise<Engine>
