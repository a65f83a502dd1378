// Damaged files by the thousand, each kind in processes of its own. A mutant that crashes its process or never ends is a finding, and so is
// one that is refused without a code, or read in two ways.

import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Finding {
  readonly number: number
  /** The name of the last change. */
  readonly how: string
  readonly problem: string
  /** The mutant. */
  readonly file?: string
}

export interface WorkerReport {
  readonly outcomes: Readonly<Record<string, number>>
  readonly findings: readonly Finding[]
  /** In CPU time: a busy machine makes nothing slower. */
  readonly slowest: { readonly ms: number; readonly number: number }
  readonly peakBytes: number
}

export interface FuzzReport extends WorkerReport {
  readonly kind: string
  readonly count: number
}

/** A mutant that takes longer than this, by the clock, never ends. */
const PATIENCE_MS = 60_000

/** Mutants of one process: what leaks would show in its memory. */
const BATCH = 5000

const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url))

export async function fuzz(
  kind: string,
  { count, folder, from = 0, seed }: { count: number; seed: number; folder: string; from?: number },
): Promise<FuzzReport> {
  const outcomes: Record<string, number> = {}
  const findings: Finding[] = []
  let slowest = { ms: 0, number: 0 }
  let peakBytes = 0
  for (let start = from; start < from + count; ) {
    const end = Math.min(from + count, start + BATCH)
    const room = join(folder, `${kind.replaceAll(' ', '-')}-${start}`)
    mkdirSync(room, { recursive: true })
    const ended = await runWorker([kind, String(seed), String(start), String(end), room], room)
    const report = join(room, 'report.json')
    if (!existsSync(report)) {
      const place = join(room, 'number')
      if (!existsSync(place) || readFileSync(place, 'utf8') === '')
        throw new Error(`the fuzzer of ${kind} ${ended}`)
      const number = Number(readFileSync(place, 'utf8'))
      findings.push({ number, how: 'unknown', problem: ended })
      start = number + 1
      continue
    }
    const found = JSON.parse(readFileSync(report, 'utf8')) as WorkerReport
    for (const [name, times] of Object.entries(found.outcomes)) outcomes[name] = (outcomes[name] ?? 0) + times
    findings.push(...found.findings)
    if (found.slowest.ms > slowest.ms) slowest = found.slowest
    peakBytes = Math.max(peakBytes, found.peakBytes)
    start = end
  }
  return { kind, count, outcomes, findings, slowest, peakBytes }
}

/** How it ended, in words. */
function runWorker(args: readonly string[], room: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', 'tsx', WORKER, ...args], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    child.stderr.setEncoding('utf8').on('data', text => {
      said = (said + text).slice(-2000)
    })
    let [last, since] = ['', performance.now()]
    const watch = setInterval(() => {
      const file = join(room, 'number')
      const now = existsSync(file) ? readFileSync(file, 'utf8') : ''
      if (now !== last) [last, since] = [now, performance.now()]
      else if (performance.now() - since > PATIENCE_MS) child.kill('SIGKILL')
    }, 500)
    child.on('error', reject)
    child.on('close', (code, signal) => {
      clearInterval(watch)
      resolve(signal === 'SIGKILL' ? 'never ended' : `crashed (${signal ?? code}): ${said}`)
    })
  })
}
