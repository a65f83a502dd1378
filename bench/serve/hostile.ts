// Clients that a server has to live with: requests with bytes changed or cut off, bodies that trickle, bodies without end.

import { connect, type Socket } from 'node:net'
import { makeRandom } from '../../packages/core/src/common/random.ts'

/** By status; "no answer" where the connection ended without one. */
export type Statuses = Record<string, number>

/** Sends what `send` sends, until the connection ends, and says what was answered. */
async function ask({ hostname, port }: URL, send: (socket: Socket) => void): Promise<string> {
  const socket = connect(Number(port), hostname)
  let heard = ''
  socket.on('data', data => {
    heard += data
  })
  socket.on('error', () => {})
  // `once` would take an error for an end.
  const ended = new Promise(resolve => socket.once('close', resolve))
  send(socket)
  await ended
  const [, status = 'no answer'] = /^HTTP\/1\.1 (\d+)/.exec(heard) ?? []
  return status
}

function count(found: Statuses, status: string): void {
  found[status] = (found[status] ?? 0) + 1
}

const HEAD = 'POST /predict HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'

/** A good request with bytes changed or cut off; something is always sent. */
export async function fuzz(url: URL, body: string, requests: number): Promise<Statuses> {
  const random = makeRandom(17)
  const good = `${HEAD}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`
  const found: Statuses = {}
  let next = 0
  const work = async () => {
    while (next++ < requests) {
      const bytes = Buffer.from(good)
      for (let flip = 0; flip < 1 + random.integer(6); flip++)
        bytes[random.integer(bytes.length)] = random.integer(256)
      const sent = random.next() < 0.2 ? bytes.subarray(0, 1 + random.integer(bytes.length)) : bytes
      count(
        found,
        await ask(url, socket => {
          socket.end(sent)
        }),
      )
    }
  }
  await Promise.all(Array.from({ length: 32 }, work))
  return found
}

/** Clients that send a byte every tenth of a second: half of them of their head, half of their body. */
export async function trickle(url: URL, clients: number): Promise<Statuses> {
  const found: Statuses = {}
  const one = async (_: unknown, index: number) => {
    const [first, rest] =
      index % 2 === 0 ? ['', HEAD.repeat(100)] : [`${HEAD}Content-Length: 5000\r\n\r\n`, '['.padEnd(5000)]
    const status = await ask(url, socket => {
      socket.write(first)
      let at = 0
      const timer = setInterval(() => socket.write(rest[at++ % rest.length]), 100)
      socket.on('close', () => clearInterval(timer))
    })
    count(found, status)
  }
  await Promise.all(Array.from({ length: clients }, one))
  return found
}

/** Bodies of so many bytes, half of them with their length told ahead, half in chunks. */
export async function flood(url: URL, bodies: number, bytes: number): Promise<Statuses> {
  const found: Statuses = {}
  const part = Buffer.alloc(2 ** 16, 32)
  for (let index = 0; index < bodies; index++) {
    const isTold = index % 2 === 0
    const status = await ask(url, socket => {
      socket.write(`${HEAD}${isTold ? `Content-Length: ${bytes}` : 'Transfer-Encoding: chunked'}\r\n\r\n`)
      let sent = 0
      const more = () => {
        while (sent < bytes && !socket.destroyed) {
          sent += part.length
          const isTaken = socket.write(
            isTold ? part : Buffer.concat([Buffer.from('10000\r\n'), part, Buffer.from('\r\n')]),
          )
          if (!isTaken) {
            socket.once('drain', more)
            return
          }
        }
        socket.end(isTold ? '' : '0\r\n\r\n')
      }
      more()
    })
    count(found, status)
  }
  return found
}
