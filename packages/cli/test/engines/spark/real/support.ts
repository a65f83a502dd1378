// What the tests against a real Spark share.

import type { SparkSession } from '../../../../src/engines/spark/session.ts'
import type { SparkProgress } from '../../../../src/engines/spark/sessionOptions.ts'

/** Rows 0 to `count` - 1 in so many tasks, each of which sleeps so long: the time it takes does not depend on the machine. */
export const slowRows = (count: number, tasks: number, sleepMs: number): string =>
  `SELECT id FROM range(0, ${count}, 1, ${tasks}) WHERE reflect('java.lang.Thread', 'sleep', CAST(${sleepMs} + 0 * id AS BIGINT)) IS NOT NULL OR id >= 0`

export const valuesOf = async (session: SparkSession, sql: string): Promise<unknown[]> => {
  const { columns } = await session.query(sql)
  return columns.map(({ values }) => (values.length === 1 ? values[0] : [...values]))
}

export const doneTasks = ({ stages }: SparkProgress): number =>
  stages.reduce((sum, { doneCount }) => sum + doneCount, 0)

/** A promise that is kept when somebody says so. */
export function signalled(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>(done => {
    resolve = done
  })
  return { promise, resolve }
}
