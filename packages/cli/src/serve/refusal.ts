// What the server refuses, with the status that says so. The text is for who asked; it never has a stack.

import { type ErrorCode, FeatureBoostError } from '@featureboost/core'

export interface RefusalHeaders {
  readonly Allow?: string
  readonly 'Retry-After'?: string
  readonly 'WWW-Authenticate'?: string
}

export class Refusal extends Error {
  readonly status: number
  readonly error: FeatureBoostError
  readonly headers: RefusalHeaders
  #body: string | undefined

  constructor(status: number, error: FeatureBoostError, headers: RefusalHeaders = {}) {
    super(error.message)
    this.status = status
    this.error = error
    this.headers = headers
  }

  /** Made once, for refusals that many get. */
  get body(): string {
    this.#body ??= JSON.stringify(errorBody(this.error))
    return this.#body
  }
}

export const refuse = (
  status: number,
  code: ErrorCode,
  message: string,
  { headers, hint }: { readonly headers?: RefusalHeaders; readonly hint?: string } = {},
): Refusal =>
  new Refusal(status, new FeatureBoostError(code, message, hint === undefined ? {} : { hint }), headers)

/** Rows that the model cannot take are refused with the library's own words; all else is a bug, which is not shown. */
export function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof FeatureBoostError) return new Refusal(422, error)
  return new Refusal(500, new FeatureBoostError('FB_SYSTEM', 'the server failed at this request.'))
}

/** As clients get it. */
export function errorBody({ code, details, message }: FeatureBoostError): object {
  const { column, row } = details
  return {
    error: { code, message, ...(column !== undefined && { column }), ...(row !== undefined && { row }) },
  }
}
