// Spark as the SQL engine sees it: statements, columns of numbers, and what they cost. No row is read but those of an answer.

import type { Batch, Column } from '../../arrow/columns.ts'
import type { NumberColumns, NumberKind } from '../sql/driver.ts'
import type { Cell, StoreDriver } from '../sql/store/storeDialect.ts'
import { damaged } from './errors.ts'
import { SparkSession } from './session.ts'
import type { SessionOptions, Travelled } from './sessionOptions.ts'
import { SPARK_STORE } from './storeDialect.ts'

export interface SparkDriver extends StoreDriver {
  readonly session: SparkSession
  /** Statements and bytes so far. */
  readonly travelled: Travelled
}

export async function openSparkDriver(address: string, options: SessionOptions = {}): Promise<SparkDriver> {
  const session = await SparkSession.open(address, options)
  return {
    dialect: SPARK_STORE,
    session,
    get travelled() {
      return session.travelled
    },
    run: sql => session.run(sql),
    query: async (sql, kinds) => numbersIn(await session.query(sql), kinds) as never,
    async each(sql, kinds, see) {
      for await (const batch of session.execute(sql)) see(numbersIn(batch, kinds))
    },
    describe: async query => {
      const { columns } = await session.query(`DESCRIBE QUERY ${query}`)
      const [names, types] = columns.map(({ values }) => values as string[])
      return names.map((name, index) => ({ name, type: types[index] }))
    },
    values: async query =>
      (await session.query(query)).columns.map(({ values }) => values as ArrayLike<Cell>),
    close: () => session.close(),
  }
}

const ARRAYS = { byte: Uint8Array, word: Int32Array, double: Float64Array } as const

function numbersIn({ columns }: Batch, kinds: readonly NumberKind[]): NumberColumns[NumberKind][] {
  if (columns.length !== kinds.length)
    throw damaged(`${columns.length} columns came where ${kinds.length} were asked for`)
  return columns.map((column, index) => numbersOf(column, kinds[index]))
}

function numbersOf({ name, values }: Column, kind: NumberKind): NumberColumns[NumberKind] {
  if (!ArrayBuffer.isView(values) || values instanceof BigInt64Array || values instanceof BigUint64Array)
    throw damaged(`the column ${name} has missing values, or values that are no ${kind}s`)
  return ARRAYS[kind].from(values)
}
