// The built program, run in a folder as users run it: with a limit of time, its peak of memory, and what it said.

import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const PROGRAM = fileURLToPath(new URL('../../packages/cli/bin/featureboost.js', import.meta.url))

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
  readonly seconds: number
  /** Of user and system, as the system counts it; where that is known. */
  readonly cpuSeconds: number
  /** The most bytes in memory, as seen from outside every few milliseconds; 0 where that is not known. */
  readonly peakBytes: number
}

export interface RunOptions {
  readonly folder: string
  readonly env?: NodeJS.ProcessEnv
  /** Then it is killed. */
  readonly limitMs?: number
  readonly stdin?: 'ignore' | number
  /** Called once the process runs. */
  readonly started?: (child: ChildProcess) => void
}

const LOOK_MS = 10

export function runProgram(args: readonly string[], options: RunOptions): Promise<Ended> {
  const { env, folder, limitMs = 120_000, started, stdin = 'ignore' } = options
  return new Promise((resolve, reject) => {
    const began = performance.now()
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      cwd: folder,
      stdio: [stdin, 'pipe', 'pipe'],
      env: { ...process.env, NO_COLOR: '1', COLUMNS: '80', ...env },
    })
    const said = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const)
      child[name]!.setEncoding('utf8').on('data', text => {
        said[name] += text
      })
    let [peakBytes, cpuSeconds] = [0, 0]
    const look = setInterval(() => {
      peakBytes = Math.max(peakBytes, peakOf(child.pid))
      cpuSeconds = Math.max(cpuSeconds, cpuOf(child.pid))
    }, LOOK_MS)
    const limit = setTimeout(() => child.kill('SIGKILL'), limitMs)
    child.on('error', reject)
    child.on('close', (code, signal) => {
      clearInterval(look)
      clearTimeout(limit)
      resolve({
        ...{ code, signal, ...said, cpuSeconds, peakBytes },
        seconds: (performance.now() - began) / 1000,
      })
    })
    started?.(child)
  })
}

const readProc = (pid: number | undefined, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

const peakOf = (pid: number | undefined): number =>
  1024 * Number(/VmHWM:\s+(\d+) kB/.exec(readProc(pid, 'status'))?.[1] ?? 0)

/** The system counts hundredths of a second. */
function cpuOf(pid: number | undefined): number {
  const stat = readProc(pid, 'stat')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / 100 || 0
}

/** What is wrong with how a command ended, whatever it was to do; undefined where nothing is. */
export function wrongEnd({ code, signal, stderr }: Ended): string | undefined {
  if (signal !== null) return `ended by ${signal}`
  if (/bug in featureboost|^ +at .*:\d+:\d+/m.test(stderr)) return `a bug: ${firstLines(stderr)}`
  if (code === 0) return undefined
  if (code !== 2 && code !== 3 && code !== 4) return `code ${code}: ${firstLines(stderr)}`
  return /\bFB_[A-Z_]+\b/.test(stderr) ? undefined : `code ${code} without an FB_ code: ${firstLines(stderr)}`
}

export const firstLines = (text: string): string =>
  text.trim().split('\n').slice(-3).join(' / ').slice(0, 300)
