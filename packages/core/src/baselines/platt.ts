// Platt scaling: a logistic regression of the label on the logit of the score, without a penalty. Labels are taken as they
// are, as MCGrad and most others do; Platt's own targets, pulled a little away from 0 and 1, are not used.

import { fitPlatt } from '../forest/line/platt.ts'
import { affineUpdates } from '../forest/line/regression.ts'
import { ROOT } from '../update/update.ts'
import type { Baseline } from './baseline.ts'
import { hasOneLabel, logitPoints, sumByInsideScore } from './rows/logit.ts'

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
