// A session with a Spark Connect server: SQL text in, columns out. Views live and die with it. Close it: until then the server
// keeps what belongs to it.

import { randomUUID } from 'node:crypto'
import type { Batch } from '../../arrow/columns.ts'
import { parseAddress, type SparkAddress } from './address.ts'
import { joinBatches, readArrow } from './arrow.ts'
import { damaged, SparkError } from './errors.ts'
import { Channel } from './grpc.ts'
import { BRIEFLY, type CallChoice, Link } from './link.ts'
import {
  ANSWERED_SESSION,
  type ArrowPart,
  commandPlan,
  type ExecuteResponse,
  getConfigRequest,
  interruptRequest,
  queryPlan,
  readConfig,
  readInterrupted,
  readVersion,
  reattachRequest,
  releaseSessionRequest,
  setConfigRequest,
  versionRequest,
} from './messages.ts'
import { Operation } from './operation.ts'
import { BRIEF, PATIENT } from './retry.ts'
import type { SessionOptions, StatementOptions, Travelled } from './sessionOptions.ts'
import { RpcError, STATUS } from './status.ts'
import type { MessageWriter } from './wire.ts'

/** Kept in the session where the server has no names of its own for sessions (before 4.0): gone means another session. */
const MARK = 'featureboost.session'

export class SparkSession {
  readonly address: string
  readonly id: string
  #version = ''
  readonly #link: Link
  readonly #channel: Channel
  readonly #defaults: StatementOptions
  readonly #isOurs: boolean
  readonly #views = new Set<string>()
  readonly #later = new Set<Promise<unknown>>()
  #mark: string | undefined
  #counts = { statementCount: 0, reattachCount: 0, rowsReceived: 0 }
  #closing: Promise<void> | undefined

  private constructor(address: SparkAddress, options: SessionOptions) {
    const {
      connectMs = 20_000,
      deadlineMs = 60_000,
      messageLimit = 128 * 2 ** 20,
      silenceMs = 60_000,
    } = options
    this.address = address.shown
    this.id = address.sessionId ?? randomUUID()
    this.#isOurs = address.sessionId === undefined || options.takesOver === true
    this.#defaults = options
    this.#channel = new Channel({
      origin: address.origin,
      headers: {
        'user-agent': 'featureboost',
        ...address.headers,
        ...(address.token !== undefined && { authorization: `Bearer ${address.token}` }),
      },
      certificates: options.certificates,
      compressFrom: options.compressFrom ?? 32 * 2 ** 10,
      connectMs,
      messageLimit,
    })
    this.#link = new Link(address, this.id, this.#channel, {
      deadlineMs,
      silenceMs,
      retry: options.retry ?? PATIENT,
      onNote: options.onNote,
    })
  }

  /** Reaches the server and learns its version; throws a SparkError where that fails. */
  static async open(address: string | SparkAddress, options: SessionOptions = {}): Promise<SparkSession> {
    const session = new SparkSession(typeof address === 'string' ? parseAddress(address) : address, options)
    try {
      const choice = { retry: options.firstRetry ?? BRIEF, signal: options.signal }
      session.#version = await session.#askVersion(choice)
      if (session.#link.asker.serverSession === undefined) await session.#leaveMark(choice)
      await session.#tryReattach(choice)
      return session
    } catch (error) {
      session.#channel.close()
      throw error
    }
  }

  /** Of the server, such as 4.1.4. */
  get version(): string {
    return this.#version
  }

  get travelled(): Travelled {
    const { received, sent } = this.#channel.traffic
    return { ...this.#counts, bytesSent: sent, bytesReceived: received }
  }

  /** Rows of a query, in batches as they come. */
  async *execute(sql: string, options: StatementOptions = {}): AsyncGenerator<Batch> {
    this.#checkOpen()
    let rowCount = 0
    for await (const response of this.#responses(queryPlan(sql), options)) {
      for (const batch of response.rows === undefined ? [] : readPart(response.rows, rowCount)) {
        rowCount += batch.rowCount
        this.#counts.rowsReceived += batch.rowCount
        yield batch
      }
    }
  }

  /** All rows of a query at once. */
  async query(sql: string, options: StatementOptions = {}): Promise<Batch> {
    const batches: Batch[] = []
    for await (const batch of this.execute(sql, options)) batches.push(batch)
    return joinBatches(batches)
  }

  /** A statement that is carried out: a view, a table, an insertion. */
  async run(sql: string, options: StatementOptions = {}): Promise<void> {
    this.#checkOpen()
    let isUnrun = false
    for await (const response of this.#responses(commandPlan(sql), options)) isUnrun ||= response.isUnrunQuery
    if (isUnrun)
      throw new SparkError({
        code: 'FB_SQL',
        message: 'a query was given where a statement is needed; nothing was run.',
      })
  }

  /** A view that only this session sees, and that goes with it. */
  async createView(name: string, query: string, options: StatementOptions = {}): Promise<void> {
    await this.run(`CREATE OR REPLACE TEMPORARY VIEW ${quoteName(name)} AS ${query}`, options)
    this.#views.add(name)
  }

  async dropView(name: string, options: StatementOptions = {}): Promise<void> {
    await this.run(`DROP VIEW IF EXISTS ${quoteName(name)}`, options)
    this.#views.delete(name)
  }

  async setConfig(pairs: Readonly<Record<string, string>>): Promise<void> {
    await this.#config(setConfigRequest(this.#link.asker, pairs))
  }

  /** Undefined where a key has no value. */
  async getConfig(keys: readonly string[]): Promise<Map<string, string | undefined>> {
    return readConfig(await this.#config(getConfigRequest(this.#link.asker, keys)))
  }

  /** Ends everything that runs in the session; says how many statements that were. */
  async interruptAll(): Promise<number> {
    return readInterrupted(await this.#link.call('Interrupt', interruptRequest(this.#link.asker))).length
  }

  /** Lets the session go, with its views. A session whose id was given goes on, without our views. */
  close(): Promise<void> {
    this.#closing ??= this.#end()
    return this.#closing
  }

  #checkOpen(): void {
    if (this.#closing !== undefined)
      throw new SparkError({ code: 'FB_ENGINE_CLOSED', message: 'the session has been closed.' })
  }

  async *#responses(plan: MessageWriter, options: StatementOptions): AsyncGenerator<ExecuteResponse> {
    const { onProgress, signal } = { ...this.#defaults, ...options }
    const hooks = {
      checkSession: () => this.#checkSession(signal),
      later: (work: Promise<unknown>) => this.#keep(work),
      onReattach: () => {
        this.#counts.reattachCount++
      },
    }
    this.#counts.statementCount++
    for await (const response of new Operation(this.#link, plan, hooks, signal).responses()) {
      const { runningTasks, stages } = response
      if (stages !== undefined)
        onProgress?.({ stages, runningTasks, rowsReceived: this.#counts.rowsReceived })
      yield response
    }
  }

  async #askVersion(choice: CallChoice): Promise<string> {
    const answer = await this.#link.call('AnalyzePlan', versionRequest(this.#link.asker), choice)
    this.#link.observe(answer.text(ANSWERED_SESSION.AnalyzePlan))
    return readVersion(answer)
  }

  async #config(request: MessageWriter, choice: CallChoice = {}) {
    const answer = await this.#link.call('Config', request, choice)
    this.#link.observe(answer.text(ANSWERED_SESSION.Config))
    return answer
  }

  /** Where no setting may be made there is no mark, and a statement that may have begun is never sent again. */
  async #leaveMark(choice: CallChoice): Promise<void> {
    const mark = randomUUID()
    try {
      await this.#config(setConfigRequest(this.#link.asker, { [MARK]: mark }), choice)
      this.#mark = mark
    } catch (error) {
      if (!(error instanceof SparkError) || error.status === STATUS.unavailable) throw error
    }
  }

  /** Learns whether statements can be taken up again, by an operation that is not there. */
  async #tryReattach(choice: CallChoice): Promise<void> {
    try {
      await this.#link.ask(
        'ReattachExecute',
        reattachRequest(this.#link.asker, randomUUID(), undefined),
        choice,
      )
    } catch (error) {
      if (!(error instanceof RpcError)) throw error
      if (error.isPassing || error.status === STATUS.deadline) throw await this.#link.explain(error)
      if (error.status !== STATUS.unimplemented) return
      this.#link.lacks(
        'ReattachExecute',
        'a statement whose connection breaks is lost, and is not sent again.',
      )
    }
  }

  /** A server with names of its own for sessions refuses by itself, which is thrown. */
  async #checkSession(signal: AbortSignal | undefined): Promise<'same' | 'other' | 'unknown'> {
    const request = getConfigRequest(this.#link.asker, [MARK])
    const kept = readConfig(await this.#config(request, { signal })).get(MARK)
    if (this.#link.asker.serverSession !== undefined) return 'same'
    if (this.#mark === undefined) return 'unknown'
    return kept === this.#mark ? 'same' : 'other'
  }

  #keep(work: Promise<unknown>): void {
    // Releasing is a courtesy: the server forgets by itself after a while.
    const done: Promise<unknown> = work.catch(() => {}).finally(() => this.#later.delete(done))
    this.#later.add(done)
  }

  async #end(): Promise<void> {
    await Promise.all(this.#later)
    try {
      if (!this.#isOurs || !(await this.#releaseSession())) await this.#dropViews()
    } finally {
      this.#channel.close()
    }
  }

  /** False where the server does not have this, as before 4.0. One that cannot be reached ends the session by itself. */
  async #releaseSession(): Promise<boolean> {
    try {
      await this.#link.call('ReleaseSession', releaseSessionRequest(this.#link.asker), BRIEFLY)
      return true
    } catch (error) {
      if (!(error instanceof SparkError)) throw error
      return error.status !== STATUS.unimplemented
    }
  }

  /** A server that does not answer now is not waited for. */
  async #dropViews(): Promise<void> {
    try {
      if (this.#views.size > 0) await this.#askVersion(BRIEFLY)
      for (const view of this.#views) {
        const plan = commandPlan(`DROP VIEW IF EXISTS ${quoteName(view)}`)
        for await (const _ of this.#responses(plan, {}));
      }
    } catch (error) {
      if (!(error instanceof SparkError)) throw error
      const names = [...this.#views].join(', ')
      this.#link.options.onNote?.(`Views may be left in the session ${this.id}: ${names}. ${error.message}`)
    }
    await Promise.all(this.#later)
  }
}

export const quoteName = (name: string): string => `\`${name.replaceAll('`', '``')}\``

function readPart({ bytes, firstRow, rowCount }: ArrowPart, received: number): Batch[] {
  if (firstRow !== undefined && firstRow !== received)
    throw damaged(`rows from ${firstRow} on came where those from ${received} on were due`)
  const batches = readArrow(bytes)
  const count = batches.reduce((sum, batch) => sum + batch.rowCount, 0)
  if (rowCount !== undefined && rowCount !== count)
    throw damaged(`a part of an answer has ${count} rows and claims to have ${rowCount}`)
  return batches
}
