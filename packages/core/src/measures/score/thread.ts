// The measures of one score, taken in a thread of their own while this one goes on.

import { startTask, type Task } from '../../common/task.ts'
import { coreCount } from '../../common/threads.ts'
import type { MeasureOptions } from './options.ts'
import type { ScoredRows } from './scoredRows.ts'
import { type ScoreMeasures, scoreMeasures } from './scoreMeasures.ts'
import { WORKER_SOURCE } from './worker.generated.ts'

export interface MeasureQuestion {
  readonly rows: ScoredRows
  readonly options: MeasureOptions
}

/** Rows below which starting a thread takes longer than measuring. */
const WORTH_A_THREAD = 50_000

/** Begins to measure. Where a thread is not wanted, not worth it, or not to be had, it is done on return. */
export function beginMeasuring(
  rows: ScoredRows,
  options: MeasureOptions,
  { apart, worth = WORTH_A_THREAD }: { readonly apart: boolean; readonly worth?: number },
): Task<ScoreMeasures> {
  const wanted = apart && coreCount() > 1 && rows.predictions.length >= worth
  const task = wanted
    ? startTask<MeasureQuestion, never, ScoreMeasures>(WORKER_SOURCE, { rows, options })
    : undefined
  return task ?? { answer: Promise.resolve(scoreMeasures(rows, options)), stop: async () => {} }
}
