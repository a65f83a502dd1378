// Speed and memory of the memory engine, each figure against what it must reach.
//
//   npx tsx bench/performance.ts [--rows 1000000] [--json]
//
// Ratios are taken in one run, the best of several tries. The histogram kernel is compared with the same loop in C++
// (-O3 -march=native), compiled by this script where a compiler is at hand.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type FitOptions, fitWithTrace, makeTable, memoryEngine, type Table, trees } from '@featureboost/core'
import { type EngineRows, makeRandom } from '@featureboost/core/internal'
import { layoutTable } from '../packages/cli/src/terminal/layout.ts'
import { makeSorter } from '../packages/core/src/kernels/sorter.ts'
import { growTree } from '../packages/core/src/oracle/greedy.ts'
import { searchTrees } from '../packages/core/src/oracle/search.ts'
import type { FeatureSchema } from '../packages/core/src/quantize/schema.ts'
import { growByCounting } from '../packages/core/test/support/plainGrowth.ts'

const { values } = parseArgs({
  options: { rows: { type: 'string', default: '1000000' }, json: { type: 'boolean', default: false } },
})
const ROWS = Number(values.rows)
const FEATURES = 10
const BINS = 64
const FINE_BINS = 255
const LEVELS = 20
const ONE = 2 ** 24

interface Figure {
  readonly name: string
  readonly value: number
  readonly unit: string
  readonly wanted?: string
  readonly reached?: boolean
}

const figures: Figure[] = []
const add = (name: string, value: number, unit: string, limit?: { atMost?: number; atLeast?: number }) => {
  const { atLeast, atMost } = limit ?? {}
  const wanted = atMost !== undefined ? `<= ${atMost}` : atLeast !== undefined ? `>= ${atLeast}` : undefined
  const reached = (atMost === undefined || value <= atMost) && (atLeast === undefined || value >= atLeast)
  figures.push({ name, value, unit, ...(wanted !== undefined && { wanted, reached }) })
  if (!values.json) console.error(`${name}: ${value.toPrecision(4)} ${unit}`)
}

/** The best of several tries, in seconds. */
async function best(tries: number, work: () => unknown): Promise<number> {
  let seconds = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < tries; attempt++) {
    const start = performance.now()
    await work()
    seconds = Math.min(seconds, (performance.now() - start) / 1000)
  }
  return seconds
}

function makeRows(rowCount: number, bins: number = BINS): EngineRows {
  const random = makeRandom(1)
  const draw = <T extends Uint8Array | Int32Array>(into: T, limit: number) => {
    for (let row = 0; row < rowCount; row++) into[row] = random.integer(limit)
    return into
  }
  const identity = Uint8Array.from({ length: bins + 1 }, (_, bin) => bin)
  return {
    rowCount,
    bins: Array.from({ length: FEATURES }, () => draw(new Uint8Array(rowCount), bins)),
    binCounts: new Array(FEATURES).fill(bins + 1),
    coarseOf: new Array(FEATURES).fill(identity),
    coarseCounts: new Array(FEATURES).fill(bins + 1),
    signals: [],
    label: draw(new Int32Array(rowCount), 2).map(bit => bit * ONE),
    start: draw(new Int32Array(rowCount), ONE),
  }
}

const ALL_FEATURES = Array.from({ length: FEATURES }, (_, feature) => feature)
const HISTOGRAM = {
  fold: 0,
  levels: LEVELS,
  tree: { leaf: 0 },
  features: ALL_FEATURES,
  resolution: 'fine',
} as const
const PAIRS = ALL_FEATURES.flatMap(a => ALL_FEATURES.slice(a + 1).map((b): [number, number] => [a, b]))

async function measureKernels(): Promise<void> {
  const rows = makeRows(ROWS)
  const nanoseconds = (seconds: number) => (seconds * 1e9) / ROWS / FEATURES
  const one = await memoryEngine({ threads: 1 })(rows)
  const kernel = nanoseconds(await best(9, () => one.histogram(HISTOGRAM)))
  add('histogram, 1 thread', kernel, 'ns per cell update')
  await one.close()
  const native = nativeHistogram()
  if (native === undefined) console.error('no C++ compiler here: the comparison with native code is skipped')
  else {
    add('the same loop in C++', native, 'ns per cell update')
    add('histogram kernel against C++', kernel / native, 'times', { atMost: 1.3 })
  }
  const two = await memoryEngine({ threads: 2 })(rows)
  const joint = await best(3, async () => {
    for (let from = 0; from < PAIRS.length; from += 23) {
      await two.jointHistogram({ fold: 0, levels: LEVELS, pairs: PAIRS.slice(from, from + 23) })
    }
  })
  add('joint histograms of all 45 pairs, 2 threads', joint, 's')
  await two.close()
}

/** ns per update of bench/native/histogram.cpp, or undefined without a compiler. */
function nativeHistogram(): number | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'featureboost-'))
  try {
    const source = fileURLToPath(new URL('native/histogram.cpp', import.meta.url))
    const program = join(folder, 'histogram')
    const compiled = spawnSync('c++', ['-O3', '-march=native', '-o', program, source])
    if (compiled.status !== 0) return undefined
    const args = [ROWS, FEATURES, BINS + 1, LEVELS].map(String)
    return Number(spawnSync(program, args, { encoding: 'utf8' }).stdout)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The radix sort of the kernels against the sort of typed arrays, on random numbers. */
async function measureSorting(): Promise<void> {
  const random = makeRandom(3)
  const { sort } = makeSorter('wasm')
  for (const count of [1e5, 1e6, 4e6, 1e7]) {
    const numbers = Float64Array.from({ length: count }, () => random.next())
    const kernel = await best(5, () => sort(numbers))
    const typed = await best(3, () => numbers.slice().sort())
    add(`sorting ${count / 1e6} million numbers`, kernel * 1000, 'ms')
    add('  against the sort of typed arrays', typed / kernel, 'times faster')
  }
}

/** Numbers with every bin a cut, all of them declared. */
const schemasOf = (bins: number): FeatureSchema[] =>
  ALL_FEATURES.map(feature => {
    const cuts = Array.from({ length: bins - 1 }, (_, cut) => cut + 0.5)
    return { kind: 'numeric', name: `x${feature}`, missing: false, cuts, coarse: cuts.map((_, cut) => cut) }
  })

/** One call of the depth-2 oracle: all joint histograms and the scan of their cells. */
async function measureSearch(): Promise<void> {
  const engine = await memoryEngine({ threads: 2 })(makeRows(ROWS))
  const request = {
    engine,
    fold: 0,
    levels: LEVELS,
    depth: 2,
    schemas: schemasOf(BINS),
    features: ALL_FEATURES,
    cellBudget: 1e9,
  } as const
  const seconds = await best(7, () => searchTrees({ ...request, channels: [{ score: 'squares' }] }))
  add('one exhaustive search over depth-2 trees, 2 threads', seconds, 's')
  await engine.close()
}

/** Labels that lean on every feature alike, so that splits fall near the middle: the least that subtraction can gain. */
function makeLeaningRows(): EngineRows {
  const random = makeRandom(4)
  const rows = makeRows(ROWS, FINE_BINS)
  const label = rows.start.map((start, row) => {
    const lean = rows.bins.reduce((sum, column) => sum + column[row], 0) / FEATURES / FINE_BINS
    return random.next() * ONE < start * (0.5 + lean) ? ONE : 0
  })
  return { ...rows, label }
}

/** Greedy growth by counting the smaller child of every split, against counting every leaf at every level. */
async function measureGreedy(): Promise<void> {
  const engine = await memoryEngine({ threads: 2 })(makeLeaningRows())
  const compare = async (depth: number) => {
    const growth = { schemas: schemasOf(FINE_BINS), features: ALL_FEATURES, depth, levels: LEVELS }
    let [subtracting, counting] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
    for (let attempt = 0; attempt < 7; attempt++) {
      subtracting = Math.min(subtracting, await best(1, () => growTree(engine, 0, growth)))
      counting = Math.min(counting, await best(1, () => growByCounting(engine, 0, growth)))
    }
    return { subtracting, counting }
  }
  // Both ways run warm before anything is noted.
  await compare(3)
  for (const depth of [3, 4, 5, 6]) {
    const { counting, subtracting } = await compare(depth)
    add(`greedy tree of depth ${depth}, ${FINE_BINS} bins, every leaf counted`, counting * 1000, 'ms')
    add('  the larger child subtracted', subtracting * 1000, 'ms')
    add('  gained by subtraction', counting / subtracting, 'times')
  }
  await engine.close()
}

async function measureThreads(): Promise<void> {
  const rows = makeRows(5_000_000)
  const seconds: number[] = []
  for (const threads of [1, 2]) {
    const engine = await memoryEngine({ threads })(rows)
    seconds.push(await best(5, () => engine.histogram(HISTOGRAM)))
    await engine.close()
  }
  add('2 threads against 1, 5 million rows', seconds[0] / seconds[1], 'times', { atLeast: 1.7 })
}

/** The exponent of time against rows from 10^5 to 10^7, by least squares on logarithms. */
async function measureGrowth(): Promise<void> {
  const points: [number, number][] = []
  for (const count of [1e5, 3e5, 1e6, 3e6, 1e7]) {
    const engine = await memoryEngine({ threads: 2 })(makeRows(count))
    const seconds = await best(3, () => engine.histogram(HISTOGRAM))
    points.push([Math.log(count), Math.log(seconds)])
    await engine.close()
  }
  const mean = (index: 0 | 1) => points.reduce((sum, point) => sum + point[index], 0) / points.length
  const [x, y] = [mean(0), mean(1)]
  const cross = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0)
  const square = points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0)
  add('time against rows, exponent', cross / square, '', { atMost: 1.1 })
}

function makeLargeTable(): Table {
  const random = makeRandom(2)
  const draw = () => Float64Array.from({ length: ROWS }, () => random.next())
  const score = draw()
  const columns = Object.fromEntries(ALL_FEATURES.map(feature => [`x${feature}`, draw()]))
  const shifted = score.map(
    (value, row) => value + (columns.x0[row] < 0.2 && columns.x1[row] > 0.5 ? 0.15 : 0),
  )
  return makeTable({ ...columns, score, y: shifted.map(value => (random.next() < value ? 1 : 0)) })
}

/** A fit from typed columns, phase by phase. */
async function measurePhases(name: string, table: Table, options: FitOptions): Promise<void> {
  const phases: { readonly phase: string; readonly since: number }[] = []
  const { trace } = await fitWithTrace(table, {
    ...options,
    engine: memoryEngine({ threads: 2 }),
    onPhase: phase => phases.push({ phase, since: performance.now() }),
  })
  const end = performance.now()
  add(`${name}, ${ROWS} x ${FEATURES}, 2 threads`, (end - phases[0].since) / 1000, 's')
  phases.forEach(({ phase, since }, index) => {
    const rounds = phase === 'boosting' ? `, ${trace.keptCount} rounds kept` : ''
    add(`  ${phase}${rounds}`, ((phases[index + 1]?.since ?? end) - since) / 1000, 's')
  })
}

async function measureFitAndScoring(): Promise<void> {
  const table = makeLargeTable()
  const options = { label: 'y', prediction: 'score', auditors: trees({ depth: 2 }), epsilon: 0.1 } as const
  await measurePhases('default fit', table, options)
  await measurePhases('fit with rounds', table, { ...options, method: 'rounds' })
  const { model } = await fitWithTrace(table, {
    ...options,
    method: 'rounds',
    stop: 'certificate',
    tolerance: 1e-7,
    roundLimit: 50,
  })
  const batch = await best(3, () => model.predict(table))
  add(`batch scoring, ${model.data.updates.length} rounds of depth 2`, ROWS / batch / 1e6, 'million rows/s', {
    atLeast: 2,
  })
  const row = { score: 0.3, ...Object.fromEntries(ALL_FEATURES.map(feature => [`x${feature}`, 0.5])) }
  const single = await best(5, () => {
    for (let call = 0; call < 10_000; call++) model.predictRow(row)
  })
  add('scoring one row', (single / 10_000) * 1e6, 'microseconds', { atMost: 10 })
}

await measureKernels()
await measureSorting()
await measureSearch()
await measureGreedy()
await measureThreads()
await measureGrowth()
await measureFitAndScoring()
if (values.json) console.log(JSON.stringify(figures, null, 2))
else {
  const cells = figures.map(({ name, reached, unit, value, wanted = '' }) => [
    name,
    `${value.toPrecision(4)} ${unit}`,
    wanted,
    reached === undefined ? '' : reached ? 'reached' : 'MISSED',
  ])
  console.log(layoutTable(['figure', 'measured', 'wanted', ''], cells))
}
