// Which of our baselines is compared with which original, on which rows, and how near it comes. The originals are functions
// of parity.py with the same names.

import { type FitOptions, groups } from '@featureboost/core'
import { everyRowJin } from './everyRow.ts'
import type { DataName, ParityData } from './rows.ts'

export interface Comparison {
  readonly method: NonNullable<FitOptions['method']>
  /** A function of parity.py. */
  readonly original: string
  readonly data: DataName
  /** Of our fit. */
  readonly options?: Partial<FitOptions>
  /** In place of a fit: what part of the method predicts for the unseen rows. */
  readonly part?: (data: ParityData) => Float64Array
  /** What is compared on the rows that neither has seen: every prediction, all on average, or their mean squared errors. */
  readonly by: 'largest' | 'mean' | 'error'
  readonly tolerance: number
  /** Why they are not nearer. */
  readonly because: string
}

/** The groups that parity.py hands to originals which want them declared. */
const GROUPS = { auditors: groups(['region', 'member']), coarseBins: 64 }

const ROUNDED = 'our predictions are whole units of 6e-8'
const LOOSE = "MCGrad leaves scikit-learn's solver at its default, which stops early"

const COARSE_SUMS = 'ours sums derivatives in steps of 4e-6 and 2e-4'
const WEIGHTS = 'ours counts the rows of a leaf by their weight'
const FOLDS = 'the two hold other rows apart, and may end after other trees'

export const COMPARISONS: readonly Comparison[] = [
  same('isotonic', 'sklearn_isotonic', 'plain', 1e-7, ROUNDED),
  same('isotonic', 'sklearn_isotonic', 'weighted', 1e-7, ROUNDED),
  same('isotonic', 'mcgrad_isotonic', 'weighted', 1e-7, ROUNDED),
  same('platt', 'sklearn_platt', 'plain', 1e-6, ROUNDED),
  same('platt', 'sklearn_platt', 'weighted', 1e-6, ROUNDED),
  same('platt', 'mcgrad_platt', 'plain', 5e-4, LOOSE),
  same('temperature', 'scipy_temperature', 'weighted', 1e-6, ROUNDED),
  same('histogram', 'sklearn_histogram', 'plain', 1e-7, ROUNDED),
  same('platt-features', 'sklearn_platt_features', 'plain', 3e-6, 'ours looks at logits in units of 4e-6'),
  same('platt-features', 'mcgrad_platt_features', 'plain', 5e-4, LOOSE),
  { ...same('mcgrad', 'mcgrad_round', 'coarse', 5e-3, COARSE_SUMS), options: { roundLimit: 1 } },
  { ...same('mcgrad', 'mcgrad_whole', 'coarse', 1e-3, FOLDS), options: {}, by: 'mean' },
  { ...same('mcgrad', 'mcgrad_whole', 'weighted', 5e-3, WEIGHTS), options: {}, by: 'error' },
  { ...same('jin', 'jin_every_row', 'coarse', 1e-6, ROUNDED), part: everyRowJin },
  { ...same('jin', 'jin_lightgbm', 'coarse', 1e-3, FOLDS), by: 'error' },
  same('hkrr', 'multicalibration_hkrr', 'plain', 1e-6, ROUNDED),
  same('hjz', 'multicalibration_hjz', 'plain', 1e-6, ROUNDED),
]

/** Every prediction is the same, up to the tolerance. */
function same(
  method: Comparison['method'],
  original: string,
  data: DataName,
  tolerance: number,
  because: string,
): Comparison {
  return { method, original, data, options: GROUPS, by: 'largest', tolerance, because }
}
