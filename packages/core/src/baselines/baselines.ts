// All baselines by name: what `method` may be besides forests and rounds.

import type { Baseline } from './baseline.ts'
import { calibratedMultiaccuracy } from './calibratedMultiaccuracy.ts'
import { histogram } from './histogram.ts'
import { hjz } from './hjz.ts'
import { hkrr } from './hkrr.ts'
import { isotonic } from './isotonic.ts'
import { jin } from './jin.ts'
import { lowDegree } from './lowDegree.ts'
import { lsboost } from './lsboost.ts'
import { mcgrad } from './mcgrad.ts'
import { multiaccuracyBoost } from './multiaccuracyBoost.ts'
import { platt } from './platt.ts'
import { plattFeatures } from './plattFeatures.ts'
import { temperature } from './temperature.ts'

export const BASELINES = {
  mcgrad,
  lsboost,
  jin,
  hkrr,
  hjz,
  'multiaccuracy-boost': multiaccuracyBoost,
  'calibrated-multiaccuracy': calibratedMultiaccuracy,
  'low-degree': lowDegree,
  isotonic,
  platt,
  'platt-features': plattFeatures,
  temperature,
  histogram,
} as const satisfies Record<string, Baseline>

export type BaselineName = keyof typeof BASELINES

export const BASELINE_NAMES = Object.keys(BASELINES) as BaselineName[]

export const isBaseline = (method: string): method is BaselineName => Object.hasOwn(BASELINES, method)

/** Those that read an option. */
export const baselinesThatRead = (option: 'learningRate' | 'roundLimit'): BaselineName[] =>
  BASELINE_NAMES.filter(name => (BASELINES[name] as Baseline).reads?.includes(option) === true)
