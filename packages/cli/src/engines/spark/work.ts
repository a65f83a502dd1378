// Where a command works in Spark: a session, and tables of its own in a schema that it may write to. Their names begin with a mark that
// nobody else has. They go when the work ends, however it ends; what a process that was killed has left goes when the next one with the
// same manifest begins.

import { randomBytes } from 'node:crypto'
import type { StorePlace } from '../sql/store/prepare.ts'
import { parseAddress } from './address.ts'
import { openSparkDriver, type SparkDriver } from './driver.ts'
import { SparkError } from './errors.ts'
import { quoteName, SparkSession } from './session.ts'
import type { SessionOptions, SparkProgress } from './sessionOptions.ts'
import { quoteText } from './storeDialect.ts'

/** Names a run by what it leaves: enough to end it and to remove its tables. */
export interface RunMark {
  readonly session: string
  readonly user: string
  /** As SQL. */
  readonly schema: string
  readonly prefix: string
}

export interface WorkOptions extends Pick<SessionOptions, 'signal' | 'onNote'> {
  /** A schema for the tables, catalog.schema. Default: that of the session. */
  readonly schema?: string | undefined
  /** Are tables to stay? */
  readonly keep?: boolean
  /** What is done, how many statements were begun, and how far the present one is. */
  readonly onProgress?: (stage: string, statements: number, progress: SparkProgress | undefined) => void
}

/** Without these, wide tables are refused by some servers, and large statements take longer. */
const WISHES = {
  'spark.sql.analyzer.maxIterations': '1000',
  // The JVM does not compile larger methods.
  'spark.sql.codegen.hugeMethodLimit': '8000',
}

export class SparkWork implements StorePlace {
  readonly driver: SparkDriver
  readonly mark: RunMark
  readonly #address: string
  readonly #options: WorkOptions
  #count = 0
  #stage = 'starting'

  private constructor(address: string, driver: SparkDriver, mark: RunMark, options: WorkOptions) {
    this.#address = address
    this.#options = options
    this.mark = mark
    this.driver = driver
  }

  static async open(address: string, options: WorkOptions = {}): Promise<SparkWork> {
    const { onNote, onProgress, signal } = options
    const told: { work?: SparkWork } = {}
    const driver = await openSparkDriver(address, {
      ...(signal !== undefined && { signal }),
      ...(onNote !== undefined && { onNote }),
      onProgress: progress => onProgress?.(told.work?.stage ?? '', driver.travelled.statementCount, progress),
    })
    try {
      const { session } = driver
      // Moments without a zone are those of UTC, and sums that overflow are errors, also before 4.0.
      await session.setConfig({ 'spark.sql.session.timeZone': 'UTC', 'spark.sql.ansi.enabled': 'true' })
      for (const [key, value] of Object.entries(WISHES)) await wish(session, key, value)
      const schema =
        options.schema === undefined ? await presentSchema(driver) : qualifiedName(options.schema)
      const mark: RunMark = {
        session: session.id,
        user: parseAddress(address).userId,
        schema,
        prefix: `featureboost_${randomBytes(4).toString('hex')}_`,
      }
      const work = new SparkWork(address, driver, mark, options)
      told.work = work
      return work
    } catch (error) {
      await driver.close()
      throw error
    }
  }

  get stage(): string {
    return this.#stage
  }

  readonly onStage = (stage: string): void => {
    this.#stage = stage
    this.#options.onProgress?.(stage, this.driver.travelled.statementCount, undefined)
  }

  newPrefix(): string {
    const { prefix, schema } = this.mark
    return `${schema}.${prefix}${++this.#count}_`
  }

  drop = async (table: string): Promise<void> => {
    if (this.#options.keep) return
    await this.driver.run(`DROP TABLE IF EXISTS ${table}`)
  }

  /** Removes its tables, unless they are to stay, and ends the session. */
  async close(): Promise<void> {
    // What is still under way ends with the session, and then writes no more.
    try {
      await this.driver.close()
    } finally {
      if (!this.#options.keep) await this.#removeTables()
    }
  }

  /** In a session of its own, which is not waited for long: ours may have been cancelled, or be lost with its server. */
  async #removeTables(): Promise<void> {
    const failure = await removeAfresh(this.#address, this.mark)
    if (failure !== undefined) this.#options.onNote?.(leftSentence(this.mark, failure))
  }
}

/** Ends what a run that was killed may still have under way, and removes its tables. */
export async function removeRun(given: string, mark: RunMark, onNote: (note: string) => void): Promise<void> {
  const parsed = parseAddress(given)
  try {
    const address = { ...parsed, sessionId: mark.session, userId: mark.user }
    const old = await SparkSession.open(address, { takesOver: true })
    try {
      await old.interruptAll()
      await removeTables(old, mark)
    } finally {
      await old.close()
    }
  } catch (error) {
    if (!(error instanceof SparkError)) throw error
    const failure = await removeAfresh(given, mark)
    if (failure !== undefined) onNote(leftSentence(mark, failure))
  }
}

/** Undefined where they are gone, or why they may not be. */
async function removeAfresh(address: string, mark: RunMark): Promise<SparkError | undefined> {
  try {
    const session = await SparkSession.open(address)
    try {
      await removeTables(session, mark)
      return undefined
    } finally {
      await session.close()
    }
  } catch (error) {
    if (error instanceof SparkError) return error
    throw error
  }
}

async function removeTables(session: SparkSession, { prefix, schema }: RunMark): Promise<void> {
  const { columns } = await session.query(`SHOW TABLES IN ${schema} LIKE ${quoteText(`${prefix}*`)}`)
  const names = (columns.find(({ name }) => name === 'tableName')?.values ?? []) as string[]
  for (const name of names) {
    if (!name.startsWith(prefix)) continue
    await session.run(`DROP TABLE IF EXISTS ${schema}.${quoteName(name)}`)
  }
}

const leftSentence = ({ prefix, schema }: RunMark, error: Error): string =>
  `Tables whose names begin with ${prefix} may be left in ${schema}: ${error.message}`

/** A session of somebody else may be in another schema than a new one. */
async function presentSchema({ session }: SparkDriver): Promise<string> {
  const { columns } = await session.query('SELECT current_catalog(), current_schema()')
  return columns.map(({ values }) => quoteName(String(values[0]))).join('.')
}

/** A setting that helps where it may be made. */
async function wish(session: SparkSession, key: string, value: string): Promise<void> {
  try {
    await session.setConfig({ [key]: value })
  } catch (error) {
    if (!(error instanceof SparkError) || error.code === 'FB_SPARK_UNREACHABLE') throw error
  }
}

/** catalog.schema.table, each part quoted; parts in backticks stay as they are. */
export const qualifiedName = (name: string): string =>
  (name.match(/`(?:[^`]|``)*`|[^.`]+/g) ?? [name])
    .map(part => (part.startsWith('`') ? part : quoteName(part)))
    .join('.')
