// The status of a gRPC call, from trailers, from headers, or from what a proxy says by HTTP.

import type { IncomingHttpHeaders } from 'node:http2'

export const STATUS = {
  ok: 0,
  cancelled: 1,
  unknown: 2,
  deadline: 4,
  permission: 7,
  exhausted: 8,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
} as const

export interface RpcTrouble {
  readonly status: number
  readonly message: string
  /** google.rpc.Status, where the server sent one. */
  readonly details?: Uint8Array
  /** May the request have come to the server? False only where there was no connection. */
  readonly reached?: boolean
  /** Nobody was heard for as long as is waited. */
  readonly silent?: boolean
  /** Trying again would not help: a certificate that is not trusted, a name that no machine has. */
  readonly final?: boolean
}

/** A call that did not end well. It stays inside this folder: users see a SparkError. */
export class RpcError extends Error {
  override readonly name = 'RpcError'
  readonly status: number
  readonly details: Uint8Array | undefined
  readonly reached: boolean
  readonly silent: boolean
  readonly final: boolean

  constructor({ details, final = false, message, reached = true, silent = false, status }: RpcTrouble) {
    super(message)
    this.status = status
    this.details = details
    this.reached = reached
    this.silent = silent
    this.final = final
  }

  get isPassing(): boolean {
    return this.status === STATUS.unavailable && !this.final
  }
}

/** As gRPC reads the statuses of HTTP. */
const STATUS_OF_HTTP: Readonly<Record<number, number>> = {
  400: STATUS.internal,
  401: STATUS.unauthenticated,
  403: STATUS.permission,
  404: STATUS.unimplemented,
  429: STATUS.unavailable,
  502: STATUS.unavailable,
  503: STATUS.unavailable,
  504: STATUS.unavailable,
}

/** Undefined where all went well. */
export function troubleOf(
  headers: IncomingHttpHeaders | undefined,
  trailers: IncomingHttpHeaders | undefined,
  reason: string,
): RpcError | undefined {
  const told = trailers?.['grpc-status'] !== undefined ? trailers : headers
  const status = told?.['grpc-status']
  if (told === undefined || status === undefined) return withoutStatus(headers, reason)
  const code = /^\d{1,3}$/.test(String(status)) ? Number(status) : STATUS.unknown
  if (code === STATUS.ok) return undefined
  const details = told['grpc-status-details-bin']
  return new RpcError({
    status: code,
    message: readable(String(told['grpc-message'] ?? '')),
    ...(details !== undefined && { details: Buffer.from(String(details), 'base64') }),
  })
}

function withoutStatus(headers: IncomingHttpHeaders | undefined, reason: string): RpcError {
  const http = headers === undefined ? undefined : Number(headers[':status'])
  if (http === undefined || http === 200) return new RpcError({ status: STATUS.unavailable, message: reason })
  return new RpcError({ status: STATUS_OF_HTTP[http] ?? STATUS.unknown, message: `HTTP status ${http}` })
}

/** Percent-encoded by the rules of gRPC; what is not is taken as it stands. */
function readable(message: string): string {
  try {
    return decodeURIComponent(message)
  } catch {
    return message
  }
}
