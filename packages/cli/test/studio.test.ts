// featureboost studio: one page, to this machine, under a secret path, by Ctrl-C at an end.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type StudioServer, serveStudio } from '../src/studio/server.ts'

const MAIN = fileURLToPath(new URL('../bin/featureboost.js', import.meta.url))

let server: StudioServer

beforeAll(async () => {
  server = await serveStudio(0)
})

afterAll(() => server?.close())

interface Got {
  readonly status: number
  readonly headers: NodeJS.Dict<string | string[]>
  readonly text: string
}

function get(path: string, { host, method = 'GET' }: { host?: string; method?: string } = {}): Promise<Got> {
  const { hostname, port } = new URL(server.url)
  return new Promise((resolve, reject) => {
    const asked = request(
      { hostname, port, path, method, ...(host !== undefined && { headers: { host } }) },
      response => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', part => {
          text += part
        })
        response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, text }))
      },
    )
    asked.on('error', reject)
    asked.end()
  })
}

describe('the server of the studio', () => {
  const secret = () => new URL(server.url).pathname

  it('gives out the page with its policy, isolated, to whoever knows the path', async () => {
    const { headers, status, text } = await get(secret())
    expect(status).toBe(200)
    expect(text).toContain('<title>featureboost studio</title>')
    const policy = String(headers['content-security-policy'])
    expect(policy).toMatch(
      /^default-src 'none'; script-src 'sha256-[^ ]+' 'wasm-unsafe-eval'; style-src 'sha256-/,
    )
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/connect-src|unsafe-inline|https?:/)
    expect(headers).toMatchObject({
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-embedder-policy': 'require-corp',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
  })

  it('is at another path every time, too long to guess', async () => {
    const other = await serveStudio(0)
    try {
      expect(new URL(other.url).pathname).not.toBe(secret())
      expect(secret().length).toBeGreaterThanOrEqual(24)
    } finally {
      await other.close()
    }
  })

  it('has nothing for other paths, other names and other methods', async () => {
    expect((await get('/')).status).toBe(404)
    expect((await get(`${secret().slice(0, -2)}${secret().endsWith('x/') ? 'y' : 'x'}/`)).status).toBe(404)
    expect((await get(`${secret()}../main.js`)).status).toBe(404)
    expect((await get(secret(), { host: 'evil.example' })).status).toBe(403)
    expect((await get(secret(), { host: `localhost:${new URL(server.url).port}` })).status).toBe(200)
    expect(await get(secret(), { method: 'POST' })).toMatchObject({
      status: 405,
      headers: { allow: 'GET, HEAD' },
    })
    expect(await get(secret(), { method: 'HEAD' })).toMatchObject({ status: 200, text: '' })
  })

  it('says that a port is taken', async () => {
    await expect(serveStudio(Number(new URL(server.url).port))).rejects.toThrow(
      /Port \d+ cannot be used: it is taken/,
    )
  })
})

describe('featureboost studio', () => {
  it('prints its address and ends with Ctrl-C', async () => {
    const child = spawn(process.execPath, [MAIN, 'studio', '--no-open'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    try {
      const [line] = (await once(child.stdout, 'data')) as [Buffer]
      const url = String(line).trim()
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{24}\/$/)
      expect((await fetch(url)).status).toBe(200)
      child.kill('SIGINT')
      expect(await once(child, 'exit')).toEqual([0, null])
    } finally {
      child.kill('SIGKILL')
    }
  })
})
