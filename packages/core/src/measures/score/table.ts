// The measures of a score: how each is found for one score, and how two scores differ in it. Whatever takes all measures goes by
// this table; a new one is a file of its own and a line here.

import { seminormDifference, smoothDifference, smoothEceDifference } from './differences.ts'
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
  smoothCalibrationEstimate,
} from './estimates.ts'
import type { MeasureSettings } from './options.ts'
import type { ScorePair } from './pairs.ts'
import type { Estimate } from './scoredRows.ts'
import { smoothCalibrationSeminorm } from './smoothCalibration.ts'
import { measureSmoothEce, type SmoothEce, smoothEceEstimate } from './smoothInterval.ts'
import type { Steps } from './steps.ts'

export interface ScoreMeasure<E extends Estimate | undefined = Estimate | undefined> {
  /** Undefined where it cannot be had, such as AUC of one label alone. */
  readonly one: (steps: Steps, settings: MeasureSettings) => E
  readonly differ: (pair: ScorePair, a: Estimate, b: Estimate, settings: MeasureSettings) => Estimate
}

const smooth = <E extends Estimate | undefined>(
  name: keyof typeof SMOOTH,
  one: (steps: Steps, settings: MeasureSettings) => E,
): ScoreMeasure<E> => ({
  one,
  differ: (pair, a, b, settings) => smoothDifference(pair, SMOOTH[name], a, b, settings),
})

const binned = (name: keyof typeof eceBins): ScoreMeasure<ReturnType<typeof eceEstimate>> => ({
  one: (steps, settings) => eceEstimate(steps, eceBins[name](steps, settings.bins), settings),
  differ(pair, _a, _b, settings) {
    const normOf = (steps: Steps) =>
      eceSeminorm(steps, eceBins[name](steps, settings.bins), settings.confidence)
    return seminormDifference(pair, normOf(pair.aSteps), normOf(pair.bSteps), settings)
  },
})

/** Blocks of one score; a pair has up to the square of it. */
const WALK_BLOCKS = 128

export const SCORE_MEASURES = {
  brier: smooth('brier', brierEstimate),
  logLoss: smooth('logLoss', logLossEstimate),
  auc: smooth('auc', aucEstimate),
  prAuc: smooth('prAuc', prAucEstimate),
  eceWidth: binned('eceWidth'),
  eceMass: binned('eceMass'),
  smoothEce: {
    one: (steps: Steps, settings: MeasureSettings): Estimate => smoothEceEstimate(smoothOf(steps), settings),
    differ: (pair: ScorePair, _a: Estimate, _b: Estimate, settings: MeasureSettings): Estimate =>
      smoothEceDifference(pair, smoothOf(pair.aSteps), smoothOf(pair.bSteps), settings),
  },
  smoothCalibration: {
    one: smoothCalibrationEstimate,
    differ(pair: ScorePair, _a: Estimate, _b: Estimate, settings: MeasureSettings): Estimate {
      const normOf = (steps: Steps) => smoothCalibrationSeminorm(steps, WALK_BLOCKS)
      return seminormDifference(pair, normOf(pair.aSteps), normOf(pair.bSteps), settings)
    },
  },
  ecce: {
    one: ecceEstimate,
    differ(pair: ScorePair, _a: Estimate, _b: Estimate, settings: MeasureSettings): Estimate {
      const normOf = (steps: Steps) => ecceSeminorm(steps, settings.confidence, WALK_BLOCKS)
      return seminormDifference(pair, normOf(pair.aSteps), normOf(pair.bSteps), settings)
    },
  },
} satisfies Readonly<Record<string, ScoreMeasure>>

export type ScoreMeasureName = keyof typeof SCORE_MEASURES

/** The dearest of them: found once for the same steps. */
function smoothOf(steps: Steps): SmoothEce {
  const known = SMOOTH_FOUND.get(steps)
  if (known !== undefined) return known
  const found = measureSmoothEce(steps)
  SMOOTH_FOUND.set(steps, found)
  return found
}

const SMOOTH_FOUND = new WeakMap<Steps, SmoothEce>()

/** Something for every measure. */
export const mapMeasures = <T>(make: (name: ScoreMeasureName) => T): Record<ScoreMeasureName, T> =>
  Object.fromEntries(
    (Object.keys(SCORE_MEASURES) as ScoreMeasureName[]).map(name => [name, make(name)]),
  ) as Record<ScoreMeasureName, T>
