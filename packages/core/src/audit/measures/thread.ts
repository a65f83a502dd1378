// The measures of one score, taken in a thread of their own while this one goes on.

import { errorOf, type Failure, lostWorker } from '../../common/port.ts'
import { coreCount, startWorker, type WorkerHandle } from '../../common/threads.ts'
import type { MeasureOptions } from './options.ts'
import type { ScoredRows } from './rows.ts'
import { type ScoreMeasures, scoreMeasures } from './scoreMeasures.ts'
import { WORKER_SOURCE } from './worker.generated.ts'

export interface MeasureQuestion {
  readonly rows: ScoredRows
  readonly options: MeasureOptions
}

export type MeasureAnswer = { readonly measures: ScoreMeasures } | { readonly failure: Failure }

/** Rows below which starting a thread takes longer than measuring. */
const WORTH_A_THREAD = 50_000

export interface Measuring {
  readonly measures: Promise<ScoreMeasures>
  /** Ends the thread, if it still runs. */
  stop(): Promise<void>
}

/** Begins to measure. Where a thread is not wanted, not worth it, or not to be had, it is done on return. */
export function beginMeasuring(
  rows: ScoredRows,
  options: MeasureOptions,
  { apart, worth = WORTH_A_THREAD }: { readonly apart: boolean; readonly worth?: number },
): Measuring {
  const wanted = apart && coreCount() > 1 && rows.predictions.length >= worth
  return (wanted && measureApart({ rows, options })) || measureHere({ rows, options })
}

function measureHere({ options, rows }: MeasureQuestion): Measuring {
  return { measures: Promise.resolve(scoreMeasures(rows, options)), stop: async () => {} }
}

function measureApart(question: MeasureQuestion): Measuring | undefined {
  let worker: WorkerHandle<MeasureQuestion> | undefined
  const measures = new Promise<ScoreMeasures>((resolve, reject) => {
    worker = startWorker<MeasureQuestion, MeasureAnswer>(WORKER_SOURCE, {
      reply: answer => {
        if ('failure' in answer) reject(errorOf(answer.failure))
        else resolve(answer.measures)
        void worker?.terminate()
      },
      lost: reason => reject(lostWorker(reason)),
    })
  })
  if (worker === undefined) return undefined
  // Should the asker fail for another reason, nobody waits for the answer.
  measures.catch(() => {})
  worker.setBusy(true)
  worker.post(question, [])
  return { measures, stop: () => worker!.terminate() }
}
