// Rows as a regression on the logit of the score sees them.

import { logitUnits } from '../../common/logistic.ts'
import { ONE } from '../../common/units.ts'
import { insideUnits, type LogitPoints } from '../../forest/line/regression.ts'
import type { BaselineRows } from '../baseline.ts'
import { type ScoreSums, sumByScore } from './scores.ts'

export const sumByInsideScore = (rows: BaselineRows): ScoreSums =>
  sumByScore(rows, rows.start.map(insideUnits))

/** Is there but one label? Then the best logit is infinite, and the score is left alone, as MCGrad leaves it. */
export const hasOneLabel = ({ label }: Pick<BaselineRows, 'label'>): boolean =>
  label.every(units => units === label[0])

export function logitPoints({ label, score, weight }: ScoreSums): LogitPoints {
  const total = weight.reduce((sum, one) => sum + one, 0)
  return {
    logit: Float64Array.from(score, units => logitUnits(units) / ONE),
    weight: weight.map(one => one / total),
    mean: label.map((sum, index) => sum / weight[index] / ONE),
  }
}
