// What engines cost: the time of each question and of a default fit, statements, and numbers that came back, from rows in memory, in
// DuckDB and in Spark on this machine (local[2]); and whether all gave the same.
//
//   npx tsx bench/engines.ts [--rows 1000000,5000000,10000000] [--engines memory,duckdb,spark] [--memory 2GB] [--what questions,fit] [--epsilon 0.1] [--json]
//
// Rows have 10 columns. CPU seconds are those of this process with all its threads, in which DuckDB works, too, but not Spark: on a machine that does other things
// besides they say more than seconds.

import { createHash } from 'node:crypto'
import { parseArgs } from 'node:util'
import {
  type Engine,
  fitWithTrace,
  type MakeEngine,
  makeTable,
  memoryEngine,
  type TableSource,
} from '@featureboost/core'
import { makeRandom, type RowSource, type Tree, type Update } from '@featureboost/core/internal'
import { duckdbEngine } from '../packages/cli/src/engines/duckdb/engine.ts'
import { WorkDatabase } from '../packages/cli/src/engines/duckdb/work.ts'
import type { Asked } from '../packages/cli/src/engines/sql/asker.ts'
import { BenchSpark } from './engines/sparkEngine.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    engines: { type: 'string', default: 'memory,duckdb' },
    memory: { type: 'string' },
    what: { type: 'string', default: 'questions,fit' },
    epsilon: { type: 'string', default: '0.1' },
    json: { type: 'boolean', default: false },
  },
})
const FEATURES = 10
const CHUNK = 2 ** 16
const ONE = 2 ** 24
const FINE = 256
const COARSE = 64
const list = (text: string) => text.split(',')
const say = (text: string) => values.json || console.log(text)

const LEAF: Tree = { leaf: 0 }
const GROUPS: Tree = {
  split: { kind: 'atMost', feature: 0, bin: 80, missing: false },
  yes: { split: { kind: 'atMost', feature: 1, bin: 120, missing: true }, yes: { leaf: 0 }, no: { leaf: 1 } },
  no: { leaf: 2 },
}

interface Measured {
  readonly what: string
  readonly engine: string
  readonly rows: number
  readonly seconds: number
  readonly cpu: number
  readonly statements: number
  readonly numbers: number
  /** That came over the wire. */
  readonly bytes: number
  /** Of the answer; none where there is nothing to compare. */
  readonly hash: string
}

let spark: BenchSpark | undefined
const results: Measured[] = []
try {
  await measureAll()
} finally {
  await spark?.stop()
}
if (values.json) console.log(JSON.stringify(results, null, 2))

async function measureAll(): Promise<void> {
  for (const rows of list(values.rows).map(Number)) {
    for (const what of list(values.what)) {
      for (const engine of list(values.engines)) {
        const found = await withEngine(engine, (make, asked) =>
          what === 'fit'
            ? measureFit(rows, engine, make, asked)
            : measureQuestions(rows, engine, make, asked),
        )
        results.push(...found)
        for (const each of found) say(line(each))
      }
      for (const { what: name, hash } of results.filter(each => each.rows === rows)) {
        const others = results.filter(each => each.rows === rows && each.what === name && each.hash !== hash)
        if (others.length > 0) throw new Error(`${name} at ${rows} rows differs between engines`)
      }
    }
  }
}

function line({ bytes, cpu, engine, numbers, rows, seconds, statements, what }: Measured): string {
  const columns = [
    rows.toLocaleString('en-US').padStart(11),
    engine.padEnd(7),
    what.padEnd(34),
    `${seconds.toFixed(2).padStart(8)} s`,
    `${cpu.toFixed(2).padStart(8)} CPU s`,
    `${String(statements).padStart(4)} statements`,
    `${numbers.toLocaleString('en-US').padStart(12)} numbers back`,
    ...(bytes === 0 ? [] : [`${(bytes / 1e6).toFixed(1).padStart(7)} MB`]),
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

async function measure<T>(work: () => Promise<T>, asked: Asked[]) {
  const [since, used, before] = [performance.now(), process.cpuUsage(), asked.length]
  const [bytes, run] = [spark?.bytes ?? 0, spark?.statements ?? 0]
  const answer = await work()
  const { system, user } = process.cpuUsage(used)
  const more = asked.slice(before)
  return {
    answer,
    seconds: (performance.now() - since) / 1000,
    cpu: (system + user) / 1e6,
    // A fit in Spark also asks before there is an engine.
    statements: Math.max(
      (spark?.statements ?? 0) - run,
      more.reduce((sum, { statements }) => sum + statements, 0),
    ),
    bytes: (spark?.bytes ?? 0) - bytes,
    numbers: more.reduce((sum, { numbers }) => sum + numbers, 0),
  }
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
    const { answer, ...cost } = await measure(work, asked)
    found.push({ what, engine, rows, hash: hashOf(answer), ...cost })
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
  if (engine === 'spark')
    await ask('45 pairs, 20 levels, by hand', async () => {
      await spark!.countByHand(pairs, levels)
    })
  await asks.close()
  return found
}

function hashOf(answer: unknown): string {
  const hash = createHash('sha256')
  const add = (value: unknown): void => {
    if (ArrayBuffer.isView(value))
      hash.update(new Uint8Array(value.buffer, value.byteOffset, value.byteLength))
    else if (typeof value === 'object' && value !== null)
      for (const key of Object.keys(value).sort()) add((value as Record<string, unknown>)[key])
    else hash.update(`${value};`)
  }
  add(answer)
  return hash.digest('hex').slice(0, 16)
}

/** Bins of columns that are uniform, with labels that follow the start. */
function binnedRows(rowCount: number): RowSource {
  const coarse = Uint8Array.from({ length: FINE }, (_, bin) =>
    bin === FINE - 1 ? COARSE - 1 : Math.floor((bin * (COARSE - 1)) / (FINE - 1)),
  )
  const each = <T>(value: T) => new Array<T>(FEATURES).fill(value)
  return {
    ...{
      rowCount,
      binCounts: each(FINE),
      coarseOf: each(coarse),
      coarseCounts: each(COARSE),
      signalCount: 0,
    },
    ...{ weighted: false, folded: true, keyed: true },
    *chunks(rowsPerChunk) {
      const random = makeRandom(4)
      for (let from = 0; from < rowCount; from += rowsPerChunk) {
        const length = Math.min(rowsPerChunk, rowCount - from)
        const start = Int32Array.from({ length }, () => random.integer(ONE + 1))
        yield {
          rowCount: length,
          bins: each(0).map(() => Uint8Array.from({ length }, () => random.integer(FINE))),
          signals: [],
          label: start.map(units => (random.next() * ONE < units ? ONE : 0)),
          start,
          fold: Uint8Array.from({ length }, () => (random.next() < 0.1 ? 1 : 0)),
          key: Int32Array.from({ length }, () => random.integer(2 ** 32)),
        }
      }
    },
  }
}

/** Uniform numbers and scores; the score is too low by 0.15 for one corner of x0 and x1. */
function tableSource(rowCount: number): TableSource {
  const names = Array.from({ length: FEATURES }, (_, index) => `x${index}`)
  return {
    *chunks() {
      const random = makeRandom(2)
      for (let from = 0; from < rowCount; from += CHUNK) {
        const length = Math.min(CHUNK, rowCount - from)
        const draw = () => Float64Array.from({ length }, () => random.next())
        const columns = Object.fromEntries([...names, 'score'].map(name => [name, draw()]))
        const { score, x0, x1 } = columns
        const y = score.map((value, row) => {
          const off = x0[row] < 0.2 && x1[row] > 0.5 ? 0.15 : 0
          return random.next() < value + off ? 1 : 0
        })
        yield makeTable({ ...columns, y })
      }
    },
  }
}

async function measureFit(
  rows: number,
  engine: string,
  make: MakeEngine,
  asked: Asked[],
): Promise<Measured[]> {
  const options = { label: 'y', prediction: 'score', epsilon: Number(values.epsilon), engine: make }
  const { engine: _, ...ofStore } = options
  const { answer, ...cost } = await measure(
    () =>
      engine === 'spark' ? spark!.fit(tableSource(rows), ofStore) : fitWithTrace(tableSource(rows), options),
    asked,
  )
  const peak = process.resourceUsage().maxRSS / 1024
  say(`${' '.repeat(11)}  ${engine}: peak ${peak.toFixed(0)} MB, ${answer.model.data.updates.length} updates`)
  return [{ what: 'default fit', engine, rows, hash: hashOf(answer.model.toText()), ...cost }]
}
