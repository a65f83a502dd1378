// The library in a real browser: in Web Workers, on a page without isolation headers, from file:// and under a strict
// content security policy, it gives the bytes that Node gives, and nothing leaves the page.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findChromium } from '../../../../scripts/find-chromium.ts'
import * as core from '../../src/index.ts'
import { makeRandom } from '../../src/internal.ts'
import { exportCases, hostileRows } from '../export/generate.ts'

/** The library, and what makes up rows for it. */
const featureboost = { ...core, makeRandom }
type Library = typeof featureboost

const LAUNCH_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-sync',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
]

const HTML = `<!doctype html>
<meta charset="utf-8">
<title>featureboost</title>
<link rel="icon" href="data:,">
<script src="featureboost.js"></script>
`

/** The policy of each page that has one. Neither allows WebAssembly. */
const POLICIES: Readonly<Record<string, string>> = {
  '/strict/': "default-src 'none'; script-src 'self'; worker-src blob:; img-src data:",
  '/no-workers/': "default-src 'none'; script-src 'self'; worker-src 'none'; img-src data:",
}

/** How the rows are held. Chunks are small where both workers are to have rows. */
interface Way {
  readonly threads: number
  readonly chunkRows?: number
  readonly kernels?: 'wasm' | 'twin'
}

const SPREAD: Way = { threads: 2, chunkRows: 97 }

const WAYS: readonly Way[] = [
  { threads: 1 },
  { threads: 2 },
  { ...SPREAD, kernels: 'wasm' },
  { ...SPREAD, kernels: 'twin' },
]

interface WorkerCounts {
  readonly started: number
  readonly answered: number
  readonly ended: number
}

// The next three functions also run in the page, as text: they may use nothing but their arguments and globals.

/** Weights, missing values, categories, booleans, held-out rows, trees and linear auditors: the model of each case. */
async function fitCases(library: Library, way: Way): Promise<string[]> {
  const { fit, linear, makeRandom, memoryEngine, tableFromRows, trees } = library
  const random = makeRandom(11)
  const rows = Array.from({ length: 700 }, () => {
    const score = random.next()
    return {
      a: random.next() < 0.1 ? null : random.integer(40),
      b: random.next() < 0.1 ? null : 'pqrsé'[random.integer(5)],
      c: random.next() < 0.5,
      d: 10 * random.next() - 5,
      score,
      y: random.next() < score ** 2 ? 1 : 0,
      weight: random.integer(4),
    }
  })
  const roles = { label: 'y', prediction: 'score', epsilon: 0.2 }
  const cases: Parameters<typeof fit>[1][] = [
    { ...roles, method: 'rounds', weight: 'weight', auditors: trees({ depth: 2 }), stop: 'certificate' },
    { ...roles, method: 'rounds', except: ['weight'], stop: 'validation', holdout: 0.3, roundLimit: 4 },
    { ...roles, method: 'rounds', weight: 'weight', auditors: linear(), stop: 'certificate', roundLimit: 5 },
    { ...roles, weight: 'weight', method: 'forest', holdout: 0 },
    { ...roles, weight: 'weight', method: 'platt-features', holdout: 0 },
  ]
  // Without an engine of its own, a fit of so few rows would stay in one thread.
  const engine = memoryEngine(way)
  const texts: string[] = []
  for (const each of cases) texts.push((await fit(tableFromRows(rows), { ...each, engine })).toText())
  return texts
}

/** The codes of a fit that is cancelled before its first row, and of one that is cancelled while boosting. */
async function cancelFits({ fit, makeRandom, makeTable, memoryEngine }: Library): Promise<string[]> {
  const random = makeRandom(1)
  const [x, score] = [0, 1].map(() => Float64Array.from({ length: 5000 }, () => random.next()))
  const table = makeTable({ x, score, y: score.map(value => (random.next() < value ** 2 ? 1 : 0)) })
  const codes: string[] = []
  for (const early of [true, false]) {
    const control = new AbortController()
    if (early) control.abort()
    const { signal } = control
    const stop = () => control.abort()
    const options = {
      label: 'y',
      prediction: 'score',
      epsilon: 0.1,
      engine: memoryEngine({ threads: 2, signal }),
      signal,
      onTree: stop,
      onRound: stop,
    }
    const code = await fit(table, options).then(
      () => 'finished',
      error => String(error.code),
    )
    codes.push(code)
  }
  return codes
}

/** Counts workers, without changing what they do. */
function watchWorkers(): void {
  interface Worker {
    addEventListener(event: 'message', handle: () => void, how: { once: true }): void
    terminate(): void
  }
  const page = globalThis as unknown as { Worker: new (url: string) => Worker; workerCounts: WorkerCounts }
  const counts = { started: 0, answered: 0, ended: 0 }
  page.workerCounts = counts
  page.Worker = class extends page.Worker {
    #ended = false

    constructor(url: string) {
      super(url)
      counts.started++
      this.addEventListener('message', () => counts.answered++, { once: true })
    }

    override terminate(): void {
      if (!this.#ended) counts.ended++
      this.#ended = true
      super.terminate()
    }
  }
}

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: "export * from './index.ts'\nexport { makeRandom } from './internal.ts'",
      resolveDir: fileURLToPath(new URL('../../src', import.meta.url)),
    },
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'featureboost',
    platform: 'browser',
    target: 'es2022',
    charset: 'utf8',
  })
  return `${outputFiles[0].text}\n${fitCases}\n${cancelFits}\n(${watchWorkers})()\n`
}

/** Exported models, by address; a test puts them there. */
const modules = new Map<string, string>()

/** What a worker at the edge does: it imports the module of a model, and answers with the predictions of the rows it is sent. */
const EXPORT_WORKER = `addEventListener('message', async ({ data: { address, rows } }) => {
  const { predictAll } = await import(address)
  postMessage(predictAll(rows))
})`

interface Exported {
  readonly address: string
  readonly rows: readonly unknown[]
}

/** In the page, as a module: predictions of an exported model there, and in a module worker. Text, because tests have another `import`. */
const EXPORT_PAGE = `globalThis.predictExported = async ({ address, rows }) => {
  const { predictAll } = await import(address)
  const worker = new Worker('/export/worker.mjs', { type: 'module' })
  const answer = new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data)
    worker.onerror = event => reject(new Error(event.message))
  })
  worker.postMessage({ address: new URL(address, location.href).href, rows })
  const inWorker = await answer
  worker.terminate()
  return [Array.from(predictAll(rows)), Array.from(inWorker)]
}`

const predictThere = (page: Page, exported: Exported): Promise<number[][]> =>
  page.evaluate(given => {
    const { predictExported } = globalThis as unknown as {
      predictExported: (given: Exported) => Promise<number[][]>
    }
    return predictExported(given)
  }, exported)

function serve(script: string): Promise<Server> {
  const server = createServer(({ url = '/' }, response) => {
    const text = modules.get(url) ?? (url.endsWith('/featureboost.js') ? script : undefined)
    response.setHeader('Content-Type', `text/${text === undefined ? 'html' : 'javascript'}; charset=utf-8`)
    if (url in POLICIES) response.setHeader('Content-Security-Policy', POLICIES[url])
    response.end(text ?? HTML)
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => resolve(server))
  })
}

let folder: string | undefined
let server: Server | undefined
let browser: Browser | undefined
let origin: string

beforeAll(async () => {
  const executablePath = await findChromium()
  const script = await bundle()
  folder = await mkdtemp(join(tmpdir(), 'featureboost-browser-'))
  await writeFile(join(folder, 'featureboost.js'), script)
  await writeFile(join(folder, 'index.html'), HTML)
  server = await serve(script)
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  browser = await chromium.launch({ executablePath, args: LAUNCH_ARGS, timeout: 120_000 })
}, 20 * 60_000)

afterAll(async () => {
  await browser?.close()
  server?.closeAllConnections()
  server?.close()
  if (folder !== undefined) await rm(folder, { recursive: true, force: true })
}, 60_000)

/** Opens a page, uses it, closes it; fails if it had an error or asked for anything outside its own folder. */
async function onPage<T>(home: string, use: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser!.newContext()
  const asked: string[] = []
  const errors: string[] = []
  context.on('request', request => asked.push(request.url()))
  context.on('weberror', error => errors.push(String(error.error())))
  try {
    const page = await context.newPage()
    await page.goto(home)
    const result = await use(page)
    expect(errors).toEqual([])
    const inside = new URL('.', home).href
    expect(asked).toContain(`${inside}featureboost.js`)
    expect(asked.filter(url => !url.startsWith(inside) && !/^(blob|data):/.test(url))).toEqual([])
    return result
  } finally {
    await context.close()
  }
}

const fitOn = (page: Page, way: Way): Promise<string[]> =>
  page.evaluate<string[]>(`fitCases(featureboost, ${JSON.stringify(way)})`)

const outcomeOn = (page: Page, way: Way): Promise<string> =>
  page.evaluate<string>(
    `fitCases(featureboost, ${JSON.stringify(way)}).then(() => 'finished', error => String(error.code))`,
  )

const workersOf = (page: Page): Promise<WorkerCounts> => page.evaluate<WorkerCounts>('workerCounts')

describe('a page', { timeout: 5 * 60_000 }, () => {
  it('gives the bytes of Node, in Web Workers and without isolation', async () => {
    const expected = await fitCases(featureboost, { threads: 2 })
    expect(new Set(expected).size).toBe(5)
    await onPage(`${origin}/`, async page => {
      expect(await page.evaluate('[crossOriginIsolated, typeof SharedArrayBuffer, typeof process]')).toEqual([
        false,
        'undefined',
        'undefined',
      ])
      for (const way of WAYS) expect(await fitOn(page, way)).toEqual(expected)
      // Three ways with two threads, five models each; every worker answered, and none is left.
      expect(await workersOf(page)).toEqual({ started: 30, answered: 30, ended: 30 })
    })
  })

  it('may be a file', async () => {
    const expected = await fitCases(featureboost, SPREAD)
    await onPage(pathToFileURL(join(folder!, 'index.html')).href, async page => {
      expect(await page.evaluate('[location.protocol, crossOriginIsolated]')).toEqual(['file:', false])
      expect(await fitOn(page, SPREAD)).toEqual(expected)
      expect(await workersOf(page)).toEqual({ started: 10, answered: 10, ended: 10 })
    })
  })

  it('can cancel, and no worker is left', async () => {
    await onPage(`${origin}/`, async page => {
      expect(await page.evaluate('cancelFits(featureboost)')).toEqual(['FB_ABORTED', 'FB_ABORTED'])
      const { ended, started } = await workersOf(page)
      expect(started).toBeGreaterThanOrEqual(2)
      expect(ended).toBe(started)
    })
  })

  it('whose policy forbids WebAssembly gets the same bytes from the twin', async () => {
    const expected = await fitCases(featureboost, SPREAD)
    await onPage(`${origin}/strict/`, async page => {
      expect(await fitOn(page, { threads: 1 })).toEqual(expected)
      expect(await fitOn(page, SPREAD)).toEqual(expected)
      for (const threads of [1, 2]) {
        expect(await outcomeOn(page, { ...SPREAD, threads, kernels: 'wasm' })).toBe('FB_WORKER')
      }
    })
  })

  it('whose policy forbids workers is told so, and can fit in its own thread', async () => {
    const expected = await fitCases(featureboost, { threads: 1 })
    await onPage(`${origin}/no-workers/`, async page => {
      expect(await outcomeOn(page, { threads: 2 })).toBe('FB_WORKER')
      expect(await fitOn(page, { threads: 1 })).toEqual(expected)
    })
  })

  it('runs exported models, and so does a worker: the bytes of predictRow on hostile rows', async () => {
    const cases = (await exportCases(4)).map(({ model, rounded }, index) => {
      const predictor = rounded === undefined ? model : model.round(rounded)
      const rows = hostileRows(model, 200, 3)
      const address = `/export/${index}.mjs`
      const { content } = core.exportModel(model, { to: 'js', ...(rounded !== undefined && { rounded }) })
      modules.set(address, content as string)
      return { address, rows, expected: rows.map(row => predictor.predictRow(row)) }
    })
    modules.set('/export/worker.mjs', EXPORT_WORKER)
    await onPage(`${origin}/`, async page => {
      await page.addScriptTag({ type: 'module', content: EXPORT_PAGE })
      for (const { expected, ...exported } of cases)
        expect(await predictThere(page, exported), exported.address).toEqual([expected, expected])
    })
  })
})
