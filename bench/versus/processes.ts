// Every base model and every method as a process of its own, with the same threads; its answer is kept.

import { spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { readDoubles } from './arrays.ts'
import { hashFiles, keepFolder, keyOf } from './cache.ts'
import type { Method } from './methods.ts'
import type { Prepared } from './prepare.ts'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export interface Workshop {
  readonly cache: string
  readonly python: string
  readonly versions: Readonly<Record<string, string>>
  readonly threads: number
  /** Seconds that a method may take for one case. */
  readonly limit: number
  /** Is everything to be done again? */
  readonly fresh: boolean
}

export interface Seconds {
  readonly wall: number
  readonly cpu: number
}

export interface Measured {
  readonly fit: Seconds
  readonly predict: Seconds
  readonly peakBytes: number
  /** With rows and packages loaded. */
  readonly bytesBeforeFit: number
  readonly notes: Readonly<Record<string, string | number>>
  /** Processes that waited or ran on the machine when the method began, on average over a minute. */
  readonly load: number
  readonly date: string
}

export interface Outcome {
  readonly predictions: Float64Array
  readonly measured: Measured
  /** Was it found in the cache? */
  readonly kept: boolean
}

const SCORE_FILES = ['calibration.f64', 'test.f64']

/** Scores of the calibration and the test rows, from the case itself or from a model fitted on its base rows. */
export async function scoreCase(
  shop: Workshop,
  prepared: Prepared,
  base: string,
  seed: number,
): Promise<string> {
  const program = here('peers/base.py')
  const source = base === 'given' ? undefined : hashFiles([program])
  const key = keyOf({ base, content: prepared.content, seed, source, versions: shop.versions })
  // One thread, whatever the methods have: their scores are then the same to the last bit.
  const single = { ...shop, threads: 1 }
  const { folder } = await keepFolder(join(shop.cache, 'scores', `${base}-${key}`), shop.fresh, async out => {
    if (base !== 'given') {
      return runPython(single, program, out, { base, out, prepared: prepared.folder, seed, threads: 1 })
    }
    for (const name of SCORE_FILES) {
      copyFileSync(join(prepared.folder, name.replace('.f64', '.given.f64')), join(out, name))
    }
  })
  return folder
}

/** Throws where the method fails; a failure is not kept. */
export async function runMethod(
  shop: Workshop,
  method: Method,
  prepared: Prepared,
  scores: string,
  seed: number,
): Promise<Outcome> {
  // Not the whole folder, which also holds the request with its paths.
  const data = [prepared.content, hashFiles(SCORE_FILES.map(name => join(scores, name)))]
  const made = method.kind === 'ours' ? 'ours' : method.module
  const folder = join(shop.cache, 'results', `${made}-${methodKey(shop, method, data, seed)}`)
  const { found } = await keepFolder(folder, shop.fresh, out =>
    startMethod(shop, method, prepared, scores, seed, out),
  )
  const measured = JSON.parse(readFileSync(join(folder, 'measured.json'), 'utf8')) as Measured
  return { predictions: readDoubles(join(folder, 'test.f64')), measured, kept: found }
}

/** What the result of a method hangs on; our own also on every file of the built library. */
export function methodKey(
  { threads, versions }: Pick<Workshop, 'threads' | 'versions'>,
  method: Method,
  data: readonly string[],
  seed: number,
): string {
  const { kind, settings } = method
  if (kind === 'ours')
    return keyOf({ build: buildHash(), data, kind, node: process.version, settings, threads })
  const { module, packages, revision } = method
  const needed = Object.fromEntries(['Python', ...packages].map(name => [name, versions[name]]))
  return keyOf({ data, kind, module, needed, revision, seed, settings, threads })
}

const BUILD = here('../../packages/core/dist/')

function buildHash(): string {
  const files = readdirSync(BUILD, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.js'))
  return hashFiles(files.map(name => join(BUILD, name)))
}

async function startMethod(
  shop: Workshop,
  method: Method,
  prepared: Prepared,
  scores: string,
  seed: number,
  out: string,
): Promise<void> {
  const { threads } = shop
  const [load, date] = [loadavg()[0], new Date().toISOString()]
  const request = { out, prepared: prepared.folder, scores, seed, settings: method.settings, threads }
  if (method.kind === 'peer') {
    await runPython(shop, here('peers/runner.py'), out, { ...request, module: method.module })
  } else {
    await runProcess(process.execPath, [bundleOurs()], out, request, shop)
  }
  const path = join(out, 'measured.json')
  const measured = JSON.parse(readFileSync(path, 'utf8')) as object
  writeFileSync(path, `${JSON.stringify({ ...measured, load, date })}\n`)
}

/** Next to the library that it imports by name. */
function bundleOurs(): string {
  const outfile = here('../../node_modules/.cache/versus-ours.mjs')
  mkdirSync(here('../../node_modules/.cache'), { recursive: true })
  const options = { bundle: true, platform: 'node', format: 'esm', target: 'node20' } as const
  buildSync({ ...options, entryPoints: [here('ours.ts')], external: ['@featureboost/core'], outfile })
  return outfile
}

const runPython = (shop: Workshop, program: string, out: string, request: object): Promise<void> =>
  runProcess(shop.python, ['-B', program], out, request, shop)

/** Libraries that count the cores by themselves are told what to use. */
const THREAD_VARIABLES = ['OMP_NUM_THREADS', 'OPENBLAS_NUM_THREADS', 'MKL_NUM_THREADS', 'NUMEXPR_NUM_THREADS']

function runProcess(
  command: string,
  parameters: readonly string[],
  out: string,
  request: object,
  { limit, threads }: Pick<Workshop, 'limit' | 'threads'>,
): Promise<void> {
  const path = join(out, 'request.json')
  writeFileSync(path, JSON.stringify(request, null, 2))
  const fixed = Object.fromEntries(THREAD_VARIABLES.map(name => [name, String(threads)]))
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...parameters, path], {
      env: { ...process.env, ...fixed },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let last = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      last = (last + text).slice(-4000)
    })
    const timer = setTimeout(() => child.kill('SIGKILL'), limit * 1000)
    child.on('error', reject)
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      if (code === 0) resolve()
      else if (signal === 'SIGKILL') reject(new Error(`stopped after ${limit} s, or out of memory`))
      else reject(new Error(lastError(last) || `exit code ${code}`))
    })
  })
}

/** Python ends with the line that names the error; Node goes on after it. */
export function lastError(text: string): string {
  const lines = text.trim().split('\n')
  return lines.findLast(line => /^\w*(Error|Exception)\b/.test(line)) ?? lines.at(-1)!
}
