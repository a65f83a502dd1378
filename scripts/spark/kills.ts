// Kills `fit` on rows in Spark (kill -9) at random moments, goes on with --resume, kills that too, and so on until a fit ends: its model
// must have the bytes of a fit to the same rows in memory, and nothing may be left, neither files here nor tables there.
//
//   npx tsx scripts/spark/kills.ts [--kills 30] [--seed 1]
//
// Starts a Spark of its own. Runs the built program: `npm run build` first.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { makeLendingPopulation, populationCsv } from '../../packages/cli/src/demo/population.ts'
import { SparkSession } from '../../packages/cli/src/engines/spark/session.ts'
import { makeRandom } from '../../packages/core/src/common/random.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { installSpark } from './install.ts'

const program = fileURLToPath(new URL('../../packages/cli/bin/featureboost.js', import.meta.url))

const DATA = 'loans.csv'
const MODEL = 'model.fb.json'
const CHECKPOINT = 'kept'
const FIT = [
  ...['fit', '--label', 'defaulted', '--prediction', 'score', '--auditors', 'trees:1', '--epsilon', '0.2'],
  ...['--method', 'rounds', '--round-limit', '2', '--no-audit'],
]

export interface SparkKillOptions {
  readonly kills: number
  readonly seed?: number
  readonly say?: (line: string) => void
}

export interface SparkKillReport {
  kills: number
  /** Fits that were killed, some of them often, and came to their end. */
  fits: number
  /** Starts that found rounds of one that was killed. */
  resumes: number
}

/** Throws where a model differs, or something is left. */
export async function killSparkFits(
  cluster: Cluster,
  { kills, say = () => {}, seed = 1 }: SparkKillOptions,
): Promise<SparkKillReport> {
  const folder = mkdtempSync(join(tmpdir(), 'featureboost-spark-kills-'))
  const session = await SparkSession.open(cluster.address)
  try {
    writeFileSync(join(folder, DATA), populationCsv(makeLendingPopulation({ rows: 400, seed: 3 })))
    const expected = await fitInMemory(folder)
    const query = await moveRows(session, join(folder, DATA), join(cluster.folder, 'kill-loans'))
    const before = await tablesOf(session)
    const random = makeRandom(seed)
    const report: SparkKillReport = { kills: 0, fits: 0, resumes: 0 }
    // How long a fit lives here, only one that is left alone can say; the first of all takes longer than those that follow.
    let lifetime = (await runFit(folder, { cluster, query, wait: undefined })).milliseconds
    while (report.kills < kills) {
      for (;;) {
        const wait = report.kills < kills ? lifetime * 1.1 * random.next() : undefined
        const { code, heard, killed, milliseconds } = await runFit(folder, { cluster, query, wait })
        if (/Going on after \d+ step/.test(heard)) report.resumes++
        if (existsSync(join(folder, MODEL)) && !readFileSync(join(folder, MODEL)).equals(expected))
          throw new Error('another model')
        if (!killed) {
          if (code !== 0) throw new Error(`a fit ended with ${code}: ${heard}`)
          lifetime = milliseconds
          break
        }
        report.kills++
        say(`${report.kills} kills, ${report.fits} fits, ${report.resumes} resumed`)
      }
      report.fits++
      checkLeft(folder, before, await tablesOf(session))
      rmSync(join(folder, MODEL))
    }
    return report
  } finally {
    await session.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function fitInMemory(folder: string): Promise<Buffer> {
  const { code, heard } = await ended(start(folder, [DATA, '--out', MODEL]))
  if (code !== 0) throw new Error(`the fit in memory ended with ${code}: ${heard}`)
  const bytes = readFileSync(join(folder, MODEL))
  rmSync(join(folder, MODEL))
  return bytes
}

/** As Parquet files, which need no catalog. */
async function moveRows(session: SparkSession, file: string, to: string): Promise<string> {
  const quoted = (path: string) => `'${path.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  const options = `path ${quoted(file)}, header 'true', inferSchema 'true'`
  await session.query(`CREATE OR REPLACE TEMPORARY VIEW kill_loans USING csv OPTIONS (${options})`)
  await session.query(`INSERT OVERWRITE DIRECTORY ${quoted(to)} USING parquet SELECT * FROM kill_loans`)
  await session.query('DROP VIEW kill_loans')
  return `SELECT * FROM parquet.\`${to}\``
}

/** Names of our tables, whoever made them. */
async function tablesOf(session: SparkSession): Promise<string[]> {
  const { columns } = await session.query("SHOW TABLES LIKE 'featureboost_*'")
  return (columns.find(({ name }) => name === 'tableName')?.values ?? []) as string[]
}

function checkLeft(folder: string, before: readonly string[], after: readonly string[]): void {
  const files = readdirSync(folder).filter(name => ![DATA, MODEL, CHECKPOINT].includes(name))
  // One that was killed just after its checkpoint was cleared may leave its lock, which the next fit takes over.
  const kept = existsSync(join(folder, CHECKPOINT)) ? readdirSync(join(folder, CHECKPOINT)) : []
  const left = [
    ...files,
    ...kept.filter(name => name !== 'lock'),
    ...after.filter(name => !before.includes(name)),
  ]
  if (left.length > 0) throw new Error(`left behind: ${left.join(', ')}`)
}

interface Place {
  readonly cluster: Cluster
  readonly query: string
  /** Milliseconds until it is killed. */
  readonly wait: number | undefined
}

async function runFit(folder: string, { cluster, query, wait }: Place) {
  const since = performance.now()
  const child = start(
    folder,
    [
      ...['--engine', `sc://127.0.0.1:${cluster.port}`, '--sql', query, '--out', MODEL, '--force'],
      ...['--checkpoint', CHECKPOINT, '--resume'],
    ],
    { SPARK_CONNECT_AUTHENTICATE_TOKEN: cluster.token },
  )
  const timer = wait === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), wait)
  const result = await ended(child)
  clearTimeout(timer)
  return { ...result, milliseconds: performance.now() - since }
}

const start = (folder: string, more: readonly string[], environment: NodeJS.ProcessEnv = {}): ChildProcess =>
  spawn(process.execPath, [program, ...FIT, ...more], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...environment, TMPDIR: tmpdir(), NO_COLOR: '1' },
  })

async function ended(child: ChildProcess): Promise<{ code: number | null; killed: boolean; heard: string }> {
  let heard = ''
  child.stderr!.on('data', data => {
    heard += data
  })
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  return { code, killed: signal === 'SIGKILL', heard }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { kills: { type: 'string', default: '30' }, seed: { type: 'string', default: '1' } },
  })
  const cluster = await startCluster({ home: installSpark(), local: true })
  try {
    const since = performance.now()
    const { fits, kills, resumes } = await killSparkFits(cluster, {
      kills: Number(values.kills),
      seed: Number(values.seed),
      say: line => process.stderr.write(process.stderr.isTTY ? `\r${line}` : `${line}\n`),
    })
    const seconds = ((performance.now() - since) / 1000).toFixed(0)
    console.log(
      `${kills} kills, ${fits} fits, ${resumes} starts that went on, all with the bytes of rows in memory, nothing left: ${seconds} s`,
    )
  } finally {
    await cluster.stop()
  }
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url))
  await main()
