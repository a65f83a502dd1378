// How much of planted errors is left after a correction, in worlds whose truth is known (bench/planted/world.ts).
//
//   npx tsx bench/planted.ts [--kinds pair,flip,triple,null] [--rows 5000,40000,400000] [--seeds 1-10]
//     [--methods base,ours,forest,rounds,mcgrad,...] [--peers mcgrad] [--threads 2] [--cache FOLDER] [--fresh]
//     [--python python3] [--page docs/planted.md]
//
// Build first (`npm run build`): ours runs the built library. `methods` are those of `fit`, ours being its default; `peers`
// are packages of others, as bench/versus runs them. Every fit is a process of its own; results are kept as those of
// bench/versus are. Seeds 1 to 10 are reported and were never tuned on.

import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { layoutTable } from '../packages/cli/src/terminal/layout.ts'
import { METHODS } from '../packages/core/src/options.ts'
import { type Figures, measure, openCase, type PlantedCase } from './planted/case.ts'
import { writePage } from './planted/page.ts'
import { type MethodFigures, summarize } from './planted/summary.ts'
import { KINDS, type Kind } from './planted/world.ts'
import { defaultCache } from './versus/cache.ts'
import { environmentVersions, prepareEnvironment } from './versus/environment.ts'
import { type Method, OURS, PEERS } from './versus/methods.ts'
import { runMethod, scoreCase, type Workshop } from './versus/processes.ts'

const { values } = parseArgs({
  options: {
    kinds: { type: 'string', default: KINDS.join(',') },
    rows: { type: 'string', default: '5000,40000,400000' },
    seeds: { type: 'string', default: '1-10' },
    methods: { type: 'string', default: ['base', 'ours', ...METHODS].join(',') },
    peers: { type: 'string', default: 'mcgrad' },
    threads: { type: 'string', default: '2' },
    cache: { type: 'string', default: defaultCache() },
    python: { type: 'string', default: 'python3' },
    limit: { type: 'string', default: '3600' },
    fresh: { type: 'boolean', default: false },
    page: { type: 'string' },
  },
})

const kinds = values.kinds.split(',') as Kind[]
const sizes = values.rows.split(',').map(Number)
const seeds = readSeeds(values.seeds)
const methods = [...values.methods.split(','), ...values.peers.split(',')]
  .filter(name => name !== '' && name !== 'base')
  .map(findMethod)

const python = prepareEnvironment(values.cache, values.python)
const { cache, fresh } = values
const [threads, limit] = [Number(values.threads), Number(values.limit)]
const shop: Workshop = { cache, fresh, limit, threads, python, versions: environmentVersions(python) }

const found: MethodFigures[] = []
for (const rows of sizes) {
  for (const kind of kinds) {
    for (const seed of seeds) await runCase(await openCase(cache, kind, rows, seed))
    const lines = summarize(found.filter(one => one.kind === kind && one.rows === rows))
    console.log(`\n${kind}, ${rows} calibration rows, ${seeds.length} seeds`)
    const shown = lines.map(({ distance, gap, method, off, seconds, worst }) => [
      ...[method, gap.toFixed(3), worst.toFixed(3), off.toFixed(1)],
      ...[(1e4 * distance).toFixed(1), Number.isNaN(seconds) ? '' : seconds.toFixed(2)],
    ])
    console.log(
      layoutTable(['method', 'mean gap', 'worst', 'groups off', 'distance^2 x 10^4', 'fit s'], shown),
    )
  }
}
if (values.page !== undefined)
  writeFileSync(values.page, writePage(found, { seeds, threads, versions: shop.versions }))

async function runCase(one: PlantedCase): Promise<void> {
  const { kind, prepared, rows, seed } = one
  const add = (method: string, figures: Figures, seconds: number) =>
    found.push({ method, kind, rows, seed, seconds, ...figures })
  if (values.methods.includes('base'))
    add('score as given', await measure(one.fresh, one.fresh.score, threads), Number.NaN)
  const scores = await scoreCase(shop, prepared, 'given', seed)
  for (const method of methods) {
    const { measured, predictions } = await runMethod(shop, method, prepared, scores, seed)
    add(method.name, await measure(one.fresh, predictions, threads), measured.fit.wall)
  }
  console.error(`${kind}, ${rows} rows, seed ${seed}`)
}

function findMethod(name: string): Method {
  if (name === 'ours') return OURS
  const peer = PEERS.find(one => one.name === name)
  if (peer !== undefined && values.peers.split(',').includes(name)) return peer
  const known = METHODS.find(one => one === name)
  if (known === undefined) throw new Error(`There is no method "${name}"; there are ${METHODS.join(', ')}.`)
  return { kind: 'ours', name: `${name} (ours)`, title: name, settings: { method: known } }
}

/** "1-10", or "3,5". */
function readSeeds(text: string): number[] {
  return text.split(',').flatMap(part => {
    const [from, to = from] = part.split('-').map(Number)
    return Array.from({ length: to - from + 1 }, (_, index) => from + index)
  })
}
