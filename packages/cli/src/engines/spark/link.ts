// Between a session and its channel: who asks, what the server said of the session, which calls it does not have, and how failed
// calls are tried again and put into words.

import type { SparkAddress } from './address.ts'
import { SparkError } from './errors.ts'
import { addDetails, readTold, sparkErrorOf, type Told } from './explain.ts'
import type { Channel } from './grpc.ts'
import { type Asker, errorDetailsRequest, pathOf, type Rpc } from './messages.ts'
import { Patience, type RetryPolicy } from './retry.ts'
import { RpcError, STATUS } from './status.ts'
import { MessageReader, type MessageWriter } from './wire.ts'

export interface LinkOptions {
  /** Milliseconds that a call with one answer may take. */
  readonly deadlineMs: number
  /** Milliseconds without a word, in a statement that runs, before the server is asked whether it is there. */
  readonly silenceMs: number
  readonly retry: RetryPolicy
  readonly onNote?: ((note: string) => void) | undefined
}

export interface CallChoice {
  readonly signal?: AbortSignal | undefined
  readonly retry?: RetryPolicy
  readonly deadlineMs?: number
}

export interface StreamChoice {
  readonly signal: AbortSignal | undefined
  readonly bearsSilence?: boolean
}

export class Link {
  readonly shown: string
  readonly channel: Channel
  readonly options: LinkOptions
  readonly #sessionId: string
  readonly #userId: string
  readonly #absent = new Set<Rpc>()
  #serverSession: string | undefined

  constructor(address: SparkAddress, sessionId: string, channel: Channel, options: LinkOptions) {
    this.shown = address.shown
    this.channel = channel
    this.options = options
    this.#sessionId = sessionId
    this.#userId = address.userId
  }

  get asker(): Asker {
    return { sessionId: this.#sessionId, userId: this.#userId, serverSession: this.#serverSession }
  }

  /** What the server calls the session; the first name counts, and it refuses by itself where that has changed. */
  observe(serverSession: string): void {
    if (serverSession !== '') this.#serverSession ??= serverSession
  }

  has(rpc: Rpc): boolean {
    return !this.#absent.has(rpc)
  }

  /** Older servers, and proxies, leave calls out. `instead` says what that means. */
  lacks(rpc: Rpc, instead: string): void {
    if (this.#absent.has(rpc)) return
    this.#absent.add(rpc)
    this.options.onNote?.(`${this.shown} has no ${rpc}: ${instead}`)
  }

  stream(rpc: Rpc, request: MessageWriter, choice: StreamChoice): AsyncGenerator<Uint8Array> {
    const { bearsSilence = false, signal } = choice
    const { silenceMs } = this.options
    return this.channel.stream(pathOf(rpc), request.finish(), { signal, ...(!bearsSilence && { silenceMs }) })
  }

  /** Every call that goes through here may be made twice without harm. Throws a SparkError. */
  async call(rpc: Rpc, request: MessageWriter, choice: CallChoice = {}): Promise<MessageReader> {
    try {
      return await this.ask(rpc, request, choice)
    } catch (error) {
      throw await this.explain(error)
    }
  }

  /** As `call`, but a failure stays an RpcError. */
  async ask(rpc: Rpc, request: MessageWriter, choice: CallChoice = {}): Promise<MessageReader> {
    const { deadlineMs = this.options.deadlineMs, retry = this.options.retry, signal } = choice
    const patience = new Patience(retry)
    const bytes = request.finish()
    for (;;) {
      try {
        return new MessageReader(await this.channel.call(pathOf(rpc), bytes, { deadlineMs, signal }))
      } catch (error) {
        if (!(error instanceof RpcError)) throw error
        const isLate = error.status === STATUS.deadline
        if (!error.isPassing && !isLate) throw error
        // A connection that nothing comes through may be dead without either end knowing.
        if (isLate) this.channel.drop()
        await patience.wait(error, signal)
      }
    }
  }

  async explain(error: unknown): Promise<unknown> {
    if (!(error instanceof RpcError)) return error
    return sparkErrorOf(this.shown, error, await this.#fetch(readTold(error)))
  }

  async #fetch(told: Told): Promise<Told> {
    if (told.errorId === undefined || !this.has('FetchErrorDetails')) return told
    try {
      const request = errorDetailsRequest(this.asker, told.errorId)
      return addDetails(told, await this.ask('FetchErrorDetails', request, BRIEFLY))
    } catch (error) {
      if (error instanceof RpcError && error.status === STATUS.unimplemented)
        this.lacks('FetchErrorDetails', 'errors are told in short.')
      else if (!(error instanceof RpcError) && !(error instanceof SparkError)) throw error
      // What the status said is enough to name the error.
      return told
    }
  }
}

/** One try that must not hold anything up. */
export const BRIEFLY: CallChoice = {
  deadlineMs: 10_000,
  retry: { attempts: 1, forMs: 0, firstMs: 0, mostMs: 0 },
}
