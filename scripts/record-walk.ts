// Which files of core run, phase by phase, in a default fit, for one predicted row, and in an audit: what ARCHITECTURE.md walks
// through. Prints JSON. Build first: the built library runs, and V8 counts the calls.
//
//   npx tsx scripts/record-walk.ts

import { Session } from 'node:inspector/promises'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { audit, fit, makeTable, type Table } from '@featureboost/core'
import { makeRandom } from '@featureboost/core/internal'

/** Files by phase, in alphabetical order. */
type Walk = Record<string, string[]>

const CORE = fileURLToPath(new URL('../packages/core/dist/', import.meta.url))

// A call that was compiled into its caller is not counted, and when that happens is anybody's guess.
for (const flag of ['--no-opt', '--no-flush-bytecode']) setFlagsFromString(flag)

const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })

const rows = population(12_000)
const roles = { label: 'label', prediction: 'score', threads: 1 }
// Once before: what is found out once, such as how to load kernels, belongs to no phase.
const model = await fit(rows, { ...roles, holdout: 0.2 })
await audit(rows, { ...roles, draws: 1 })
model.predictRow({ age: 40, city: 'Bonn', score: 0.3 })

const walks: Record<string, Walk> = {
  fit: await record(phase => fit(rows, { ...roles, holdout: 0.2, onPhase: phase })),
  row: await record(async () => model.predictRow({ age: 40, city: 'Bonn', score: 0.3 })),
  audit: await record(phase => audit(rows, { ...roles, onPhase: phase })),
}
console.log(JSON.stringify(walks, undefined, 2))

/** What ran before the first phase, and in each. A phase may come again. */
async function record(work: (phase: (name: string) => void) => Promise<unknown>): Promise<Walk> {
  const taken: { phase: string; files: Promise<string[]> }[] = []
  await filesRun()
  let current = 'start'
  const close = () => taken.push({ phase: current, files: filesRun() })
  await work(name => {
    close()
    current = name
  })
  close()
  const walk: Walk = {}
  for (const { files, phase } of taken) {
    walk[phase] = [...new Set([...(walk[phase] ?? []), ...(await files)])].sort()
  }
  return walk
}

/** Files of which a function has run since the last time. */
async function filesRun(): Promise<string[]> {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  return result.flatMap(({ functions, url }) => {
    const file = url.startsWith('file:') ? fileURLToPath(url) : url
    // The file itself counts as a function, from its first character on.
    const ran = functions.some(({ ranges: [{ count, startOffset }] }) => startOffset > 0 && count > 0)
    return ran && file.startsWith(CORE) ? [file.slice(CORE.length).replace(/\.js$/, '.ts')] : []
  })
}

/** A score that is too low for the young of one city. */
function population(rowCount: number): Table {
  const random = makeRandom(3)
  const people = Array.from({ length: rowCount }, () => {
    const [age, city, score] = [18 + random.integer(60), random.integer(4), 0.1 + 0.7 * random.next()]
    const off = age < 35 && city === 2 ? 0.2 : 0
    return {
      age: random.integer(20) === 0 ? null : age,
      city: ['Aachen', 'Bonn', 'Celle', 'Dessau'][city],
      score,
      label: Number(random.next() < score + off),
    }
  })
  return makeTable({
    age: people.map(each => each.age),
    city: people.map(each => each.city),
    score: people.map(each => each.score),
    label: people.map(each => each.label),
  })
}
