// A fit to more rows than a table could comfortably hold: the whole of `fit`, from numbers to a certified model, on rows
// that are made in chunks each time they are read, so that they exist once, in the shards.
//
//   npx tsx bench/large.ts [--rows 100000000] [--threads 2] [--method rounds|forest] [--json]
//
// For the memory alone, run what `npm run build` makes with plain node: it spares what tsx takes.
//   npx esbuild bench/large.ts --bundle --platform=node --format=esm --outfile=node_modules/.cache/large.mjs
//   node node_modules/.cache/large.mjs --rows 1000000

import { parseArgs } from 'node:util'
import { fitWithTrace, makeTable, memoryEngine, type TableSource, trees } from '@featureboost/core'
import { makeRandom } from '@featureboost/core/internal'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000000' },
    threads: { type: 'string', default: '2' },
    method: { type: 'string', default: 'rounds' },
    json: { type: 'boolean', default: false },
  },
})
const ROWS = Number(values.rows)
const FEATURES = 10
const CHUNK = 2 ** 16

const say = (text: string) => values.json || console.log(text)
const seconds = (since: number) => Number(((performance.now() - since) / 1000).toFixed(1))
let peak = 0
const watch = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage().rss)
}, 100)

const names = Array.from({ length: FEATURES }, (_, index) => `x${index}`)

/** A source may fill the same arrays again for every chunk: what is kept of a chunk is copied. */
const columns = Object.fromEntries([...names, 'score', 'label'].map(name => [name, new Float64Array(CHUNK)]))

/** Uniform numbers and scores; the score is too low by 0.15 for one corner of x0 and x1, where it is below 0.6. */
function makeChunk(random: ReturnType<typeof makeRandom>, rowCount: number) {
  const { label, score, x0, x1 } = columns
  for (const name of [...names, 'score']) {
    for (let row = 0; row < rowCount; row++) columns[name][row] = random.next()
  }
  for (let row = 0; row < rowCount; row++) {
    const off = x0[row] < 0.3 && x1[row] >= 0.5 && score[row] < 0.6
    label[row] = random.next() < score[row] + (off ? 0.15 : 0) ? 1 : 0
  }
  const used = Object.entries(columns).map(([name, column]) => [name, column.subarray(0, rowCount)])
  return makeTable(Object.fromEntries(used))
}

let readings = 0
const source: TableSource = {
  *chunks() {
    readings++
    const random = makeRandom(1)
    for (let from = 0; from < ROWS; from += CHUNK) yield makeChunk(random, Math.min(CHUNK, ROWS - from))
  },
}

const phases: Record<string, number> = {}
const started = performance.now()
let since = started
const phase = (name: string) => {
  phases[name] = seconds(since)
  say(`${name}: ${phases[name]} s, ${readings} readings, peak ${(peak / 2 ** 20).toFixed(0)} MiB`)
  since = performance.now()
}
let lastRound = 0
const { model, trace } = await fitWithTrace(source, {
  label: 'label',
  prediction: 'score',
  auditors: trees({ depth: 2 }),
  bins: 20,
  tolerance: 0.0005,
  stop: 'certificate',
  method: values.method === 'forest' ? 'forest' : 'rounds',
  holdout: 0.1,
  engine: async rows => {
    phase('first reading: checks, split, sample, cuts')
    const engine = await memoryEngine({ threads: Number(values.threads) })(rows)
    phase('second reading: bins into shards')
    return engine
  },
  onRound: round => {
    lastRound = performance.now()
    say(`round ${round.round}, ${seconds(since)} s: -${round.drop.toFixed(6)}  ${round.words}`)
  },
})
phases.boosting = Number(((lastRound - since) / 1000).toFixed(1))
since = lastRound
phase('certificate')
clearInterval(watch)
const allowed = (ROWS * (FEATURES + 16)) / 2 ** 20 + 150e6 / 2 ** 20
const result = {
  rows: ROWS,
  features: FEATURES,
  threads: Number(values.threads),
  seconds: seconds(started),
  phases,
  rounds: trace.keptCount,
  stopped: trace.stopReason,
  tolerance: model.certificate.tolerances.at(-1)?.tolerance,
  peakMiB: Math.round(peak / 2 ** 20),
  allowedMiB: Math.round(allowed),
}
say(
  `${ROWS.toLocaleString('en-US')} rows x ${FEATURES}: ${result.seconds} s, ${result.rounds} rounds, realized tolerance ${result.tolerance?.toFixed(6)}`,
)
say(`peak memory ${result.peakMiB} MiB; (features + 16) bytes a row + 150 MB are ${result.allowedMiB} MiB`)
if (values.json) console.log(JSON.stringify(result, null, 2))
