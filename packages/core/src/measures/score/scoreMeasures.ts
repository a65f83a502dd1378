// Every row-based measure of one score at once, from one sort.

import { type BinnedBrierParts, type BrierParts, binnedBrierParts, brierParts } from './brier.ts'
import { eceBins, uncertaintyEstimate } from './estimates.ts'
import { type MeasureOptions, resolveMeasureOptions } from './options.ts'
import type { Estimate, ScoredRows } from './scoredRows.ts'
import { makeSteps } from './steps.ts'
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
}

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
    ...measured,
  }
}
