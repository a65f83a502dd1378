// Rows that stay in Spark, on a real server: whole models, audits and predictions are those of rows in memory, whether the command or the
// server dies meanwhile, and nothing is left. KILLS=30 kills the command as often; otherwise a few times. What a worker's death does is in
// worker.spark.ts.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { audit, type FitOptions, fit, tableFromRows, verify } from '@featureboost/core'
import { addColumns, hashString, makeRandom } from '@featureboost/core/internal'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Cluster, startCluster } from '../../../../../../scripts/spark/cluster.ts'
import { installSpark } from '../../../../../../scripts/spark/install.ts'
import { killSparkFits } from '../../../../../../scripts/spark/kills.ts'
import { SparkSession } from '../../../../src/engines/spark/session.ts'
import { SPARK_STORE } from '../../../../src/engines/spark/storeDialect.ts'
import { SparkWork } from '../../../../src/engines/spark/work.ts'
import { doubleBitsSql } from '../../../../src/engines/sql/doubleBits.ts'
import { LANES } from '../../../../src/engines/sql/hash.ts'
import { predictRows } from '../../../../src/engines/sql/store/predictRows.ts'
import { sqlStore } from '../../../../src/engines/sql/store/store.ts'
import { STORE_ROWS, tableSql } from '../../storeRows.ts'

// Each fit asks for some eighty statements, and machines may be slow.
vi.setConfig({ testTimeout: 900_000 })

const program = fileURLToPath(new URL('../../../../dist/main.js', import.meta.url))
const kills = Number(process.env.KILLS ?? 2)
const others = ['person', 'count', 'weight', 'side']
const base = { label: 'y', prediction: 'score', epsilon: 0.2, except: others } satisfies FitOptions
const without = (...names: string[]) => others.filter(name => !names.includes(name))
const text = { type: 'STRING', quote: SPARK_STORE.quoteText, create: 'USING parquet' }

let cluster: Cluster
let work: SparkWork
let folder: string
/** The rows as files, which outlive a server whose catalog is in its memory. */
let query: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'featureboost-'))
  cluster = await startCluster({ home: installSpark(), local: true })
  work = await SparkWork.open(cluster.address)
  for (const sql of tableSql('loans', STORE_ROWS, text)) await work.driver.run(sql)
  query = await writeFiles('loans', 'SELECT * FROM loans')
})

afterAll(async () => {
  await work?.close()
  await cluster?.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function writeFiles(name: string, select: string): Promise<string> {
  const path = join(cluster.folder, `files-${name}`)
  await work.driver.run(`INSERT OVERWRITE DIRECTORY ${text.quote(path)} USING parquet ${select}`)
  return `SELECT * FROM parquet.\`${path}\``
}

/** Those of commands: the tests have some of their own, until they end. */
async function tablesLeft(): Promise<string[]> {
  const session = await SparkSession.open(cluster.address)
  try {
    const { columns } = await session.query("SHOW TABLES LIKE 'featureboost_*'")
    const names = (columns.find(({ name }) => name === 'tableName')?.values ?? []) as string[]
    return names.filter(name => !name.startsWith(work.mark.prefix))
  } finally {
    await session.close()
  }
}

describe('rows in Spark', () => {
  it('have the hashes of rows in memory', async () => {
    const { driver } = work
    for (const word of ['a', 'nørth', '𝒲est', "it's", 'e\\ast']) {
      const hashes = LANES.map(lane => `CAST(${driver.dialect.textHash('v', lane)} AS DOUBLE)`)
      const found = await driver.values(`SELECT ${hashes.join(', ')} FROM (SELECT ${text.quote(word)} AS v)`)
      expect(found.map(column => column[0])).toEqual([hashString(word).a >>> 0, hashString(word).b >>> 0])
    }
    const draw = makeRandom(3)
    const edges = [0, 1, 0.1, Math.PI, 2 ** 53, 5e-324, 2 ** -1022, Number.MAX_VALUE].flatMap(value => [
      value,
      -value,
    ])
    const drawn = Array.from({ length: 300 }, () => (draw.next() + 0.5) * 2 ** (draw.integer(2090) - 1070))
    const numbers = [...edges, ...drawn].map(value => value + 0)
    const listed = numbers.map((value, index) => `(${index}, CAST('${value}' AS DOUBLE))`).join(', ')
    const rows = addColumns(
      `SELECT * FROM (VALUES ${listed}) AS t(nr, x)`,
      ...doubleBitsSql(driver.dialect, { x: 'x' }),
    )
    const [nr, high, low] = await driver.query(
      `SELECT CAST(nr AS DOUBLE), CAST(x_h AS DOUBLE), CAST(x_l AS DOUBLE) FROM (${rows})`,
      ['double', 'double', 'double'],
    )
    const view = new DataView(new ArrayBuffer(8))
    for (const [at, index] of nr.entries()) {
      view.setFloat64(0, numbers[index])
      expect([high[at], low[at]]).toEqual([view.getUint32(0), view.getUint32(4)])
    }
  })

  it.each([
    ['the defaults, with weights that are counts', { ...base, weight: 'count', except: without('count') }],
    [
      'rounds, with a fold column and weights that are fractions',
      {
        ...{ ...base, method: 'rounds', roundLimit: 1, fold: 'side', weight: 'weight' },
        except: without('side', 'weight'),
      },
    ],
  ] satisfies [string, FitOptions][])('give one model, byte for byte: %s', async (_, options) => {
    const expected = await fit(tableFromRows(STORE_ROWS), options)
    expect((await fit(sqlStore(work, query), options)).toText()).toBe(expected.toText())
  })

  it('are verified, audited and predicted as rows in memory are', async () => {
    const table = tableFromRows(STORE_ROWS)
    const model = await fit(table, { ...base, groupBy: 'person', except: without('person') })
    expect(model.data.updates.length).toBeGreaterThan(0)
    const since = work.driver.travelled.rowsReceived
    const target = { table: 'scored', column: 'corrected', bins: undefined }
    const numbered = 'SELECT ROW_NUMBER() OVER (ORDER BY person, age, income) AS nr, * FROM loans'
    await predictRows(work, numbered, model, target)
    // No row travels but those of sums.
    expect(work.driver.travelled.rowsReceived - since).toBeLessThan(30)
    const found = await work.driver.session.query('SELECT * FROM scored')
    const column = (name: string) => found.columns.find(each => each.name === name)!.values
    const seen = new Map(
      Array.from(column('score') as number[], (score, row) => [
        `${score};${column('person')[row]};${column('income')[row]}`,
        column('corrected')[row],
      ]),
    )
    const expected = model.predict(table)
    for (const [row, { income, person, score }] of STORE_ROWS.entries())
      expect(seen.get(`${score};${person};${income}`)).toBe(expected[row])
    expect((await verify(model, sqlStore(work, query))).matches).toBe(true)
    const options = { label: 'y', prediction: 'score', features: ['age', 'region'], draws: 0 }
    expect(await audit(sqlStore(work, query), options)).toEqual(await audit(table, options))
  })
})

const ROLES = ['--label', 'y', '--prediction', 'score', '--epsilon', '0.2', '--except', others.join(',')]

/** The token comes from the environment, as it should. */
const start = (...args: string[]): ChildProcess =>
  spawn(process.execPath, [program, ...args, '--engine', `sc://127.0.0.1:${cluster.port}`], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1', SPARK_CONNECT_AUTHENTICATE_TOKEN: cluster.token },
  })

async function ended(child: ChildProcess): Promise<{ code: number | null; out: string; error: string }> {
  const texts = { out: '', error: '' }
  child.stdout!.on('data', data => {
    texts.out += data
  })
  child.stderr!.on('data', data => {
    texts.error += data
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, ...texts }
}

const run = (...args: string[]) => ended(start(...args))

describe('commands', () => {
  const fitArguments = (rows: string, out: string) => [
    ...['fit', '--sql', rows, ...ROLES, '--method', 'rounds', '--round-limit', '1', '--no-audit'],
    ...['--checkpoint', 'kept', '--resume', '--force', '--out', out],
  ]
  const expected = async () =>
    (await fit(tableFromRows(STORE_ROWS), { ...base, method: 'rounds', roundLimit: 1 })).toText()
  const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'))

  it('killed at any moment and resumed write the bytes of rows in memory, and nothing is left', async () => {
    const report = await killSparkFits(cluster, { kills, seed: Number(process.env.SEED ?? 1) })
    expect(report.kills).toBe(kills)
  })

  it('say what is wrong, and leave nothing', async () => {
    const wrong = await ended(
      spawn(
        process.execPath,
        [
          program,
          'fit',
          '--table',
          'loans',
          ...ROLES,
          '--out',
          'x.fb.json',
          '--engine',
          `sc://127.0.0.1:${cluster.port}/;token=wrong`,
        ],
        { cwd: folder },
      ),
    )
    expect([wrong.code, wrong.error]).toEqual([3, expect.stringContaining('FB_SPARK_TOKEN')])
    const missing = await run('fit', '--table', 'no.such', ...ROLES, '--out', 'x.fb.json')
    expect([missing.code, missing.error]).toEqual([3, expect.stringContaining('FB_TABLE')])
    const column = await run('fit', '--table', 'loans', ...ROLES, '--weight', 'region', '--out', 'x.fb.json')
    expect([column.code, column.error]).toEqual([3, expect.stringContaining('FB_COLUMN_KIND')])
    await work.driver.run("CREATE SCHEMA IF NOT EXISTS closed LOCATION '/proc/featureboost'")
    const closed = await run(
      'fit',
      '--table',
      'loans',
      ...ROLES,
      '--work-schema',
      'closed',
      '--out',
      'x.fb.json',
    )
    expect([closed.code, closed.error]).toEqual([3, expect.stringContaining('FB_SPARK_PERMISSION')])
    expect(await tablesLeft()).toEqual([])
  })

  it('that are interrupted remove their tables; with --keep they stay', async () => {
    const child = start('fit', '--sql', query, ...ROLES, '--no-audit', '--out', 'x.fb.json')
    const over = ended(child)
    while ((await tablesLeft()).length === 0 && child.exitCode === null) await sleep(100)
    child.kill('SIGINT')
    expect([(await over).code, await tablesLeft()]).toEqual([130, []])
    const wrong = await run(
      'fit',
      '--sql',
      query,
      ...ROLES,
      '--weight',
      'region',
      '--keep',
      '--out',
      'x.fb.json',
    )
    const left = await tablesLeft()
    expect([wrong.code, left.length]).toEqual([3, 1])
    expect(wrong.error).toContain('stay where they were written')
    for (const name of left) await work.driver.run(`DROP TABLE ${name}`)
  })

  it('tell what they would run, and run nothing', async () => {
    const { code, out } = await run('fit', '--table', 'loans', ...ROLES, '--explain', '--out', 'x.fb.json')
    expect(code).toBe(0)
    expect(out).toContain('-- 3\nCREATE TABLE')
    expect(out).toContain('851 rows of 7 columns: very roughly')
    expect(await tablesLeft()).toEqual([])
  })

  it('refuse to go on with rows that have changed', async () => {
    const child = start(...fitArguments(query, 'changed.fb.json'))
    const over = ended(child)
    while (!existsSync(join(folder, 'kept', 'rounds.log')) && child.exitCode === null) await sleep(100)
    child.kill('SIGKILL')
    await over
    const changed = await writeFiles('changed', 'SELECT * EXCEPT (age), age + 1 AS age FROM loans')
    const columns = Object.keys(STORE_ROWS[0]).join(', ')
    const { code, error } = await run(
      ...fitArguments(`SELECT ${columns} FROM (${changed})`, 'changed.fb.json'),
    )
    expect([code, error]).toEqual([2, expect.stringContaining('FB_CHECKPOINT_OTHER')])
    rmSync(join(folder, 'kept'), { recursive: true })
    expect(await tablesLeft()).toEqual([])
  })

  it('go on after the server was killed and started again', async () => {
    const child = start(...fitArguments(query, 'again.fb.json'))
    const over = ended(child)
    await sleep(6000)
    await cluster.killServer()
    await cluster.startServer()
    const { code, error } = await over
    expect([code, error]).toEqual([3, expect.stringMatching(/FB_SPARK_(SESSION|UNREACHABLE|LOST)/)])
    work = await SparkWork.open(cluster.address)
    const resumed = await run(...fitArguments(query, 'again.fb.json'))
    expect([resumed.code, resumed.error]).toEqual([0, expect.any(String)])
    expect(read('again.fb.json')).toEqual(JSON.parse(await expected()))
    expect(await tablesLeft()).toEqual([])
  })
})
