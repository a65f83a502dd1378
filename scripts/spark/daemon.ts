// A process that runs until it is ended, by its id. Its output goes to a file, and a line in it says that it is ready.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, openSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export interface DaemonOptions {
  readonly name: string
  readonly command: string
  readonly parameters: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  /** Stands in its output when it is ready. */
  readonly ready: string
  /** For its output. */
  readonly folder: string
}

export interface Daemon {
  readonly pid: number
  isRunning(): boolean
  /** Asks it to end, and ends it where it does not. */
  end(): Promise<void>
  /** Without warning. */
  kill(): Promise<void>
}

const READY_MS = 120_000
const END_MS = 10_000

export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  const { command, environment, folder, name, parameters, ready } = options
  mkdirSync(join(folder, 'log'), { recursive: true })
  const log = join(folder, 'log', `${name}-${Date.now()}.log`)
  const output = openSync(log, 'a')
  const child = spawn(command, parameters, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', output, output],
  })
  // Whatever ends us ends it too.
  const onExit = () => child.kill('SIGKILL')
  process.once('exit', onExit)
  child.once('exit', () => process.off('exit', onExit))
  const until = Date.now() + READY_MS
  while (!readFileSync(log, 'utf8').includes(ready)) {
    if (isOver(child) || Date.now() > until) {
      child.kill('SIGKILL')
      const last = readFileSync(log, 'utf8').trim().split('\n').slice(-15).join('\n')
      throw new Error(`${name} of Spark did not start:\n${last}`)
    }
    await sleep(100)
  }
  return {
    pid: child.pid!,
    isRunning: () => !isOver(child),
    end: () => endChild(child, 'SIGTERM'),
    kill: () => endChild(child, 'SIGKILL'),
  }
}

const isOver = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null

async function endChild(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (isOver(child)) return
  const gone = once(child, 'exit')
  child.kill(signal)
  const timer = setTimeout(() => child.kill('SIGKILL'), END_MS)
  await gone
  clearTimeout(timer)
}

/** Nobody listens there now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
