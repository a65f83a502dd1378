// Spark as the SQL engine sees it: statements, questions, and what they cost.

import type { ColumnValues } from './columns.ts'
import { damaged } from './errors.ts'
import { SparkSession } from './session.ts'
import type { SessionOptions, StatementOptions, Travelled } from './sessionOptions.ts'

export interface SparkDriver {
  readonly session: SparkSession
  /** Statements and bytes so far. */
  readonly travelled: Travelled
  /** Carries a statement out. */
  run(sql: string, options?: StatementOptions): Promise<void>
  /** The columns of an answer, by name: a typed array where no value is null and the type has one. */
  query(sql: string, options?: StatementOptions): Promise<Record<string, ColumnValues>>
  close(): Promise<void>
}

export async function openSparkDriver(address: string, options: SessionOptions = {}): Promise<SparkDriver> {
  const session = await SparkSession.open(address, options)
  return {
    session,
    get travelled() {
      return session.travelled
    },
    run: (sql, choice) => session.run(sql, choice),
    async query(sql, choice) {
      const { columns } = await session.query(sql, choice)
      const byName = new Map(columns.map(({ name, values }) => [name, values]))
      if (byName.size < columns.length) throw damaged('two columns of an answer have the same name')
      return Object.fromEntries(byName)
    },
    close: () => session.close(),
  }
}
