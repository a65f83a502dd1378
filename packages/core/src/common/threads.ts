// Workers behind one small adapter: Node's worker threads and browsers' Web Workers.

interface WorkerEvents<Reply> {
  reply(reply: Reply): void
  /** The worker is gone: it crashed, or was ended from outside. */
  lost(reason: string): void
}

export interface WorkerHandle<Message> {
  post(message: Message, transfer: ArrayBuffer[]): void
  /** While busy a worker keeps the process alive; an idle one does not. */
  setBusy(busy: boolean): void
  terminate(): Promise<void>
}

interface NodeWorker {
  on(event: 'message', handle: (reply: unknown) => void): void
  on(event: 'error', handle: (error: Error) => void): void
  on(event: 'exit', handle: (code: number) => void): void
  postMessage(message: unknown, transfer: ArrayBuffer[]): void
  ref(): void
  unref(): void
  terminate(): Promise<number>
}

/** The large arrays live outside the heap, so a small nursery will do; the default of 48 MB is filled before it is swept. */
interface NodeThreads {
  Worker: new (
    code: string,
    options: { eval: true; resourceLimits: { maxYoungGenerationSizeMb: number } },
  ) => NodeWorker
}

interface BrowserWorker {
  onmessage: ((event: { data: unknown }) => void) | null
  onerror: ((event: { message?: string }) => void) | null
  postMessage(message: unknown, transfer: ArrayBuffer[]): void
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

/** Starts a worker that runs this script; undefined where the platform has no workers. */
export function startWorker<Message, Reply>(
  script: string,
  events: WorkerEvents<Reply>,
): WorkerHandle<Message> | undefined {
  const threads = nodeModule<NodeThreads>('node:worker_threads')
  if (threads !== undefined) {
    const options = { eval: true, resourceLimits: { maxYoungGenerationSizeMb: 2 } } as const
    return startNodeWorker(new threads.Worker(script, options), events)
  }
  return startBrowserWorker(script, events)
}

function startNodeWorker<Message, Reply>(
  worker: NodeWorker,
  events: WorkerEvents<Reply>,
): WorkerHandle<Message> {
  worker.on('message', reply => events.reply(reply as Reply))
  worker.on('error', error => events.lost(error.message))
  worker.on('exit', code => events.lost(`it ended with code ${code}`))
  worker.unref()
  let isEnding = false
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    // A worker that ends is waited for, whatever a late message says: else the process might be over before its end is heard of.
    setBusy: busy => {
      if (!isEnding) busy ? worker.ref() : worker.unref()
    },
    terminate: async () => {
      isEnding = true
      await worker.terminate()
    },
  }
}

/** From a Blob, so that no file has to be served: it works on any page, on file:// and without isolation headers. */
function startBrowserWorker<Message, Reply>(
  script: string,
  events: WorkerEvents<Reply>,
): WorkerHandle<Message> | undefined {
  const { Blob, URL, Worker } = globals
  if (Worker === undefined || Blob === undefined || URL === undefined) return undefined
  const url = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }))
  const worker = new Worker(url)
  URL.revokeObjectURL(url)
  worker.onmessage = event => events.reply(event.data as Reply)
  worker.onerror = event => events.lost(event.message ?? 'it failed to load')
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    setBusy: () => {},
    terminate: async () => worker.terminate(),
  }
}
