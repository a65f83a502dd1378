import type { MakeTestedEngine } from '@featureboost/core/testing'
import { CONFORMANCE } from '@featureboost/core/testing'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { duckdbEngine } from '../../src/engines/duckdb/engine.ts'
import { WorkDatabase } from '../../src/engines/duckdb/work.ts'

/** The memory engine tries the same rows sixty times. */
const ROUNDS = { count: 12 }

const KINDS = [
  ['the DuckDB engine', false],
  ['the DuckDB engine, all of it in SQL', true],
] as const

describe.each(KINDS)('%s conforms to the definitions', (_, far) => {
  let work: WorkDatabase
  beforeAll(async () => {
    work = await WorkDatabase.open({ threads: 1, memory: '500MB' })
  })
  afterAll(() => work.close())
  const make: MakeTestedEngine = rows => duckdbEngine(work, { far })(rows as never)
  for (const { check, title } of CONFORMANCE) it(title, () => check(make, ROUNDS))
})
