// The paper's own bound on new rows, for the class that was boosted and the rows it was boosted on (Theorems 7.5 and 7.13):
// what it says there, or from how many rows on it would say anything.

import type { CompiledClass } from '../classes/compile.ts'
import { binCount, type FeatureSchema } from '../quantize/schema.ts'
import { leafCount } from '../update/update.ts'
import { signedBound } from './bounds.ts'
import {
  binFunctionSize,
  clippedUpdateSize,
  type EvaluationSize,
  pseudodimensionBound,
  tableUpdateSize,
  unrolledSize,
} from './dimension.ts'
import { roundUp } from './oneMean.ts'
import { deviationAtRows, requiredRows, roundRowsUp } from './sampleSize.ts'

export interface PaperAtRows {
  /** n: the fitting rows. */
  readonly rows: number
  /** No bound below 1, which every predictor meets. */
  readonly vacuous: boolean
  /** On the multicalibration error on new rows; absent where vacuous. */
  readonly bound?: number
  /** Where vacuous: rows at which the bound falls below 1, rounded up to two digits; absent if no number is enough. */
  readonly rowsNeeded?: number
}

interface PaperAtRowsOptions {
  readonly rows: number
  readonly bins: number
  /** T: the most updates that can be accepted, known before the run (`roundsBefore`); not those that were. */
  readonly rounds: number
  /** alpha, reached on the rows. */
  readonly tolerance: number
  readonly confidence: number
}

export function paperAtRows(compiled: CompiledClass, options: PaperAtRowsOptions): PaperAtRows {
  const { bins, confidence, rounds, rows, tolerance } = options
  const size = unrolledSize(START, updateSize(compiled, bins), rounds)
  const dimension = pseudodimensionBound(size)
  const deviation = deviationAtRows({ dimension, rows, confidence })
  const bound = deviation === undefined ? 1 : signedBound(tolerance + 2 * deviation, 1, bins)
  if (bound < 1) return { rows, vacuous: false, bound: roundUp(bound) }
  // The deviation xi at which sqrt(alpha + 2 xi) + 1/K is 1.
  const largest = ((1 - 1 / bins) ** 2 - tolerance) / 2
  if (!(largest > 0)) return { rows, vacuous: true }
  const rowsNeeded = roundRowsUp(requiredRows({ dimension, deviation: largest, confidence }))
  return { rows, vacuous: true, rowsNeeded }
}

/**
 * T of Theorem 7.5 is fixed before the rows are seen; how many updates were accepted is not. A run that stops at the planned
 * tolerance alpha accepts at most 1/alpha, since no start has a loss above 1 (Theorem 3.5). Undefined where the run went on for
 * longer, as one may that stops by held-out rows or applies a share of each update: then nothing was fixed.
 */
export function roundsBefore(tolerance: number, accepted: number): number | undefined {
  const rounds = Math.floor(1 / tolerance)
  return Number.isFinite(rounds) && accepted <= rounds ? rounds : undefined
}

/** The score is given with the row, or the base rate is one parameter; one operation puts it out. */
const START: EvaluationSize = { parameters: 1, operations: 1 }

/**
 * One update of the richest kind that these auditors go with. A partition is a tree whose splits are thresholds of linear
 * functions of the inputs, as the paper counts them: its inputs are the memberships in all groups, or the values of all
 * functions, and intervals of values are told apart in a balanced tree.
 */
function updateSize({ encoding, space }: CompiledClass, bins: number): EvaluationSize {
  switch (space.kind) {
    case 'trees': {
      const inputs = space.features.reduce((sum, index) => sum + inputCount(encoding.features[index]), 0)
      return tableUpdateSize(space.depth, inputs, bins)
    }
    case 'partitions': {
      const leaves = Math.max(...space.partitions.map(partition => leafCount(partition.tree)))
      return tableUpdateSize(Math.ceil(Math.log2(leaves)), space.partitions.length, bins)
    }
    case 'signals': {
      const count = space.signals.length
      return clippedUpdateSize({ parameters: count, operations: 2 * count - 1 }, binFunctionSize(bins))
    }
  }
}

/** A number and whether it is missing; of other columns one indicator for each bin. */
const inputCount = (schema: FeatureSchema): number => (schema.kind === 'numeric' ? 2 : binCount(schema))
