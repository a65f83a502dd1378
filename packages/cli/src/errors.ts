// Exit codes: 0 done, 1 our bug, 2 wrong usage, 3 bad data, 4 a gate or a verification failed, 130, 143 or 129 interrupted
// by SIGINT, SIGTERM or SIGHUP.

import { type ErrorCode, FeatureBoostError } from '@featureboost/core'
import { asMemoryError } from '@featureboost/core/internal'
import { isSystemError, systemReason } from './systemReason.ts'
import { visiblePage } from './terminal/width.ts'

/** What is wrong usage and has no code of its own. */
const USAGE = { code: 'FB_USAGE' } as const

/** A failure of the command line itself, with its exit code. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly exitCode: number
  /** As the library has them: docs/errors.md. Every refusal has one; an interruption has none. */
  readonly code: ErrorCode | undefined

  constructor(exitCode: number, message: string, { code }: { readonly code?: ErrorCode } = {}) {
    const told = code ?? (exitCode === 2 ? USAGE.code : undefined)
    super(told === undefined ? message : `${told}: ${message}`)
    this.exitCode = exitCode
    this.code = told
  }
}

/** Codes that mean: the call was wrong, whatever the data. */
const USAGE_CODES: ReadonlySet<ErrorCode> = new Set([
  'FB_OPTION_UNKNOWN',
  'FB_OPTION_VALUE',
  'FB_OPTION_METHOD',
  'FB_COMBINATION',
  'FB_CONFIG',
  'FB_PLAN',
  'FB_LOSS',
  'FB_CHECKPOINT_IN_USE',
  'FB_MONITOR_IN_USE',
  'FB_CHECKPOINT_OTHER',
  'FB_SPARK_ADDRESS',
  'FB_CHECKPOINT_THERE',
  'FB_USAGE',
  'FB_OUTPUT_INPUT',
  'FB_OUTPUT_KIND',
  'FB_OUTPUT_TWICE',
])

export function exitCodeOf(error: unknown): number {
  if (error instanceof CommandError) return error.exitCode
  if (error instanceof FeatureBoostError) return exitCodeFor(error.code)
  return machineTrouble(error) === undefined ? 1 : 3
}

/** Codes that mean: what was to be verified is not so. */
const VERIFY_CODES: ReadonlySet<ErrorCode> = new Set([
  'FB_MODEL_CONTRADICTION',
  'FB_SIGNATURE_MISSING',
  'FB_SIGNATURE_FORMAT',
  'FB_SIGNATURE_KEY',
  'FB_SIGNATURE_BYTES',
])

export const exitCodeFor = (code: ErrorCode): number =>
  USAGE_CODES.has(code) ? 2 : VERIFY_CODES.has(code) ? 4 : 3

/** Trouble with the machine that nothing else has put into words is no bug; undefined where it is one. */
function machineTrouble(error: unknown): FeatureBoostError | undefined {
  const memory = asMemoryError(error)
  if (memory !== undefined) return memory
  if (isSystemError(error))
    return new FeatureBoostError('FB_SYSTEM', `${systemReason(error)}, during ${error.syscall}.`, {
      ...(error.path !== undefined && { path: error.path }),
      hint: 'See to that, and try again.',
    })
  const { code, message } = Object(error) as NodeJS.ErrnoException
  if (code !== 'ERR_DLOPEN_FAILED') return undefined
  return new FeatureBoostError('FB_SYSTEM', `a native library cannot be loaded: ${message}.`, {
    hint: 'Is there memory for it, and was the package installed on this kind of machine? DuckDB reads the data.',
  })
}

/** What a person needs to read; a stack only for our own bugs. */
export function messageOf(error: unknown): string {
  if (error instanceof CommandError || error instanceof FeatureBoostError) return visiblePage(error.message)
  const trouble = machineTrouble(error)
  if (trouble !== undefined) return visiblePage(trouble.message)
  const stack = error instanceof Error ? error.stack : String(error)
  return visiblePage(`This is a bug in featureboost, please report it:\n${stack}`)
}

/** Stdout takes no more. */
export const unwritten = (error: unknown): FeatureBoostError =>
  new FeatureBoostError('FB_FILE_WRITE', `stdout could not be written: ${systemReason(error)}.`, {
    hint: 'What was printed is not whole: make room, and run it again.',
  })
