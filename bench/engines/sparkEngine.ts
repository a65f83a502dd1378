// Spark on this machine, local[2], for bench/engines.ts: rows are written to Parquet files by DuckDB and read from there.

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Engine, MakeEngine, RowStore, TableSource } from '@featureboost/core'
import { isRowSource, type RowSource, sourceOf } from '@featureboost/core/internal'
import { loadRows, rowColumns } from '../../packages/cli/src/engines/duckdb/load.ts'
import { createByAppending } from '../../packages/cli/src/engines/duckdb/numbers.ts'
import { WorkDatabase } from '../../packages/cli/src/engines/duckdb/work.ts'
import { SparkWork } from '../../packages/cli/src/engines/spark/work.ts'
import type { Asked } from '../../packages/cli/src/engines/sql/asker.ts'
import { SqlEngine } from '../../packages/cli/src/engines/sql/engine.ts'
import { makeStates } from '../../packages/cli/src/engines/sql/states.ts'
import { sqlStore } from '../../packages/cli/src/engines/sql/store/store.ts'
import type { StoreDriver } from '../../packages/cli/src/engines/sql/store/storeDialect.ts'
import { type Cluster, startCluster } from '../../scripts/spark/cluster.ts'
import { installSpark } from '../../scripts/spark/install.ts'
import { cpuSeconds } from './cpu.ts'

/** A statement, and what it took. */
export interface TimedStatement {
  readonly stage: string
  readonly sql: string
  readonly seconds: number
}

export class BenchSpark {
  readonly #cluster: Cluster
  readonly work: SparkWork
  readonly #driver: StoreDriver
  #stage = 'questions'
  #timed: TimedStatement[] = []

  private constructor(cluster: Cluster, work: SparkWork) {
    this.#cluster = cluster
    this.work = work
    this.#driver = timedDriver(work.driver, (sql, seconds) =>
      this.#timed.push({ stage: this.#stage, sql, seconds }),
    )
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

  /** Of all its processes. */
  get cpuSeconds(): number {
    return cpuSeconds(this.#cluster.processIds())
  }

  /** Statements since this was asked last, the longest first. */
  takeSlowest(count: number): TimedStatement[] {
    const all = this.#timed
    this.#timed = []
    return all.toSorted((a, b) => b.seconds - a.seconds).slice(0, count)
  }

  /** An engine of rows that are in bins. */
  make(onAsked: (asked: Asked) => void): MakeEngine {
    return async (rows): Promise<Engine> => {
      const source = isRowSource(rows) ? rows : sourceOf(rows)
      const driver = this.#driver
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

  /** As a person would write it: a GROUP BY for each coarse column, all in one statement. */
  async histogramsByHand(features: number, levels: number): Promise<void> {
    await this.#byHand(
      Array.from({ length: features }, (_, feature) => [`g${feature}`]),
      levels,
    )
  }

  async pairsByHand(pairs: readonly (readonly [number, number])[], levels: number): Promise<void> {
    await this.#byHand(
      pairs.map(([a, b]) => [`g${a}`, `g${b}`]),
      levels,
    )
  }

  async #byHand(groups: readonly (readonly string[])[], levels: number): Promise<void> {
    const level = `LEAST(${levels - 1}, CAST(start AS BIGINT) * ${levels} DIV 16777216) AS l`
    const parts = groups.map(columns => {
      const keys = [...columns, 'l'].join(', ')
      return `SELECT ${keys}, COUNT(*) AS n, SUM(y - start) AS r FROM (SELECT *, ${level} FROM ${this.rows} WHERE fold = 0) GROUP BY ${keys}`
    })
    await this.#driver.values(parts.join(' UNION ALL '))
  }

  /** Rows of a source as a Parquet file that Spark reads. */
  async storeOf(source: TableSource): Promise<RowStore> {
    return this.rowsOf(await this.#writeTable(source))
  }

  /** Rows of a Parquet file. */
  rowsOf(file: string): RowStore {
    const place = {
      driver: this.#driver,
      newPrefix: () => this.work.newPrefix(),
      drop: this.work.drop,
      onStage: (stage: string) => {
        this.#stage = stage
      },
    }
    return sqlStore(place, `SELECT * FROM parquet.\`${file}\``)
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

/** Tells how long each statement took. */
function timedDriver(driver: StoreDriver, tell: (sql: string, seconds: number) => void): StoreDriver {
  const timed = async <T>(sql: string, work: () => Promise<T>): Promise<T> => {
    const since = performance.now()
    try {
      return await work()
    } finally {
      tell(sql, (performance.now() - since) / 1000)
    }
  }
  return {
    dialect: driver.dialect,
    run: sql => timed(sql, () => driver.run(sql)),
    query: (sql, kinds) => timed(sql, () => driver.query(sql, kinds)),
    each: (sql, kinds, see) => timed(sql, () => driver.each(sql, kinds, see)),
    describe: sql => timed(sql, () => driver.describe(sql)),
    values: sql => timed(sql, () => driver.values(sql)),
    close: () => driver.close(),
  }
}
