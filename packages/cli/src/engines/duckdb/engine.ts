// An engine whose rows are in a DuckDB database of its own, made from rows that are given.

import { DuckDBInstance } from '@duckdb/node-api'
import { type EngineRows, isRowSource, type RowSource, sourceOf } from '@featureboost/core/internal'
import { type Asked, SqlEngine } from '../sql/engine.ts'
import { makeStates } from '../sql/states.ts'
import { COUNTED_BITS, duckdbDriver } from './driver.ts'
import { loadRows, rowColumns } from './load.ts'

export interface DuckdbOptions {
  /** A file; default: in memory. */
  readonly path?: string
  /** "2GB"; default: what DuckDB takes. */
  readonly memory?: string
  readonly threads?: number
  readonly onAsked?: (asked: Asked) => void
}

export const duckdbEngine =
  ({ memory, onAsked, path = ':memory:', threads }: DuckdbOptions = {}) =>
  async (rows: RowSource | EngineRows): Promise<SqlEngine> => {
    const source = isRowSource(rows) ? rows : sourceOf(rows)
    const instance = await DuckDBInstance.create(path, {
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      perfect_ht_threshold: String(COUNTED_BITS),
      ...(memory !== undefined && { memory_limit: memory }),
      ...(threads !== undefined && { threads: String(threads) }),
    })
    const connection = await instance.connect()
    const driver = duckdbDriver(connection, async () => {
      connection.closeSync()
      instance.closeSync()
    })
    try {
      const shape = await loadRows(connection, { catalog: null, name: 'rows' }, source)
      const columns = rowColumns(source).map(({ name }) => name)
      const states = makeStates(driver, { rows: 'rows', columns, prefix: 'fb_' })
      const { coarseOf, folded, keyed = false, weighted } = source
      return new SqlEngine(driver, { shape, coarseOf, folded, keyed, weighted, states }, onAsked)
    } catch (error) {
      await driver.close()
      throw error
    }
  }
