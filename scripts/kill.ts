// Kills `fit --checkpoint` (kill -9) at random moments, goes on with --resume, kills that too, and so on until a fit ends: its
// model must have the bytes of an undisturbed fit, and nothing else may be left in the folder. Then the next fit.
//
//   npx tsx scripts/kill.ts [--kills 1000] [--jobs 2] [--seed 1]
//
// Runs the built program: `npm run build` first.

import { spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { makeLendingPopulation, populationCsv } from '../packages/cli/src/demo/population.ts'
import { makeRandom, type Random } from '../packages/core/src/common/random.ts'

const program = fileURLToPath(new URL('../packages/cli/bin/featureboost.js', import.meta.url))

const DATA = 'loans.csv'
const MODEL = 'model.fb.json'
const CHECKPOINT = 'kept'
const FIT = [
  ...['fit', DATA, '--label', 'defaulted', '--prediction', 'score', '--auditors', 'trees:1'],
  ...['--holdout', '0.2', '--epsilon', '0.1', '--threads', '1', '--no-audit', '--out', MODEL],
]
/** Some 300 rounds of a millisecond; and forests of six parts. */
const METHODS = [
  [
    ...['--method', 'rounds', '--stop', 'certificate', '--tolerance', '0.0000001', '--learning-rate', '0.05'],
    ...['--round-limit', '300'],
  ],
  ['--method', 'forest'],
]

export interface KillOptions {
  readonly kills: number
  /** Fits side by side. */
  readonly jobs?: number
  readonly seed?: number
  readonly say?: (line: string) => void
}

export interface KillReport {
  kills: number
  /** Fits that were killed, some of them often, and came to their end. */
  fits: number
  /** Starts that found rounds or forests, and how many in all. */
  resumes: number
  stepsFound: number
  /** Kills by what was waited for. */
  killedAt: Record<string, number>
  /** Kills that left the model and its checkpoint, or a temporary file. */
  besideModel: number
  leftovers: number
}

/** Throws where a model differs or a file is left. */
export async function killFits({
  jobs = 2,
  kills,
  say = () => {},
  seed = 1,
}: KillOptions): Promise<KillReport> {
  const folder = mkdtempSync(join(tmpdir(), 'featureboost-kill-'))
  const report: KillReport = {
    ...{ kills: 0, fits: 0, resumes: 0, stepsFound: 0, besideModel: 0, leftovers: 0 },
    killedAt: {},
  }
  try {
    const undisturbed: Undisturbed[] = []
    for (const [number, method] of METHODS.entries())
      undisturbed.push(await prepare(join(folder, `undisturbed-${number}`), method))
    const work = async (job: number) => {
      const random = makeRandom(1000 * seed + job)
      for (let fit = 0; report.kills < kills; fit++) {
        const like = undisturbed[(job + fit) % METHODS.length]
        await killUntilDone(join(folder, `${job}-${fit}`), { random, report, kills, ...like })
        report.fits++
        say(`${report.kills} kills, ${report.fits} fits, ${report.resumes} resumed`)
      }
    }
    await Promise.all(Array.from({ length: jobs }, (_, job) => work(job)))
    return report
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Undisturbed {
  readonly method: readonly string[]
  readonly expected: Buffer
  readonly lifetime: number
}

/** A fit without a kill: the expected bytes, and how long things take here. */
async function prepare(folder: string, method: readonly string[]): Promise<Undisturbed> {
  makeData(folder)
  const started = performance.now()
  const { code, heard } = await runFit(folder, method)
  if (code !== 0) throw new Error(`the undisturbed fit ended with ${code}: ${heard}`)
  return { method, expected: readFileSync(join(folder, MODEL)), lifetime: performance.now() - started }
}

function makeData(folder: string): void {
  mkdirSync(folder)
  writeFileSync(join(folder, DATA), populationCsv(makeLendingPopulation({ rows: 1500, seed: 3 })))
}

interface Fight extends Undisturbed {
  readonly random: Random
  readonly report: KillReport
  readonly kills: number
}

async function killUntilDone(folder: string, fight: Fight): Promise<void> {
  const { expected, report } = fight
  makeData(folder)
  for (;;) {
    const moment = report.kills < fight.kills ? chooseMoment(fight) : undefined
    const flags = [...fight.method, '--checkpoint', CHECKPOINT, '--resume']
    const { code, heard, killed } = await runFit(folder, flags, moment)
    const [, found] = /Going on after (\d+) step/.exec(heard) ?? []
    if (found !== undefined) {
      report.resumes++
      report.stepsFound += Number(found)
    }
    if (!killed && code !== 0) throw new Error(`a fit ended with ${code}: ${heard}`)
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    const model = files.includes(MODEL)
    if (model && !readFileSync(join(folder, MODEL)).equals(expected)) throw new Error('another model')
    if (killed) {
      report.kills++
      const at = moment?.seen ?? 'any moment'
      report.killedAt[at] = (report.killedAt[at] ?? 0) + 1
    }
    const kept = existsSync(join(folder, CHECKPOINT, 'rounds.log'))
    if (model && !kept) {
      checkLeft(folder, killed)
      break
    }
    if (!killed) throw new Error('a fit ended without a model')
    if (model) report.besideModel++
    if (files.some(name => name.endsWith('.tmp'))) report.leftovers++
  }
  rmSync(folder, { recursive: true })
}

/** A fit that was killed just after its checkpoint was cleared may leave its lock, which the next fit takes over. */
function checkLeft(folder: string, killed: boolean): void {
  const beside = readdirSync(folder).filter(name => ![DATA, MODEL, CHECKPOINT].includes(name))
  const inside = existsSync(join(folder, CHECKPOINT)) ? readdirSync(join(folder, CHECKPOINT)) : []
  const left = [...beside, ...inside.filter(name => !(killed && name === 'lock'))]
  if (left.length > 0) throw new Error(`left behind: ${left.join(', ')}`)
}

/** So many milliseconds after the start, or after this file is there. */
interface Moment {
  readonly seen?: 'checkpoint' | 'model'
  readonly wait: number
}

/** Anywhere in its life; among the rounds; while the model is written; now and then not at all. */
function chooseMoment({ lifetime, random }: Fight): Moment | undefined {
  const where = random.next()
  const upTo = (share: number) => share * lifetime * random.next()
  if (where < 0.1) return undefined
  if (where < 0.35) return { wait: upTo(1.1) }
  return where < 0.75 ? { seen: 'checkpoint', wait: upTo(0.4) } : { seen: 'model', wait: upTo(0.02) }
}

/** A model is there as soon as its temporary file is. */
function isThere(folder: string, seen: NonNullable<Moment['seen']>): boolean {
  if (seen === 'checkpoint') return existsSync(join(folder, CHECKPOINT, 'rounds.log'))
  return readdirSync(folder).some(name => name.includes(MODEL))
}

interface Ended {
  readonly code: number | null
  readonly killed: boolean
  readonly heard: string
}

function runFit(folder: string, more: readonly string[], moment?: Moment): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...FIT, ...more], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
      // What a killed process leaves of DuckDB's temporary folder goes with all the rest.
      env: { ...process.env, TMPDIR: dirname(folder), NO_COLOR: '1' },
    })
    let heard = ''
    let timer: NodeJS.Timeout | undefined
    const kill = () => child.kill('SIGKILL')
    const { seen, wait } = moment ?? {}
    if (seen === undefined && wait !== undefined) timer = setTimeout(kill, wait)
    const watch =
      seen &&
      setInterval(() => {
        if (timer === undefined && isThere(folder, seen)) timer = setTimeout(kill, wait)
      }, 2)
    child.stderr.on('data', data => {
      heard += data
    })
    child.on('error', reject)
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      clearInterval(watch)
      resolve({ code, killed: signal === 'SIGKILL', heard })
    })
  })
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      kills: { type: 'string', default: '1000' },
      jobs: { type: 'string', default: '2' },
      seed: { type: 'string', default: '1' },
    },
  })
  const started = performance.now()
  const report = await killFits({
    kills: Number(values.kills),
    jobs: Number(values.jobs),
    seed: Number(values.seed),
    say: line => process.stderr.write(process.stderr.isTTY ? `\r${line}` : `${line}\n`),
  })
  console.log(JSON.stringify(report, null, 2))
  const seconds = ((performance.now() - started) / 1000).toFixed(0)
  console.log(
    `${report.kills} kills, ${report.fits} fits, all with the bytes of the undisturbed one: ${seconds} s`,
  )
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url))
  await main()
