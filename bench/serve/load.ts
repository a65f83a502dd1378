// Load from autocannon, in a process of its own, and what it heard.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

export interface Load {
  readonly url: string
  readonly body: string
  readonly connections: number
  readonly seconds: number
}

export interface Heard {
  readonly perSecond: number
  /** Milliseconds until 99 of 100 predictions were there; answers of other statuses are not counted. */
  readonly p99: number
  readonly statuses: Readonly<Record<string, number>>
  readonly errors: number
  /** Microseconds of processor time that the load generator took for each answer. */
  readonly own: number
}

/** Those that run: they end with this process, however it ends. */
const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill()
})

/** Times of predictions are counted in steps of 0.1 ms, so that ten minutes of them take no room. */
const PROGRAM = (autocannon: string, options: object) => `
  const counts = new Map(), statuses = {}
  let answers = 0
  const run = require(${JSON.stringify(autocannon)})(${JSON.stringify(options)}, (error, result) => {
    if (error) throw error
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
    let [p99, seen] = [0, 0]
    for (const [time, count] of [...counts].sort(([a], [b]) => a - b)) {
      p99 = time
      seen += count
      if (seen >= 0.99 * total) break
    }
    const { system, user } = process.cpuUsage()
    console.log(JSON.stringify({
      perSecond: answers / result.duration, p99: p99 / 10, statuses, errors: result.errors + result.timeouts, own: (user + system) / answers,
    }))
  })
  run.on('response', (client, status, bytes, milliseconds) => {
    answers++
    statuses[status] = (statuses[status] ?? 0) + 1
    if (status !== 200) return
    const time = Math.ceil(10 * milliseconds)
    counts.set(time, (counts.get(time) ?? 0) + 1)
  })`

export async function load(autocannon: string, { body, connections, seconds, url }: Load): Promise<Heard> {
  const headers = { 'content-type': 'application/json' }
  const options = { url, connections, duration: seconds, method: 'POST', headers, body }
  const child = spawn(process.execPath, ['-e', PROGRAM(autocannon, options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  running.add(child)
  let text = ''
  child.stdout.on('data', data => {
    text += data
  })
  const [code] = await once(child, 'close')
  running.delete(child)
  if (code !== 0) throw new Error(`the load generator ended with ${code}`)
  return JSON.parse(text) as Heard
}
