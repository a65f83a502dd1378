// Runs a baseline: in this thread where it is done in a moment, else in one of its own, so that a page stays awake and Ctrl-C
// is heard. The updates are the same. A method may start threads of its own in there.

import { throwIfCancelled } from '../../common/cancel.ts'
import { startTask } from '../../common/task.ts'
import type { Update } from '../../update/update.ts'
import type { BaselineSettings } from '../baseline.ts'
import { BASELINES } from '../baselines.ts'
import { answerBaseline, type BaselineQuestion } from './answer.ts'
import { WORKER_SOURCE } from './worker.generated.ts'

/** Rows below which every baseline is quick. */
const SHORT_WORK = 20_000

export async function runBaseline(
  question: BaselineQuestion,
  rest: Pick<BaselineSettings, 'signal' | 'onRound'>,
  shortWork = SHORT_WORK,
): Promise<readonly Update[]> {
  const { title } = BASELINES[question.method]
  const hear = (rounds: number) => {
    throwIfCancelled(rest.signal, title)
    rest.onRound?.(rounds)
  }
  const task =
    question.rows.rowCount < shortWork
      ? undefined
      : startTask<BaselineQuestion, number, readonly Update[]>(WORKER_SOURCE, question, hear)
  try {
    const updates = await (task?.answer ?? answerBaseline(question, { ...rest, onRound: hear }))
    throwIfCancelled(rest.signal, title)
    return updates
  } finally {
    await task?.stop()
  }
}
