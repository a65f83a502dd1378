// How much of planted errors is left after a correction, in worlds whose truth is known (bench/planted/world.ts).
//
//   npx tsx bench/planted.ts [--kinds pair,flip,triple,null] [--rows 5000:10,40000:10,400000:2:pair+flip] [--from 1]
//     [--methods base,ours,forest,rounds] [--peers mcgrad] [--baselines temperature,platt,...] [--baseline-seeds 3]
//     [--audit-seeds 10] [--threads 2] [--limit 3600] [--cache FOLDER] [--fresh] [--python python3] [--page docs/planted.md]
//
// Build first (`npm run build`): ours runs the built library. 40000:10 is 40,000 calibration rows with ten seeds, counted from
// `from`; 400000:2:pair+flip is two seeds of these kinds only. `methods` and `baselines` are those of `fit`, ours being its
// default; `peers` are packages of others, as bench/versus runs them. Baselines run with fewer seeds and up to 40,000 rows; fresh
// rows are audited for the first seeds only. Every fit is a process of its own; results are kept as those of bench/versus are.
// Seeds from 1 on are reported, those from 101 on were tuned on.

import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { layoutTable } from '../packages/cli/src/terminal/layout.ts'
import { BASELINE_NAMES } from '../packages/core/src/baselines/baselines.ts'
import { METHODS } from '../packages/core/src/options/options.ts'
import { type Figures, measure, openCase, type PlantedCase } from './planted/case.ts'
import { HEADER, lineOf, writePage } from './planted/page.ts'
import { type MethodFigures, summarize } from './planted/summary.ts'
import { KINDS, type Kind } from './planted/world.ts'
import { defaultCache } from './versus/cache.ts'
import { environmentVersions, prepareEnvironment } from './versus/environment.ts'
import { type Method, OURS, PEERS } from './versus/methods.ts'
import { runMethod, scoreCase, type Workshop } from './versus/processes.ts'

const { values } = parseArgs({
  options: {
    kinds: { type: 'string', default: KINDS.join(',') },
    rows: { type: 'string', default: '5000:10,40000:10,400000:2' },
    from: { type: 'string', default: '1' },
    methods: { type: 'string', default: 'base,ours,forest,rounds' },
    peers: { type: 'string', default: 'mcgrad' },
    // Ours of MCGrad stands beside the original and takes longer.
    baselines: { type: 'string', default: BASELINE_NAMES.filter(name => name !== 'mcgrad').join(',') },
    'baseline-seeds': { type: 'string', default: '3' },
    'audit-seeds': { type: 'string', default: '10' },
    threads: { type: 'string', default: '2' },
    limit: { type: 'string', default: '3600' },
    cache: { type: 'string', default: defaultCache() },
    fresh: { type: 'boolean', default: false },
    python: { type: 'string', default: 'python3' },
    page: { type: 'string' },
  },
})

/** Rows up to which baselines run: some of them take minutes for more. */
const BASELINE_ROWS = 40_000

const listOf = (text: string): string[] => text.split(',').filter(name => name !== '')
const from = Number(values.from)
const methods = [...listOf(values.methods).filter(name => name !== 'base'), ...listOf(values.peers)].map(
  findMethod,
)
const baselines = listOf(values.baselines).map(findMethod)
const python = prepareEnvironment(values.cache, values.python)
const { cache, fresh: renews } = values
const [threads, limit, auditSeeds] = [values.threads, values.limit, values['audit-seeds']].map(Number)
const shop: Workshop = { cache, fresh: renews, limit, threads, python, versions: environmentVersions(python) }

const found: MethodFigures[] = []
for (const asked of listOf(values.rows)) {
  const [rows, seeds] = asked.split(':').slice(0, 2).map(Number)
  const [, , only] = asked.split(':')
  for (const kind of (only?.split('+') ?? listOf(values.kinds)) as Kind[]) {
    for (let seed = from; seed < from + (seeds ?? 1); seed++) {
      const few = rows <= BASELINE_ROWS && seed < from + Number(values['baseline-seeds'])
      await runCase(await openCase(cache, kind, rows, seed), few ? [...methods, ...baselines] : methods)
    }
    console.log(`\n${kind}, ${rows} calibration rows`)
    const own = found.filter(one => one.kind === kind && one.rows === rows)
    console.log(layoutTable(HEADER, summarize(own).map(lineOf)))
  }
}
if (values.page !== undefined)
  writeFileSync(
    values.page,
    writePage(found, {
      command: process.argv.slice(2).map(quoted).join(' '),
      threads,
      auditSeeds,
      versions: shop.versions,
    }),
  )

async function runCase(one: PlantedCase, asked: readonly Method[]): Promise<void> {
  const { fresh, kind, prepared, rows, seed } = one
  const left = (predictions: Float64Array) =>
    measure(fresh, predictions, { audits: seed < from + auditSeeds, threads })
  const add = (method: string, figures: Figures, seconds: number) =>
    found.push({ method, kind, rows, seed, seconds, ...figures })
  if (listOf(values.methods).includes('base')) add('score as given', await left(fresh.score), Number.NaN)
  const scores = await scoreCase(shop, prepared, 'given', seed)
  for (const method of asked) {
    const { measured, predictions } = await runMethod(shop, method, prepared, scores, seed)
    add(method.title, await left(predictions), measured.fit.cpu)
  }
  console.error(`${kind}, ${rows} rows, seed ${seed}`)
}

function quoted(text: string): string {
  return /^[\w./,:=+-]+$/.test(text) ? text : `'${text}'`
}

/** A name that is both a peer's and one of ours is the peer's where peers are named. */
function findMethod(name: string): Method {
  if (name === 'ours') return { ...OURS, title: 'featureboost, defaults' }
  const peer = PEERS.find(each => each.name === name)
  if (peer !== undefined && listOf(values.peers).includes(name)) return peer
  const known = METHODS.find(each => each === name)
  if (known === undefined) throw new Error(`There is no method "${name}"; there are ${METHODS.join(', ')}.`)
  return { kind: 'ours', name, title: `\`${name}\``, settings: { method: known } }
}
