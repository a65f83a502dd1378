// How far two scores on the same rows differ in a measure, with a paired interval.
//
// Smooth measures: the differences of influence values, row by row. Calibration measures: seminorm.ts gives how far each
// may be from its estimate, in terms of its sampling error G; both errors come from the same rows and are drawn together
// (pairs.ts).

import { type SmoothMeasure, unseenShare } from './interval.ts'
import { normalMultiple } from './normal.ts'
import type { MeasureSettings } from './options.ts'
import { type ScorePair, simulatePair } from './pairs.ts'
import type { RankingMeasure } from './ranking.ts'
import type { Estimate } from './scoredRows.ts'
import { bandShare, quantile, type Seminorm } from './seminorm.ts'
import { type SmoothEce, smoothEceEstimate, smoothSeminorm } from './smoothInterval.ts'
import { effectiveCount, type Steps } from './steps.ts'

/** Blocks of one score; a pair has up to the square of it. */
const GRID_BLOCKS = 256

export function smoothDifference(
  { aSteps, bSteps }: ScorePair,
  measure: (steps: Steps) => SmoothMeasure | undefined,
  ofA: Estimate,
  ofB: Estimate,
  { confidence }: MeasureSettings,
): Estimate {
  const ofRow = new Float64Array(bSteps.givenCount)
  const [a, b] = [measure(aSteps)!, measure(bSteps)!]
  bSteps.rows.forEach((row, index) => {
    ofRow[row] = b.influence[index]
  })
  let squares = 0
  for (let index = 0; index < aSteps.rows.length; index++) {
    const influence = a.influence[index] - ofRow[aSteps.rows[index]]
    squares += (aSteps.weights[index] * influence) ** 2
  }
  const count = effectiveCount(aSteps)
  const error = (Math.sqrt(squares) / aSteps.weight) * Math.sqrt(count / (count - 1))
  const value = a.value - b.value
  // One positive, or an infinite loss: nothing is known of the pair's spread, so take each score by itself.
  if (!Number.isFinite(error)) return { value, low: ofA.low - ofB.high, high: ofA.high - ofB.low }
  const reach = error > 0 ? normalMultiple(confidence) * error : unseenShare(confidence, sizeOf(a, count))
  return { value, low: value - reach, high: value + reach }
}

const sizeOf = (measure: SmoothMeasure | RankingMeasure, count: number): number =>
  'positives' in measure ? Math.min(measure.positives, measure.negatives) : count

/**
 * Where both smooth ECEs are surely above the noise, as for the others; else from the one-sided limits of each score,
 * every one with half of the error it may have.
 */
export function smoothEceDifference(
  pair: ScorePair,
  a: SmoothEce,
  b: SmoothEce,
  settings: MeasureSettings,
): Estimate {
  const aNorm = smoothSeminorm(pair.aSteps, a, settings, GRID_BLOCKS)
  const bNorm = smoothSeminorm(pair.bSteps, b, settings, GRID_BLOCKS)
  if (aNorm !== undefined && bNorm !== undefined) return seminormDifference(pair, aNorm, bNorm, settings)
  const halved = { ...settings, confidence: (1 + settings.confidence) / 2 }
  const [aLimits, bLimits] = [smoothEceEstimate(a, halved), smoothEceEstimate(b, halved)]
  const low = aLimits.low - bLimits.high
  return { value: a.value - b.value, low, high: aLimits.high - bLimits.low }
}

/** Four shares of the band: one for each score, and one more where a lower limit was needed first (smooth ECE). */
export function seminormDifference(
  pair: ScorePair,
  a: Seminorm,
  b: Seminorm,
  settings: MeasureSettings,
): Estimate {
  const draws = simulatePair(pair, a, b, settings)
  const reach = quantile(draws, settings.confidence + 4 * bandShare(settings.confidence))
  const value = a.value - b.value
  return { value, low: Math.max(-1, value - reach), high: Math.min(1, value + reach) }
}
