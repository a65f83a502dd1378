// From a file to a fitted model, as a user runs it: makes a table of a million rows x 12 columns as CSV and as Parquet, runs
// `featureboost fit` and `featureboost predict` on each, and prints seconds by phase and peak memory against 1 GB.
//
//   npx tsx bench/table.ts [--rows 1000000] [--epsilon 0.1] [--json]
//
// Runs the built program: `npm run build` first. Peak memory is VmHWM of the process, so Linux only.

import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { DuckDBInstance } from '@duckdb/node-api'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    epsilon: { type: 'string', default: '0.1' },
    json: { type: 'boolean', default: false },
  },
})
const ROWS = Number(values.rows)
const ALLOWED_MB = 1000
const program = fileURLToPath(new URL('../packages/cli/dist/main.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'featureboost-table-'))

/** Six numbers, three texts, a truth value, a score and a label; the score is too low for young people in the south. */
const TABLE = `
  with drawn as (select range as i, setseed(0.5) from range(${ROWS})),
  made as (
    select
      18 + (random() * 70)::int as age,
      round(exp(10 + random()), 2) as income,
      round(random(), 4) as ratio,
      (random() * 400)::int as months,
      random() as x,
      case when random() < 0.1 then null else round(random() * 9, 3) end as y,
      ['north', 'south', 'east', 'west'][1 + (random() * 3.99)::int % 4] as region,
      'job ' || (random() * 60)::int as job,
      'place ' || (random() * random() * 3000)::int as place,
      random() < 0.3 as member,
      round(random(), 5) as score
    from drawn)
  select *, (random() < score + case when age < 30 and region = 'south' and score < 0.6 then 0.2 else 0 end)::int as label
  from made`

interface Run {
  readonly seconds: Readonly<Record<string, number>>
  readonly wall: number
  /** Of all threads; on a busy machine it says more than the wall clock. */
  readonly cpu: number
  readonly peakMB: number
}

try {
  await makeFiles()
  const results: Record<string, unknown> = {}
  for (const format of ['csv', 'parquet']) {
    const file = `rows.${format}`
    const model = `${format}.fb.json`
    const megabytes = (statSync(join(folder, file)).size / 1e6).toFixed(0)
    const roles = ['--label', 'label', '--prediction', 'score', '--epsilon', values.epsilon]
    const fit = await run('fit', file, ...roles, '--out', model)
    const predict = await run('predict', file, '--model', model, '--out', `scored.${format}`)
    say(`${file}, ${ROWS.toLocaleString('en-US')} rows x 12, ${megabytes} MB`)
    say(line('fit', fit))
    say(line('predict', predict))
    results[format] = { fit, predict }
  }
  if (values.json) console.log(JSON.stringify({ rows: ROWS, allowedMB: ALLOWED_MB, ...results }, null, 2))
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function say(text: string): void {
  if (!values.json) console.log(text)
}

function line(command: string, { cpu, peakMB, seconds, wall }: Run): string {
  const phases = Object.entries(seconds).filter(([name]) => name !== 'total')
  const words = phases.map(([name, value]) => `${name} ${value.toFixed(1)}`).join(', ')
  return `  ${command}: ${wall.toFixed(1)} s (${words}), CPU ${cpu.toFixed(1)} s; peak ${peakMB} MB of ${ALLOWED_MB}`
}

async function makeFiles(): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await instance.connect()
  await connection.run(`create table made as ${TABLE}`)
  await connection.run(`copy made to '${join(folder, 'rows.csv')}'`)
  await connection.run(`copy made to '${join(folder, 'rows.parquet')}'`)
  connection.closeSync()
  instance.closeSync()
}

/** One command with --json, which tells its seconds; its memory is read while it runs. */
function run(...args: string[]): Promise<Run> {
  return new Promise((resolve, reject) => {
    const started = performance.now()
    const child = spawn(process.execPath, [program, ...args, '--json', '--quiet'], { cwd: folder })
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
      if (code !== 0) reject(new Error(`${args[0]} ended with ${code}: ${stderr}`))
      else resolve({ seconds: JSON.parse(stdout).seconds, wall: Math.round(10 * wall) / 10, ...used })
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
