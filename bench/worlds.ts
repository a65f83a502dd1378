// Simulated worlds: does an audit keep its promises where the truth is known?
//
//   npx tsx bench/worlds.ts [--worlds 200] [--draws 1000] [--only certificates|coverage|uniform|power]
//                           [--compare 10] [--repetitions 20] [--jobs 1] [--from 0] [--seed 1] [--json]
//   npx tsx bench/worlds.ts --world all [--draws 300] [--jobs 1] [--seed 1] [--slacks] [--page docs/truth.md]
//
// certificates  how often the true multicalibration and level-set errors exceed the held-out bound: at most delta
// coverage      how often each interval holds the population's value: 0.95 less three binomial standard errors; draws with
//               fewer than 20 expected events are listed apart, as normal intervals of skewed sums hold too seldom there
// uniform       p-values of the searches in calibrated worlds: a share of at most alpha up to alpha
// power         planted groups in 10,000 rows (`repetitions` audits each) and in 100,000 rows (half as many)
//
// A draw has 200 to 2,000 rows. One draw in `compare` also compares two scores. Worlds differ only by seed and number, so
// neither `jobs` (processes) nor parts change a figure; `from` continues a run.
//
// world         worlds with a name (worlds/named/worlds.ts), in which bounds and p-values are easily wrong: all, or some with commas
//               between them. `slacks` prints mean slacks and bounds as JSON; `page` writes docs/truth.md, beside worlds/before.json

import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { CONFIDENCE } from './worlds/certificates.ts'
import { certificateFigures, coverageFigures, uniformFigures } from './worlds/figures.ts'
import { runNamedWorlds } from './worlds/named/main.ts'
import { measurePower } from './worlds/power.ts'
import { printCertificates, printCoverage, printPower, printUniform } from './worlds/print.ts'
import { emptyTallies, type Part, runWorlds, type Tallies } from './worlds/run.ts'
import { Tally } from './worlds/tally.ts'

const { values } = parseArgs({
  options: {
    worlds: { type: 'string', default: '200' },
    draws: { type: 'string' },
    only: { type: 'string' },
    compare: { type: 'string', default: '10' },
    repetitions: { type: 'string', default: '20' },
    jobs: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
    world: { type: 'string' },
    slacks: { type: 'boolean', default: false },
    page: { type: 'string' },
  },
})
const PARTS = ['certificates', 'coverage', 'uniform', 'power'] as const
if (values.only !== undefined && !PARTS.some(part => part === values.only)) {
  throw new Error(`--only ${values.only}: expected ${PARTS.join(', ')}`)
}
const asked = PARTS.filter(part => values.only === undefined || part === values.only)
const counted = asked.filter((part): part is Part => part !== 'power')
const seed = Number(values.seed)
const draws = Number(values.draws ?? (values.world === undefined ? 1000 : 300))
const tell = (sentence: string) => console.error(sentence)

/** The worlds of this process. */
function countWorlds(from: number, worlds: number): Promise<Tallies> {
  let done = 0
  return runWorlds(
    {
      seed,
      from,
      worlds,
      draws,
      compareEvery: Number(values.compare),
      simulated: 1000,
      rows: { least: 200, most: 2000 },
      parts: counted,
    },
    () => {
      if (++done % 10 === 0) tell(`worlds from ${from}: ${done} of ${worlds}`)
    },
  )
}

/** A process of its own for a run of worlds; it answers with its tallies and ends. */
function countElsewhere(from: number, worlds: number): Promise<Tallies> {
  const child = fork(
    fileURLToPath(import.meta.url),
    [...process.argv.slice(2), '--from', String(from), '--worlds', String(worlds), '--jobs', '1'],
    { execArgv: process.execArgv },
  )
  return new Promise((resolve, reject) => {
    child.on('message', message => resolve(message as Tallies))
    child.on('exit', code => reject(new Error(`a process ended with ${code}`)))
  })
}

async function countAll(): Promise<Tallies> {
  const [from, worlds, jobs] = [values.from, values.worlds, values.jobs].map(Number)
  if (counted.length === 0) return emptyTallies()
  if (jobs === 1) return await countWorlds(from, worlds)
  const starts = Array.from({ length: jobs + 1 }, (_, job) => from + Math.floor((job * worlds) / jobs))
  const parts = await Promise.all(
    starts.slice(0, -1).map((start, job) => countElsewhere(start, starts[job + 1] - start)),
  )
  const all = emptyTallies()
  for (const part of parts) {
    for (const name of counted) all[name].merge(new Tally(part[name].cells))
  }
  return all
}

async function main(): Promise<void> {
  const started = performance.now()
  const tallies = await countAll()
  const seconds = { worlds: (performance.now() - started) / 1000 }
  const certificates = certificateFigures(tallies.certificates, 1 - CONFIDENCE)
  const coverage = coverageFigures(tallies.coverage, CONFIDENCE)
  const uniform = uniformFigures(tallies.uniform)
  const repetitions = Number(values.repetitions)
  const sizes = [
    { rows: 10_000, audits: repetitions },
    { rows: 100_000, audits: Math.ceil(repetitions / 2) },
  ]
  const power = asked.includes('power') ? await measurePower(sizes, seed, tell) : undefined
  const missed = [
    ...certificates.flatMap(each => (each.reached ? [] : [`certificates: ${each.name}, ${each.kind}`])),
    ...coverage.flatMap(each => each.missed.map(kind => `coverage: ${each.name}, ${kind}`)),
    ...uniform.flatMap(each => each.tooMany.map(level => `uniform: ${each.name}, p <= ${level}`)),
  ]
  const { worlds } = values
  if (values.json) {
    console.log(
      JSON.stringify(
        { worlds, draws, seed, seconds, certificates, coverage, uniform, power, missed },
        null,
        2,
      ),
    )
  } else {
    console.log(`${worlds} worlds x ${draws} draws, seed ${seed}: ${seconds.worlds.toFixed(0)} s`)
    if (certificates.length > 0) printCertificates(certificates, 1 - CONFIDENCE)
    if (coverage.length > 0) printCoverage(coverage)
    if (uniform.length > 0) printUniform(uniform)
    if (power !== undefined) printPower(power)
    console.log(missed.length === 0 ? '\nnothing missed' : `\nMISSED: ${missed.join('; ')}`)
  }
  process.exitCode = missed.length === 0 ? 0 : 1
}

if (values.world !== undefined) {
  const { jobs, page, slacks, world } = values
  const asked = { world, draws, seed, jobs: Number(jobs), slacks, ...(page !== undefined && { page }) }
  process.exitCode = (await runNamedWorlds(asked)) ? 0 : 1
} else if (process.send === undefined) await main()
else {
  // Without the process that asked nobody wants the answer.
  process.on('disconnect', () => process.exit())
  process.send(await countWorlds(Number(values.from), Number(values.worlds)), () => process.disconnect())
}
