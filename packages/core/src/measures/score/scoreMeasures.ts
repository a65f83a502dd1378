// Every row-based measure of one score at once, from one sort.

import { type BinnedBrierParts, type BrierParts, binnedBrierParts, brierParts } from './brier.ts'
import { type CalibrationDistance, calibrationDistance } from './calibrationDistance.ts'
import { eceBins, uncertaintyEstimate } from './estimates.ts'
import { type MeasureOptions, resolveMeasureOptions } from './options.ts'
import type { Estimate, ScoredRows } from './scoredRows.ts'
import { makeSteps, type Steps } from './steps.ts'
import { mapMeasures, SCORE_MEASURES, type ScoreMeasureName } from './table.ts'

/** AUC and PR-AUC are undefined if all labels are 0 or all are 1. */
export type ScoreMeasures = ScoreParts & {
  readonly [Name in ScoreMeasureName]: ReturnType<(typeof SCORE_MEASURES)[Name]['one']>
}

interface ScoreParts {
  /** Rows with a weight. */
  readonly rowCount: number
  readonly weight: number
  /** On distinct predictions. */
  readonly brierParts: BrierParts
  /** On equal-width bins. */
  readonly binnedBrierParts: BinnedBrierParts
  /** Var(y), the one part that is smooth. */
  readonly uncertainty: Estimate
  /** How far the nearest calibrated score is, on these very rows: between two numbers. */
  readonly calibrationDistance: CalibrationDistance
  /** The sum of |D| over distinct scores (Definition 6.1), on these very rows. */
  readonly continuousCalibration: number
  /**
   * The same for the worst auditor (Definition 6.2), whatever auditors with values in [-1,1] there are, everyone among them: at least
   * that of everyone, at most the mean distance of outcomes from scores. Where all scores differ, both are the same.
   */
  readonly continuousMulticalibration: { readonly atLeast: number; readonly atMost: number }
}

/** All measures of one score, with intervals, from plain arrays. */
export function scoreMeasures(rows: ScoredRows, options?: MeasureOptions): ScoreMeasures {
  const settings = resolveMeasureOptions(options)
  const steps = makeSteps(rows)
  const measured = mapMeasures(name => SCORE_MEASURES[name].one(steps, settings)) as Omit<
    ScoreMeasures,
    keyof ScoreParts
  >
  return {
    rowCount: steps.rows.length,
    weight: steps.weight,
    brierParts: brierParts(steps),
    binnedBrierParts: binnedBrierParts(steps, eceBins.eceWidth(steps, settings.bins)),
    uncertainty: uncertaintyEstimate(steps, settings),
    calibrationDistance: calibrationDistance(steps),
    ...continuousErrors(steps),
    ...measured,
  }
}

function continuousErrors({ labels, predictions, residuals, starts, weight, weights }: Steps) {
  let far = 0
  for (let step = 0; step < predictions.length; step++) {
    for (let row = starts[step]; row < starts[step + 1]; row++)
      far += weights[row] * Math.abs(labels[row] - predictions[step])
  }
  const error = residuals.reduce((sum, each) => sum + Math.abs(each), 0) / weight
  return {
    continuousCalibration: error,
    continuousMulticalibration: { atLeast: error, atMost: Math.max(error, far / weight) },
  }
}
