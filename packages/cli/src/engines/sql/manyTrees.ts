// Forests of many trees, moved by a database that compiles every statement: a hundred trees take Spark a second or two to compile, a
// thousand take a gigabyte and minutes, or fail. So some trees are added up at a time, and what they sum up to is written.

import { movedByStepsSql, treeStepsSql, type Update } from '@featureboost/core/internal'
import type { SqlDriver } from './driver.ts'

export type Forest = Extract<Update, { kind: 'forest' }>

/** Trees of one statement, at most. */
const TREES_AT_ONCE = 128

export const hasManyTrees = (update: Update): update is Forest =>
  update.kind === 'forest' && update.trees.length > TREES_AT_ONCE

export interface RowsToMove {
  /** A SELECT of rows with bins and the prediction `p`. */
  readonly source: string
  /** Columns that are kept. */
  readonly columns: readonly string[]
  readonly binCounts: readonly number[]
  /** Tables of sums begin with this. */
  readonly prefix: string
}

/** `write` is given SQL of the rows with the next prediction `q`; then the tables of sums are dropped, and after a failure with all others of the prefix. */
export async function moveByParts(
  driver: SqlDriver,
  { binCounts, columns, prefix, source }: RowsToMove,
  update: Forest,
  write: (moved: string) => Promise<void>,
): Promise<void> {
  const { dialect } = driver
  let [rows, table] = [source, '']
  for (let from = 0; from < update.trees.length; from += TREES_AT_ONCE) {
    const next = `${prefix}steps_${from / TREES_AT_ONCE}`
    const trees = update.trees.slice(from, from + TREES_AT_ONCE)
    const kept = { columns: [...columns, 'p'], goesOn: from > 0 }
    await driver.run(dialect.createTable(next, treeStepsSql(dialect, rows, trees, binCounts, kept)))
    if (from > 0) await driver.run(`DROP TABLE IF EXISTS ${table}`)
    table = next
    rows = `SELECT * FROM ${table}`
  }
  await write(movedByStepsSql(dialect, rows, update))
  await driver.run(`DROP TABLE IF EXISTS ${table}`)
}
