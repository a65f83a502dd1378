// Slope and intercept of a logit: the two with the least log loss, without a penalty.

import { type Derivatives, minimizeConvex } from './newton.ts'
import { type LogitPoints, logLossAt } from './regression.ts'

/** Points come in a fixed order, so sums of doubles are the same everywhere; this is how far they may be off. */
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
