// The page's side of the conversation with its worker.

import StudioWorker from '../worker/main.ts?worker&inline'
import type { Answers, Failure, FromWorker, News, Request, ToWorker } from '../worker/protocol.ts'

export class WorkFailed extends Error {
  override readonly name = 'WorkFailed'
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.message)
    this.failure = failure
  }
}

interface Waiting {
  readonly onNews: (news: News) => void
  readonly resolve: (answer: never) => void
  readonly reject: (error: WorkFailed) => void
}

let worker: Worker | undefined
let lastId = 0
const waiting = new Map<number, Waiting>()

export function ask<Asked extends Request>(
  request: Asked,
  onNews: (news: News) => void = () => {},
): Promise<Answers[Asked['kind']]> {
  return new Promise((resolve, reject) => {
    const id = ++lastId
    waiting.set(id, { onNews, resolve, reject })
    started().postMessage({ id, request } satisfies ToWorker)
  })
}

export function stop(how: 'keep' | 'drop'): void {
  worker?.postMessage({ stop: how } satisfies ToWorker)
}

/** Ends the worker with all it holds; whoever waits is told. */
export function restart(): void {
  worker?.terminate()
  worker = undefined
  lose('Stopped.', 'FB_ABORTED')
}

function started(): Worker {
  if (worker !== undefined) return worker
  worker = new StudioWorker()
  worker.onmessage = ({ data }: MessageEvent<FromWorker>) => receive(data)
  worker.onerror = event => {
    worker?.terminate()
    worker = undefined
    lose(
      `The work ended unexpectedly: ${event.message || 'the worker could not start, or ran out of memory'}.`,
    )
  }
  return worker
}

function receive(data: FromWorker): void {
  const asked = waiting.get(data.id)
  if (asked === undefined) return
  if ('news' in data) {
    asked.onNews(data.news)
    return
  }
  waiting.delete(data.id)
  if ('failure' in data) asked.reject(new WorkFailed(data.failure))
  else asked.resolve(data.answer as never)
}

function lose(message: string, code?: string): void {
  const lost = [...waiting.values()]
  waiting.clear()
  for (const { reject } of lost)
    reject(new WorkFailed({ message, isWorkerLost: true, ...(code !== undefined && { code }) }))
}
