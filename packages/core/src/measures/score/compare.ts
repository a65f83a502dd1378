// Two scores on the same rows: every measure of both, and its difference (a minus b) with a paired interval.

import { FeatureBoostError } from '../../common/errors.ts'
import { type MeasureOptions, resolveMeasureOptions } from './options.ts'
import { sortByKeys } from './order.ts'
import type { ScorePair } from './pairs.ts'
import { checkLength, checkRows, type Estimate, type ScoredRows } from './scoredRows.ts'
import { canonicalKeys, countedRows, makeSteps, stepsInOrder, toKey } from './steps.ts'
import { mapMeasures, SCORE_MEASURES, type ScoreMeasure, type ScoreMeasureName } from './table.ts'

export interface Comparison {
  readonly a: Estimate
  readonly b: Estimate
  /** a minus b. */
  readonly difference: Estimate
}

/** Undefined for auc and prAuc if all labels are 0 or all are 1. */
export type Comparisons = Readonly<Record<ScoreMeasureName, Comparison | undefined>>

/**
 * Every measure of two scores on the same rows, with the paired difference. `b` has the labels and
 * weights of `a`, row by row.
 */
export function compareMeasures(a: ScoredRows, b: ScoredRows, options?: MeasureOptions): Comparisons {
  const compare = openComparison(a, b, options)
  return mapMeasures(compare)
}

/** Measure by measure, for who wants some of them: the calibration measures take much longer than the others. */
export function openComparison(
  a: ScoredRows,
  b: ScoredRows,
  options?: MeasureOptions,
): (name: ScoreMeasureName) => Comparison | undefined {
  const settings = resolveMeasureOptions(options)
  const pair = makePair(a, b)
  const same = pair.aSteps.rows.every(row => a.predictions[row] === b.predictions[row])
  return name => {
    const { differ, one }: ScoreMeasure = SCORE_MEASURES[name]
    const [ofA, ofB] = [one(pair.aSteps, settings), one(pair.bSteps, settings)]
    if (ofA === undefined || ofB === undefined) return undefined
    const difference = same ? { value: 0, low: 0, high: 0 } : differ(pair, ofA, ofB, settings)
    return { a: strip(ofA), b: strip(ofB), difference }
  }
}

const strip = ({ value, low, high }: Estimate): Estimate => ({ value, low, high })

function makePair(a: ScoredRows, b: ScoredRows): ScorePair {
  checkRows(a)
  checkRows(b)
  checkLength('predictions of b', b.predictions, a.predictions.length)
  for (let row = 0; row < a.labels.length; row++) {
    if (a.labels[row] !== b.labels[row]) throw differentRows('labels', row)
    if ((a.weights?.[row] ?? 1) !== (b.weights?.[row] ?? 1)) throw differentRows('weights', row)
  }
  const order = sortByKeys(countedRows(a), [...canonicalKeys(a), toKey(b.predictions)])
  return { a, b, aSteps: stepsInOrder(a, order), bSteps: makeSteps(b) }
}

function differentRows(column: 'labels' | 'weights', row: number): FeatureBoostError {
  return new FeatureBoostError('FB_OPTION_VALUE', 'the two scores do not stand on the same rows.', {
    column,
    row: row + 1,
    expected: `the same ${column} for both scores`,
    hint: 'Put the rows of both into the same order first.',
  })
}
