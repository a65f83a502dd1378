// Temperature scaling: one factor on the logit, 1 / T, that makes the log loss least. It keeps the order of scores, and 0.5.

import { type Derivatives, minimizeConvex } from '../forest/line/newton.ts'
import { affineUpdates, type LogitPoints, logLossAt } from '../forest/line/regression.ts'
import type { Baseline } from './baseline.ts'
import { hasOneLabel, logitPoints, sumByInsideScore } from './rows/logit.ts'

export const temperature: Baseline = {
  name: 'temperature',
  title: 'Temperature scaling',
  help: 'One factor on the logit of the score, the one with the least log loss (Guo et al. 2017).',
  run: rows =>
    hasOneLabel(rows) ? [] : affineUpdates(fitTemperature(logitPoints(sumByInsideScore(rows))), []),
}

const ROUNDING = 1e-12

/** Where scores rank backwards the best factor that keeps their order is 0. */
export const fitTemperature = (points: LogitPoints): number =>
  Math.max(0, minimizeConvex([1], at => temperatureLoss(points, at), { noise: ROUNDING })[0])

export function temperatureLoss(points: LogitPoints, [factor]: Iterable<number>): Derivatives {
  const { logit } = points
  const { first, second, value } = logLossAt(points, index => factor * logit[index])
  const [gradient, hessian] = [new Float64Array(1), new Float64Array(1)]
  for (let index = 0; index < logit.length; index++) {
    gradient[0] += first[index] * logit[index]
    hessian[0] += second[index] * logit[index] ** 2
  }
  return { value, gradient, hessian }
}
