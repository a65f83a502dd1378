// Exit codes: 0 done, 1 our bug, 2 wrong usage, 3 bad data, 4 a gate or a verification failed, 130 interrupted.

import { type ErrorCode, FeatureBoostError } from '@featureboost/core'

/** A failure of the command line itself, with its exit code. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly exitCode: number
  /** As the library has them: docs/errors.md. Every refusal of a file has one. */
  readonly code: ErrorCode | undefined

  constructor(exitCode: number, message: string, { code }: { readonly code?: ErrorCode } = {}) {
    super(code === undefined ? message : `${code}: ${message}`)
    this.exitCode = exitCode
    this.code = code
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
  'FB_CHECKPOINT_OTHER',
])

export function exitCodeOf(error: unknown): number {
  if (error instanceof CommandError) return error.exitCode
  return error instanceof FeatureBoostError ? exitCodeFor(error.code) : 1
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

/** What a person needs to read; a stack only for our own bugs. */
export function messageOf(error: unknown): string {
  if (error instanceof CommandError || error instanceof FeatureBoostError) return error.message
  const stack = error instanceof Error ? error.stack : String(error)
  return `This is a bug in featureboost, please report it:\n${stack}`
}
