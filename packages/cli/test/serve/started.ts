// A server with models of the zoo, in this process and on a free port of the loopback interface.

import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Row } from '@featureboost/core'
import { afterEach } from 'vitest'
import { PredictionServer, type ServeOptions } from '../../src/serve/server.ts'
import { Shelf } from '../../src/serve/shelf.ts'

export const zooFile = (kind: string) =>
  fileURLToPath(new URL(`../../../core/test/model/zoo/3/${kind}.fb.json`, import.meta.url))

/** One of every kind of update. */
export const KINDS = readdirSync(
  fileURLToPath(new URL('../../../core/test/model/zoo/3', import.meta.url)),
).map(file => file.replace('.fb.json', ''))

/** Rows as the models of the zoo read them, some with values that are missing or that no model has seen. */
export const ROWS: readonly Row[] = Array.from({ length: 24 }, (_, row) => ({
  score: ((7 * row) % 24) / 23,
  age: row % 5 === 4 ? null : 18 + ((11 * row) % 60),
  income: row % 7 === 6 ? null : ((37 * row) % 100) * 10.25,
  region: ['east', 'north', 'south', null, 'nowhere'][row % 5],
  member: [true, false, null][row % 3],
  since: row % 6 === 5 ? null : `202${row % 5}-0${1 + (row % 9)}-17`,
}))

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
