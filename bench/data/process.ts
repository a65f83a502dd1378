// Runs a script as a process, and reads what it used while it ran. Linux only: /proc tells.

import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'

export interface ProcessRun {
  readonly stdout: string
  /** Seconds. */
  readonly wall: number
  /** Of all threads; on a busy machine it says more than the wall clock. */
  readonly cpu: number
  readonly peakMB: number
}

/** Fails where the process does. */
export function runProcess(args: readonly string[], cwd: string): Promise<ProcessRun> {
  return new Promise((resolve, reject) => {
    const started = performance.now()
    const child = spawn(process.execPath, args, { cwd })
    let used = { peakMB: 0, cpu: 0 }
    const watch = setInterval(() => {
      used = usedBy(child.pid!) ?? used
    }, 50)
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', data => {
      stdout += data
    })
    child.stderr.on('data', data => {
      stderr += data
    })
    child.on('close', code => {
      clearInterval(watch)
      const wall = (performance.now() - started) / 1000
      if (code !== 0) reject(new Error(`${args.join(' ')} ended with ${code}: ${stderr}`))
      else resolve({ stdout, wall: Math.round(10 * wall) / 10, ...used })
    })
  })
}

/** Both only grow, so the last look tells. A clock tick is a hundredth of a second. */
function usedBy(pid: number): { peakMB: number; cpu: number } | undefined {
  try {
    const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
    if (kilobytes === undefined) return undefined
    return {
      peakMB: Math.round(Number(kilobytes) / 1000),
      cpu: (Number(fields[11]) + Number(fields[12])) / 100,
    }
  } catch {
    return undefined
  }
}
