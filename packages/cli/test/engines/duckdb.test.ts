import { CONFORMANCE } from '@featureboost/core/testing'
import { describe, it } from 'vitest'
import { duckdbEngine } from '../../src/engines/duckdb/engine.ts'

/** Each opens a database of its own; the memory engine tries the same rows sixty times. */
const ROUNDS = { count: 20 }

describe('the DuckDB engine conforms to the definitions', () => {
  for (const { check, title } of CONFORMANCE) it(title, () => check(duckdbEngine({ threads: 1 }), ROUNDS))
})
