// DuckDB, in this process: one in-memory database for one input, and its errors in words. It loads no extension from
// outside and asks no network.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { type ErrorCode, FeatureBoostError } from '@featureboost/core'
import { asMemoryError } from '@featureboost/core/internal'
import { CommandError } from '../errors.ts'
import { removeAtExit } from '../files.ts'
import { systemReason } from '../systemReason.ts'
import { literalPath, quoteList, quoteText } from './sql.ts'

export type Row = Readonly<Record<string, unknown>>

export class Database {
  readonly #instance: DuckDBInstance
  readonly #connection: DuckDBConnection
  /** Where DuckDB puts what does not fit into memory, and where stdin is kept. */
  readonly folder: string
  readonly #closed: () => void

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection, folder: string) {
    this.#instance = instance
    this.#connection = connection
    this.folder = folder
    this.#closed = removeAtExit(folder).done
  }

  /** `memory`: what rows may take of it, "500MB"; what is beyond is in a temporary file. */
  static async open(memory?: string): Promise<Database> {
    const folder = await makeFolder()
    const instance = await DuckDBInstance.create(':memory:', {
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      ...(memory !== undefined && { memory_limit: memory }),
    })
    const database = new Database(instance, await instance.connect(), folder)
    await database.run(`set temp_directory = ${quoteText(join(folder, 'spill'))}`)
    // Moments without a zone are the same everywhere.
    await database.run("set timezone = 'UTC'")
    return database
  }

  /** A connection of its own for a stream: a connection has one result under way at a time. */
  connect(): Promise<DuckDBConnection> {
    return this.#instance.connect()
  }

  async run(sql: string): Promise<void> {
    await this.#connection.run(sql)
  }

  async query(sql: string): Promise<Row[]> {
    return (await this.#connection.runAndReadAll(sql)).getRowObjectsJS()
  }

  /** The one column of a query, as it is in JavaScript. */
  async queryColumn(sql: string): Promise<unknown[]> {
    return (await this.#connection.runAndReadAll(sql)).getColumnsJS()[0] ?? []
  }

  /** From here on DuckDB opens these files, what is in the folder of its own, and nothing else, whoever asks. */
  async lock(files: readonly string[]): Promise<void> {
    const paths = files.map(file => resolve(file)).flatMap(file => [file, literalPath(file)])
    await this.run(`set allowed_directories = ${quoteList([this.folder])}`)
    await this.run(`set allowed_paths = ${quoteList(paths)}`)
    await this.run('set enable_external_access = false')
    await this.run('set lock_configuration = true')
  }

  /** As DuckDB parses it, where it is one statement that only reads; else undefined. Throws where it cannot be parsed. */
  async parseQuery(sql: string): Promise<unknown> {
    const statements = await this.#connection.extractStatements(sql)
    if (statements.count !== 1) return undefined
    const [text] = await this.queryColumn(`select json_serialize_sql(${quoteText(sql)})::VARCHAR`)
    const parsed = JSON.parse(text as string)
    return parsed.error === false ? parsed.statements : undefined
  }

  /** Ends what is running; its promise is rejected. */
  interrupt(): void {
    this.#connection.interrupt()
  }

  async close(): Promise<void> {
    this.#connection.closeSync()
    this.#instance.closeSync()
    await rm(this.folder, { recursive: true, force: true })
    this.#closed()
  }
}

/** For what does not fit into memory. */
async function makeFolder(): Promise<string> {
  try {
    return await mkdtemp(join(tmpdir(), 'featureboost-'))
  } catch (error) {
    throw new FeatureBoostError(
      'FB_TEMPORARY',
      `temporary files cannot be written here: ${systemReason(error)}.`,
      {
        path: tmpdir(),
        hint: 'Set TMPDIR (TEMP on Windows) to a folder that is there and takes files.',
      },
    )
  }
}

/** What DuckDB says, without the statement it was said about and without advice on DuckDB's own options. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  const [kept] = text.split(/\n\s*\n|\nLINE \d|\nPossible (?:fixes|solutions)|\nThe search space used/)
  const sentence = kept
    .replace(/^Failed to extract statements: /, '')
    .replace(/\s*\n\s*/g, ' ')
    .trim()
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`
}

/** "Conversion Error: ..." and the like: what DuckDB throws, and nobody else. */
const DUCKDB_ERROR = /^(?!INTERRUPT)[A-Z][\w/-]*( [\w/-]+)* (Error|Exception): /

/** What DuckDB says of data while it reads them, as bad data; anything else as it is. */
export const asBadData = (error: unknown, what: string): unknown =>
  error instanceof Error && !(error instanceof FeatureBoostError) && DUCKDB_ERROR.test(error.message)
    ? (asMemoryError(error) ?? new CommandError(3, `${what}: ${reasonOf(error)}`, { code: 'FB_FILE_FORMAT' }))
    : error

interface Words {
  /** What to do about it. */
  readonly hint?: string
  readonly code?: ErrorCode
}

/** Runs `work`; a failure of DuckDB becomes bad data, said in its words after `what`. */
export async function inWords<T>(
  what: string,
  work: () => Promise<T>,
  { code = 'FB_FILE_FORMAT', hint = '' }: Words = {},
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof CommandError || error instanceof FeatureBoostError) throw error
    throw (
      asMemoryError(error) ??
      new CommandError(3, `${what}: ${reasonOf(error)}${hint && ` ${hint}`}`, { code })
    )
  }
}
