// featureboost plan: what an error of epsilon asks for, in plain words.

import { type Guarantee, paperSampleSize, planParameters } from '@featureboost/core'
import {
  type FactorKind,
  formatBound,
  formatCount,
  type HeldOutPlan,
  planRows,
} from '@featureboost/core/internal'
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
  const { bins } = plan
  const paper = paperSampleSize({
    ...{ depth, features, bins, guarantee, factors },
    rounds: plan.roundLimit,
    tolerance: plan.tolerance,
    deviation: plan.tolerance / 2,
    confidence: CONFIDENCE,
    ...(options.rows !== undefined && { rows: options.rows }),
  })
  const splits = SPLITS_PER_COLUMN * features
  const { rows } = options
  const heldOut = planRows({ guarantee, depth, splits, bins, epsilon, confidence: CONFIDENCE, rows })
  if (options.json) {
    const { sentences: _, ...numbers } = plan
    printJson({ ...numbers, paper, heldOut })
    return
  }
  const sentences = [
    ...plan.sentences,
    `By the paper's bound, trees of depth ${depth} on ${features} columns need ${paper.rowsRequired.toExponential(1)} rows before the guarantee carries over to new rows with half the tolerance lost: ${paper.sentence}.`,
    ...describeHeldOut(heldOut, options),
  ]
  const { width } = stdoutView()
  process.stdout.write(`${sentences.map(sentence => wrap(`- ${sentence}`, width, 2)).join('\n')}\n`)
}

function describeHeldOut({ everyAuditor, worstError }: HeldOutPlan, options: PlanCommandOptions): string[] {
  const { epsilon, rows } = options
  const at = (slack: number | undefined) =>
    slack === undefined ? '' : ` With ${formatCount(rows!)} of them it is ${formatBound(slack, 4)}.`
  return [
    `For every auditor at once, the error measured on ${formatCount(everyAuditor.rowsNeeded)} rows that were not used for fitting is within ${epsilon} of its error on new rows, on both sides.${at(everyAuditor.slack)}`,
    `For an upper bound on the worst error alone, ${formatCount(worstError.rowsNeeded)} such rows are enough: on new rows it is at most ${epsilon} above the worst error measured on them, which noise itself raises.${at(worstError.slack)}`,
  ]
}
