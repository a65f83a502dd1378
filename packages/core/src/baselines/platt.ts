// Platt scaling: a logistic regression of the label on the logit of the score, without a penalty. Labels are taken as they
// are, as MCGrad and most others do; Platt's own targets, pulled a little away from 0 and 1, are not used.

import { ROOT } from '../engine/update.ts'
import type { Baseline } from './baseline.ts'
import {
  affineUpdates,
  hasOneLabel,
  type LogitPoints,
  logitPoints,
  logLossAt,
  sumByInsideScore,
} from './logit.ts'
import { type Derivatives, minimizeConvex } from './newton.ts'

export const platt: Baseline = {
  name: 'platt',
  title: 'Platt scaling',
  help: 'A logistic regression on the logit of the score: slope and intercept (Platt 1999, without smoothed labels).',
  run(rows) {
    if (hasOneLabel(rows)) return []
    const [slope, intercept] = fitPlatt(logitPoints(sumByInsideScore(rows)))
    return affineUpdates(slope, [{ tree: ROOT, steps: [intercept] }])
  },
}

/** Sums of doubles, but over distinct scores in their order: rows come in whole numbers. */
const ROUNDING = 1e-12

export const fitPlatt = (points: LogitPoints): Float64Array =>
  minimizeConvex([1, 0], at => plattLoss(points, at), { noise: ROUNDING })

export function plattLoss(points: LogitPoints, [slope, intercept]: Iterable<number>): Derivatives {
  const { logit } = points
  const { first, second, value } = logLossAt(points, index => slope * logit[index] + intercept)
  const [gradient, hessian] = [new Float64Array(2), new Float64Array(4)]
  for (let index = 0; index < logit.length; index++) {
    const x = logit[index]
    gradient[0] += first[index] * x
    gradient[1] += first[index]
    hessian[0] += second[index] * x * x
    hessian[1] += second[index] * x
    hessian[3] += second[index]
  }
  hessian[2] = hessian[1]
  return { value, gradient, hessian }
}
