// Spark on this machine, local[2], for bench/engines.ts: rows are written to Parquet files by DuckDB and read from there.

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Engine, FitOptions, Fitted, MakeEngine, TableSource } from '@featureboost/core'
import { fitWithTrace } from '@featureboost/core'
import { isRowSource, type RowSource, sourceOf } from '@featureboost/core/internal'
import { loadRows, rowColumns } from '../../packages/cli/src/engines/duckdb/load.ts'
import { createByAppending } from '../../packages/cli/src/engines/duckdb/numbers.ts'
import { WorkDatabase } from '../../packages/cli/src/engines/duckdb/work.ts'
import { SparkWork } from '../../packages/cli/src/engines/spark/work.ts'
import type { Asked } from '../../packages/cli/src/engines/sql/asker.ts'
import { SqlEngine } from '../../packages/cli/src/engines/sql/engine.ts'
import { makeStates } from '../../packages/cli/src/engines/sql/states.ts'
import { sqlStore } from '../../packages/cli/src/engines/sql/store/store.ts'
import { type Cluster, startCluster } from '../../scripts/spark/cluster.ts'
import { installSpark } from '../../scripts/spark/install.ts'

export class BenchSpark {
  readonly #cluster: Cluster
  readonly work: SparkWork

  private constructor(cluster: Cluster, work: SparkWork) {
    this.#cluster = cluster
    this.work = work
  }

  static async start(): Promise<BenchSpark> {
    const cluster = await startCluster({ home: installSpark(), local: true })
    return new BenchSpark(cluster, await SparkWork.open(cluster.address))
  }

  async stop(): Promise<void> {
    await this.work.close()
    await this.#cluster.stop()
  }

  /** Bytes that came from the server. */
  get bytes(): number {
    return this.work.driver.travelled.bytesReceived
  }

  get statements(): number {
    return this.work.driver.travelled.statementCount
  }

  /** An engine of rows that are in bins. */
  make(onAsked: (asked: Asked) => void): MakeEngine {
    return async (rows): Promise<Engine> => {
      const source = isRowSource(rows) ? rows : sourceOf(rows)
      const { driver } = this.work
      const prefix = this.work.newPrefix()
      const table = `${prefix}rows`
      const { file, value: shape } = await this.#write((work, name) =>
        loadRows(work.connection, name, source),
      )
      const columns = rowColumns(source)
      const cast = columns.map(
        ({ kind, name }) => `CAST(${name} AS ${kind === 'byte' ? 'SMALLINT' : 'INT'}) AS ${name}`,
      )
      await driver.run(
        `CREATE TABLE ${table} USING parquet AS SELECT ${cast.join(', ')} FROM parquet.\`${file}\``,
      )
      this.rows = table
      const names = columns.map(({ name }) => name)
      const states = makeStates(driver, { rows: table, columns: names, prefix })
      const { coarseOf, folded, keyed = false, weighted } = source as RowSource
      const own = { ...driver, close: () => this.work.drop(table) }
      return new SqlEngine(own, { shape, coarseOf, folded, keyed, weighted, states }, onAsked)
    }
  }

  /** The table of the last engine. */
  rows = ''

  /** All pairs of coarse columns by hand: one GROUP BY each. */
  async countByHand(pairs: readonly (readonly [number, number])[], levels: number): Promise<void> {
    const parts = pairs.map(
      ([a, b]) =>
        `SELECT g${a}, g${b}, l, COUNT(*) AS n, SUM(y - start) AS r FROM (SELECT *, LEAST(${levels - 1}, CAST(start AS BIGINT) * ${levels} DIV 16777216) AS l FROM ${this.rows} WHERE fold = 0) GROUP BY g${a}, g${b}, l`,
    )
    await this.work.driver.values(parts.join(' UNION ALL '))
  }

  async fit(source: TableSource, options: FitOptions): Promise<Fitted> {
    const file = await this.#writeTable(source)
    return await fitWithTrace(sqlStore(this.work, `SELECT * FROM parquet.\`${file}\``), options)
  }

  async #writeTable(source: TableSource): Promise<string> {
    const { file } = await this.#write(async (work, name) => {
      let appender: Awaited<ReturnType<typeof createByAppending>> | undefined
      for await (const { columns } of source.chunks()) {
        appender ??= await createByAppending(
          work.connection,
          name,
          columns.map(column => ({ name: column.name, kind: 'double' })),
        )
        appender.append(columns.map(column => (column as { values: Float64Array }).values))
      }
      appender?.close()
    })
    return file
  }

  async #write<T>(
    load: (work: WorkDatabase, table: string) => Promise<T>,
  ): Promise<{ file: string; value: T }> {
    const file = join(this.#cluster.folder, `${randomBytes(4).toString('hex')}.parquet`)
    const work = await WorkDatabase.open({ threads: 2 })
    try {
      const value = await load(work, 'rows')
      await work.connection.run(`COPY rows TO '${file}' (FORMAT parquet, ROW_GROUP_SIZE 100000)`)
      return { file, value }
    } finally {
      await work.close()
    }
  }
}
