// A call that failed, in words and with a code. Spark tells the name of the condition, its SQLSTATE and an id in the status; the
// whole text, with the causes, has to be fetched by that id (4.0 and later).

import type { ErrorCode } from '@featureboost/core'
import { SparkError } from './errors.ts'
import { type RpcError, STATUS } from './status.ts'
import { MessageReader } from './wire.ts'

export interface Told {
  readonly message: string
  readonly condition: string | undefined
  readonly sqlState: string | undefined
  readonly errorId: string | undefined
  /** Names of Java's classes of errors, as far as they came. */
  readonly classes: readonly string[]
}

/** From google.rpc.Status, which holds a google.rpc.ErrorInfo; and from the text, where that says it too. */
export function readTold({ details, message }: RpcError): Told {
  const infos = details === undefined ? [] : new MessageReader(details).messages(3)
  const info = infos.find(any => any.text(1).endsWith('/google.rpc.ErrorInfo'))?.message(2)
  const facts = info?.map(3) ?? new Map<string, string>()
  return {
    message,
    condition: facts.get('errorClass') || conditionIn(message),
    sqlState: facts.get('sqlState') || stateIn(message),
    errorId: facts.get('errorId'),
    classes: (facts.get('classes') ?? '').match(/[\w.$]+/g) ?? [],
  }
}

const conditionIn = (message: string): string | undefined => /^\s*\[([A-Z][A-Z0-9_.]+)\]/.exec(message)?.[1]
const stateIn = (message: string): string | undefined => /SQLSTATE: (\w{5})/.exec(message)?.[1]

/** What FetchErrorDetails answers: an error and its causes. The first that Spark has a name for says most. */
export function addDetails(told: Told, answer: MessageReader): Told {
  const errors = answer.messages(2)
  const chain: MessageReader[] = []
  for (let error = errors[answer.count(1)]; error !== undefined && !chain.includes(error); ) {
    chain.push(error)
    error = error.has(4) ? errors[error.count(4)] : (undefined as never)
  }
  const named = chain.find(error => (error.message(5)?.text(1) ?? '') !== '') ?? chain[0]
  const throwable = named?.message(5)
  return {
    ...told,
    message: named?.text(2) || told.message,
    condition: throwable?.text(1) || told.condition,
    sqlState: throwable?.text(4) || told.sqlState,
    classes: [...told.classes, ...chain.flatMap(error => error.texts(1))],
  }
}

const NO_PERMISSION = /\b(AccessControlException|AccessDeniedException|SecurityException)$/
/** Where the error is that of a file system, which Spark has no names for. */
const MAY_NOT_WRITE = /\bPermission denied\b|\bMkdirs failed to create\b/

const OUT_OF_MEMORY = /\bOutOfMemoryError\b|\bJava heap space\b|\bGC overhead limit exceeded\b/

interface Failure {
  readonly status: number
  readonly condition: string
  readonly sqlState: string
  readonly message: string
  readonly classes: readonly string[]
}

interface Rule {
  readonly code: ErrorCode
  readonly when: (failure: Failure) => boolean
}

/** The first that fits counts: a status that stands for itself, then the condition, then the SQLSTATE. */
const RULES: readonly Rule[] = [
  { code: 'FB_SPARK_TOKEN', when: ({ status }) => status === STATUS.unauthenticated },
  { code: 'FB_SPARK_SESSION', when: ({ condition }) => condition.startsWith('INVALID_HANDLE.SESSION_') },
  { code: 'FB_SPARK_LOST', when: ({ condition }) => /^(INVALID_HANDLE|INVALID_CURSOR)\b/.test(condition) },
  {
    code: 'FB_ABORTED',
    when: ({ condition, status }) => condition === 'OPERATION_CANCELED' || status === STATUS.cancelled,
  },
  {
    code: 'FB_SPARK_PERMISSION',
    when: ({ classes, message, sqlState, status }) =>
      status === STATUS.permission ||
      sqlState === '42501' ||
      classes.some(name => NO_PERMISSION.test(name)) ||
      MAY_NOT_WRITE.test(message),
  },
  {
    code: 'FB_MEMORY',
    when: ({ classes, message }) => [message, ...classes].some(text => OUT_OF_MEMORY.test(text)),
  },
  { code: 'FB_SPARK_OVERFLOW', when: ({ sqlState }) => sqlState === '22003' },
  {
    code: 'FB_TABLE',
    when: ({ condition, sqlState }) =>
      sqlState === '42P01' || /^(TABLE_OR_VIEW|SCHEMA)_NOT_FOUND/.test(condition),
  },
  { code: 'FB_SPARK_LIMIT', when: ({ status }) => status === STATUS.exhausted },
  {
    code: 'FB_SPARK_UNREACHABLE',
    when: ({ status }) => status === STATUS.unavailable || status === STATUS.deadline,
  },
  { code: 'FB_SQL', when: ({ condition, status }) => status === STATUS.internal || condition !== '' },
]

function codeOf(status: number, { classes, condition = '', message, sqlState = '' }: Told): ErrorCode {
  const failure = { status, condition, sqlState, message, classes }
  return RULES.find(({ when }) => when(failure))?.code ?? 'FB_SPARK_ANSWER'
}

interface Wording {
  readonly what: (server: string, reason: string) => string
  readonly hint?: string
}

const WORDING: Partial<Record<ErrorCode, Wording>> = {
  FB_SPARK_TOKEN: {
    what: (server, reason) => `${server} does not let us in: ${reason}`,
    hint: 'Check the token: it may be missing, mistyped or too old.',
  },
  FB_SPARK_SESSION: {
    what: (server, reason) => `${server} no longer knows the session: ${reason}`,
    hint: 'The server was started again, or ended the session. Views of the session are gone; a new session can go on from tables.',
  },
  FB_SPARK_LOST: {
    what: (server, reason) => `${server} cannot go on with a statement that was under way: ${reason}`,
    hint: 'It may or may not have been carried out, so it was not sent again.',
  },
  FB_SPARK_UNREACHABLE: {
    what: (server, reason) => `no Spark server answers at ${server}: ${reason}`,
    hint: 'Check the address, that the server runs, and whether use_ssl is as it wants it.',
  },
  FB_SPARK_ANSWER: {
    what: (server, reason) =>
      `what answers at ${server} is no Spark Connect server, or not one that knows this: ${reason}`,
    hint: 'Check the address and its parameters.',
  },
  FB_MEMORY: {
    what: (server, reason) => `${server} has not enough memory for a statement: ${reason}`,
    hint: 'Give it more (spark.driver.memory, spark.executor.memory).',
  },
  FB_SPARK_LIMIT: { what: (server, reason) => `${server} refuses a message for its size: ${reason}` },
  FB_ABORTED: { what: (server, reason) => `${server} ended a statement: ${reason}` },
}

export function sparkErrorOf(server: string, { status }: RpcError, told: Told): SparkError {
  const code = codeOf(status, told)
  const reason = sentence(told)
  const { hint, what } = WORDING[code] ?? { what: () => `${server} refuses a statement: ${reason}` }
  return new SparkError({
    code,
    message: what(server, reason),
    ...(hint !== undefined && { hint }),
    condition: told.condition,
    sqlState: told.sqlState,
    status,
  })
}

const MOST_CHARACTERS = 600

/** The first paragraph: after it Spark prints plans and stacks. */
function sentence({ condition, message, sqlState }: Told): string {
  const first = message.trim().split(/;?\n(?=['+=:\s]|at |JVM)|\n\n/)[0]
  const text = first.replace(/\s+/g, ' ').trim() || 'it does not say why'
  const short = text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)} ...` : text
  const name = condition === undefined || short.includes(`[${condition}]`) ? '' : `[${condition}] `
  const state = sqlState === undefined || short.includes(sqlState) ? '' : ` SQLSTATE: ${sqlState}`
  return `${name}${short}${state}`.replace(/[.;\s]*$/, '.')
}
