// How often rows are read and brought into an engine.

import { describe, expect, it } from 'vitest'
import {
  audit,
  collectChange,
  collectEvidence,
  compareBeforeAfter,
  fit,
  type MakeEngine,
  referenceEngine,
  type Table,
  type TableSource,
  verify,
} from '../../src/index.ts'
import { inChunks, makePopulation } from './population.ts'

/** Rows in two chunks, and an engine; both count. */
function counted(table: Table) {
  const count = { engines: 0, reads: 0 }
  const source = inChunks(table, 250)
  const rows: TableSource = {
    chunks() {
      count.reads++
      return source.chunks()
    },
  }
  const engine: MakeEngine = given => {
    count.engines++
    return referenceEngine(given)
  }
  return { count, rows, engine }
}

const ROLES = { label: 'y', prediction: 'score', except: ['fold'] }
const FIT = { ...ROLES, holdout: 0.3, method: 'rounds', roundLimit: 2 } as const

describe('rows of a source', () => {
  const table = makePopulation({ rows: 600 })

  it('are read twice for an audit, and go into one engine', async () => {
    const { count, engine, rows } = counted(table)
    await audit(rows, { ...ROLES, engine, draws: 0 })
    expect(count).toEqual({ engines: 1, reads: 2 })
  })

  it('are read twice for a fit, and go into one engine', async () => {
    const { count, engine, rows } = counted(table)
    await fit(rows, { ...FIT, engine })
    expect(count).toEqual({ engines: 1, reads: 2 })
  })

  it('are read three times for a fit and a report of it, and go into three engines', async () => {
    const { count, engine, rows } = counted(table)
    const model = await fit(rows, { ...FIT, engine })
    await collectChange(rows, { model, fitted: true, engine, draws: 0 })
    expect(count).toEqual({ engines: 3, reads: 3 })
  })

  it('are read three times for a fit and what it changed', async () => {
    const { count, engine, rows } = counted(table)
    const model = await fit(rows, { ...FIT, engine })
    await compareBeforeAfter(model, rows, { engine, draws: 0 })
    expect(count).toEqual({ engines: 3, reads: 3 })
  })

  it('are read three times for a report of a model, and go into two engines', async () => {
    const model = await fit(table, FIT)
    const { count, engine, rows } = counted(table)
    await collectEvidence(rows, { model, engine, draws: 0 })
    expect(count).toEqual({ engines: 2, reads: 3 })
  })

  it('are read once for a report of a score, and go into one engine', async () => {
    const { count, engine, rows } = counted(table)
    await collectEvidence(rows, { ...ROLES, engine, draws: 0 })
    expect(count).toEqual({ engines: 1, reads: 1 })
  })

  it('are read twice to verify a certificate, and go into one engine', async () => {
    const model = await fit(table, FIT)
    const { count, engine, rows } = counted(table)
    expect((await verify(model, rows, { engine })).matches).toBe(true)
    expect(count).toEqual({ engines: 1, reads: 2 })
  })
})
