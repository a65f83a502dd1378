// Messages of Spark Connect, by hand: only the fields that are needed, with their numbers from spark/connect/base.proto,
// relations.proto and commands.proto, which are the same from 3.5 on.

import { MessageReader, MessageWriter } from './wire.ts'

export type Rpc =
  | 'AnalyzePlan'
  | 'Config'
  | 'ExecutePlan'
  | 'FetchErrorDetails'
  | 'Interrupt'
  | 'ReattachExecute'
  | 'ReleaseExecute'
  | 'ReleaseSession'

export const pathOf = (rpc: Rpc): string => `/spark.connect.SparkConnectService/${rpc}`

/** Who asks: the same in every request, but under other numbers. */
export interface Asker {
  readonly sessionId: string
  readonly userId: string
  /** The session as the server named it (4.0 and later): it refuses where that is another one by now. */
  readonly serverSession: string | undefined
}

const CLIENT = 'featureboost'
const message = () => new MessageWriter()

const CLIENT_FIELD: Readonly<Record<Rpc, number>> = {
  AnalyzePlan: 3,
  Config: 4,
  ExecutePlan: 4,
  FetchErrorDetails: 4,
  Interrupt: 3,
  ReattachExecute: 4,
  ReleaseExecute: 4,
  ReleaseSession: 3,
}

const SERVER_SESSION_FIELD: Readonly<Record<Exclude<Rpc, 'ReleaseSession'>, number>> = {
  AnalyzePlan: 17,
  Config: 8,
  ExecutePlan: 8,
  FetchErrorDetails: 5,
  Interrupt: 7,
  ReattachExecute: 6,
  ReleaseExecute: 7,
}

function head(rpc: Rpc, { serverSession, sessionId, userId }: Asker): MessageWriter {
  const writer = message()
    .text(1, sessionId)
    .message(2, message().text(1, userId).text(2, userId))
    .text(CLIENT_FIELD[rpc], CLIENT)
  return rpc === 'ReleaseSession' ? writer : writer.text(SERVER_SESSION_FIELD[rpc], serverSession)
}

const sqlRelation = (sql: string) => message().message(10, message().text(1, sql))

/** A query: its rows are the answer. */
export const queryPlan = (sql: string): MessageWriter => message().message(1, sqlRelation(sql))

/** A statement that is carried out at once. Servers before 4.0 read the text in field 1, later ones that in 6. */
export const commandPlan = (sql: string): MessageWriter =>
  message().message(2, message().message(5, message().text(1, sql).message(6, sqlRelation(sql))))

export function executeRequest(
  asker: Asker,
  operation: string,
  plan: MessageWriter,
  { reattachable }: { readonly reattachable: boolean },
): MessageWriter {
  const request = head('ExecutePlan', asker).message(3, plan).text(6, operation)
  return reattachable ? request.message(5, message().message(1, message().integer(1, true))) : request
}

export const reattachRequest = (asker: Asker, operation: string, last: string | undefined): MessageWriter =>
  head('ReattachExecute', asker).text(3, operation).text(5, last)

/** Without `until` all of it, which also ends an operation that runs. */
export function releaseRequest(asker: Asker, operation: string, until?: string): MessageWriter {
  const request = head('ReleaseExecute', asker).text(3, operation)
  return until === undefined ? request.message(5, message()) : request.message(6, message().text(1, until))
}

/** Without an operation everything that runs in the session. */
export function interruptRequest(asker: Asker, operation?: string): MessageWriter {
  const request = head('Interrupt', asker)
  return operation === undefined ? request.integer(4, 1) : request.integer(4, 3).text(6, operation)
}

export const versionRequest = (asker: Asker): MessageWriter =>
  head('AnalyzePlan', asker).message(10, message())

export const releaseSessionRequest = (asker: Asker): MessageWriter => head('ReleaseSession', asker)

export const errorDetailsRequest = (asker: Asker, errorId: string): MessageWriter =>
  head('FetchErrorDetails', asker).text(3, errorId)

export function setConfigRequest(asker: Asker, pairs: Readonly<Record<string, string>>): MessageWriter {
  const set = message()
  for (const [key, value] of Object.entries(pairs)) set.message(1, message().text(1, key).text(2, value))
  return head('Config', asker).message(3, message().message(1, set))
}

/** Keys without a value are answered without one. */
export function getConfigRequest(asker: Asker, keys: readonly string[]): MessageWriter {
  const get = message()
  for (const key of keys) get.text(1, key)
  return head('Config', asker).message(3, message().message(4, get))
}

/** Where the server's own name of the session stands in its answers. */
export const ANSWERED_SESSION: Readonly<Record<'AnalyzePlan' | 'Config', number>> = {
  AnalyzePlan: 15,
  Config: 4,
}

export const readVersion = (answer: MessageReader): string => answer.message(8)?.text(1) ?? ''

export const readConfig = (answer: MessageReader): Map<string, string | undefined> =>
  new Map(answer.messages(2).map(pair => [pair.text(1), pair.has(2) ? pair.text(2) : undefined]))

export const readInterrupted = (answer: MessageReader): string[] => answer.texts(2)

export interface StageProgress {
  readonly stage: number
  readonly taskCount: number
  readonly doneCount: number
  readonly bytesRead: number
  readonly isDone: boolean
}

export interface ArrowPart {
  readonly bytes: Uint8Array
  /** Undefined where the server does not say (the result of a command). */
  readonly rowCount: number | undefined
  /** Rows of the answer before these (4.0 and later). */
  readonly firstRow: number | undefined
}

export interface ExecuteResponse {
  readonly id: string
  readonly serverSession: string
  readonly isComplete: boolean
  readonly rows: ArrowPart | undefined
  /** A command that was a query comes back as it was, and nothing has been done. */
  readonly isUnrunQuery: boolean
  readonly stages: readonly StageProgress[] | undefined
  readonly runningTasks: number
}

export function readExecuteResponse(bytes: Uint8Array): ExecuteResponse {
  const response = new MessageReader(bytes)
  const relation = response.message(5)?.message(1)
  const progress = response.message(18)
  return {
    id: response.text(13),
    serverSession: response.text(15),
    isComplete: response.has(14),
    rows: readRows(response.message(2), relation?.message(11)?.bytes(1)),
    isUnrunQuery: relation?.has(10) ?? false,
    stages: progress?.messages(1).map(readStage),
    runningTasks: progress?.count(2) ?? 0,
  }
}

function readRows(batch: MessageReader | undefined, local: Uint8Array | undefined): ArrowPart | undefined {
  if (batch !== undefined) {
    return {
      bytes: batch.bytes(2) ?? new Uint8Array(0),
      rowCount: batch.count(1),
      firstRow: batch.has(3) ? batch.count(3) : undefined,
    }
  }
  return local === undefined ? undefined : { bytes: local, rowCount: undefined, firstRow: undefined }
}

const readStage = (stage: MessageReader): StageProgress => ({
  stage: stage.count(1),
  taskCount: stage.count(2),
  // A task that is tried again is counted again.
  doneCount: Math.min(stage.count(2), stage.count(3)),
  bytesRead: stage.count(4),
  isDone: stage.count(5) === 1,
})
