// Serves the built page to this machine alone: on the loopback interface, under a path that only the one who started it
// knows, to nobody who comes by another name (a page from elsewhere that has its name point here). It serves one file and
// takes nothing.

import { randomBytes, timingSafeEqual } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CommandError } from '../errors.ts'

export interface StudioServer {
  /** With the secret in it. */
  readonly url: string
  close(): Promise<void>
}

/** Beside the compiled code, or where it would be compiled to. */
const PLACES = ['../studio/index.html', '../../dist/studio/index.html']

/** `port` 0: one that is free. */
export async function serveStudio(port: number): Promise<StudioServer> {
  const page = await readPage()
  const secret = randomBytes(18).toString('base64url')
  const headers = headersFor(page)
  const server = createServer((request, response) => {
    const status = statusFor(request, secret, (server.address() as AddressInfo).port)
    const isPage = status === 200
    response.writeHead(status, {
      ...headers,
      'Content-Type': `text/${isPage ? 'html' : 'plain'}; charset=utf-8`,
      ...(status === 405 && { Allow: 'GET, HEAD' }),
    })
    end(response, request, isPage ? page : REFUSALS[status])
  })
  await listen(server, port)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${secret}/`,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const REFUSALS: Readonly<Record<number, string>> = {
  403: 'This server answers to 127.0.0.1 and localhost only.\n',
  404: 'Not here. Open the address that featureboost studio printed.\n',
  405: 'This server only gives out a page.\n',
}

function statusFor({ headers, method, url = '' }: IncomingMessage, secret: string, port: number): number {
  if (headers.host !== `127.0.0.1:${port}` && headers.host !== `localhost:${port}`) return 403
  if (method !== 'GET' && method !== 'HEAD') return 405
  return isSame(url.split('?')[0], `/${secret}/`) ? 200 : 404
}

function isSame(given: string, wanted: string): boolean {
  const [a, b] = [given, wanted].map(text => Buffer.from(text))
  return a.length === b.length && timingSafeEqual(a, b)
}

function end(response: ServerResponse, { method }: IncomingMessage, text: string | Buffer): void {
  if (method === 'HEAD') response.end()
  else response.end(text)
}

/** The page's own policy, which names its script by hash, and what only a header can say. */
function headersFor(page: Buffer): Record<string, string> {
  const [, policy] =
    /http-equiv="Content-Security-Policy"\s+content="([^"]+)"/.exec(page.toString('utf8')) ?? []
  if (policy === undefined) throw new Error('The built page has no content security policy.')
  return {
    'Content-Security-Policy': `${policy}; frame-ancestors 'none'`,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Embedder-Policy': 'require-corp',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
  }
}

async function readPage(): Promise<Buffer> {
  for (const place of PLACES) {
    const page = await readFile(new URL(place, import.meta.url)).catch(() => undefined)
    if (page !== undefined) return page
  }
  throw new CommandError(1, 'The page is not built. In a clone of the repository run: npm run build')
}

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'EADDRINUSE' ? 'it is taken' : error.message
      reject(
        new CommandError(2, `Port ${port} cannot be used: ${reason}. Leave --port out to have a free one.`),
      )
    })
    server.listen(port, '127.0.0.1', resolve)
  })
