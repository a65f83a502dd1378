// Holds every export against `predict`: models of every kind x hostile rows, as JavaScript, SQL (DuckDB, PostgreSQL, Spark), Python and ONNX
// (in Node and in Python). Every prediction is the same to the unit, or this ends with code 1.
//
//   npx tsx scripts/check-export.ts [--models 50] [--rows 10000] [--only js,duckdb,postgres,spark,python,onnx]
//
// Installs numpy, pandas, polars, pyarrow and onnxruntime, and pyspark, from the package index, onnxruntime-node from the registry. Java and
// PostgreSQL have to be there; .ci/export installs them.

import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { prepareEnvironment } from '../bench/versus/environment.ts'
import { exportModel, FeatureBoostError } from '../packages/core/src/index.ts'
import { type ExportCase, exportCases, hostileRows } from '../packages/core/test/export/generate.ts'
import { openDatabase, UNIT, unitsOf } from '../packages/core/test/export/rows.ts'
import { cacheFolder } from './export/cache.ts'
import { type NodeGraphs, openNodeGraphs } from './export/onnxNode.ts'
import { type Postgres, startPostgres } from './export/postgres.ts'
import { type Spark, startSpark } from './export/spark.ts'

const TARGETS = ['js', 'duckdb', 'postgres', 'spark', 'python', 'onnx'] as const
type Target = (typeof TARGETS)[number]

const { values } = parseArgs({
  options: {
    models: { type: 'string', default: '50' },
    rows: { type: 'string', default: '10000' },
    only: { type: 'string', default: TARGETS.join(',') },
  },
})
const [modelCount, rowCount] = [Number(values.models), Number(values.rows)]
const wanted = new Set(values.only.split(',') as Target[])

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const database = await openDatabase()
const postgres: Postgres | undefined = wanted.has('postgres') ? await startPostgres() : undefined
const spark: Spark | undefined = wanted.has('spark') ? await startSpark() : undefined
const graphs: NodeGraphs | undefined = wanted.has('onnx') ? openNodeGraphs() : undefined
const seconds: Record<string, number> = {}
let failures = 0
let refused = 0

function compare(
  each: ExportCase,
  target: string,
  found: ArrayLike<number>,
  expected: readonly number[],
): void {
  const wrong = expected.flatMap((units, row) => (found[row] === units ? [] : [row]))
  if (found.length === expected.length && wrong.length === 0) return
  failures++
  const shown = wrong.slice(0, 3).map(row => `row ${row}: ${found[row]}, not ${expected[row]}`)
  console.log(`${each.name}, ${target}: ${wrong.length} of ${expected.length} differ; ${shown.join('; ')}`)
}

async function timed<T>(target: string, run: () => Promise<T>): Promise<T> {
  const started = performance.now()
  const result = await run()
  seconds[target] = (seconds[target] ?? 0) + (performance.now() - started) / 1000
  return result
}

/** Undefined, and told, where the model has more updates than Spark plans. */
function sparkSelect({ name }: ExportCase, select: () => string): string | undefined {
  try {
    return select()
  } catch (error) {
    if (!(error instanceof FeatureBoostError && error.code === 'FB_EXPORT')) throw error
    refused++
    console.log(`${name}, Spark: not exported. ${error.message}`)
    return undefined
  }
}

async function checkCase(each: ExportCase, index: number): Promise<void> {
  const rows = hostileRows(each.model, rowCount, 77 + index)
  const expected = unitsOf(each, rows)
  const rounding = each.rounded === undefined ? {} : { rounded: each.rounded }
  const folder = join(database.folder, 'cases', String(index).padStart(2, '0'))
  mkdirSync(folder, { recursive: true })
  await database.load(each.model, rows)
  const select = (dialect: 'duckdb' | 'postgres' | 'spark') =>
    exportModel(each.model, { to: 'sql', dialect, ...rounding }).content as string
  const bare = (sql: string) => sql.replace(/;\s*$/, '')
  if (wanted.has('js'))
    await timed('js', async () => {
      const file = join(folder, 'model.mjs')
      writeFileSync(file, exportModel(each.model, { to: 'js', ...rounding }).content)
      const { predict } = await import(pathToFileURL(file).href)
      compare(
        each,
        'JavaScript',
        rows.map(row => predict(row) * UNIT),
        expected,
      )
    })
  if (wanted.has('duckdb'))
    await timed('duckdb', async () => {
      const result = await database.connection.runAndReadAll(
        `SELECT corrected * ${UNIT} AS units FROM (${bare(select('duckdb'))}) ORDER BY id`,
      )
      compare(each, 'DuckDB', result.getColumnsJS()[0] as number[], expected)
    })
  if (postgres !== undefined)
    await timed('postgres', async () =>
      compare(each, 'PostgreSQL', await postgres.score(database, each.model, select('postgres')), expected),
    )
  if (spark !== undefined)
    await timed('spark', async () => {
      const text = sparkSelect(each, () => bare(select('spark')))
      if (text !== undefined) compare(each, 'Spark', await spark.score(database, each.model, text), expected)
    })
  if (wanted.has('python') || wanted.has('onnx')) {
    await database.connection.run(
      `COPY (SELECT * FROM data ORDER BY id) TO '${join(folder, 'rows.parquet')}'`,
    )
    writeFileSync(join(folder, 'expected.json'), JSON.stringify(expected))
    writeFileSync(join(folder, 'model.py'), exportModel(each.model, { to: 'python', ...rounding }).content)
  }
  if (graphs !== undefined)
    await timed('onnx in Node', async () => {
      const bytes = exportModel(each.model, { to: 'onnx', ...rounding }).content as Uint8Array
      writeFileSync(join(folder, 'model.onnx'), bytes)
      compare(each, 'ONNX in Node', await graphs.score(bytes, each.model, rows), expected)
    })
}

try {
  const cases = await exportCases(modelCount)
  for (const [index, each] of cases.entries()) await checkCase(each, index)
  if (wanted.has('python') || wanted.has('onnx'))
    await timed('python', async () => {
      const python = prepareEnvironment(cacheFolder(), 'python3', at('export/requirements.txt'), [])
      const { status } = spawnSync(python, [at('export/score.py'), join(database.folder, 'cases')], {
        stdio: 'inherit',
      })
      if (status !== 0) failures++
    })
  const times = Object.entries(seconds).map(([target, spent]) => `${target} ${spent.toFixed(0)} s`)
  console.log(
    `${cases.length} models x ${rowCount} rows, ${times.join(', ')}: ${failures} failures; ${refused} models are too long for Spark`,
  )
} finally {
  await postgres?.stop()
  await spark?.stop()
  database.close()
}
process.exitCode = failures === 0 ? 0 : 1
