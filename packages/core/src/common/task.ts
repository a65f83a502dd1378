// One long computation in a thread of its own: a question goes over, progress and one answer come back.

import { errorOf, type Failure, failureOf, listen, lostWorker } from './port.ts'
import { startWorker, type WorkerHandle } from './threads.ts'

type Reply<Progress, Answer> =
  | { readonly progress: Progress }
  | { readonly answer: Answer }
  | { readonly failure: Failure }

export interface Task<Answer> {
  readonly answer: Promise<Answer>
  /** Ends the thread, if it still runs; whoever waits for the answer gets FB_WORKER. */
  stop(): Promise<void>
}

/** Undefined where the platform has no workers. An error thrown by `onProgress` ends the task. */
export function startTask<Question, Progress, Answer>(
  script: string,
  question: Question,
  onProgress: (progress: Progress) => void = () => {},
): Task<Answer> | undefined {
  let worker: WorkerHandle<Question> | undefined
  const answer = new Promise<Answer>((resolve, reject) => {
    const end = () => void worker?.terminate()
    worker = startWorker<Question, Reply<Progress, Answer>>(script, {
      reply: reply => {
        if ('progress' in reply) {
          try {
            onProgress(reply.progress)
          } catch (error) {
            reject(error)
            end()
          }
          return
        }
        if ('failure' in reply) reject(errorOf(reply.failure))
        else resolve(reply.answer)
        end()
      },
      lost: reason => reject(lostWorker(reason)),
    })
  })
  if (worker === undefined) return undefined
  // Should the asker fail for another reason, nobody waits for the answer.
  answer.catch(() => {})
  worker.setBusy(true)
  worker.post(question, [])
  return { answer, stop: () => worker!.terminate() }
}

/** The worker's side. */
export function serveTask<Question, Progress, Answer>(
  work: (question: Question, tell: (progress: Progress) => void) => Answer | Promise<Answer>,
): void {
  listen<Question>(async (question, post) => {
    const tell = (progress: Progress) => post({ progress } satisfies Reply<Progress, Answer>, [])
    try {
      post({ answer: await work(question, tell) } satisfies Reply<Progress, Answer>, [])
    } catch (error) {
      post({ failure: failureOf(error) } satisfies Reply<Progress, Answer>, [])
    }
  })
}
