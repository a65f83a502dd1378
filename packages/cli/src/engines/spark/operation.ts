// One statement, from its start until the server says that it is complete. It is reattachable: it has an id of our making, the server
// keeps running it and keeps its answers when the connection is gone, and we go on after the last answer that came. So
// a statement is sent again only where the server says that it never began.

import { randomUUID } from 'node:crypto'
import { cancelled, SparkError } from './errors.ts'
import { readTold } from './explain.ts'
import { BRIEFLY, type Link } from './link.ts'
import {
  type ExecuteResponse,
  executeRequest,
  interruptRequest,
  readExecuteResponse,
  reattachRequest,
  releaseRequest,
} from './messages.ts'
import { Patience } from './retry.ts'
import { RpcError, STATUS } from './status.ts'
import type { MessageWriter } from './wire.ts'

/** Answers that came are let go on the server from time to time: it keeps only so many bytes of them anyway. */
const RELEASE_AFTER = 64
/** A stream that ends sooner than this without a word is no sign of life. */
const AT_ONCE_MS = 1_000

export interface OperationHooks {
  /** Asks the server whether the session is still the one that the statement was begun in. */
  readonly checkSession: () => Promise<'same' | 'other' | 'unknown'>
  readonly onReattach: () => void
  /** Work that goes on after the statement: its release. */
  readonly later: (work: Promise<unknown>) => void
}

export class Operation {
  readonly id = randomUUID()
  readonly #link: Link
  readonly #plan: MessageWriter
  readonly #hooks: OperationHooks
  readonly #signal: AbortSignal | undefined
  readonly #patience: Patience
  #hasBegun = false
  #last: string | undefined
  #sinceRelease = 0

  constructor(link: Link, plan: MessageWriter, hooks: OperationHooks, signal: AbortSignal | undefined) {
    this.#link = link
    this.#plan = plan
    this.#hooks = hooks
    this.#signal = signal
    this.#patience = new Patience(link.options.retry)
  }

  /** Whoever stops reading ends the statement. */
  async *responses(): AsyncGenerator<ExecuteResponse> {
    const isReattachable = this.#link.has('ReattachExecute')
    try {
      yield* isReattachable ? this.#untilComplete() : this.#atOneGo()
    } catch (error) {
      if (!this.#signal?.aborted) throw await this.#link.explain(error)
      await this.#interrupt()
      throw cancelled()
    } finally {
      if (this.#hasBegun && this.#link.has('ReleaseExecute')) this.#release()
    }
  }

  /** Without reattaching a stream that ends well is complete, and one that breaks cannot be gone on with. */
  async *#atOneGo(): AsyncGenerator<ExecuteResponse> {
    for (;;) {
      try {
        return yield* this.#read(this.#start({ reattachable: false }))
      } catch (error) {
        if (!(error instanceof RpcError) || !error.isPassing) throw error
        if (error.reached) throw this.#lost(error.message)
        await this.#patience.wait(error, this.#signal)
      }
    }
  }

  async *#untilComplete(): AsyncGenerator<ExecuteResponse> {
    for (;;) {
      const isStart = !this.#hasBegun
      const since = performance.now()
      try {
        const isComplete = yield* this.#read(isStart ? this.#start({ reattachable: true }) : this.#goOn())
        if (isComplete) return
        // The server ends long streams after a while, to be asked again.
        if (performance.now() - since < AT_ONCE_MS) await this.#patience.wait(endless(), this.#signal)
      } catch (error) {
        if (!(error instanceof RpcError)) throw error
        await this.#recover(error, isStart)
      }
    }
  }

  #start(how: { readonly reattachable: boolean }): AsyncGenerator<Uint8Array> {
    // From here on it may run: only the server can say that it does not.
    this.#hasBegun = how.reattachable
    const request = executeRequest(this.#link.asker, this.id, this.#plan, how)
    // Without reattaching, silence has to be borne: only the end of the stream tells.
    return this.#link.stream('ExecutePlan', request, {
      signal: this.#signal,
      bearsSilence: !how.reattachable,
    })
  }

  #goOn(): AsyncGenerator<Uint8Array> {
    this.#hooks.onReattach()
    const request = reattachRequest(this.#link.asker, this.id, this.#last)
    return this.#link.stream('ReattachExecute', request, { signal: this.#signal })
  }

  /** True where the server said that it is complete. */
  async *#read(stream: AsyncGenerator<Uint8Array>): AsyncGenerator<ExecuteResponse, boolean> {
    for await (const bytes of stream) {
      const response = readExecuteResponse(bytes)
      this.#patience.renew()
      this.#link.observe(response.serverSession)
      if (response.id !== '') this.#last = response.id
      if (response.isComplete) return true
      yield response
      this.#releaseSome()
    }
    return false
  }

  /** Decides how to go on after a failure, or throws where there is no going on. */
  async #recover(error: RpcError, isStart: boolean): Promise<void> {
    const { condition = '' } = readTold(error)
    if (condition === 'INVALID_HANDLE.OPERATION_NOT_FOUND' && !isStart && this.#last === undefined) {
      // It never came to the server: the same id is sent again, unless the server itself is another one by now.
      const found = await this.#hooks.checkSession()
      if (found === 'other') throw this.#otherSession()
      if (found === 'unknown') throw error
      this.#hasBegun = false
    } else if (condition === 'INVALID_HANDLE.OPERATION_ALREADY_EXISTS' && isStart) {
      // The first sending came through after all.
    } else if (condition !== 'INVALID_CURSOR.DISCONNECTED' && !error.isPassing) throw error
    if (error.silent) await this.#checkThere()
    else await this.#patience.wait(error, this.#signal)
    if (isStart && !error.reached) this.#hasBegun = false
  }

  /** Nothing came for long: either the statement takes long, or nobody is there. A question through a new connection tells. */
  async #checkThere(): Promise<void> {
    this.#link.channel.drop()
    await this.#hooks.checkSession()
  }

  #releaseSome(): void {
    if (++this.#sinceRelease < RELEASE_AFTER || this.#last === undefined) return
    if (!this.#link.has('ReleaseExecute')) return
    this.#sinceRelease = 0
    const request = releaseRequest(this.#link.asker, this.id, this.#last)
    this.#hooks.later(this.#link.ask('ReleaseExecute', request, BRIEFLY))
  }

  #release(): void {
    this.#hooks.later(this.#link.ask('ReleaseExecute', releaseRequest(this.#link.asker, this.id), BRIEFLY))
  }

  async #interrupt(): Promise<void> {
    if (!this.#link.has('Interrupt')) return
    try {
      await this.#link.ask('Interrupt', interruptRequest(this.#link.asker, this.id), BRIEFLY)
    } catch (error) {
      if (error instanceof RpcError && error.status === STATUS.unimplemented)
        this.#link.lacks('Interrupt', 'a statement that was cancelled may go on for a while.')
    }
  }

  #otherSession(): SparkError {
    return new SparkError({
      code: 'FB_SPARK_SESSION',
      message: `${this.#link.shown} no longer knows the session: it was started again while a statement was under way.`,
      hint: 'The statement may or may not have been carried out, so it was not sent again.',
    })
  }

  #lost(reason: string): SparkError {
    return new SparkError({
      code: 'FB_SPARK_LOST',
      message: `${this.#link.shown} was cut off from a statement that was under way: ${reason}.`,
      hint: 'It may or may not have been carried out, so that it was not sent again.',
    })
  }
}

const endless = () =>
  new RpcError({
    status: STATUS.unavailable,
    message: 'the server ends its answers again and again before they begin',
  })
