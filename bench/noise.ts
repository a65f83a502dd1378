// How much evidence a search over groups finds by luck: labels are drawn from the score itself, and every group that looks off is
// so by luck. What `leastEvidence` was chosen by (docs/decisions/0014).
//
//   npx tsx bench/noise.ts [--tables pair:101:40000,pair:101:5000,adult:7:all,bank:7:all,diabetes:7:2000,rare:7:all] [--draws 100]
//     [--threads 2]
//
// A table is a world of bench/planted (kind, seed, rows) or a data set of bench/versus (name, seed, rows), with a strong score. Printed:
// the evidence that is asked for, quantiles of the largest evidence of a search and after a closer look, and the draws in which
// some group would have been mended.

import { parseArgs } from 'node:util'
import { makeTable, type Table } from '@featureboost/core'
import { makeRandom } from '@featureboost/core/internal'
import { layoutTable } from '../packages/cli/src/terminal/layout.ts'
import { openSample, searchedSchemas } from '../packages/core/src/boost/groups/sampleEngine.ts'
import { ONE } from '../packages/core/src/common/units.ts'
import { FIT } from '../packages/core/src/engine/engine.ts'
import { loadEngine } from '../packages/core/src/fit/fit.ts'
import { readSettings } from '../packages/core/src/fit/settings.ts'
import type { ForestRows } from '../packages/core/src/forest/forestRows.ts'
import { Evidence, readLevels } from '../packages/core/src/oracle/groups/evidence.ts'
import { openFinder, sureGroups } from '../packages/core/src/oracle/groups/find.ts'
import { polishGroup } from '../packages/core/src/oracle/groups/polish.ts'
import { searchGroups } from '../packages/core/src/oracle/groups/search.ts'
import type { FeatureSchema } from '../packages/core/src/quantize/schema.ts'
import { drawCases, ROLES } from './defaults/cases.ts'
import { KINDS, type Kind, makeWorld } from './planted/world.ts'

const { values } = parseArgs({
  options: {
    tables: {
      type: 'string',
      default: 'pair:101:40000,pair:101:5000,adult:7:all,bank:7:all,diabetes:7:2000,rare:7:all',
    },
    draws: { type: 'string', default: '100' },
    threads: { type: 'string', default: '2' },
  },
})

const CELL_BUDGET = 2 ** 27
const draws = Number(values.draws)
const threads = Number(values.threads)
const lines: string[][] = []
for (const name of values.tables.split(',')) {
  const { rows, schemas } = await load(await tableOf(name))
  const random = makeRandom(11)
  const found: Found[] = []
  for (let draw = 0; draw < draws; draw++) {
    const label = rows.start.map(units => (random.next() < units / ONE ? ONE : 0))
    found.push(await search({ ...rows, label }, schemas))
  }
  lines.push([
    name,
    rows.rowCount.toLocaleString('en-US'),
    found[0].least.toFixed(1),
    quantiles(found.map(({ searched }) => searched)),
    quantiles(found.map(({ polished }) => polished)),
    `${found.filter(({ sure }) => sure).length} of ${draws}`,
  ])
  console.error(lines.at(-1)!.join('  '))
}
console.log(
  layoutTable(['table', 'rows', 'asked for', 'median, 95 %, most', 'after a closer look', 'mended'], lines),
)

async function tableOf(name: string): Promise<Table> {
  const [data, seed, rows] = name.split(':')
  if ((KINDS as readonly string[]).includes(data)) {
    const { columns, label, score } = makeWorld(data as Kind, Number(seed)).draw(Number(rows), 5)
    return makeTable({ ...columns, [ROLES.label]: label, [ROLES.prediction]: score })
  }
  const asked = { bases: ['strong'], ...(rows !== 'all' && { rows: Number(rows) }) }
  return (await drawCases(data, Number(seed), asked))[0].calibration
}

async function load(table: Table): Promise<{ rows: ForestRows; schemas: FeatureSchema[] }> {
  const loaded = await loadEngine(table, readSettings({ ...ROLES, method: 'forest', holdout: 0, threads }))
  const rows = await loaded.learningRows()
  await loaded.close()
  return { rows, schemas: searchedSchemas(loaded.compiled.encoding.features) }
}

interface Found {
  readonly least: number
  readonly searched: number
  readonly polished: number
  readonly sure: boolean
}

async function search(rows: ForestRows, schemas: readonly FeatureSchema[]): Promise<Found> {
  const engine = await openSample(rows, rows.start, { schemas, threads })
  const features = schemas.map((_, feature) => feature)
  const finder = await openFinder(engine, { fold: FIT, schemas, features, cellBudget: CELL_BUDGET })
  const evidence = new Evidence(await readLevels(engine, FIT, finder.place.levelCuts))
  const [first] = await searchGroups(finder.family, evidence, { least: 0, wanted: 1 })
  const polished = first === undefined ? 0 : (await polishGroup(finder.place, evidence, first)).evidence
  const sure = (await sureGroups(finder, () => 0).next()).done !== true
  await engine.close()
  return { least: finder.least, searched: first?.evidence ?? 0, polished, sure }
}

function quantiles(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]
  return [at(0.5), at(0.95), sorted[sorted.length - 1]].map(value => value.toFixed(1)).join(', ')
}
