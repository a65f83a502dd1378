// What engines cost: the time of each question and of a default fit, statements, and numbers that came back, from rows in memory, in
// DuckDB and in Spark on this machine (local[2]); and whether all gave the same.
//
//   npx tsx bench/engines.ts [--rows 1000000,5000000,10000000] [--engines memory,duckdb,spark] [--memory 2GB] [--what questions,fit] [--epsilon 0.1]
//     [--results results.json] [--slowest 10] [--json]
//
// Rows have 10 columns. CPU seconds are those of this process with all its threads, in which DuckDB works, too, and of Spark's processes: on a machine that does other
// things besides they say more than seconds. With --results a run goes on where earlier ones have left off, so that a long one can be done in parts; --rows none measures
// nothing and prints what there is. --slowest prints the statements of Spark's that took longest.

import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { type Engine, fitWithTrace, type MakeEngine, memoryEngine } from '@featureboost/core'
import type { Tree, Update } from '@featureboost/core/internal'
import { duckdbEngine } from '../packages/cli/src/engines/duckdb/engine.ts'
import { WorkDatabase } from '../packages/cli/src/engines/duckdb/work.ts'
import type { Asked } from '../packages/cli/src/engines/sql/asker.ts'
import { hashOf } from './engines/hash.ts'
import { BY_HAND, FIT, type Measured, Results } from './engines/results.ts'
import { binnedRows, FEATURES, tableSource } from './engines/rows.ts'
import { BenchSpark } from './engines/sparkEngine.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    engines: { type: 'string', default: 'memory,duckdb' },
    memory: { type: 'string' },
    what: { type: 'string', default: 'questions,fit' },
    epsilon: { type: 'string', default: '0.1' },
    results: { type: 'string' },
    slowest: { type: 'string', default: '0' },
    json: { type: 'boolean', default: false },
  },
})
const ONE = 2 ** 24
const list = (text: string) => (text === 'none' ? [] : text.split(','))
const say = (text: string) => values.json || console.log(text)

const LEAF: Tree = { leaf: 0 }
const GROUPS: Tree = {
  split: { kind: 'atMost', feature: 0, bin: 80, missing: false },
  yes: { split: { kind: 'atMost', feature: 1, bin: 120, missing: true }, yes: { leaf: 0 }, no: { leaf: 1 } },
  no: { leaf: 2 },
}

let spark: BenchSpark | undefined
const results = new Results(values.results)
try {
  for (const rows of list(values.rows).map(Number))
    for (const what of list(values.what))
      for (const engine of list(values.engines)) await measureOn(engine, what, rows)
} finally {
  await spark?.stop()
}
if (values.json) console.log(JSON.stringify(results.all, null, 2))
else for (const table of results.tables()) console.log(`\n${table}`)

async function measureOn(engine: string, what: string, rows: number): Promise<void> {
  const found = await withEngine(engine, (make, asked) =>
    what === 'fit' ? measureFit(rows, engine, make, asked) : measureQuestions(rows, engine, make, asked),
  )
  for (const each of found) say(line(each))
  for (const { seconds, sql, stage } of spark?.takeSlowest(Number(values.slowest)) ?? [])
    say(`${seconds.toFixed(2).padStart(8)} s  ${stage}: ${sql.slice(0, 150)} ... (${sql.length})`)
  results.add(found)
}

function line(measured: Measured): string {
  const { bytes, cpu, engine, load, numbers, peakMegabytes, rows, seconds, statements, what } = measured
  const columns = [
    rows.toLocaleString('en-US').padStart(11),
    engine.padEnd(7),
    what.padEnd(38),
    `${seconds.toFixed(2).padStart(8)} s`,
    `${cpu.toFixed(2).padStart(8)} CPU s`,
    `${String(statements).padStart(4)} statements`,
    `${numbers.toLocaleString('en-US').padStart(12)} numbers back`,
    ...(bytes === 0 ? [] : [`${(bytes / 1e6).toFixed(1).padStart(7)} MB`]),
    `peak ${peakMegabytes.toFixed(0)} MB, load ${load.toFixed(1)}`,
  ]
  return columns.join('  ')
}

async function withEngine(
  name: string,
  work: (make: MakeEngine, asked: Asked[]) => Promise<Measured[]>,
): Promise<Measured[]> {
  if (name === 'memory') return await work(memoryEngine({ threads: 2 }), [])
  if (name === 'spark') {
    const asked: Asked[] = []
    spark ??= await BenchSpark.start()
    return await work(
      spark.make(each => asked.push(each)),
      asked,
    )
  }
  if (name !== 'duckdb') throw new Error(`--engines ${name}: expected memory, duckdb or spark`)
  const database = await WorkDatabase.open({ memory: values.memory, threads: 2 })
  const asked: Asked[] = []
  try {
    return await work(duckdbEngine(database, { onAsked: each => asked.push(each) }), asked)
  } finally {
    await database.close()
  }
}

async function measure<T>(
  { engine, rows, what }: Pick<Measured, 'engine' | 'rows' | 'what'>,
  work: () => Promise<T>,
  asked: Asked[],
): Promise<{ readonly answer: T; readonly measured: Omit<Measured, 'hash'> }> {
  const cpu = () => {
    const { system, user } = process.cpuUsage()
    return (system + user) / 1e6 + (engine === 'spark' ? spark!.cpuSeconds : 0)
  }
  const [load] = loadavg()
  const [since, used, before] = [performance.now(), cpu(), asked.length]
  const [bytes, run] = [spark?.bytes ?? 0, spark?.statements ?? 0]
  const answer = await work()
  const more = asked.slice(before)
  const measured = {
    ...{ what, engine, rows, load },
    seconds: (performance.now() - since) / 1000,
    cpu: cpu() - used,
    // A fit in Spark also asks before there is an engine.
    statements: Math.max(
      (spark?.statements ?? 0) - run,
      more.reduce((sum, { statements }) => sum + statements, 0),
    ),
    bytes: (spark?.bytes ?? 0) - bytes,
    numbers: more.reduce((sum, { numbers }) => sum + numbers, 0),
    peakMegabytes: process.resourceUsage().maxRSS / 1024,
    date: new Date().toISOString().slice(0, 16),
  }
  return { answer, measured }
}

function forestOf(trees: number): Update {
  const tree = (index: number): Tree => ({
    split: { kind: 'atMost', feature: index % FEATURES, bin: (37 * index) % 250, missing: false },
    yes: {
      split: { kind: 'atMost', feature: (index + 3) % FEATURES, bin: (91 * index) % 250, missing: false },
      yes: { leaf: 0 },
      no: { leaf: 1 },
    },
    no: { leaf: 2 },
  })
  const steps = (index: number) => [1000 * index, -70_000, 30_011 * (index % 7)]
  return {
    kind: 'forest',
    clip: 16,
    trees: Array.from({ length: trees }, (_, index) => ({ tree: tree(index), steps: steps(index) })),
  }
}

async function measureQuestions(
  rows: number,
  engine: string,
  make: MakeEngine,
  asked: Asked[],
): Promise<Measured[]> {
  const found: Measured[] = []
  const ask = async (what: string, work: () => Promise<unknown>) => {
    const { answer, measured } = await measure({ what, engine, rows }, work, asked)
    found.push({ ...measured, hash: hashOf(answer) })
  }
  let opened: Engine | undefined
  await ask('load', async () => {
    opened = await make(binnedRows(rows))
    return rows
  })
  const asks = opened!
  const features = Array.from({ length: FEATURES }, (_, feature) => feature)
  const pairs = features.flatMap(a => features.slice(a + 1).map(b => [a, b] as const))
  const [fold, levels] = [0, 20]
  const levelValues = Int32Array.from({ length: levels }, (_, level) =>
    Math.round(((level + 0.5) * ONE) / levels),
  )
  await ask('losses', () => asks.losses())
  await ask('histogram, fine, 3 leaves', () =>
    asks.histogram({ fold, levels, tree: GROUPS, features, resolution: 'fine' }),
  )
  await ask('histogram, coarse', () =>
    asks.histogram({ fold, levels, tree: LEAF, features, resolution: 'coarse', levelValues }),
  )
  await ask('jointHistogram, 45 pairs, 1 level', () => asks.jointHistogram({ fold, levels: 1, pairs }))
  await ask('jointHistogram, 45 pairs, 20 levels', () => asks.jointHistogram({ fold, levels, pairs }))
  await ask('levelSums, 2 trees, 100 levels', () =>
    asks.levelSums({ fold, levels: 100, trees: [LEAF, GROUPS] }),
  )
  await ask('evaluate, a tree', () =>
    asks.evaluate({ kind: 'table', tree: GROUPS, levels: 1, values: [1000, -5000, 0] }),
  )
  await ask('apply, a forest of 200 trees', () => asks.apply(forestOf(200)))
  await ask('sample of 2^20', async () => {
    const sample = await asks.sample!({ rowLimit: 2 ** 20, parts: 5 })
    return [sample.rowCount, sample.label.reduce((sum, label) => sum + label, 0)]
  })
  await ask('fingerprint', () => asks.fingerprint())
  if (engine === 'spark') {
    await ask(`histogram, coarse${BY_HAND}`, () => spark!.histogramsByHand(FEATURES, levels))
    await ask(`jointHistogram, 45 pairs, 20 levels${BY_HAND}`, () => spark!.pairsByHand(pairs, levels))
  }
  await asks.close()
  return found
}

async function measureFit(
  rows: number,
  engine: string,
  make: MakeEngine,
  asked: Asked[],
): Promise<Measured[]> {
  const roles = { label: 'y', prediction: 'score', epsilon: Number(values.epsilon) }
  const source = tableSource(rows)
  // For Spark the rows are where they live before the fit begins.
  const store = engine === 'spark' ? await spark!.storeOf(source) : undefined
  const { answer, measured } = await measure(
    { what: FIT, engine, rows },
    () =>
      store === undefined ? fitWithTrace(source, { ...roles, engine: make }) : fitWithTrace(store, roles),
    asked,
  )
  say(`${' '.repeat(11)}  ${engine}: ${answer.model.data.updates.length} updates`)
  return [{ ...measured, hash: hashOf(answer.model.toText()) }]
}
