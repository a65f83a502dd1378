// How long a default fit takes that is the first in its process, by this build and by another one, in turn, on the same rows.
//
//   npx tsx bench/coldFit.ts --other FOLDER [--data adult,bank,acs,loans] [--threads 2] [--repeat 5]
//
// FOLDER is another clone, built; so is this one. Data sets have a poor score, a logistic regression on rows of their own; loans are
// 1,000,000 made-up rows. Reading the rows is not timed. Prints medians of wall and of processor time, all threads together.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { serialize } from 'node:v8'
import { makeLendingPopulation } from '../packages/cli/src/demo/population.ts'
import type { Column } from './data/dataset.ts'
import { logisticScore } from './data/logistic.ts'
import { DATA, loadSplit } from './versus/datasets.ts'

const { values } = parseArgs({
  options: {
    other: { type: 'string' },
    data: { type: 'string', default: 'adult,bank,acs,loans' },
    threads: { type: 'string', default: '2' },
    repeat: { type: 'string', default: '5' },
  },
})
if (values.other === undefined) throw new Error('Name the other build: --other FOLDER.')

/** The names of the two cannot meet those of columns. */
const [LABEL, SCORE] = [' label', ' score']
const SEED = 33

/** Run by plain node, as a user's program is. */
const PROGRAM = `
import { readFileSync } from 'node:fs'
import { deserialize } from 'node:v8'
const [build, path, threads] = process.argv.slice(2)
const { fit, makeTable } = await import(build + '/packages/core/dist/index.js')
const table = makeTable(deserialize(readFileSync(path)))
const [used, since] = [process.cpuUsage(), performance.now()]
await fit(table, { label: '${LABEL}', prediction: '${SCORE}', threads: Number(threads) })
const wall = performance.now() - since
const { system, user } = process.cpuUsage(used)
console.log(JSON.stringify({ wall: wall / 1000, cpu: (system + user) / 1e6 }))
process.exit(0)
`

interface Time {
  readonly wall: number
  readonly cpu: number
}

const builds = [values.other, fileURLToPath(new URL('..', import.meta.url))]
const folder = mkdtempSync(join(tmpdir(), 'featureboost-cold-'))
try {
  const [program, rows] = [join(folder, 'fit.mjs'), join(folder, 'rows')]
  writeFileSync(program, PROGRAM)
  for (const data of values.data.split(',')) {
    const columns = columnsOf(data)
    writeFileSync(rows, serialize(columns))
    const [load] = loadavg()
    const times: Time[][] = [[], []]
    for (let turn = 0; turn < Number(values.repeat); turn++)
      for (const [index, build] of builds.entries()) times[index].push(runFit(program, build, rows))
    const [[wall, ourWall], [cpu, ourCpu]] = (['wall', 'cpu'] as const).map(what =>
      times.map(each => median(each, what)),
    )
    console.log(
      `${data}, ${columns[LABEL].length.toLocaleString('en-US')} rows: ${wall.toFixed(2)} and ${ourWall.toFixed(2)} s, ${(ourWall / wall).toFixed(2)} times; CPU ${cpu.toFixed(2)} and ${ourCpu.toFixed(2)} s, ${(ourCpu / cpu).toFixed(2)} times; load ${load.toFixed(1)}`,
    )
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function runFit(program: string, build: string, rows: string): Time {
  const answer = execFileSync(process.execPath, [program, build, rows, values.threads], { encoding: 'utf8' })
  return JSON.parse(answer) as Time
}

function median(times: readonly Time[], what: 'wall' | 'cpu'): number {
  return times.map(time => time[what]).sort((a, b) => a - b)[times.length >> 1]
}

function columnsOf(data: string): Record<string, readonly unknown[]> {
  if (data === 'loans') {
    const { defaulted, score, ...features } = makeLendingPopulation({ rows: 1_000_000, seed: SEED }).columns
    return { ...features, [LABEL]: defaulted, [SCORE]: score }
  }
  if (DATA[data] === undefined)
    throw new Error(`There is no data set "${data}"; there are ${Object.keys(DATA).join(', ')} and loans.`)
  const { columns, given, label, parts } = loadSplit(DATA[data], SEED)
  const all: Record<string, Column> = { ...columns, [LABEL]: Array.from(label) }
  const score = given?.score ?? logisticScore({ columns: all, label: LABEL, rows: [...parts.base] })
  const pick = (column: ArrayLike<unknown>) => Array.from(parts.calibration, row => column[row])
  const features = Object.entries(columns).map(([name, column]) => [name, pick(column)] as const)
  return { ...Object.fromEntries(features), [LABEL]: pick(label), [SCORE]: pick(score) }
}
