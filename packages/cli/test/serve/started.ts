// A server with models of the zoo, in this process and on a free port of the loopback interface.

import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach } from 'vitest'
import { PredictionServer, type ServeOptions } from '../../src/serve/server.ts'
import { Shelf } from '../../src/serve/shelf.ts'

export const zooFile = (kind: string) =>
  fileURLToPath(new URL(`../../../core/test/model/zoo/3/${kind}.fb.json`, import.meta.url))

const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0)) await end()
})

export interface Started {
  readonly server: PredictionServer
  readonly shelf: Shelf
  /** Of a copy, which a test may change. */
  readonly fileOf: (kind: string) => string
  readonly reloads: [name: string, error?: unknown][]
  post(body: string | ReadableStream, headers?: Record<string, string>, path?: string): Promise<Response>
}

export async function start(
  kinds: readonly string[] = ['default'],
  options: ServeOptions = {},
): Promise<Started> {
  const folder = mkdtempSync(join(tmpdir(), 'featureboost-serve-'))
  endings.push(() => rmSync(folder, { recursive: true, force: true }))
  const fileOf = (kind: string) => join(folder, `${kind}.fb.json`)
  for (const kind of kinds) copyFileSync(zooFile(kind), fileOf(kind))
  const reloads: Started['reloads'] = []
  const shelf = await Shelf.open(
    kinds.map(kind => [kind, fileOf(kind)]),
    { onReload: (...reload) => reloads.push(reload) },
  )
  const server = new PredictionServer(shelf, options)
  await server.listen()
  endings.push(async () => {
    shelf.close()
    await server.close()
  })
  const post: Started['post'] = (body, headers = {}, path = '/predict') =>
    fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body,
    })
  return { server, shelf, fileOf, reloads, post }
}

export const asJson = (rows: unknown): string => JSON.stringify(rows)
