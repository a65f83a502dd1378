// How many held-out rows an error asks for, before any row is seen: for the measured errors of all auditors at once, on both sides, and
// for an upper bound on the worst one.

import type { Guarantee } from '../classes/factors.ts'
import { heldOutSlack, logTreeAuditors, logTrees, rowsForSlack } from './heldOut.ts'
import { oneAuditorSlack, rowsForOneAuditor } from './sampleSize.ts'

interface PlanRowsOptions {
  readonly guarantee: Guarantee
  /** Of trees over so many splits. */
  readonly depth: number
  readonly splits: number
  /** K; 1 for multiaccuracy. */
  readonly bins: number
  /** The slack that is asked for. */
  readonly epsilon: number
  readonly confidence: number
  /** The rows there are, to be told their slack. */
  readonly rows?: number | undefined
}

export interface PlannedRows {
  /** Rows that bring the slack to epsilon. */
  readonly rowsNeeded: number
  /** At the rows there are. */
  readonly slack?: number
}

export interface HeldOutPlan {
  /** Measured and true errors are within the slack of each other, for every auditor. */
  readonly everyAuditor: PlannedRows
  /** The worst true error is at most the worst measured one plus the slack. */
  readonly worstError: PlannedRows
}

/**
 * The sums that have to be right at once. An auditor has a sign for every leaf, and its error one for every bin; a level-set error has a
 * sign for every leaf and bin, and none besides.
 */
export function planRows({ epsilon, rows, ...options }: PlanRowsOptions): HeldOutPlan {
  const { bins, confidence, depth, guarantee, splits } = options
  const every =
    guarantee === 'level-set'
      ? { logAuditors: logTrees(splits, depth), bins: bins * 2 ** depth, confidence }
      : { logAuditors: logTreeAuditors(splits, depth), bins, confidence }
  return {
    everyAuditor: {
      rowsNeeded: rowsForSlack({ ...every, slack: epsilon }),
      ...(rows !== undefined && { slack: heldOutSlack({ ...every, rows }) }),
    },
    worstError: {
      rowsNeeded: rowsForOneAuditor({ slack: epsilon, confidence }),
      ...(rows !== undefined && { slack: oneAuditorSlack({ rows, confidence }) }),
    },
  }
}
