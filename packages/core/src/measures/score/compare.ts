// Two scores on the same rows: every measure of both, and its difference (a minus b) with a paired interval.
//
// Smooth measures: the differences of influence values, row by row. Calibration measures: seminorm.ts gives how far each
// may be from its estimate, in terms of its sampling error G; both errors come from the same rows and are drawn together
// (pairs.ts).

import { FeatureBoostError } from '../../common/errors.ts'
import { ecceSeminorm } from './ecce.ts'
import { eceSeminorm } from './eceSeminorm.ts'
import {
  aucEstimate,
  brierEstimate,
  ecceEstimate,
  eceBins,
  eceEstimate,
  logLossEstimate,
  prAucEstimate,
  SMOOTH,
} from './estimates.ts'
import { type SmoothMeasure, unseenShare } from './interval.ts'
import { normalMultiple } from './normal.ts'
import { type MeasureOptions, type MeasureSettings, resolveMeasureOptions } from './options.ts'
import { sortByKeys } from './order.ts'
import { type ScorePair, simulatePair } from './pairs.ts'
import type { RankingMeasure } from './ranking.ts'
import { checkLength, checkRows, type Estimate, type ScoredRows } from './scoredRows.ts'
import { bandShare, quantile, type Seminorm } from './seminorm.ts'
import { measureSmoothEce, type SmoothEce, smoothEceEstimate, smoothSeminorm } from './smoothInterval.ts'
import {
  canonicalKeys,
  countedRows,
  effectiveCount,
  makeSteps,
  type Steps,
  stepsInOrder,
  toKey,
} from './steps.ts'

export interface Comparison {
  readonly a: Estimate
  readonly b: Estimate
  /** a minus b. */
  readonly difference: Estimate
}

export type MeasureName =
  | 'brier'
  | 'logLoss'
  | 'auc'
  | 'prAuc'
  | 'eceWidth'
  | 'eceMass'
  | 'smoothEce'
  | 'ecce'

/** Undefined for auc and prAuc if all labels are 0 or all are 1. */
export type Comparisons = Readonly<Record<MeasureName, Comparison | undefined>>

/** `b` has the labels and weights of `a`, row by row. */
export function compareMeasures(a: ScoredRows, b: ScoredRows, options?: MeasureOptions): Comparisons {
  const compare = openComparison(a, b, options)
  return {
    brier: compare('brier'),
    logLoss: compare('logLoss'),
    auc: compare('auc'),
    prAuc: compare('prAuc'),
    eceWidth: compare('eceWidth'),
    eceMass: compare('eceMass'),
    smoothEce: compare('smoothEce'),
    ecce: compare('ecce'),
  }
}

/** Measure by measure, for who wants some of them: the calibration measures take much longer than the others. */
export function openComparison(
  a: ScoredRows,
  b: ScoredRows,
  options?: MeasureOptions,
): (name: MeasureName) => Comparison | undefined {
  const settings = resolveMeasureOptions(options)
  const pair = makePair(a, b)
  const same = pair.aSteps.rows.every(row => a.predictions[row] === b.predictions[row])
  return name => {
    const measure = MEASURES[name](pair, settings)
    const [ofA, ofB] = [measure.one(pair.aSteps), measure.one(pair.bSteps)]
    if (ofA === undefined || ofB === undefined) return undefined
    const difference = same ? { value: 0, low: 0, high: 0 } : measure.differ(ofA, ofB)
    return { a: strip(ofA), b: strip(ofB), difference }
  }
}

/** A measure of one score, and its difference between the two of a pair. */
interface PairedMeasure {
  readonly one: (steps: Steps) => Estimate | undefined
  readonly differ: (a: Estimate, b: Estimate) => Estimate
}

type OpenMeasure = (pair: ScorePair, settings: MeasureSettings) => PairedMeasure

const smooth =
  (
    name: keyof typeof SMOOTH,
    one: (steps: Steps, settings: MeasureSettings) => Estimate | undefined,
  ): OpenMeasure =>
  (pair, settings) => ({
    one: steps => one(steps, settings),
    differ: (a, b) => smoothDifference(pair, SMOOTH[name], a, b, settings),
  })

const binned =
  (name: keyof typeof eceBins): OpenMeasure =>
  (pair, settings) => {
    const binsOf = (steps: Steps) => eceBins[name](steps, settings.bins)
    const normOf = (steps: Steps) => eceSeminorm(steps, binsOf(steps), settings.confidence)
    return {
      one: steps => eceEstimate(steps, binsOf(steps), settings),
      differ: () => seminormDifference(pair, normOf(pair.aSteps), normOf(pair.bSteps), settings),
    }
  }

const MEASURES: Readonly<Record<MeasureName, OpenMeasure>> = {
  brier: smooth('brier', brierEstimate),
  logLoss: smooth('logLoss', logLossEstimate),
  auc: smooth('auc', aucEstimate),
  prAuc: smooth('prAuc', prAucEstimate),
  eceWidth: binned('eceWidth'),
  eceMass: binned('eceMass'),
  smoothEce: (pair, settings) => {
    const [a, b] = [measureSmoothEce(pair.aSteps), measureSmoothEce(pair.bSteps)]
    return {
      one: steps => smoothEceEstimate(steps === pair.aSteps ? a : b, settings),
      differ: () => smoothEceDifference(pair, a, b, settings),
    }
  },
  ecce: (pair, settings) => {
    const normOf = (steps: Steps) => ecceSeminorm(steps, settings.confidence, WALK_BLOCKS)
    return {
      one: steps => ecceEstimate(steps, settings),
      differ: () => seminormDifference(pair, normOf(pair.aSteps), normOf(pair.bSteps), settings),
    }
  },
}

/** Blocks of one score; a pair has up to the square of it. */
const WALK_BLOCKS = 128
const GRID_BLOCKS = 256

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
    hint: 'Put the rows of both into one order first.',
  })
}

function smoothDifference(
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
function smoothEceDifference(
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
function seminormDifference(pair: ScorePair, a: Seminorm, b: Seminorm, settings: MeasureSettings): Estimate {
  const draws = simulatePair(pair, a, b, settings)
  const reach = quantile(draws, settings.confidence + 4 * bandShare(settings.confidence))
  const value = a.value - b.value
  return { value, low: Math.max(-1, value - reach), high: Math.min(1, value + reach) }
}
