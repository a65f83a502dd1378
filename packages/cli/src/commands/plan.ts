// featureboost plan: what an error of epsilon asks for, in plain words.

import {
  type Guarantee,
  heldOutSlack,
  logTreeAuditors,
  paperSampleSize,
  planParameters,
  rowsForSlack,
} from '@featureboost/core'
import { type FactorKind, formatCount } from '@featureboost/core/internal'
import { wrap } from '../terminal/layout.ts'
import { stdoutView } from '../terminal/view.ts'
import { printJson } from './print.ts'

interface PlanCommandOptions {
  readonly epsilon: number
  readonly guarantee: Guarantee
  readonly factors: FactorKind
  readonly depth: number
  readonly features: number
  readonly rows: number | undefined
  readonly json: boolean
}

const CONFIDENCE = 0.95
/** Splits per column in the certified class: 63 cuts, either side for missing values, and missing itself. */
const SPLITS_PER_COLUMN = 127

export function runPlan(options: PlanCommandOptions): void {
  const { depth, epsilon, factors, features, guarantee } = options
  const plan = planParameters({ epsilon, guarantee, factors, valueBins: 2 ** depth })
  const paper = paperSampleSize({
    depth,
    features,
    bins: plan.bins,
    rounds: plan.roundLimit,
    tolerance: plan.tolerance,
    deviation: plan.tolerance / 2,
    confidence: CONFIDENCE,
    ...(options.rows !== undefined && { rows: options.rows }),
  })
  const heldOut = {
    logAuditors: logTreeAuditors(SPLITS_PER_COLUMN * features, depth),
    bins: plan.bins,
    confidence: CONFIDENCE,
  }
  const rowsNeeded = rowsForSlack({ ...heldOut, slack: epsilon })
  const slack = options.rows === undefined ? undefined : heldOutSlack({ ...heldOut, rows: options.rows })
  if (options.json) {
    const { sentences: _, ...numbers } = plan
    printJson({ ...numbers, paper, heldOut: { rowsNeeded, slack } })
    return
  }
  const sentences = [
    ...plan.sentences,
    `By the paper's bound, trees of depth ${depth} on ${features} columns need ${paper.rowsRequired.toExponential(1)} rows before the guarantee carries over to new rows with half the tolerance lost: ${paper.sentence}.`,
    `By the held-out certificate, ${formatCount(rowsNeeded)} rows that were not used for fitting bring the slack on new rows to ${epsilon}.`,
    ...(slack === undefined
      ? []
      : [`With ${formatCount(options.rows!)} held-out rows the slack is ${slack.toFixed(4)}.`]),
  ]
  const { width } = stdoutView()
  process.stdout.write(`${sentences.map(sentence => wrap(`- ${sentence}`, width, 2)).join('\n')}\n`)
}
