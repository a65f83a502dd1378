// A worker's side of the conversation, in Node's worker threads and in browsers' classic workers alike; and errors as
// data, because an error object loses its code on the way between threads.

import { type ErrorCode, type ErrorDetails, FeatureBoostError } from './errors.ts'
import { asMemoryError } from './memory.ts'

export interface Failure {
  readonly code: ErrorCode | undefined
  readonly message: string
  readonly details: ErrorDetails
}

export function failureOf(error: unknown): Failure {
  const told = error instanceof FeatureBoostError ? error : asMemoryError(error)
  if (told !== undefined) return { code: told.code, message: told.message, details: told.details }
  return {
    code: undefined,
    message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    details: {},
  }
}

/** The message already carries code and place; it is not composed a second time. */
export function errorOf({ code, details, message }: Failure): FeatureBoostError {
  if (code === undefined) return new FeatureBoostError('FB_WORKER', `a worker failed: ${message}`)
  return FeatureBoostError.revive(code, message, details)
}

export const lostWorker = (reason: string): FeatureBoostError =>
  asMemoryError(new Error(`a worker was lost: ${reason}`)) ??
  new FeatureBoostError('FB_WORKER', `a worker was lost: ${reason}.`, {
    hint: 'It may have run out of memory, or was ended from outside. Nothing was written; start again.',
  })

type Post = (reply: unknown, transfer: readonly ArrayBuffer[]) => void

interface NodeGlobals {
  process?: { getBuiltinModule?(name: string): { parentPort: NodePort | null } }
}

interface NodePort {
  postMessage: Post
  on(event: 'message', handle: (message: unknown) => void): void
}

interface BrowserGlobals {
  postMessage: Post
  onmessage: ((event: { data: unknown }) => void) | null
}

/** Calls `handle` with every message that comes; it answers through `post`. */
export function listen<Message>(handle: (message: Message, post: Post) => void | Promise<void>): void {
  const nodePort = (globalThis as NodeGlobals).process?.getBuiltinModule?.('node:worker_threads').parentPort
  if (nodePort) {
    nodePort.on('message', message =>
      handle(message as Message, (...reply) => nodePort.postMessage(...reply)),
    )
    return
  }
  const scope = globalThis as unknown as BrowserGlobals
  scope.onmessage = event => handle(event.data as Message, (...reply) => scope.postMessage(...reply))
}
