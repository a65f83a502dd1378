// DuckDB, in this process, as the SQL engine needs it: statements on one connection, and its failures in our words.

import type { DuckDBConnection } from '@duckdb/node-api'
import { FeatureBoostError } from '@featureboost/core'
import { reasonOf } from '../../data/database.ts'
import type { SqlDriver } from '../sql/driver.ts'
import { DUCKDB } from '../sql/duckdb.ts'
import { createByAppending, eachColumns, readColumns, streamColumns } from './numbers.ts'

/** What makes connections, and closes them. */
export interface Connector {
  readonly connect: () => Promise<DuckDBConnection>
  readonly disconnect: (connection: DuckDBConnection) => void
}

/** `connector`: for a connection of its own, where one is read from while another is written to. */
export function duckdbDriver(
  connection: DuckDBConnection,
  { connect, disconnect }: Connector,
  close: () => Promise<void>,
): SqlDriver {
  return {
    dialect: DUCKDB,
    run: sql =>
      inEngine(async () => {
        await connection.run(sql)
      }),
    query: (sql, kinds) => inEngine(() => readColumns(connection, sql, kinds)),
    each: (sql, kinds, see) => inEngine(() => eachColumns(connection, sql, kinds, see)),
    transform: (table, column, select, kinds, work) =>
      inEngine(async () => {
        const writer = await connect()
        try {
          const appender = await createByAppending(writer, table, [{ name: column, kind: 'word' }])
          for await (const columns of streamColumns(connection, select, kinds))
            appender.append([work(columns)])
          appender.close()
        } finally {
          disconnect(writer)
        }
      }),
    scan: (select, kinds, see) =>
      inEngine(async () => {
        for await (const columns of streamColumns(connection, select, kinds)) see(columns)
      }),
    close,
  }
}

/** Runs `work`; a failure of DuckDB is said in our words. */
export async function inEngine<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw asEngineError(error)
  }
}

/** A failure of DuckDB while it works for an engine: no memory, no room on the disk, a file that went away. */
export function asEngineError(error: unknown): FeatureBoostError {
  if (error instanceof FeatureBoostError) return error
  if (/^INTERRUPT Error/.test(String((error as Error).message)))
    return new FeatureBoostError('FB_ABORTED', 'the question to the database was cancelled.')
  return new FeatureBoostError('FB_ENGINE_DATABASE', `DuckDB failed: ${reasonOf(error)}`, {
    hint: 'Give it more memory (--memory), or put its file (--database, or TMPDIR) where there is more room.',
  })
}
