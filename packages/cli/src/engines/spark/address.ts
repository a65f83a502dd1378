// The address of a Spark Connect server: sc://host:port/;token=...;use_ssl=true;user_id=...;session_id=..., where every other name
// is a header of each request. A token is never shown, and never sent where others could read it.

import { SparkError } from './errors.ts'

export interface SparkAddress {
  /** sc://host:port, and nothing that is secret. */
  readonly shown: string
  readonly origin: string
  readonly isSecure: boolean
  readonly token: string | undefined
  readonly userId: string
  /** Given by the user: then the session is theirs, and is not ended with ours. */
  readonly sessionId: string | undefined
  readonly headers: Readonly<Record<string, string>>
}

const DEFAULT_PORT = 15002
const FORM = 'sc://host:15002/;token=...;use_ssl=true'
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i
/** A host and no userinfo, no query and no fragment: a secret might stand there and be shown. */
const SHAPE = /^sc:\/\/([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::(\d{1,5}))?(?:\/(?:;(.*))?)?$/s
/** Set by us, or by HTTP itself. */
const RESERVED = /^(authorization|connection|content-.*|grpc-.*|host|te|transfer-encoding|upgrade)$/

/** The variable that a Spark Connect server itself takes its token from. */
export const TOKEN_VARIABLE = 'SPARK_CONNECT_AUTHENTICATE_TOKEN'

export const isSparkAddress = (text: string): boolean => /^sc:\/\//i.test(text)

export function parseAddress(
  text: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): SparkAddress {
  const match = SHAPE.exec(text)
  if (match === null) throw refuse('the address of the Spark server cannot be read', `Expected ${FORM}.`)
  const [, host, portText = String(DEFAULT_PORT), rest = ''] = match
  const port = Number(portText)
  if (port < 1 || port > 65_535) throw refuse(`${portText} is no port`, 'Ports go from 1 to 65535.')
  const given = readParameters(rest)
  const token = take(given, 'token') ?? (environment[TOKEN_VARIABLE] || undefined)
  const isHere = LOOPBACK.test(host)
  const isSecure = readSecure(take(given, 'use_ssl')) ?? (token !== undefined && !isHere)
  if (token !== undefined) checkToken(token, isSecure || isHere)
  const sessionId = take(given, 'session_id')
  if (sessionId !== undefined && !UUID.test(sessionId))
    throw refuse('session_id is no UUID', 'Leave it out, and one is made.')
  const userId = take(given, 'user_id') ?? 'featureboost'
  const agent = take(given, 'user_agent')
  return {
    shown: `sc://${host}:${port}`,
    origin: `${isSecure ? 'https' : 'http'}://${host}:${port}`,
    isSecure,
    token,
    userId,
    sessionId,
    headers: { ...(agent !== undefined && { 'user-agent': agent }), ...readHeaders(given) },
  }
}

const refuse = (what: string, hint: string): SparkError =>
  new SparkError({ code: 'FB_SPARK_ADDRESS', message: `${what}.`, hint })

function readParameters(text: string): Map<string, string> {
  const given = new Map<string, string>()
  for (const pair of text.split(';').filter(part => part !== '')) {
    const at = pair.indexOf('=')
    // What stands there is not shown: it may be a token whose name was forgotten.
    if (at < 1) throw refuse('a parameter of the address is not of the form name=value', `Expected ${FORM}.`)
    const name = pair.slice(0, at)
    if (!/^[A-Za-z0-9_.-]+$/.test(name))
      throw refuse(
        'the name of a parameter of the address has characters that no name has',
        `Expected ${FORM}.`,
      )
    if (given.has(name)) throw refuse(`the address has ${name} twice`, 'Give it once.')
    given.set(name, decode(name, pair.slice(at + 1)))
  }
  return given
}

function decode(name: string, value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    throw refuse(`${name} has a % that no two digits follow`, 'Write %25 for a % in a value.')
  }
}

/** Empty is not given. */
function take(given: Map<string, string>, name: string): string | undefined {
  const value = given.get(name)
  given.delete(name)
  return value || undefined
}

function readSecure(text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined
  if (text !== 'true' && text !== 'false')
    throw refuse('use_ssl is neither true nor false', 'Say use_ssl=true.')
  return text === 'true'
}

function checkToken(token: string, isSafe: boolean): void {
  if (!/^[\x21-\x7e]+$/.test(token))
    throw refuse('the token has characters that no token has', 'Check how it was pasted.')
  if (!isSafe) {
    throw refuse(
      'a token would be sent in plain text to another machine',
      'Say use_ssl=true, or reach the server through a tunnel that ends on this machine.',
    )
  }
}

function readHeaders(given: ReadonlyMap<string, string>): Record<string, string> {
  return Object.fromEntries(
    [...given].map(([written, value]) => {
      const name = written.toLowerCase()
      if (RESERVED.test(name)) throw refuse(`${name} cannot be set in the address`, `Expected ${FORM}.`)
      if (!/^[\x20-\x7e]*$/.test(value))
        throw refuse(`${name} has characters that no header has`, 'Use plain ASCII.')
      return [name, value]
    }),
  )
}
