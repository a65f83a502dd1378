// What goes wrong between us and a Spark server, as errors with codes. A gRPC status becomes one here; `explain.ts` adds what the
// server tells about a failed statement.

import { type ErrorCode, FeatureBoostError } from '@featureboost/core'

type ErrorDetails = FeatureBoostError['details']

export interface SparkTrouble extends ErrorDetails {
  readonly code: ErrorCode
  readonly message: string
  /** Spark's name of the condition, such as TABLE_OR_VIEW_NOT_FOUND. */
  readonly condition?: string | undefined
  readonly sqlState?: string | undefined
  /** The status of gRPC. */
  readonly status?: number | undefined
}

export class SparkError extends FeatureBoostError {
  readonly condition: string | undefined
  readonly sqlState: string | undefined
  readonly status: number | undefined

  constructor({ code, condition, message, sqlState, status, ...details }: SparkTrouble) {
    super(code, message, details)
    this.condition = condition
    this.sqlState = sqlState
    this.status = status
  }
}

/** Bytes that no server of the right kind sends. */
export const damaged = (what: string, hint?: string): SparkError =>
  new SparkError({ code: 'FB_SPARK_ANSWER', message: `${what}.`, ...(hint !== undefined && { hint }) })

export const tooLarge = (what: string, hint: string): SparkError =>
  new SparkError({ code: 'FB_SPARK_LIMIT', message: `${what}.`, hint })

export const cancelled = (): SparkError =>
  new SparkError({ code: 'FB_ABORTED', message: 'cancelled during a statement for Spark.' })
