import { fit, type MakeEngine, memoryEngine, referenceEngine, tableFromRows } from '@featureboost/core'
import { duckdbEngine } from '../../../packages/cli/src/engines/duckdb/engine.ts'
import { WorkDatabase } from '../../../packages/cli/src/engines/duckdb/work.ts'
import { type Case, makeCases } from '../bytes/cases.ts'
import { type Claim, counted, type Outcome, type Run } from '../claim.ts'

/** A small class, whose sums the reference and SQL come to in a moment. */
const brief = ({ options }: Case) => ({
  ...options,
  roundLimit: 2,
  epsilon: 0.4,
})

async function measure({ say, size }: Run): Promise<Outcome> {
  const problems: string[] = []
  const cases = makeCases(size, 1, ['rounds'])
  const work = await WorkDatabase.open()
  try {
    for (const each of cases) {
      const rows = tableFromRows(each.rows.slice(0, 200))
      const hashOf = async (engine: MakeEngine) => (await fit(rows, { ...brief(each), engine } as never)).hash
      const expected = await hashOf(referenceEngine)
      const engines: Readonly<Record<string, MakeEngine>> = {
        kernels: memoryEngine({ threads: 1, kernels: 'wasm' }),
        twin: memoryEngine({ threads: 1, kernels: 'twin' }),
        duckdb: duckdbEngine(work),
        'duckdb, all in SQL': duckdbEngine(work, { far: true }),
      }
      for (const [name, engine] of Object.entries(engines))
        if ((await hashOf(engine)) !== expected) problems.push(`${each.name}: ${name}`)
      say(each.name)
    }
  } finally {
    await work.close()
  }
  return {
    kept: problems.length === 0,
    figure: `${counted(cases.length, 'made-up table')}, method rounds: the reference, the WebAssembly kernels, their TypeScript twin, DuckDB, and DuckDB queried in SQL alone give ${problems.length === 0 ? 'one hash for each' : `${counted(problems.length, 'other hash', 'other hashes')}`}. SQLite is not one of our engines.`,
    problems,
  }
}

export const engines: Claim = {
  id: 'R8',
  title: 'Engines',
  promised:
    'A model has the same bytes whichever engine holds the rows: plain loops, kernels, their twin, or DuckDB.',
  anchor:
    'kysely tests its queries on every dialect; we found no boosting library that offers engines with identical bytes.',
  by: { unit: 'tables', short: 2, long: 30, measure },
}
