// The server under load, beside plain Fastify with the same schema in the same run, and what was asked of it.
//
//   npx tsx bench/serve.ts [--full] [--seconds 8] [--turns 3] [--overload-seconds 20] [--reloads 100] [--fuzz 5000] [--cache FOLDER] [--page docs/serve.md]
//
// Build first (`npm run build`). --full: ten minutes of overload, 1,000 reloads and 100,000 damaged requests. The load comes from
// autocannon, in a process of its own on the same cores. Servers take turns, and the best turn of each counts: what else the machine does
// only makes them slower. The processor time of each server per request is told as well, which depends less on it.
//
// Ten times overload is ten times the connections that already keep the server busy, each of which asks again as soon as it is answered or
// refused. Bodies have 100 rows then: for single rows the load generator takes nearly as long as the server, and its own line would be measured.
// What is normal is measured right before.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { makeLendingPopulation } from '../packages/cli/src/demo/population.ts'
import { flood, fuzz, type Statuses, trickle } from './serve/hostile.ts'
import { type Heard, load } from './serve/load.ts'
import { prepareTools } from './serve/tools.ts'
import { defaultCache } from './versus/cache.ts'

const { values } = parseArgs({
  options: {
    full: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '8' },
    turns: { type: 'string', default: '3' },
    'overload-seconds': { type: 'string' },
    reloads: { type: 'string' },
    fuzz: { type: 'string' },
    cache: { type: 'string', default: defaultCache() },
    page: { type: 'string' },
  },
})
const [seconds, turns] = [Number(values.seconds), Number(values.turns)]
const overloadSeconds = Number(values['overload-seconds'] ?? (values.full ? 600 : 20))
const reloads = Number(values.reloads ?? (values.full ? 1000 : 100))
const fuzzed = Number(values.fuzz ?? (values.full ? 100_000 : 5000))
const CONNECTIONS = 50
const BATCH = 100
const SLOW_CLIENTS = 20
const FLOODS = 10
const FLOOD_BYTES = 100e6

const program = fileURLToPath(new URL('../packages/cli/bin/featureboost.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'featureboost-serve-'))
const at = (name: string) => join(folder, name)
const children: ChildProcess[] = []
const autocannon = prepareTools(values.cache).resolve('autocannon')

interface Started {
  readonly url: string
  readonly child: ChildProcess
}

async function startProcess(args: readonly string[]): Promise<Started> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], cwd: folder })
  children.push(child)
  const [line] = (await once(child.stdout!, 'data')) as [Buffer]
  return { url: String(line).trim(), child }
}

const memoryOf = ({ child }: Started): number => {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}

/** Seconds of processor time; the system counts hundredths. */
const processorOf = ({ child }: Started): number => {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

const lines: string[] = []
const say = (...more: string[]) => {
  lines.push(...more)
  process.stdout.write(`${more.join('\n')}\n`)
}
const whole = (value: number) => Math.round(value).toLocaleString('en')
const totalOf = (statuses: Readonly<Record<string, number>>) =>
  Object.values(statuses).reduce((sum, count) => sum + count, 0)
const told = (statuses: Readonly<Record<string, number>>) =>
  Object.entries(statuses)
    .map(([status, count]) => `${whole(count)} x ${status}`)
    .join(', ')

function layoutMarkdown(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(header), line(header.map((_, index) => (index === 0 ? '---' : '---:'))), ...rows.map(line)]
}

/** A model of made-up loans and another to change places with, and a row and a batch to send. */
function prepareModels(): { readonly one: string; readonly many: string } {
  const { columns } = makeLendingPopulation({ rows: 40_000, seed: 11 })
  const names = Object.keys(columns) as (keyof typeof columns)[]
  const cell = (value: unknown) => (value === null ? '' : String(value))
  const csv = columns.score.map((_, row) => names.map(name => cell(columns[name][row])).join())
  writeFileSync(at('loans.csv'), [names.join(), ...csv].join('\n'))
  const roles = ['--label', 'defaulted', '--prediction', 'score', '--no-audit', '--quiet']
  const fit = (out: string, ...more: string[]) =>
    execFileSync(process.execPath, [program, 'fit', 'loans.csv', ...roles, '--out', out, ...more], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  fit('loans.fb.json')
  fit('platt.fb.json', '--method', 'platt')
  copyFileSync(at('loans.fb.json'), at('kept.fb.json'))
  const rowAt = (row: number) =>
    Object.fromEntries(names.filter(name => name !== 'defaulted').map(name => [name, columns[name][row]]))
  return {
    one: JSON.stringify(rowAt(7)),
    many: JSON.stringify(Array.from({ length: BATCH }, (_, row) => rowAt(row))),
  }
}

interface Measured extends Heard {
  /** Microseconds of processor time of the server, per request. */
  readonly processor: number
}

/** A figure, what was asked for, what was found, and whether that is so. */
type Asked = readonly [figure: string, wanted: string, found: string, holds: boolean]

const SERVERS = ['featureboost serve', 'Fastify, constant answers'] as const
type Kind = 'one' | 'many'
type Figures = ReadonlyMap<string, Measured>

/** The best turn of each server with each kind of body. */
async function takeTurns(
  started: readonly Started[],
  bodies: Readonly<Record<Kind, string>>,
): Promise<Figures> {
  const best = new Map<string, Measured>()
  for (let turn = 0; turn < turns; turn++)
    for (const [index, server] of started.entries())
      for (const kind of ['one', 'many'] as const) {
        const url = `${server.url}/${index === 0 ? 'predict' : kind}`
        const before = processorOf(server)
        const heard = await load(autocannon, { url, body: bodies[kind], connections: CONNECTIONS, seconds })
        const key = `${SERVERS[index]} ${kind}`
        if (Object.keys(heard.statuses).join() !== '200') throw new Error(`${key}: ${told(heard.statuses)}`)
        const processor = (1e6 * (processorOf(server) - before)) / totalOf(heard.statuses)
        const known = best.get(key)
        best.set(key, {
          ...(known !== undefined && known.perSecond >= heard.perSecond ? known : heard),
          processor: Math.min(processor, known?.processor ?? Number.POSITIVE_INFINITY),
        })
      }
  return best
}

function tellFigures(best: Figures): void {
  const rows = SERVERS.map(name => {
    const [single, batch] = [best.get(`${name} one`)!, best.get(`${name} many`)!]
    return [
      ...[name, whole(single.perSecond), String(single.p99), single.processor.toFixed(0)],
      ...[whole(BATCH * batch.perSecond), String(batch.p99), batch.processor.toFixed(0)],
      `${single.own.toFixed(0)} and ${batch.own.toFixed(0)}`,
    ]
  })
  const each = (kind: string) => [`${kind}/s`, 'p99 ms', 'processor µs a request']
  const header = ['server', ...each('one row, requests'), ...each(`${BATCH} rows, rows`)]
  say(...layoutMarkdown([...header, 'the same of the load generator'], rows), '')
}

/** Memory is looked at meanwhile: after a tenth of the time everything there is has been used. */
async function overload(ours: Started, body: string): Promise<Asked[]> {
  const url = `${ours.url}/predict`
  const normalSeconds = Math.min(60, overloadSeconds)
  const normal = await load(autocannon, { url, body, connections: CONNECTIONS, seconds: normalSeconds })
  const samples: number[] = []
  const timer = setInterval(() => samples.push(memoryOf(ours)), 500)
  const connections = 10 * CONNECTIONS
  const { errors, p99, statuses } = await load(autocannon, {
    url,
    body,
    connections,
    seconds: overloadSeconds,
  })
  clearInterval(timer)
  const [early, most] = [samples[Math.floor(samples.length / 10)], Math.max(...samples)]
  const served = (100 * (statuses['200'] ?? 0)) / totalOf(statuses)
  const isTold = Object.keys(statuses).every(status => status === '200' || status === '503')
  return [
    [
      `${connections} connections for ${whole(overloadSeconds)} s, ${BATCH} rows a request: p99 of predictions over that with ${CONNECTIONS}, measured for ${normalSeconds} s before`,
      'at most 3',
      `${(p99 / normal.p99).toFixed(2)} (${p99} ms over ${normal.p99} ms)`,
      p99 <= 3 * normal.p99,
    ],
    [
      'the same: most memory over that after a tenth of the time',
      'flat: at most 1.25',
      `${(most / early).toFixed(2)} (${whole(most)} MB)`,
      most <= 1.25 * early,
    ],
    [
      'the same: answers',
      'predictions or 503',
      `${told(statuses)} (${served.toFixed(1)} % predictions), ${errors} errors`,
      isTold && errors === 0,
    ],
  ]
}

/** The file is replaced and the server told, while it answers; every tenth file is broken. */
async function reload(ours: Started, body: string): Promise<Asked> {
  const pause = 45
  const under = load(autocannon, {
    ...{ url: `${ours.url}/predict`, body, connections: 10 },
    seconds: Math.ceil((reloads * (pause + 10)) / 1000) + 2,
  })
  for (let turn = 0; turn < reloads; turn++) {
    if (turn % 10 === 9) writeFileSync(at('next'), 'broken')
    else copyFileSync(at(turn % 2 === 0 ? 'platt.fb.json' : 'kept.fb.json'), at('next'))
    renameSync(at('next'), at('loans.fb.json'))
    ours.child.kill('SIGHUP')
    await new Promise(resolve => setTimeout(resolve, pause))
  }
  const { errors, statuses } = await under
  return [
    `${whole(reloads)} reloads under load, a tenth broken: answers`,
    'none failed',
    `${told(statuses)}, ${errors} errors`,
    Object.keys(statuses).join() === '200' && errors === 0,
  ]
}

/** Clients that mean harm, or are slow. Every one of them reads its answer. */
async function hostile({ url: base }: Started, body: string): Promise<Asked[]> {
  const url = new URL(base)
  const are = (statuses: Statuses, pattern: RegExp) =>
    Object.keys(statuses).every(status => pattern.test(status))
  const mutants = await fuzz(url, body, fuzzed)
  const slow = await trickle(url, SLOW_CLIENTS)
  const large = await flood(url, FLOODS, FLOOD_BYTES)
  return [
    [
      `${whole(fuzzed)} requests with bytes changed or cut off`,
      '4xx, or 200 where one is still good',
      told(mutants),
      are(mutants, /^(200|4..)$/),
    ],
    [`${SLOW_CLIENTS} clients that send a byte every 0.1 s`, '4xx', told(slow), are(slow, /^4..$/)],
    [`${FLOODS} bodies of ${whole(FLOOD_BYTES / 1e6)} MB`, '413', told(large), are(large, /^413$/)],
  ]
}

/** Beside Fastify. */
function compare(best: Figures): Asked[] {
  const of = (server: number, kind: Kind) => best.get(`${SERVERS[server]} ${kind}`)!
  const single = of(0, 'one').perSecond / of(1, 'one').perSecond
  const wait = of(0, 'one').p99 / of(1, 'one').p99
  const batches = BATCH * of(0, 'many').perSecond
  return [
    ["one row, of Fastify's requests per second", 'at least 0.9', single.toFixed(2), single >= 0.9],
    ['one row, p99 over its', 'at most 1.5', wait.toFixed(2), wait <= 1.5],
    [`batches of ${BATCH}, rows/s`, 'at least 500,000', whole(batches), batches >= 500_000],
  ]
}

async function startServers(): Promise<[ours: Started, plain: Started]> {
  const flags = ['--port', '0', '--no-token', '--log', 'none']
  const ours = await startProcess([program, 'serve', '--model', 'loans.fb.json', ...flags])
  const [model] = (await (await fetch(`${ours.url}/models`)).json()) as { row: object }[]
  const script = fileURLToPath(new URL('serve/plain.ts', import.meta.url))
  const plain = [...process.execArgv, script, values.cache, JSON.stringify(model.row)]
  return [ours, await startProcess(plain)]
}

function tellMachine(): void {
  const machine = `Node ${process.version}, ${cpus().length} cores of ${cpus()[0].model.trim()}`
  say(
    `${machine}; the load comes from the same cores. Before it began, ${loadavg()[0].toFixed(1)} processes were running or waiting to run (a mean over one minute). ${CONNECTIONS} connections, ${seconds} s a turn, the best of ${turns} turns. Fastify checks rows by the same schema and answers with a constant; it predicts nothing.`,
    '',
  )
}

async function main(): Promise<void> {
  const bodies = prepareModels()
  tellMachine()
  const [ours, plain] = await startServers()
  const best = await takeTurns([ours, plain], bodies)
  tellFigures(best)
  const asked = [
    ...compare(best),
    ...(await overload(ours, bodies.many)),
    await reload(ours, bodies.many),
    ...(await hostile(ours, bodies.one)),
  ]
  if ((await fetch(`${ours.url}/health`)).status !== 200) throw new Error('the server is gone')
  const table = asked.map(([name, wanted, found, holds]) => [name, wanted, found, holds ? 'yes' : 'no'])
  say(...layoutMarkdown(['figure', 'asked for', 'found', 'holds'], table), '', ...CONCERNING)
  if (values.page !== undefined) writePage(values.page)
}

const CONCERNING = [
  `Overload: each of ${10 * CONNECTIONS} connections asks again as soon as it has its prediction or its 503, without the pause that \`Retry-After\` asks for. ${CONNECTIONS} such connections already keep the server busy; what is called normal is that. Requests have ${BATCH} rows: for single rows the load generator takes nearly as long as the server, and one would measure how long answers wait in the generator.`,
]

/** Between the two marks of the page. */
function writePage(path: string): void {
  const text = readFileSync(path, 'utf8')
  const [from, to] = ['<!-- figures -->', '<!-- end of figures -->']
  const [head, rest] = text.split(from)
  writeFileSync(path, `${head}${from}\n${lines.join('\n')}\n${to}${rest.split(to)[1]}`)
}

/** Those that were started end with this process, however it ends. */
function endAll(): void {
  for (const child of children) child.kill()
  rmSync(folder, { recursive: true, force: true })
}
process.once('exit', endAll)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
await main()
process.exit(0)
