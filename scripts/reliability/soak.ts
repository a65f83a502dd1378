// Many fits and many cancelled fits, one after the other in one process: what they took of threads and memory must be given back.
//
//   node --expose-gc --import tsx scripts/reliability/soak.ts 200     prints what was found, as JSON

import { readdirSync, readFileSync, realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  FeatureBoostError,
  type FitOptions,
  fit,
  memoryEngine,
  type Table,
  tableFromRows,
} from '@featureboost/core'
import { makeRandom } from '@featureboost/core/internal'

export interface SoakReport {
  readonly fits: number
  readonly aborts: number
  /** Of this process, as the system counts them; undefined where it does not say. */
  readonly threads: { readonly before: number; readonly after: number } | undefined
  /** Handles that would keep the process alive. */
  readonly resources: { readonly before: number; readonly after: number }
  /** Resident, after garbage was collected where that can be asked for: after a fifth of the work, and at its end. */
  readonly bytes: { readonly early: number; readonly late: number }
}

/** `count` fits, and as many that are cancelled at a moment of their life. */
export async function soak(count: number): Promise<SoakReport> {
  const table = makeRows()
  const random = makeRandom(5)
  const lifetime = await timeFit(table)
  await settle()
  const [threads, resources] = [countThreads(), countResources()]
  let [fits, aborts, early] = [0, 0, 0]
  for (let number = 0; number < count; number++) {
    const options = CASES[number % CASES.length]
    await fitOnce(table, options)
    fits++
    const control = new AbortController()
    const timer = setTimeout(() => control.abort(), 0.8 * lifetime * random.next())
    if (await isAborted(table, options, control.signal)) aborts++
    clearTimeout(timer)
    if (number + 1 === Math.ceil(count / 5)) {
      await settle()
      early = residentBytes()
    }
  }
  await settle()
  const after = countThreads()
  return {
    fits,
    aborts,
    threads: threads === undefined || after === undefined ? undefined : { before: threads, after },
    resources: { before: resources, after: countResources() },
    bytes: { early, late: residentBytes() },
  }
}

const CASES: readonly FitOptions[] = [
  { label: 'y', prediction: 'score', method: 'rounds', roundLimit: 10, epsilon: 0.1 },
  { label: 'y', prediction: 'score', method: 'forest-rounds', parts: 3, epsilon: 0.1 },
  { label: 'y', prediction: 'score', method: 'isotonic', epsilon: 0.1 },
]

function makeRows(): Table {
  const random = makeRandom(3)
  return tableFromRows(
    Array.from({ length: 1500 }, () => {
      const score = random.next()
      return {
        ...{ a: random.integer(40), b: 'pqrs'[random.integer(4)], c: random.next(), score },
        y: random.next() < score ** 2 ? 1 : 0,
      }
    }),
  )
}

/** Two threads, each with rows. */
const fitOnce = (table: Table, options: FitOptions, signal?: AbortSignal) =>
  fit(table, {
    ...options,
    threads: 2,
    engine: memoryEngine({ threads: 2, chunkRows: 300, ...(signal && { signal }) }),
    ...(signal && { signal }),
  })

async function isAborted(table: Table, options: FitOptions, signal: AbortSignal): Promise<boolean> {
  try {
    await fitOnce(table, options, signal)
    return false
  } catch (error) {
    if (error instanceof FeatureBoostError && error.code === 'FB_ABORTED') return true
    throw error
  }
}

async function timeFit(table: Table): Promise<number> {
  const started = performance.now()
  for (const options of CASES) await fitOnce(table, options)
  return (performance.now() - started) / CASES.length
}

/** Threads take a moment to end. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) {
    await new Promise(resolve => setTimeout(resolve, 40))
    globalThis.gc?.()
  }
}

function countThreads(): number | undefined {
  try {
    return readdirSync('/proc/self/task').length
  } catch {
    return undefined
  }
}

const countResources = (): number =>
  process.getActiveResourcesInfo().filter(name => name !== 'Timeout' && name !== 'Immediate').length

function residentBytes(): number {
  try {
    return 1024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1])
  } catch {
    return process.memoryUsage.rss()
  }
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url))
  console.log(JSON.stringify(await soak(Number(process.argv[2] ?? 200))))
