// One table with everything, one model: whole fits to rows with weights, missing values, categories, truth values and dates, by every class of factors,
// with an audit and a verification, from rows in memory, in DuckDB, in Spark (local[2]) and from plain loops. Ends with an error where two engines differ.
//
//   npx tsx bench/engines/oneHash.ts [--rows 1000000] [--engines memory,duckdb] [--cases all] [--results results.json]
//
// Engines: reference (for small tables), memory, duckdb, spark. With --results a run goes on where earlier ones have left off.

import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { DuckDBInstance } from '@duckdb/node-api'
import {
  audit,
  type FitOptions,
  type FitRows,
  fit,
  groups,
  linear,
  type MakeEngine,
  memoryEngine,
  referenceEngine,
  trees,
  verify,
} from '@featureboost/core'
import type { FactorKind } from '@featureboost/core/internal'
import { openData } from '../../packages/cli/src/data/open.ts'
import { duckdbEngine } from '../../packages/cli/src/engines/duckdb/engine.ts'
import { WorkDatabase } from '../../packages/cli/src/engines/duckdb/work.ts'
import { hashOf } from './hash.ts'
import { Results } from './results.ts'
import { BenchSpark } from './sparkEngine.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    engines: { type: 'string', default: 'memory,duckdb' },
    cases: { type: 'string', default: 'all' },
    results: { type: 'string' },
  },
})

const OTHERS = ['visits', 'share', 'side', 'person']
const except = (...used: string[]) => OTHERS.filter(name => !used.includes(name))
const ROLES = { label: 'y', prediction: 'score', epsilon: 0.1 }
const ROUNDS = {
  ...ROLES,
  method: 'rounds',
  roundLimit: 2,
  weight: 'visits',
  except: except('visits'),
} as const
const OLD = groups(['region', { column: 'age', below: 30 }, { column: 'member', is: true }])

type Work = (rows: FitRows, engine: MakeEngine | undefined) => Promise<unknown>

const fitted =
  (options: FitOptions): Work =>
  async (rows, engine) =>
    (await fit(rows, { ...options, ...(engine !== undefined && { engine }) })).toText()

const FACTORS: readonly FactorKind[] = ['constant', 'intervals', 'signed', 'weighted', 'level-sets', 'table']
const DEFAULT: FitOptions = { ...ROLES, weight: 'visits', except: except('visits') }

/** By name: what is done with the rows, and what it gives. */
const CASES: Readonly<Record<string, Work>> = {
  'default, weights that are counts': fitted(DEFAULT),
  'default, held out by person': fitted({ ...ROLES, groupBy: 'person', except: except('person') }),
  ...Object.fromEntries(
    FACTORS.map(factors => [
      `rounds, ${factors}`,
      fitted({ ...ROUNDS, factors, auditors: trees({ depth: 2 }) }),
    ]),
  ),
  'rounds, table, groups': fitted({ ...ROUNDS, factors: 'table', auditors: OLD }),
  'rounds, constant, linear': fitted({ ...ROUNDS, factors: 'constant', auditors: linear() }),
  'rounds, weights that are fractions, a fold column': fitted({
    ...{ ...ROUNDS, weight: 'share', fold: 'side' },
    except: except('share', 'side'),
  }),
  audit: async (rows, engine) =>
    await audit(rows, {
      ...{ label: 'y', prediction: 'score', weight: 'visits', except: except('visits'), draws: 5 },
      ...(engine !== undefined && { engine }),
    }),
  'verify, of the default': async (rows, engine) => {
    const with_ = engine === undefined ? {} : { engine }
    const { certificate, differences, matches } = await verify(
      await fit(rows, { ...DEFAULT, ...with_ }),
      rows,
      with_,
    )
    if (!matches) throw new Error(`the certificate is not that of the rows: ${JSON.stringify(differences)}`)
    return certificate
  },
}

const rowCount = Number(values.rows)
const path = join(tmpdir(), `featureboost-one-${randomBytes(4).toString('hex')}.parquet`)
const results = new Results(values.results)
let spark: BenchSpark | undefined
try {
  await writeRows(path, rowCount)
  const wanted = values.cases === 'all' ? Object.keys(CASES) : values.cases.split(';')
  for (const name of wanted) for (const engine of values.engines.split(',')) await measure(name, engine)
} finally {
  await spark?.stop()
  rmSync(path, { force: true })
}
printTable()

async function measure(what: string, engine: string): Promise<void> {
  const work = CASES[what]
  if (work === undefined)
    throw new Error(`--cases ${what}: expected some of ${Object.keys(CASES).join('; ')}`)
  const [load] = loadavg()
  const [since, { system, user }] = [performance.now(), process.cpuUsage()]
  const answer = await withRows(engine, work)
  const used = process.cpuUsage()
  const seconds = (performance.now() - since) / 1000
  const cpu = (used.system + used.user - system - user) / 1e6
  const hash = hashOf(answer)
  console.log(
    `${what.padEnd(50)} ${engine.padEnd(10)} ${hash}  ${seconds.toFixed(1)} s, ${cpu.toFixed(1)} CPU s here, load ${load.toFixed(1)}`,
  )
  results.add([
    {
      ...{ what, engine, rows: rowCount, seconds, cpu, load, hash },
      ...{ statements: 0, numbers: 0, bytes: 0, peakMegabytes: process.resourceUsage().maxRSS / 1024 },
      date: new Date().toISOString().slice(0, 16),
    },
  ])
}

/** All engines read one file. */
async function withRows<T>(
  engine: string,
  work: (rows: FitRows, engine?: MakeEngine) => Promise<T>,
): Promise<T> {
  if (engine === 'spark') {
    spark ??= await BenchSpark.start()
    return await work(spark.rowsOf(path), undefined)
  }
  const data = await openData(path)
  try {
    if (engine === 'memory') return await work(data.source, memoryEngine({ threads: 2 }))
    if (engine === 'reference') return await work(data.source, referenceEngine)
    if (engine !== 'duckdb')
      throw new Error(`--engines ${engine}: expected reference, memory, duckdb or spark`)
    const database = await WorkDatabase.open({ threads: 2 })
    try {
      return await work(data.source, duckdbEngine(database))
    } finally {
      await database.close()
    }
  } finally {
    await data.close()
  }
}

/** Numbers, categories, truth values and moments, some of each missing; some rows are copies of others. */
async function writeRows(to: string, count: number): Promise<void> {
  const draw = (which: number) => `((hash(i * 64 + ${which}) >> 11)::DOUBLE / 9007199254740992)`
  const orMissing = (value: string, which: number) =>
    `CASE WHEN ${draw(which)} < 0.1 THEN NULL ELSE ${value} END`
  const instance = await DuckDBInstance.create()
  const connection = await instance.connect()
  await connection.run(`COPY (
    SELECT ${orMissing(`18 + (${draw(1)} * 60)::BIGINT`, 2)} AS age, ${orMissing(`round((${draw(3)} - 0.2) * 1e6) / 64`, 4)} AS income,
      ${orMissing(`['nørth', 's''outh', 'e\\ast', '𝒲est', 'x'][1 + floor(${draw(5)} * 5)::INT]`, 6)} AS region,
      ${orMissing(`${draw(7)} < 0.4`, 8)} AS member, TIMESTAMP '2020-01-01' + INTERVAL 1 HOUR * floor(${draw(9)} * 40000)::INT AS joined,
      floor(${draw(10)} * 4)::INT AS visits, floor(${draw(11)} * 50) / 30 AS share, 'p' || (i // 3) AS person,
      CASE WHEN ${draw(12)} < 0.2 THEN 'holdout' ELSE 'fit' END AS side, floor(${draw(13)} * 1000) / 1000 AS score,
      CASE WHEN ${draw(14)} < floor(${draw(13)} * 1000) / 1000 + CASE WHEN ${draw(5)} < 0.2 AND ${draw(7)} < 0.4 THEN 0.15 ELSE 0 END THEN 1 ELSE 0 END AS y
    FROM (SELECT CASE WHEN range % 50 = 49 THEN range - 49 ELSE range END AS i FROM range(${count}))
  ) TO '${to}' (FORMAT parquet, ROW_GROUP_SIZE 100000)`)
  connection.closeSync()
  instance.closeSync()
}

function printTable(): void {
  const engines = [...new Set(results.all.map(({ engine }) => engine))]
  for (const rows of new Set(results.all.map(each => each.rows))) {
    const own = results.all.filter(each => each.rows === rows)
    console.log(
      `\n| ${rows.toLocaleString('en-US')} rows | hash | ${engines.join(' | ')} |\n| --- | --- | ${engines.map(() => '---:').join(' | ')} |`,
    )
    for (const what of new Set(own.map(each => each.what))) {
      const found = engines.map(engine => own.find(each => each.what === what && each.engine === engine))
      const seconds = found.map(each => (each === undefined ? '' : `${each.seconds.toFixed(1)} s`))
      console.log(`| ${what} | ${found.find(each => each)!.hash} | ${seconds.join(' | ')} |`)
    }
  }
}
