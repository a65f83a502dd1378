// The paper's two counter-examples as data: what the figures draw and the tests check.

import { fitWithTrace, linear, type Model, makeTable } from '@featureboost/core'
import { continuousCalibrationError, type FactorKind } from '@featureboost/core/internal'

/** Labels are the true probabilities themselves, so that every average is the population's, without noise. */
export interface Example {
  readonly x: Float64Array
  readonly truth: Float64Array
  readonly fitted: Float64Array
  readonly model: Model
  readonly rounds: number
  /** Definition 6.1 on the unrounded predictions. */
  readonly unrounded: number
  /** After rounding to `bins` bins. */
  readonly rounded: number
  readonly bins: number
}

export interface NoisyOptions {
  /** Q: how often the noise changes sign. */
  readonly oscillations: number
  /** zeta: how strong it is. */
  readonly strength: number
  readonly pointsPerOscillation: number
  readonly bins: number
}

/** Example 6.3: y ~ Ber(x +- zeta'), zeta' = min(zeta, x, 1-x), the sign flips Q times. */
export async function noisyExample(options: NoisyOptions): Promise<Example> {
  const { oscillations, pointsPerOscillation, strength } = options
  const rows = oscillations * pointsPerOscillation
  const x = Float64Array.from({ length: rows }, (_, row) => (row + 0.5) / rows)
  const truth = x.map((value, row) => {
    const noise = Math.min(strength, value, 1 - value)
    return Math.floor(row / pointsPerOscillation) % 2 === 0 ? value + noise : value - noise
  })
  return fitExample(x, truth, 'intervals', options.bins, 1e-6)
}

/** E[zeta'] over x uniform on [0,1]: what the unrounded calibration error comes to when f(x) is close to x. */
export const expectedNoise = (strength: number): number => strength - strength * strength

/** Example 6.8: y ~ Ber(0.4 + 0.2 * 1(x >= 0.5)). */
export async function thresholdExample(factors: FactorKind, bins: number, points = 1200): Promise<Example> {
  const x = Float64Array.from({ length: points }, (_, row) => (row + 0.5) / points)
  const truth = x.map(value => (value >= 0.5 ? 0.6 : 0.4))
  return fitExample(x, truth, factors, bins, factors === 'constant' ? 0.005 : 1e-6)
}

/** Algorithm 1 from f_0 = 0 with linear auditors. */
async function fitExample(
  x: Float64Array,
  truth: Float64Array,
  factors: FactorKind,
  bins: number,
  tolerance: number,
): Promise<Example> {
  const table = makeTable({ x, y: truth, start: new Float64Array(x.length) })
  const { model, trace } = await fitWithTrace(table, {
    label: 'y',
    prediction: 'start',
    features: ['x'],
    method: 'rounds',
    auditors: linear(),
    factors,
    bins,
    tolerance,
    stop: 'certificate',
  })
  const fitted = model.predict(table)
  return {
    x,
    truth,
    fitted,
    model,
    rounds: trace.keptCount,
    unrounded: continuousCalibrationError(fitted, truth),
    rounded: continuousCalibrationError(model.round(bins).predict(table), truth),
    bins,
  }
}
