// From a file to a fitted model, as a user runs it: makes a table of a million rows x 12 columns as CSV and as Parquet, runs
// `featureboost fit` and `featureboost predict` on each, and prints seconds by phase and peak memory against 1 GB.
//
//   npx tsx bench/table.ts [--rows 1000000] [--epsilon 0.1] [--json]
//
// Runs the built program: `npm run build` first. Peak memory is VmHWM of the process, so Linux only.

import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { DuckDBInstance } from '@duckdb/node-api'
import { type ProcessRun, runProcess } from './data/process.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    epsilon: { type: 'string', default: '0.1' },
    json: { type: 'boolean', default: false },
  },
})
const ROWS = Number(values.rows)
const ALLOWED_MB = 1000
const program = fileURLToPath(new URL('../packages/cli/bin/featureboost.js', import.meta.url))
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

interface Run extends Omit<ProcessRun, 'stdout'> {
  readonly seconds: Readonly<Record<string, number>>
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

/** One command with --json, which tells its seconds. */
async function run(...args: string[]): Promise<Run> {
  const { stdout, ...used } = await runProcess([program, ...args, '--json', '--quiet'], folder)
  return { seconds: JSON.parse(stdout).seconds, ...used }
}
