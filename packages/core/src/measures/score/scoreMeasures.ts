// Every row-based measure of one score at once, from one sort.

import { type BinnedBrierParts, type BrierParts, binnedBrierParts, brierParts } from './brier.ts'
import {
  aucEstimate,
  type BinnedEstimate,
  brierEstimate,
  type EcceEstimate,
  ecceEstimate,
  eceBins,
  eceEstimate,
  logLossEstimate,
  prAucEstimate,
  uncertaintyEstimate,
} from './estimates.ts'
import { type MeasureOptions, type MeasureSettings, resolveMeasureOptions } from './options.ts'
import type { Estimate, ScoredRows } from './scoredRows.ts'
import { measureSmoothEce, type SmoothEce, smoothEceEstimate } from './smoothInterval.ts'
import { makeSteps, type Steps } from './steps.ts'

export interface ScoreMeasures {
  /** Rows with a weight. */
  readonly rowCount: number
  readonly weight: number
  readonly brier: Estimate
  /** On distinct predictions. */
  readonly brierParts: BrierParts
  /** On equal-width bins. */
  readonly binnedBrierParts: BinnedBrierParts
  /** Var(y), the one part that is smooth. */
  readonly uncertainty: Estimate
  readonly logLoss: Estimate
  /** Undefined if all labels are 0 or all are 1. */
  readonly auc: Estimate | undefined
  readonly prAuc: Estimate | undefined
  readonly eceWidth: BinnedEstimate
  readonly eceMass: BinnedEstimate
  readonly smoothEce: Estimate
  readonly ecce: EcceEstimate
}

export function scoreMeasures(rows: ScoredRows, options?: MeasureOptions): ScoreMeasures {
  const settings = resolveMeasureOptions(options)
  const steps = makeSteps(rows)
  return measureSteps(steps, settings, measureSmoothEce(steps))
}

/** With smooth ECE, the dearest of them, measured by the caller. */
export function measureSteps(steps: Steps, settings: MeasureSettings, smooth: SmoothEce): ScoreMeasures {
  const widthBins = eceBins.eceWidth(steps, settings.bins)
  const massBins = eceBins.eceMass(steps, settings.bins)
  return {
    rowCount: steps.rows.length,
    weight: steps.weight,
    brier: brierEstimate(steps, settings),
    brierParts: brierParts(steps),
    binnedBrierParts: binnedBrierParts(steps, widthBins),
    uncertainty: uncertaintyEstimate(steps, settings),
    logLoss: logLossEstimate(steps, settings),
    auc: aucEstimate(steps, settings),
    prAuc: prAucEstimate(steps, settings),
    eceWidth: eceEstimate(steps, widthBins, settings),
    eceMass: eceEstimate(steps, massBins, settings),
    smoothEce: smoothEceEstimate(smooth, settings),
    ecce: ecceEstimate(steps, settings),
  }
}
