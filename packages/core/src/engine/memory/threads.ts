// Workers behind one small adapter: Node's worker threads and browsers' Web Workers.

import type { Envelope, Reply } from './messages.ts'
import { WORKER_SOURCE } from './worker.generated.ts'

export interface WorkerEvents {
  reply(reply: Reply): void
  /** The worker is gone: it crashed, or was ended from outside. */
  lost(reason: string): void
}

export interface WorkerHandle {
  post(envelope: Envelope, transfer: ArrayBuffer[]): void
  /** While busy a worker keeps the process alive; an idle one does not. */
  setBusy(busy: boolean): void
  terminate(): Promise<void>
}

interface NodeWorker {
  on(event: 'message', handle: (reply: Reply) => void): void
  on(event: 'error', handle: (error: Error) => void): void
  on(event: 'exit', handle: (code: number) => void): void
  postMessage(envelope: Envelope, transfer: ArrayBuffer[]): void
  ref(): void
  unref(): void
  terminate(): Promise<number>
}

/** A shard's data live outside the heap, so a small nursery will do; the default of 48 MB is filled before it is swept. */
interface NodeThreads {
  Worker: new (
    code: string,
    options: { eval: true; resourceLimits: { maxYoungGenerationSizeMb: number } },
  ) => NodeWorker
}

interface BrowserWorker {
  onmessage: ((event: { data: Reply }) => void) | null
  onerror: ((event: { message?: string }) => void) | null
  postMessage(envelope: Envelope, transfer: ArrayBuffer[]): void
  terminate(): void
}

interface Globals {
  process?: { getBuiltinModule?(name: string): unknown }
  navigator?: { hardwareConcurrency?: number }
  Worker?: new (url: string) => BrowserWorker
  Blob?: new (parts: string[], options: { type: string }) => object
  URL?: { createObjectURL(blob: object): string; revokeObjectURL(url: string): void }
}

const globals = globalThis as Globals

const nodeModule = <T>(name: string): T | undefined =>
  globals.process?.getBuiltinModule?.(name) as T | undefined

/** How many threads can run at once here. */
export function coreCount(): number {
  const os = nodeModule<{ availableParallelism(): number }>('node:os')
  return os?.availableParallelism() ?? globals.navigator?.hardwareConcurrency ?? 1
}

/** Undefined where the platform has no workers. */
export function startWorker(events: WorkerEvents): WorkerHandle | undefined {
  const threads = nodeModule<NodeThreads>('node:worker_threads')
  if (threads !== undefined) {
    const options = { eval: true, resourceLimits: { maxYoungGenerationSizeMb: 2 } } as const
    return startNodeWorker(new threads.Worker(WORKER_SOURCE, options), events)
  }
  return startBrowserWorker(events)
}

function startNodeWorker(worker: NodeWorker, events: WorkerEvents): WorkerHandle {
  worker.on('message', reply => events.reply(reply))
  worker.on('error', error => events.lost(error.message))
  worker.on('exit', code => events.lost(`it ended with code ${code}`))
  worker.unref()
  return {
    post: (envelope, transfer) => worker.postMessage(envelope, transfer),
    setBusy: busy => (busy ? worker.ref() : worker.unref()),
    terminate: async () => {
      await worker.terminate()
    },
  }
}

/** From a Blob, so that no file has to be served: it works on any page, on file:// and without isolation headers. */
function startBrowserWorker(events: WorkerEvents): WorkerHandle | undefined {
  const { Blob, URL, Worker } = globals
  if (Worker === undefined || Blob === undefined || URL === undefined) return undefined
  const url = URL.createObjectURL(new Blob([WORKER_SOURCE], { type: 'text/javascript' }))
  const worker = new Worker(url)
  URL.revokeObjectURL(url)
  worker.onmessage = event => events.reply(event.data)
  worker.onerror = event => events.lost(event.message ?? 'it failed to load')
  return {
    post: (envelope, transfer) => worker.postMessage(envelope, transfer),
    setBusy: () => {},
    terminate: async () => worker.terminate(),
  }
}
