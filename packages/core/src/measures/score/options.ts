// Options of the row-based measures: defaults and ranges.

import { FeatureBoostError } from '../../common/errors.ts'
import { showValue } from '../../data/column.ts'
import { checkOptionsObject } from '../../data/given.ts'

export interface MeasureOptions {
  /** Of every interval. Default 0.95. */
  readonly confidence?: number
  /** Bins of ECE, of the reliability diagram and of the binned Brier parts. Default 10. */
  readonly bins?: number
  /** Simulated draws behind the intervals of calibration measures. Default 1000. */
  readonly draws?: number
  /** Seed of the draws: the same seed gives the same intervals. Default 1. */
  readonly seed?: number
}

export type MeasureSettings = Required<MeasureOptions>

const DEFAULTS: MeasureSettings = { confidence: 0.95, bins: 10, draws: 1000, seed: 1 }

export function resolveMeasureOptions(options: MeasureOptions = {}): MeasureSettings {
  checkOptionsObject(options)
  const settings = { ...DEFAULTS, ...options }
  const { confidence, bins, draws, seed } = settings
  requireOption('confidence', confidence, confidence >= 0.5 && confidence < 1, '0.5 to less than 1')
  requireOption('bins', bins, isWhole(bins, 1, 65_536), 'a whole number from 1 to 65536')
  requireOption('draws', draws, isWhole(draws, 100, 1_000_000), 'a whole number from 100 to 1000000')
  requireOption('seed', seed, isWhole(seed, 0, 2 ** 32 - 1), 'a whole number from 0 to 4294967295')
  return settings
}

export const isWhole = (value: number, from: number, to: number): boolean =>
  Number.isInteger(value) && value >= from && value <= to

export function requireOption(name: string, found: unknown, holds: boolean, expected: string): void {
  if (holds) return
  throw new FeatureBoostError('FB_OPTION_VALUE', `option "${name}" is ${showValue(found)}.`, {
    found,
    expected,
  })
}
