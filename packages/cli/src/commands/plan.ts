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
    `By the paper's bound, for trees of depth ${depth} on ${features} columns to carry the guarantee over to new rows with half the tolerance lost: ${paper.sentence}.`,
    ...describeHeldOut(heldOut, options),
  ]
  const { width } = stdoutView()
  process.stdout.write(`${sentences.map(sentence => wrap(`- ${sentence}`, width, 2)).join('\n')}\n`)
}

function describeHeldOut({ everyAuditor, worstError }: HeldOutPlan, options: PlanCommandOptions): string[] {
  const { epsilon, rows } = options
  const at = (slack: number | undefined, words: (bound: string) => string) =>
    slack === undefined ? '' : `; with ${formatCount(rows!)} rows, ${words(formatBound(slack, 4))}`
  const sure = `with probability ${CONFIDENCE}`
  return [
    `Measured on ${formatCount(everyAuditor.rowsNeeded)} rows that were not used for fitting, the errors of all auditors at once are, ${sure}, within ${epsilon} of those on new rows, above or below${at(everyAuditor.slack, bound => `within ${bound}`)}.`,
    `For an upper bound on the worst error alone, ${formatCount(worstError.rowsNeeded)} such rows are enough: on new rows it is, ${sure}, at most ${epsilon} above the worst error measured on them${at(worstError.slack, bound => `at most ${bound} above`)}. Noise raises the measured error itself, the more so the fewer the rows.`,
  ]
}
