// All baselines by name: what `method` may be besides forests and rounds.

import type { Baseline } from './baseline.ts'
import { histogram } from './histogram.ts'
import { isotonic } from './isotonic.ts'
import { platt } from './platt.ts'
import { plattFeatures } from './plattFeatures.ts'
import { temperature } from './temperature.ts'

export const BASELINES = {
  isotonic,
  platt,
  'platt-features': plattFeatures,
  temperature,
  histogram,
} as const satisfies Record<string, Baseline>

export type BaselineName = keyof typeof BASELINES

export const BASELINE_NAMES = Object.keys(BASELINES) as BaselineName[]

export const isBaseline = (method: string): method is BaselineName => Object.hasOwn(BASELINES, method)
