// What can be asked about rows, and what is answered. Rows are counted with their weights, and all sums are exact integers.

import { type SplitSum, splitSumValue } from '../common/units.ts'
import type { FoldUnits } from '../data/foldUnits.ts'
import type { CellSums } from '../kernels/pairs/cells.ts'
import type { Tree } from '../update/update.ts'
import type { Outcome } from './outcome.ts'

/** Every question is about one fold. */
export const FIT = 0
export const HOLDOUT = 1

export interface EngineShape {
  readonly rowCount: number
  /** Rows that weigh something. */
  readonly countedRows: number
  /** What one observation weighs, where weights may be counts. Absent: every row is one. */
  readonly observationWeight?: number
  /** For each fold, what its rows are worth as evidence; as it was said when they came in, else every row is a unit. */
  readonly units: readonly FoldUnits[]
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

/** What one observation of the fold weighs: where it is not known, every row is one, and the heavier rows count for less. */
export const observationWeight = (
  { observationWeight: known }: EngineShape,
  { squaredWeight, weight }: FoldLoss,
): number => known ?? (weight === 0 ? 1 : squaredWeight / weight)

/** How many observations there are, in all folds. */
export const observationCount = ({
  countedRows,
  observationWeight: known,
  units,
}: Pick<EngineShape, 'countedRows' | 'observationWeight' | 'units'>): number =>
  known === undefined ? countedRows : units.reduce((sum, { weight }) => sum + weight, 0) / known

/** Mean squared loss of a fold. */
export function meanLoss(loss: FoldLoss): number {
  return splitSumValue(loss.squares) / loss.weight
}
