// Where predictions stand: one immutable table for each state, of which the last is current. A new state is written whole before it is
// named, and only then is the one before it dropped; so whoever stops in between leaves a state that can be read.

import type { SqlDriver } from './driver.ts'

export interface SqlStates {
  /** SQL of the table of rows. */
  readonly rows: string
  /** Of this table. */
  readonly columns: readonly string[]
  /** Tables of the engine begin with this. */
  readonly prefix: string
  /** SQL of rows with the prediction `p`. */
  readonly current: string
  /** From a SELECT over the current rows, with the next prediction `q`. */
  keep(select: string): Promise<void>
  /** From a table with the next prediction `p`, beside the rows, that `write` makes. */
  write(write: (table: string) => Promise<void>): Promise<void>
  /** Back to the start. */
  reset(): Promise<void>
  close(): Promise<void>
}

/** What is noted of a state: how many have been written, and the table of the current one; none at the start. */
export interface StateNote {
  readonly version: number
  readonly table: string | undefined
}

/** `columns`: those of the rows. `note` is told of every state, after it was written and before the one before it is dropped. */
export function makeStates(
  driver: SqlDriver,
  {
    columns,
    prefix,
    rows,
  }: { readonly rows: string; readonly columns: readonly string[]; readonly prefix: string },
  note: (state: StateNote) => Promise<void> = async () => {},
): SqlStates {
  const { dialect } = driver
  let version = 0
  let table: string | undefined
  const turnTo = async (next: string | undefined) => {
    const before = table
    await note({ version, table: next })
    table = next
    if (before !== undefined) await driver.run(`DROP TABLE IF EXISTS ${before}`)
  }
  return {
    ...{ rows, columns, prefix },
    get current() {
      if (table === undefined) return `(SELECT *, start AS p FROM ${rows})`
      return dialect.states === 'beside' ? dialect.beside(rows, table) : table
    },
    async keep(select) {
      const kept = dialect.states === 'beside' ? ['q AS p'] : [...columns, 'q AS p']
      await this.write(table =>
        driver.run(dialect.createTable(table, `SELECT ${kept.join(', ')} FROM (${select})`)),
      )
    },
    async write(write) {
      version++
      const next = `${prefix}state_${version}`
      await write(next)
      await turnTo(next)
    },
    reset: () => turnTo(undefined),
    async close() {
      if (table !== undefined) await driver.run(`DROP TABLE IF EXISTS ${table}`)
      table = undefined
    },
  }
}
