// The same rows in files of every kind: made-up tables with columns of all kinds are written as CSV, TSV, NDJSON, Parquet (by pyarrow,
// with types and with text, by pandas and by DuckDB) and a DuckDB database, and given as objects. All of them must give one model and one set of predictions. Dates are
// spelled in three ways, too.
//
//   npx tsx scripts/check-formats.ts [--tables 200] [--from 1] [--python python3] [--cache FOLDER]
//
// Makes a Python environment first, which needs a package index that pip can reach.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type FitOptions, fit, type Model, tableFromRows } from '@featureboost/core'
import { prepareEnvironment } from '../bench/versus/environment.ts'
import { columnsToPredict } from '../packages/cli/src/commands/modelColumns.ts'
import { type OpenOptions, openData } from '../packages/cli/src/data/open.ts'
import { type MadeColumn, type MadeTable, makeTable } from './formats/table.ts'
import { writeDuck, writeNdjson, writeText } from './formats/write.ts'

const WRITER = fileURLToPath(new URL('formats/write.py', import.meta.url))
const REQUIREMENTS = fileURLToPath(new URL('formats/requirements.txt', import.meta.url))

const { values } = parseArgs({
  options: {
    tables: { type: 'string', default: '200' },
    from: { type: 'string', default: '1' },
    python: { type: 'string', default: 'python3' },
    cache: { type: 'string', default: join(homedir(), '.cache', 'featureboost', 'formats') },
  },
})

const folder = mkdtempSync(join(tmpdir(), 'featureboost-formats-'))
const at = (table: MadeTable, name: string) => join(folder, `${table.seed}-${name}`)
const columnsOf = ({ features, roles }: MadeTable): MadeColumn[] => [...features, ...roles]

/** All tables by one process: it takes seconds to start. */
function writeByPython(python: string, tables: readonly MadeTable[]): void {
  const lines = tables.map(table =>
    JSON.stringify({
      arrow: at(table, 'pyarrow.parquet'),
      text: at(table, 'text.parquet'),
      pandas: at(table, 'pandas.parquet'),
      columns: columnsOf(table),
    }),
  )
  const { status, stderr } = spawnSync(python, [WRITER], { input: lines.join('\n'), encoding: 'utf8' })
  if (status !== 0) throw new Error(`write.py ends with ${status}:\n${stderr}`)
}

async function writeAll(table: MadeTable): Promise<string[]> {
  const columns = columnsOf(table)
  await writeDuck(at(table, 'table.duckdb'), at(table, 'duckdb.parquet'), columns)
  return [
    writeText(at(table, 'rows.csv'), columns, ','),
    writeText(at(table, 'rows.tsv'), columns, '\t'),
    writeNdjson(at(table, 'rows.ndjson'), columns),
    ...['pyarrow.parquet', 'text.parquet', 'pandas.parquet', 'duckdb.parquet', 'table.duckdb'].map(name =>
      at(table, name),
    ),
  ]
}

function optionsFor({ roles }: MadeTable): FitOptions {
  const has = (role: string) => roles.some(({ name }) => name === role)
  return {
    label: 'label',
    prediction: 'score',
    method: 'rounds',
    roundLimit: 3,
    threads: 1,
    ...(has('weight') && { weight: 'weight' }),
    ...(has('fold') ? { fold: 'fold' } : { holdout: 0.2, ...(has('person') && { groupBy: 'person' }) }),
  }
}

/** Digits that are no numbers are said to be text, as nobody could tell them from numbers in a CSV. */
const openOptionsFor = ({ features }: MadeTable): OpenOptions => ({
  text: features.filter(({ kind }) => kind === 'digits').map(({ name }) => name),
})

async function fitFile(table: MadeTable, path: string, more: OpenOptions = {}): Promise<Model> {
  const data = await openData(path, { ...openOptionsFor(table), ...more })
  try {
    return await fit(data.source, optionsFor(table))
  } finally {
    await data.close()
  }
}

async function predictFile(model: Model, path: string): Promise<number[]> {
  const data = await openData(path, columnsToPredict(model))
  try {
    const found: number[] = []
    for await (const chunk of data.source.chunks()) found.push(...model.predict(chunk))
    return found
  } finally {
    await data.close()
  }
}

const countDifferent = (found: readonly number[], expected: readonly number[]): number =>
  expected.filter((value, row) => found[row] !== value).length + Math.abs(found.length - expected.length)

/** What differs between two models: columns, by name, as the models know them. */
function differences(found: Model, expected: Model): string {
  const known = (model: Model) =>
    new Map(model.data.encoding.features.map(feature => [feature.name, JSON.stringify(feature)]))
  const [one, other] = [known(found), known(expected)]
  const names = [...new Set([...one.keys(), ...other.keys()])].filter(
    name => one.get(name) !== other.get(name),
  )
  const shown = names.map(name => `\n    ${name}: ${one.get(name)}\n      not ${other.get(name)}`)
  return shown.length === 0 ? 'other updates or another certificate' : shown.join('').slice(0, 1200)
}

interface Reference {
  readonly model: Model
  readonly predictions: readonly number[]
}

/** Problems, in words. */
async function compare(
  name: string,
  { model, predictions }: Reference,
  read: () => Promise<Reference>,
  isSame = (found: Model) => found.hash === model.hash,
): Promise<string[]> {
  try {
    const found = await read()
    const different = countDifferent(found.predictions, predictions)
    return [
      ...(isSame(found.model) ? [] : [`${name}: another model: ${differences(found.model, model)}`]),
      ...(different === 0 ? [] : [`${name}: ${different} of ${predictions.length} predictions differ`]),
    ]
  } catch (error) {
    return [`${name}: ${(error as Error).message}`]
  }
}

async function checkTable(table: MadeTable): Promise<string[]> {
  const [csv, ...others] = await writeAll(table)
  const model = await fitFile(table, csv)
  const reference = { model, predictions: await predictFile(model, csv) }
  const problems: string[] = []
  for (const path of others) {
    const read = async () => ({
      model: await fitFile(table, path),
      predictions: await predictFile(model, path),
    })
    problems.push(...(await compare(path.slice(folder.length + 1), reference, read)))
  }
  problems.push(...(await compare('objects', reference, () => readObjects(table, model))))
  problems.push(...(await checkSpellings(table, reference)))
  return problems
}

async function readObjects(table: MadeTable, model: Model): Promise<Reference> {
  const columns = columnsOf(table)
  const rows = columns[0].cells.map((_, row) =>
    Object.fromEntries(columns.map(({ cells, name }) => [name, cells[row]])),
  )
  return {
    model: await fit(tableFromRows(rows), optionsFor(table)),
    predictions: rows.map(row => model.predictRow(row)),
  }
}

const slashed = (date: string): string => date.split('-').reverse().join('/')

/** Dates as moments, and as 14/06/2024, where --date-format says which. */
async function checkSpellings(table: MadeTable, reference: Reference): Promise<string[]> {
  if (!table.features.some(({ kind }) => kind === 'date')) return []
  const spelled = (spell: (date: string) => string) =>
    columnsOf(table).map(column =>
      column.kind === 'date'
        ? { ...column, cells: column.cells.map(cell => (cell === null ? null : spell(String(cell)))) }
        : column,
    )
  const midnight = writeText(
    at(table, 'midnight.csv'),
    spelled(date => `${date} 00:00:00`),
    ',',
  )
  const slashes = writeText(at(table, 'slashes.csv'), spelled(slashed), ',')
  const dateFormat = '%d/%m/%Y'
  // A model remembers how its dates were written: but for that, it is the same.
  const plain = ({ data }: Model) =>
    JSON.stringify({ encoding: data.encoding, updates: data.updates }).replaceAll(
      `,"format":"${dateFormat}"`,
      '',
    )
  return [
    ...(await compare('midnight.csv', reference, async () => ({
      model: await fitFile(table, midnight),
      predictions: await predictFile(reference.model, midnight),
    }))),
    ...(await compare(
      'slashes.csv',
      reference,
      async () => {
        const model = await fitFile(table, slashes, { dateFormat })
        return { model, predictions: await predictFile(model, slashes) }
      },
      found => plain(found) === plain(reference.model),
    )),
  ]
}

async function main(): Promise<void> {
  const started = performance.now()
  const [from, count] = [values.from, values.tables].map(Number)
  const tables = Array.from({ length: count }, (_, index) => makeTable(from + index))
  writeByPython(prepareEnvironment(values.cache, values.python, REQUIREMENTS, []), tables)
  let wrong = 0
  for (const table of tables) {
    const problems = await checkTable(table)
    if (problems.length > 0) wrong++
    for (const problem of problems) console.log(`table ${table.seed}: ${problem}`)
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(0)
  console.log(`${count} tables, ${wrong} of them not the same in every file: ${seconds} s`)
  process.exitCode = wrong === 0 ? 0 : 1
}

try {
  await main()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
