// One connection of HTTP/2, with TLS or without. While no call is under way it does not keep the process alive.

import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  type OutgoingHttpHeaders,
} from 'node:http2'
import { rootCertificates } from 'node:tls'
import { RpcError, STATUS } from './status.ts'

/** Bytes that may be under way: of one stream, and of all. */
const STREAM_WINDOW = 8 * 2 ** 20
const WINDOW = 16 * 2 ** 20

/** Asking again gives the same: the certificate is not trusted, or no machine has this name. */
const FINAL = /CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL|ENOTFOUND|EPROTO|ALPN/

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nobody listens there',
  ECONNRESET: 'the connection was broken off',
  EHOSTUNREACH: 'there is no way to this machine',
  ENETUNREACH: 'there is no way to its network',
  ENOTFOUND: 'no machine has this name',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  CERT_HAS_EXPIRED: 'its certificate is too old',
}

function inWords(code: string): string | undefined {
  const reason =
    REASONS[code] ?? (/CERT|SELF_SIGNED|UNABLE_TO/.test(code) ? 'its certificate is not trusted' : undefined)
  return reason === undefined ? undefined : `${reason} (${code})`
}

export interface ConnectionOptions {
  readonly connectMs: number
  readonly certificates: string | undefined
}

export class Connection {
  /** Did it ever stand? Before that, no request can have come to the server. */
  wasOpen = false
  readonly #session: ClientHttp2Session
  #failure: NodeJS.ErrnoException | undefined
  #calls = 0

  constructor(origin: string, { certificates, connectMs }: ConnectionOptions) {
    const session = connect(origin, {
      settings: { enablePush: false, initialWindowSize: STREAM_WINDOW },
      // In megabytes. By default streams are refused when unread answers fill ten.
      maxSessionMemory: 512,
      ...(certificates !== undefined && { ca: [...rootCertificates, certificates] }),
    })
    const timer = setTimeout(
      () => session.destroy(new Error(`no connection within ${connectMs / 1000} s`)),
      connectMs,
    )
    session.once('connect', () => {
      clearTimeout(timer)
      this.wasOpen = true
      session.setLocalWindowSize(WINDOW)
    })
    // Calls hear of it by the end of their streams.
    session.on('error', error => {
      this.#failure ??= error
    })
    session.once('close', () => clearTimeout(timer))
    this.#session = session
  }

  get isGone(): boolean {
    return this.#session.closed || this.#session.destroyed
  }

  /** Throws where the connection takes no more calls: then none went out. */
  request(headers: OutgoingHttpHeaders): ClientHttp2Stream {
    try {
      const stream = this.#session.request(headers)
      if (this.#calls++ === 0) this.#session.ref()
      return stream
    } catch (error) {
      this.end()
      const { message } = error as Error
      throw new RpcError({ status: STATUS.unavailable, message, reached: false })
    }
  }

  /** A call is over. */
  release(): void {
    if (--this.#calls === 0 && !this.isGone) this.#session.unref()
  }

  /** Why it never stood. */
  trouble(): RpcError {
    const { code = '', message = 'the connection was closed' } = this.#failure ?? {}
    const final = FINAL.test(code)
    return new RpcError({
      status: STATUS.unavailable,
      message: inWords(code) ?? message,
      reached: false,
      final,
    })
  }

  end(): void {
    this.#session.destroy()
  }
}
