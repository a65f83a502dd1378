// Engines whose rows are in DuckDB. All engines of one work database share its file and its memory.

import type { MakeEngine } from '@featureboost/core'
import { type EngineRows, isRowSource, type RowSource, sourceOf } from '@featureboost/core/internal'
import type { Asked } from '../sql/asker.ts'
import { SqlEngine } from '../sql/engine.ts'
import { makeStates } from '../sql/states.ts'
import { duckdbDriver, inEngine } from './driver.ts'
import { DuckdbLedger } from './ledger.ts'
import { loadRows, rowColumns } from './load.ts'
import type { WorkDatabase } from './work.ts'

export interface DuckdbOptions {
  readonly onAsked?: (asked: Asked) => void
  /** Everything as SQL, as if the database were elsewhere. Default: forests and checksums are computed in this process. */
  readonly far?: boolean
}

/** Takes rows into a work database, which is closed by who opened it. Rows in chunks are surveyed with a ledger in the same database. */
export function duckdbEngine(work: WorkDatabase, options: DuckdbOptions = {}): MakeEngine {
  const make = (rows: RowSource | EngineRows) => openEngine(work, rows, options)
  return Object.assign(make, {
    openLedger: async () =>
      new DuckdbLedger({
        ...{ connection: work.connection, connect: work.connect, disconnect: work.disconnect },
        prefix: work.newPrefix(),
      }),
  })
}

async function openEngine(
  work: WorkDatabase,
  rows: RowSource | EngineRows,
  { far = false, onAsked }: DuckdbOptions,
): Promise<SqlEngine> {
  const source = isRowSource(rows) ? rows : sourceOf(rows)
  const prefix = work.newPrefix()
  const table = `${prefix}rows`
  const connection = await inEngine(() => work.connect())
  const near = duckdbDriver(connection, work, () =>
    inEngine(async () => {
      await connection.run(`DROP TABLE IF EXISTS ${table}`)
      await work.forget(prefix)
      work.disconnect(connection)
    }),
  )
  const { scan: _, transform: __, ...asked } = near
  const driver = far ? asked : near
  try {
    const shape = await inEngine(() => loadRows(connection, table, source))
    await inEngine(() => work.note(prefix, table, undefined, 0))
    const columns = rowColumns(source).map(({ name }) => name)
    const states = makeStates(driver, { rows: table, columns, prefix }, ({ table: state, version }) =>
      inEngine(() => work.note(prefix, table, state, version)),
    )
    const { coarseOf, folded, keyed = false, weighted } = source
    return new SqlEngine(driver, { shape, coarseOf, folded, keyed, weighted, states }, onAsked)
  } catch (error) {
    // What went wrong first is told.
    await driver.close().catch(() => {})
    throw error
  }
}
