// Platt scaling with features, MCGrad's variant: a logistic regression on the logit of the score and an indicator of every
// category and of every third of a number, with a ridge on all but the intercept. Where it differs: missing values are an
// indicator of their own (MCGrad puts 0 in their place), and thirds are found among bins and count weights.

import { throwIfCancelled } from '../common/cancel.ts'
import { FeatureBoostError } from '../common/errors.ts'
import { formatCount } from '../common/text.ts'
import { minimizeConvex } from '../forest/line/newton.ts'
import { affineUpdates } from '../forest/line/regression.ts'
import type { Baseline, BaselineRows, BaselineSettings } from './baseline.ts'
import { solveByGradients } from './regressions/conjugate.ts'
import { FeatureRegression, LOSS_NOISE } from './regressions/featureRegression.ts'
import { type IndicatorFeature, indicatorsOf, indicatorTree } from './regressions/thirds.ts'
import { hasOneLabel } from './rows/logit.ts'

export const plattFeatures: Baseline = {
  name: 'platt-features',
  title: 'Platt scaling with features',
  help: 'A logistic regression on the logit and on every category and third of each column (as in MCGrad).',
  run(rows, settings) {
    if (hasOneLabel(rows)) return []
    const indicators = indicatorsOf(rows)
    checkSize(indicators)
    const coefficients = fitFeatures(rows, indicators, settings)
    const [slope, intercept] = coefficients
    let next = 2
    const trees = indicators.map(indicator => {
      const steps = Array.from(coefficients.subarray(next, next + indicator.count))
      next += indicator.count
      return indicatorTree(indicator, steps)
    })
    return affineUpdates(slope, [{ tree: { leaf: 0 }, steps: [intercept] }, ...trees])
  },
}

/** One over MCGrad's C of 0.1. */
export const RIDGE = 10

const MAX_COEFFICIENTS = 4096

function checkSize(indicators: readonly IndicatorFeature[]): void {
  const count = 2 + indicators.reduce((sum, indicator) => sum + indicator.count, 0)
  if (count <= MAX_COEFFICIENTS) return
  throw new FeatureBoostError(
    'FB_OPTION_VALUE',
    `platt-features would have ${formatCount(count)} coefficients.`,
    {
      found: count,
      expected: `at most ${formatCount(MAX_COEFFICIENTS)}`,
      hint: 'List fewer features, or raise "rare" so that more categories are pooled.',
    },
  )
}

/** Slope, intercept, and one coefficient for each indicator. */
export function fitFeatures(
  rows: BaselineRows,
  indicators: readonly IndicatorFeature[],
  { onRound, signal }: Pick<BaselineSettings, 'onRound' | 'signal'>,
): Float64Array {
  const regression = new FeatureRegression(rows, indicators, RIDGE)
  const start = new Array<number>(regression.size).fill(0)
  start[0] = 1
  return minimizeConvex(start, at => regression.look(at), {
    noise: LOSS_NOISE,
    solve: solveByGradients,
    onStep: steps => {
      throwIfCancelled(signal, 'Platt scaling with features')
      onRound?.(steps)
    },
  })
}
