// Each measure of one score as an estimate: what scoreMeasures collects and compareMeasures compares.

import { type Bins, equalMassBins, equalWidthBins } from './bins.ts'
import { brierScore, labelVariance } from './brier.ts'
import { type Ecce, ecce, ecceSeminorm } from './ecce.ts'
import { type ReliabilityBin, reliabilityBins } from './ece.ts'
import { eceSeminorm } from './eceSeminorm.ts'
import { meanOf, positiveEstimate, type SmoothMeasure, standardError, unitEstimate } from './interval.ts'
import { logLoss } from './logLoss.ts'
import { normalMultiple, studentMultiple } from './normal.ts'
import type { MeasureSettings } from './options.ts'
import { averagePrecision, perfectPrecisionLow, type RankingMeasure, rocAuc } from './ranking.ts'
import type { Estimate } from './scoredRows.ts'
import { seminormEstimate } from './seminorm.ts'
import { smoothCalibrationSeminorm } from './smoothCalibration.ts'
import { effectiveCount, type Steps } from './steps.ts'

/** Smooth measures by name; undefined where a class is missing. */
export const SMOOTH = {
  brier: brierScore,
  logLoss: (steps: Steps): SmoothMeasure => logLoss(steps),
  auc: rocAuc,
  prAuc: averagePrecision,
} as const

/** Walks are drawn in so many blocks. */
export const WALK_BLOCKS = 1000

/** An ECE with the bins it was taken on. */
export interface BinnedEstimate extends Estimate {
  readonly bins: readonly ReliabilityBin[]
}

export type EcceEstimate = Estimate & Ecce

export const brierEstimate = (steps: Steps, { confidence }: MeasureSettings): Estimate =>
  meanEstimate(steps, brierScore(steps), confidence)

/**
 * Of labels of 0 and 1 it is m (1 - m), m their mean: what that takes on the interval of m. Around m = 1/2 it hardly moves with
 * m, and a normal interval of its own would be too short.
 */
export function uncertaintyEstimate(steps: Steps, { confidence }: MeasureSettings): Estimate {
  const variance = labelVariance(steps)
  if (!steps.binary) return meanEstimate(steps, variance, confidence)
  const { low, high } = meanEstimate(steps, meanOf(steps, steps.labels), confidence)
  const ends = [low * (1 - low), high * (1 - high)]
  const top = low < 0.5 && high > 0.5 ? 0.25 : Math.max(...ends)
  return {
    value: variance.value,
    low: Math.min(variance.value, ...ends),
    high: Math.max(variance.value, top),
  }
}

function meanEstimate(steps: Steps, { value, influence }: SmoothMeasure, confidence: number): Estimate {
  return unitEstimate(value, standardError(steps, influence), confidence, effectiveCount(steps))
}

export function logLossEstimate(steps: Steps, { confidence }: MeasureSettings): Estimate {
  const { value, influence } = logLoss(steps)
  return positiveEstimate(value, standardError(steps, influence), confidence)
}

export function aucEstimate(steps: Steps, { confidence }: MeasureSettings): Estimate | undefined {
  const measure = rocAuc(steps)
  if (measure === undefined) return undefined
  const pairs = Math.min(measure.positives, measure.negatives)
  return unitEstimate(measure.value, rankingError(steps, measure, confidence), confidence, pairs)
}

export function prAucEstimate(steps: Steps, { confidence }: MeasureSettings): Estimate | undefined {
  const measure = averagePrecision(steps)
  if (measure === undefined) return undefined
  const { value } = measure
  if (value === 1) return { value, low: perfectPrecisionLow(measure, confidence), high: 1 }
  return unitEstimate(value, rankingError(steps, measure, confidence), confidence, measure.positives)
}

/**
 * The classes have their own n/(n-1) already. The spread is known from the rows of the rarer label, which may be few: so
 * Student's multiple in place of the normal one.
 */
function rankingError(
  steps: Steps,
  { influence, negatives, positives }: RankingMeasure,
  confidence: number,
): number {
  const count = effectiveCount(steps)
  const wider = studentMultiple(confidence, Math.min(positives, negatives) - 1) / normalMultiple(confidence)
  return wider * standardError(steps, influence) * Math.sqrt((count - 1) / count)
}

export const eceBins = {
  eceWidth: equalWidthBins,
  eceMass: equalMassBins,
} as const

export function eceEstimate(steps: Steps, bins: Bins, settings: MeasureSettings): BinnedEstimate {
  const estimate = seminormEstimate(steps, eceSeminorm(steps, bins, settings.confidence), settings)
  return { ...estimate, bins: reliabilityBins(steps, bins, settings.confidence) }
}

/** Every draw solves a linear program over them. */
const LIPSCHITZ_BLOCKS = 256

export const smoothCalibrationEstimate = (steps: Steps, settings: MeasureSettings): Estimate =>
  seminormEstimate(steps, smoothCalibrationSeminorm(steps, LIPSCHITZ_BLOCKS), settings)

export function ecceEstimate(steps: Steps, settings: MeasureSettings): EcceEstimate {
  const seminorm = ecceSeminorm(steps, settings.confidence, WALK_BLOCKS)
  return { ...seminormEstimate(steps, seminorm, settings), ...ecce(steps) }
}
