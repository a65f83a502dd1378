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

/** A thread that waits for its one question; starting it can take longer than answering. */
export interface Helper<Question, Progress, Answer> {
  /** An error thrown by `onProgress` ends the task. */
  ask(question: Question, onProgress?: (progress: Progress) => void): Task<Answer>
  stop(): Promise<void>
}

/** Undefined where the platform has no workers. */
export function openHelper<Question, Progress, Answer>(
  script: string,
): Helper<Question, Progress, Answer> | undefined {
  let worker: WorkerHandle<Question> | undefined
  let hear: (progress: Progress) => void = () => {}
  const answer = new Promise<Answer>((resolve, reject) => {
    const end = () => void worker?.terminate()
    worker = startWorker<Question, Reply<Progress, Answer>>(script, {
      reply: reply => {
        if ('progress' in reply) {
          try {
            hear(reply.progress)
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
  const { post, setBusy, terminate } = worker
  // Should the asker fail for another reason, nobody waits for the answer.
  answer.catch(() => {})
  return {
    ask(question, onProgress = () => {}) {
      hear = onProgress
      setBusy(true)
      post(question, [])
      return { answer, stop: terminate }
    },
    stop: terminate,
  }
}

/** Undefined where the platform has no workers. */
export const startTask = <Question, Progress, Answer>(
  script: string,
  question: Question,
  onProgress?: (progress: Progress) => void,
): Task<Answer> | undefined => openHelper<Question, Progress, Answer>(script)?.ask(question, onProgress)

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
