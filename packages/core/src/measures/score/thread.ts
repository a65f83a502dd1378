// The measures of one score, or of two and their differences, taken in a thread of their own while this one goes on.

import { startTask, type Task } from '../../common/task.ts'
import { coreCount } from '../../common/threads.ts'
import { type Comparisons, compareMeasures } from './compare.ts'
import type { MeasureOptions } from './options.ts'
import type { ScoredRows } from './scoredRows.ts'
import { type ScoreMeasures, scoreMeasures } from './scoreMeasures.ts'
import { WORKER_SOURCE } from './worker.generated.ts'

/** Of one score, or of another with it. */
export interface MeasureQuestion {
  readonly rows: ScoredRows
  readonly other?: ScoredRows
  readonly options: MeasureOptions
}

/** Rows below which starting a thread takes longer than measuring. Two scores are compared by many draws, however few the rows. */
const WORTH_A_THREAD = 2000
const COMPARED_WORTH_A_THREAD = 1000

interface ThreadOptions {
  /** Is a thread wanted? */
  readonly apart: boolean
  readonly worth?: number
}

/** Begins to measure. Where a thread is not wanted, not worth it, or not to be had, it is done on return. */
export function beginMeasuring(
  rows: ScoredRows,
  options: MeasureOptions,
  { apart, worth = WORTH_A_THREAD }: ThreadOptions,
): Task<ScoreMeasures> {
  return begin({ rows, options }, apart && rows.predictions.length >= worth, () =>
    scoreMeasures(rows, options),
  )
}

/** Begins to compare, in the same way. */
export function beginComparing(
  rows: ScoredRows,
  other: ScoredRows,
  options: MeasureOptions,
  { apart, worth = COMPARED_WORTH_A_THREAD }: ThreadOptions,
): Task<Comparisons> {
  return begin({ rows, other, options }, apart && rows.predictions.length >= worth, () =>
    compareMeasures(rows, other, options),
  )
}

function begin<Answer>(question: MeasureQuestion, wanted: boolean, measure: () => Answer): Task<Answer> {
  const task =
    wanted && coreCount() > 1 ? startTask<MeasureQuestion, never, Answer>(WORKER_SOURCE, question) : undefined
  return task ?? { answer: Promise.resolve(measure()), stop: async () => {} }
}
