// The server under load, beside plain Fastify with the same schema in the same run.
//
//   npx tsx bench/serve.ts [--seconds 8] [--turns 3] [--overload-seconds 60] [--reloads 200] [--fuzz 20000] [--cache FOLDER] [--page docs/serve.md]
//
// Build first (`npm run build`). The load comes from autocannon, in a process of its own on the same cores. Servers take turns, and the
// best turn of each counts: what else the machine does only makes them slower.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { makeLendingPopulation } from '../packages/cli/src/demo/population.ts'
import { makeRandom } from '../packages/core/src/common/random.ts'
import { prepareTools } from './serve/tools.ts'
import { defaultCache } from './versus/cache.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '8' },
    turns: { type: 'string', default: '3' },
    'overload-seconds': { type: 'string', default: '60' },
    reloads: { type: 'string', default: '200' },
    fuzz: { type: 'string', default: '20000' },
    cache: { type: 'string', default: defaultCache() },
    page: { type: 'string' },
  },
})
const [seconds, turns] = [Number(values.seconds), Number(values.turns)]
const program = fileURLToPath(new URL('../packages/cli/bin/featureboost.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'featureboost-serve-'))
const at = (name: string) => join(folder, name)
const children: ChildProcess[] = []
const require = prepareTools(values.cache)
const autocannon = require.resolve('autocannon')

interface Load {
  readonly url: string
  readonly body: string
  readonly connections?: number
  readonly seconds?: number
}

interface Heard {
  readonly perSecond: number
  /** Milliseconds, of answers of every status. */
  readonly p99: number
  readonly statuses: Readonly<Record<string, number>>
  readonly errors: number
}

/** One run of autocannon in a process of its own. */
async function load({ body, connections = 50, seconds: duration = seconds, url }: Load): Promise<Heard> {
  const options = {
    url,
    connections,
    duration,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  }
  const script = `require(${JSON.stringify(autocannon)})(${JSON.stringify(options)}, (error, r) => {
    if (error) throw error
    console.log(JSON.stringify({ perSecond: r.requests.total / r.duration, p99: r.latency.p99, errors: r.errors + r.timeouts,
      statuses: Object.fromEntries(Object.entries(r.statusCodeStats ?? {}).map(([s, { count }]) => [s, count])) }))
  })`
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.on('data', data => {
    text += data
  })
  await once(child, 'close')
  return JSON.parse(text)
}

async function startProcess(args: readonly string[]): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], cwd: folder })
  children.push(child)
  const [line] = (await once(child.stdout!, 'data')) as [Buffer]
  return { url: String(line).trim(), child }
}

const memoryOf = (child: ChildProcess): number => {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}

const lines: string[] = []
const say = (...more: string[]) => {
  lines.push(...more)
  process.stdout.write(`${more.join('\n')}\n`)
}
const whole = (value: number) => Math.round(value).toLocaleString('en')

try {
  const { columns } = makeLendingPopulation({ rows: 40_000, seed: 11 })
  const names = Object.keys(columns) as (keyof typeof columns)[]
  const cell = (value: unknown) => (value === null ? '' : String(value))
  writeFileSync(
    at('loans.csv'),
    [names.join(), ...columns.score.map((_, row) => names.map(name => cell(columns[name][row])).join())].join(
      '\n',
    ),
  )
  const fit = (out: string, ...more: string[]) =>
    execFileSync(
      process.execPath,
      [
        program,
        'fit',
        'loans.csv',
        '--label',
        'defaulted',
        '--prediction',
        'score',
        '--out',
        out,
        '--no-audit',
        '--quiet',
        ...more,
      ],
      { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] },
    )
  fit('loans.fb.json')
  fit('platt.fb.json', '--method', 'platt')
  const rowAt = (row: number) =>
    Object.fromEntries(names.filter(name => name !== 'defaulted').map(name => [name, columns[name][row]]))
  const one = JSON.stringify(rowAt(7))
  const many = JSON.stringify(Array.from({ length: 100 }, (_, row) => rowAt(row)))
  const ours = await startProcess([
    program,
    'serve',
    '--model',
    'loans.fb.json',
    '--port',
    '0',
    '--no-token',
    '--log',
    'none',
  ])
  const [model] = (await (await fetch(`${ours.url}/models`)).json()) as { row: object }[]
  const plain = await startProcess([
    ...process.execArgv,
    fileURLToPath(new URL('serve/plain.ts', import.meta.url)),
    values.cache,
    JSON.stringify(model.row),
  ])
  say(
    `Node ${process.version}, ${cpus().length} cores of ${cpus()[0].model.trim()}, load from the same cores. 50 connections, ${seconds} s a turn, the best of ${turns} turns.`,
    '',
  )
  const servers = [
    { name: 'featureboost serve', one: `${ours.url}/predict`, many: `${ours.url}/predict` },
    { name: 'Fastify, constant answers', one: `${plain.url}/one`, many: `${plain.url}/many` },
  ]
  const best = new Map<string, Heard>()
  for (let turn = 0; turn < turns; turn++)
    for (const server of servers)
      for (const [kind, body] of [
        ['one', one],
        ['many', many],
      ] as const) {
        const heard = await load({ url: server[kind], body })
        const key = `${server.name} ${kind}`
        if (Object.keys(heard.statuses).join() !== '200')
          throw new Error(`${key}: ${JSON.stringify(heard.statuses)}`)
        if (heard.perSecond > (best.get(key)?.perSecond ?? 0)) best.set(key, heard)
      }
  const table = servers.map(({ name }) => {
    const [single, batch] = [best.get(`${name} one`)!, best.get(`${name} many`)!]
    return [
      name,
      whole(single.perSecond),
      String(single.p99),
      whole(100 * batch.perSecond),
      String(batch.p99),
    ]
  })
  const header = ['server', 'one row, requests/s', 'p99 ms', '100 rows, rows/s', 'p99 ms']
  say(...layoutMarkdown(header, table), '')
  const normal = best.get('featureboost serve one')!
  const before = memoryOf(ours.child)
  const overload = await load({
    url: servers[0].one,
    body: one,
    connections: 500,
    seconds: Number(values['overload-seconds']),
  })
  const total = Object.values(overload.statuses).reduce((sum, count) => sum + count, 0)
  say(
    `Ten times the connections (500) for ${values['overload-seconds']} s: ${whole(overload.perSecond)} answers/s, ${((100 * (overload.statuses['200'] ?? 0)) / total).toFixed(1)} % of them predictions and the rest 503, p99 ${overload.p99} ms (${normal.p99} ms with 50), ${overload.errors} errors; memory ${whole(before)} MB before, ${whole(memoryOf(ours.child))} MB after.`,
    '',
  )
  const reloads = Number(values.reloads)
  const under = load({
    url: servers[0].many,
    body: many,
    connections: 10,
    seconds: Math.max(5, reloads / 20),
  })
  for (let turn = 0; turn < reloads; turn++) {
    if (turn % 10 === 9) writeFileSync(at('next'), 'broken')
    else copyFileSync(at(turn % 2 === 0 ? 'platt.fb.json' : 'kept.fb.json'), at('next'))
    if (turn === 0) copyFileSync(at('loans.fb.json'), at('kept.fb.json'))
    renameSync(at('next'), at('loans.fb.json'))
    ours.child.kill('SIGHUP')
    await new Promise(resolve => setTimeout(resolve, 45))
  }
  const reloaded = await under
  say(
    `${whole(reloads)} reloads under load, a tenth of them of a broken file: answers by status ${JSON.stringify(reloaded.statuses)}, ${reloaded.errors} errors; memory ${whole(memoryOf(ours.child))} MB.`,
    '',
  )
  const answers = await fuzz(new URL(ours.url), one, Number(values.fuzz))
  say(
    `${whole(Number(values.fuzz))} requests with some of their bytes changed or cut off: answers by status ${JSON.stringify(answers)}; the server went on.`,
  )
  if ((await fetch(`${ours.url}/health`)).status !== 200) throw new Error('the server is gone')
  if (values.page !== undefined) writePage(values.page)
} finally {
  for (const child of children) child.kill('SIGTERM')
  rmSync(folder, { recursive: true, force: true })
}

/** Answers of each kind to mutants of a good request; "none" where the connection ended without one. */
async function fuzz({ hostname, port }: URL, body: string, count: number): Promise<Record<string, number>> {
  const random = makeRandom(17)
  const good = `POST /predict HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`
  const found: Record<string, number> = {}
  let next = 0
  const work = async () => {
    while (next++ < count) {
      const bytes = Buffer.from(good)
      for (let flip = 0; flip < 1 + random.integer(6); flip++)
        bytes[random.integer(bytes.length)] = random.integer(256)
      const sent = random.next() < 0.2 ? bytes.subarray(0, random.integer(bytes.length)) : bytes
      const socket = connect(Number(port), hostname)
      let heard = ''
      socket.on('data', data => {
        heard += data
      })
      socket.on('error', () => {})
      socket.end(sent)
      await once(socket, 'close')
      const [, status = 'none'] = /^HTTP\/1\.1 (\d+)/.exec(heard) ?? []
      found[status] = (found[status] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: 32 }, work))
  return found
}

function layoutMarkdown(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(header), line(header.map((_, index) => (index === 0 ? '---' : '---:'))), ...rows.map(line)]
}

/** Between the two marks of the page. */
function writePage(path: string): void {
  const text = readFileSync(path, 'utf8')
  const [from, to] = ['<!-- figures -->', '<!-- end of figures -->']
  const [head, rest] = text.split(from)
  writeFileSync(path, `${head}${from}\n${lines.join('\n')}\n${to}${rest.split(to)[1]}`)
}
