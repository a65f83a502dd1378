// The database that an engine works in: one file, in a folder for temporary files unless another is named. Rows and predictions are
// tables in it. A table is written whole before the manifest names it and dropped only after the manifest has let go of it; so whatever
// ends the process, the manifest names tables that are whole. The next run takes such a file over; a file of somebody else it refuses.

import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { FeatureBoostError } from '@featureboost/core'
import { quoteText } from '../../data/sql.ts'
import { removeAtExit } from '../../files.ts'
import { inEngine } from './driver.ts'

export interface WorkOptions {
  /** A file; default: one of its own, in the folder for temporary files. */
  readonly path?: string | undefined
  /** What DuckDB may take, "2GB"; default: four fifths of what the machine has. */
  readonly memory?: string | undefined
  readonly threads?: number | undefined
}

/** So many bits of keys may be counted in plain arrays (sql/duckdb.ts says how many at once); DuckDB's own bound is 12. */
const COUNTED_BITS = '20'

const MANIFEST = 'featureboost_manifest'

export class WorkDatabase {
  readonly #instance: DuckDBInstance
  readonly connection: DuckDBConnection
  readonly #remove: () => Promise<void>
  readonly #connections = new Set<DuckDBConnection>()
  #count = 0

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection, remove: () => Promise<void>) {
    this.#instance = instance
    this.connection = connection
    this.#remove = remove
  }

  static async open({ memory, path, threads }: WorkOptions = {}): Promise<WorkDatabase> {
    const folder = path === undefined ? await mkdtemp(join(tmpdir(), 'featureboost-')) : undefined
    const file = path === undefined ? join(folder!, 'work.duckdb') : resolve(path)
    const spill = folder === undefined ? `${file}.spill` : join(folder, 'spill')
    const isNew = (await stat(file).catch(() => undefined)) === undefined
    const parts = folder === undefined ? [file, `${file}.wal`, spill] : [folder]
    const remove = async () => {
      for (const part of parts) await rm(part, { recursive: true, force: true })
      for (const { done } of watched) done()
    }
    // Only a file that is ours from the start is removed when the process ends.
    const watched = isNew ? parts.map(removeAtExit) : []
    return await inEngine(async () => {
      const instance = await openFile(file, {
        autoinstall_known_extensions: 'false',
        autoload_known_extensions: 'false',
        perfect_ht_threshold: COUNTED_BITS,
        temp_directory: spill,
        ...(memory !== undefined && { memory_limit: memory }),
        ...(threads !== undefined && { threads: String(threads) }),
      })
      const connection = await instance.connect()
      const work = new WorkDatabase(instance, connection, remove)
      if (!isNew) await work.#takeOver(file)
      await connection.run(
        `CREATE TABLE IF NOT EXISTS ${MANIFEST} (engine VARCHAR PRIMARY KEY, rows VARCHAR, state VARCHAR, version BIGINT)`,
      )
      return work
    })
  }

  /** A connection of its own: a connection does one thing at a time. */
  connect = async (): Promise<DuckDBConnection> => {
    const connection = await this.#instance.connect()
    this.#connections.add(connection)
    return connection
  }

  disconnect = (connection: DuckDBConnection): void => {
    this.#connections.delete(connection)
    connection.closeSync()
  }

  /** Names of tables that nobody else has begin with this. */
  newPrefix(): string {
    return `fb_${++this.#count}_`
  }

  /** From now on these rows have this state; none: they are at their start. */
  async note(engine: string, rows: string, state: string | undefined, version: number): Promise<void> {
    const named = state === undefined ? 'NULL' : quoteText(state)
    await this.connection.run(
      `INSERT OR REPLACE INTO ${MANIFEST} VALUES (${quoteText(engine)}, ${quoteText(rows)}, ${named}, ${version})`,
    )
  }

  async forget(engine: string): Promise<void> {
    await this.connection.run(`DELETE FROM ${MANIFEST} WHERE engine = ${quoteText(engine)}`)
  }

  /** Ends what is running; its promises are rejected. */
  interrupt(): void {
    this.connection.interrupt()
    for (const connection of this.#connections) connection.interrupt()
  }

  async close(): Promise<void> {
    this.connection.closeSync()
    this.#instance.closeSync()
    await this.#remove()
  }

  /** What a run that was ended from outside left behind is dropped. */
  async #takeOver(file: string): Promise<void> {
    const names = await this.#tables()
    if (names.length > 0 && !names.includes(MANIFEST)) {
      this.connection.closeSync()
      this.#instance.closeSync()
      throw new FeatureBoostError('FB_ENGINE_DATABASE', 'this database holds tables of somebody else.', {
        path: file,
        found: names[0],
        expected: 'a new file, or one that an earlier run has left',
        hint: 'Name another file with --database.',
      })
    }
    for (const name of names) await this.connection.run(`DROP TABLE "${name.replaceAll('"', '""')}"`)
  }

  async #tables(): Promise<string[]> {
    const found = await this.connection.runAndReadAll(
      'SELECT table_name FROM information_schema.tables WHERE table_catalog = current_database()',
    )
    return found.getColumnsJS()[0] as string[]
  }
}

/** What DuckDB says of a file that it cannot open, what that means, and what to do. */
const UNOPENED: readonly (readonly [said: RegExp, words: string, todo: string])[] = [
  [/not a valid DuckDB database/, 'this file is no database of DuckDB, and is left as it is.', 'Name'],
  [/Could not set lock/, 'this database is in use by another process.', 'Wait for it to end, or name'],
]

async function openFile(file: string, options: Record<string, string>): Promise<DuckDBInstance> {
  try {
    return await DuckDBInstance.create(file, options)
  } catch (error) {
    const found = UNOPENED.find(([said]) => said.test(String((error as Error).message)))
    if (found === undefined) throw error
    const [, words, todo] = found
    throw new FeatureBoostError('FB_ENGINE_DATABASE', words, {
      path: file,
      expected: 'a new file, or one that an earlier run has left',
      hint: `${todo} another file with --database.`,
    })
  }
}
