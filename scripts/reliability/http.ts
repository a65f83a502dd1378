// Requests that are no requests, sent to a server byte by byte as they are.

import { connect, type Socket } from 'node:net'
import { makeRandom, type Random } from '../../packages/core/src/common/random.ts'

const pick = <T>(items: readonly T[], random: Random): T => items[random.integer(items.length)]

const METHODS = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'OPTIONS',
  'TRACE',
  'CONNECT',
  'get',
  'G\0T',
  'X'.repeat(300),
  '',
]
const PATHS = [
  ...[
    '/',
    '//',
    '/../../etc/passwd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/%00',
    '/?x=1',
    '*',
    'http://127.0.0.1/',
    '/a/b/',
  ],
  ...['/__proto__', '/constructor', `/${'a'.repeat(9000)}`, '/\u00e9', '/<script>alert(1)</script>', ''],
]
const VERSIONS = ['HTTP/1.1', 'HTTP/1.0', 'HTTP/9.9', 'http/1.1', '']
const HEADERS = [
  ...[
    'Content-Length: 5',
    'Content-Length: -1',
    'Content-Length: 99999999999999',
    'Transfer-Encoding: chunked',
  ],
  ...[
    'Connection: keep-alive',
    'Connection: upgrade',
    'Upgrade: websocket',
    'Expect: 100-continue',
    'Host: evil.example',
  ],
  ...[
    'Origin: https://evil.example',
    'Cookie: a=b',
    'X: \r\n y',
    ': x',
    'A',
    `B: ${'b'.repeat(20_000)}`,
    '__proto__: x',
  ],
  ...['Content-Length: 3\r\nContent-Length: 4', 'Range: bytes=0-', 'If-None-Match: *', '\0: x'],
]

function makeRequest(random: Random, host: string): Buffer {
  const hosts = [host, host.replace('127.0.0.1', 'localhost'), 'evil.example', `${host}:80`, '']
  // Half of them get past the parser.
  const often = (usual: string, others: readonly string[]) =>
    random.next() < 0.7 ? usual : pick(others, random)
  const lines = [`${often('GET', METHODS)} ${pick(PATHS, random)} ${often('HTTP/1.1', VERSIONS)}`]
  if (random.next() < 0.9) lines.push(`Host: ${pick(hosts, random)}`)
  for (let count = random.integer(4); count > 0; count--) lines.push(pick(HEADERS, random))
  const ends = pick(['\r\n', '\r\n', '\r\n', '\n', '\r'], random)
  const body = random.next() < 0.2 ? '5\r\nhello\r\n0\r\n\r\n' : ''
  const bytes = Buffer.from(`${lines.join(ends)}${ends}${ends}${body}`)
  if (random.next() < 0.3) bytes[random.integer(bytes.length)] = random.integer(256)
  return random.next() < 0.1 ? bytes.subarray(0, random.integer(bytes.length)) : bytes
}

const addressOf = (url: string) => ({ host: '127.0.0.1', port: Number(new URL(url).port) })

/** What came back, whole; the connection is closed once it is quiet. */
function send(url: string, bytes: Buffer): Promise<string> {
  return new Promise(resolve => {
    const socket = connect(addressOf(url))
    let answer = ''
    const end = () => {
      socket.destroy()
      resolve(answer)
    }
    socket.setTimeout(QUIET_MS, end)
    socket.setEncoding('latin1').on('data', text => {
      answer += text
      // Connections are kept open for more; one answer is enough.
      if (answer.length > 100 && answer.includes('\r\n\r\n')) socket.setTimeout(5, end)
    })
    socket.on('error', end)
    socket.on('close', end)
    socket.end(bytes)
  })
}

const QUIET_MS = 300
const SIDE_BY_SIDE = 20

export async function attack(
  url: string,
  count: number,
  say: (line: string) => void,
): Promise<{ readonly statuses: Record<string, number>; readonly problems: readonly string[] }> {
  const statuses: Record<string, number> = {}
  const problems: string[] = []
  const random = makeRandom(1)
  let sent = 0
  const work = async () => {
    while (sent < count) {
      const bytes = makeRequest(random, new URL(url).host)
      if (++sent % 500 === 0) say(`${sent} requests`)
      // "Go on", said to who asks for it, is no answer yet.
      const answer = (await send(url, bytes)).replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '')
      const [, status = 'closed'] = /^HTTP\/1\.1 (\d{3})/.exec(answer) ?? []
      statuses[status] = (statuses[status] ?? 0) + 1
      const isRefusal = status === 'closed' || /^4\d\d$/.test(status)
      const tells = /\n +at |node:internal|\/packages\/|Error:/.test(answer)
      if (!isRefusal || tells)
        problems.push(`${JSON.stringify(bytes.toString('latin1').slice(0, 200))}: ${answer.slice(0, 100)}`)
    }
  }
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work))
  return { statuses, problems }
}

/** Connections that send half a header and no more. */
export async function openSlowly(url: string, count: number): Promise<{ readonly close: () => void }> {
  const sockets: Socket[] = []
  for (let number = 0; number < count; number++) {
    const socket = connect(addressOf(url))
    socket.on('error', () => {})
    socket.write('GET / HTTP/1.1\r\nHost: ')
    sockets.push(socket)
  }
  return { close: () => sockets.forEach(socket => void socket.destroy()) }
}

/** The status that a long body is answered with; undefined where the connection is closed. */
export function sendBody(url: string, bytes: number): Promise<number | undefined> {
  return new Promise(resolve => {
    const socket = connect(addressOf(url))
    let answer = ''
    const end = () => {
      socket.destroy()
      const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(answer) ?? []
      resolve(status === undefined ? undefined : Number(status))
    }
    socket.setTimeout(2000, end)
    socket.on('error', end)
    socket.on('close', end)
    socket.setEncoding('latin1').on('data', text => {
      answer += text
      end()
    })
    socket.write(
      `POST ${new URL(url).pathname} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nContent-Length: ${bytes}\r\n\r\n`,
    )
    const piece = Buffer.alloc(2 ** 16)
    const pour = () => {
      while (socket.writable && socket.write(piece));
    }
    socket.on('drain', pour)
    pour()
  })
}

export async function isServing(url: string): Promise<boolean> {
  const response = await fetch(url)
  return response.status === 200 && (await response.text()) !== ''
}
