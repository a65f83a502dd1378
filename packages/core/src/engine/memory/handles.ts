// A shard as the engine sees it: ask, get an answer or an error, close. It lives in this thread or in a worker.

import type { FeatureBoostError } from '../../common/errors.ts'
import { errorOf, lostWorker } from '../../common/port.ts'
import { startWorker, type WorkerHandle } from '../../common/threads.ts'
import { makePause } from '../../common/turn.ts'
import { BufferPool } from './bufferPool.ts'
import {
  type Envelope,
  makeResponder,
  type Reply,
  type ShardQuestion,
  SPARE_ANSWERS,
  transfersOf,
} from './messages.ts'
import { WORKER_SOURCE } from './worker.generated.ts'

export interface ShardHandle {
  /** Questions and answers are not copied: what is in them can be changed in place. */
  readonly inThisThread: boolean
  ask<T>(question: ShardQuestion): Promise<T>
  /** Gives back the buffers of an answer. */
  release(buffers: readonly ArrayBuffer[]): void
  /** Ends the worker; questions under way fail with the given error. */
  close(reason: FeatureBoostError): Promise<void>
}

/** Lets the event loop turn between questions: nothing else would, and a wish to stop would wait for the end of the work. */
export function inlineShard(): ShardHandle {
  const respond = makeResponder()
  const pause = makePause()
  const spares = new BufferPool(SPARE_ANSWERS)
  return {
    inThisThread: true,
    ask: async <T>(question: ShardQuestion) => {
      await pause()
      return respond(question, spares.takeAll()) as T
    },
    release: buffers => spares.give(buffers),
    close: async () => {},
  }
}

interface Waiting {
  resolve(answer: unknown): void
  reject(error: unknown): void
}

/** Falls back to this thread, and says so, where the platform has no workers. */
export function workerShard(warn: (sentence: string) => void): ShardHandle {
  const shard = new WorkerShard()
  if (shard.started) return shard
  warn('This platform has no workers: everything runs in one thread.')
  return inlineShard()
}

class WorkerShard implements ShardHandle {
  readonly inThisThread = false
  readonly #worker: WorkerHandle<Envelope> | undefined
  readonly #waiting = new Map<number, Waiting>()
  readonly #spares = new BufferPool(SPARE_ANSWERS)
  #next = 0
  #ended: FeatureBoostError | undefined

  constructor() {
    this.#worker = startWorker<Envelope, Reply>(WORKER_SOURCE, {
      reply: reply => this.#settle(reply),
      lost: reason => this.#end(lostWorker(reason)),
    })
  }

  get started(): boolean {
    return this.#worker !== undefined
  }

  ask<T>(question: ShardQuestion): Promise<T> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended)
    const id = this.#next++
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve: answer => resolve(answer as T), reject })
      this.#worker!.setBusy(true)
      // Only rows and spare buffers are handed over; questions go to several shards and are copied.
      const spares = this.#spares.takeAll()
      const rows = question.ask === 'append' ? transfersOf(question.chunk) : []
      this.#worker!.post({ id, question, spares }, [...rows, ...spares])
    })
  }

  release(buffers: readonly ArrayBuffer[]): void {
    this.#spares.give(buffers)
  }

  async close(reason: FeatureBoostError): Promise<void> {
    this.#end(reason)
    await this.#worker!.terminate()
  }

  #settle(reply: Reply): void {
    const waiting = this.#waiting.get(reply.id)
    this.#waiting.delete(reply.id)
    if (this.#waiting.size === 0) this.#worker!.setBusy(false)
    if ('failure' in reply) waiting?.reject(errorOf(reply.failure))
    else waiting?.resolve(reply.answer)
  }

  #end(reason: FeatureBoostError): void {
    this.#ended ??= reason
    for (const waiting of this.#waiting.values()) waiting.reject(this.#ended)
    this.#waiting.clear()
  }
}
