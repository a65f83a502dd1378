// Commands whose rows stay in Spark: --engine sc://..., and --table or --sql for what to read there.

import type { RowStore } from '@featureboost/core'
import { didYouMean, formatCount } from '@featureboost/core/internal'
import type { DataColumn } from '../data/kinds.ts'
import { isSparkAddress } from '../engines/spark/address.ts'
import { quoteName } from '../engines/spark/session.ts'
import type { SparkProgress } from '../engines/spark/sessionOptions.ts'
import { qualifiedName, type RunMark, removeRun, SparkWork } from '../engines/spark/work.ts'
import { sqlStore } from '../engines/sql/store/store.ts'
import type { NamedType } from '../engines/sql/store/storeDialect.ts'
import { CommandError } from '../errors.ts'
import type { DataOptions, Reading, Session } from './session.ts'

export interface SparkOptions extends DataOptions {
  readonly engine?: string
  readonly database?: string
  /** catalog.schema, for tables to work in. */
  readonly workSchema?: string
  /** Tables stay. */
  readonly keep?: boolean
  /** Nothing is run; what would be is told. */
  readonly explain?: boolean
}

export const isOnSpark = ({ engine }: { readonly engine?: string }): boolean =>
  engine !== undefined && isSparkAddress(engine)

/** Where the marks of runs are kept, so that what they leave can be removed. */
export interface MarkKeeper {
  marks(): Promise<readonly RunMark[]>
  keep(marks: readonly RunMark[]): Promise<void>
}

export interface SparkRows {
  readonly store: RowStore
  /** Those that are read. */
  readonly columns: readonly DataColumn[]
  /** What is read, as SQL: some columns, or all of them. */
  readonly query: string
  /** All columns, as SQL. */
  readonly whole: string
  readonly names: readonly string[]
  readonly work: SparkWork
}

/** Runs `work` with the rows; its tables are gone afterwards. */
export async function withSparkRows<T>(
  { beginCleaning, progress, signal }: Session,
  paths: readonly string[],
  options: SparkOptions,
  reading: Pick<Reading, 'only' | 'except' | 'ifThere'>,
  work: (rows: SparkRows) => Promise<T>,
  keeper?: MarkKeeper,
): Promise<T> {
  const address = options.engine!
  const whole = queryOf(paths, options)
  progress.phase('opening')
  for (const mark of (await keeper?.marks()) ?? []) await removeRun(address, mark, progress.tell)
  const opened = await SparkWork.open(address, {
    ...{ signal, schema: options.workSchema, keep: options.keep === true, onNote: progress.tell },
    onProgress: (stage, statements, told) => progress.asked(progressWords(stage, statements, told)),
  })
  const done = beginCleaning()
  try {
    await keeper?.keep([opened.mark])
    const all = await opened.driver.describe(whole)
    const chosen = chooseColumns(all, reading)
    const query = `SELECT ${chosen.map(({ name }) => quoteName(name)).join(', ')} FROM (${whole})`
    const { dialect } = opened.driver
    return await work({
      store: sqlStore(opened, query),
      columns: chosen.map(({ name, type }) => {
        const { kind = 'categorical', time } = dialect.given(type) ?? {}
        return { name, kind, duckType: type, ...(time !== undefined && { time }) }
      }),
      ...{ query, whole, work: opened },
      names: all.map(({ name }) => name),
    })
  } finally {
    if (options.keep)
      progress.tell(`Tables whose names begin with ${opened.mark.prefix} stay where they were written.`)
    await opened.close()
    done()
    if (!options.keep) await keeper?.keep([])
  }
}

/** Flags that say how files are read. */
const OF_FILES = ['missing', 'dateFormat', 'decimal', 'encoding', 'database', 'report'] as const

function queryOf(paths: readonly string[], options: SparkOptions): string {
  if (paths.length > 0)
    throw new CommandError(
      2,
      `Rows are read in Spark, with --table or --sql, and ${paths[0]} is a file: leave it out, or leave --engine sc://... out.`,
    )
  const other = OF_FILES.find(name => options[name] !== undefined)
  if (other !== undefined)
    throw new CommandError(
      2,
      `--${other.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)} is for files and rows that are read here, and rows stay in Spark.`,
    )
  const { sql, table } = options
  if ((sql === undefined) === (table === undefined))
    throw new CommandError(
      2,
      'With --engine sc://..., name the rows with --table or with --sql: one of them.',
    )
  if (table !== undefined) return `SELECT * FROM ${qualifiedName(table)}`
  // A comment at its end must not reach what comes after it.
  return `${sql!.trim().replace(/;$/, '')}\n`
}

function chooseColumns(
  all: readonly NamedType[],
  { except = [], ifThere = [], only }: Pick<Reading, 'only' | 'except' | 'ifThere'>,
): readonly NamedType[] {
  const names = all.map(({ name }) => name)
  for (const name of [...(only ?? []), ...except]) {
    if (!names.includes(name))
      throw new CommandError(3, `The rows have no column "${name}". ${didYouMean(name, names)}`, {
        code: 'FB_COLUMN_UNKNOWN',
      })
  }
  const more = ifThere.filter(name => names.includes(name) && !only?.includes(name))
  const wanted = only === undefined ? all : [...only, ...more].map(name => all[names.indexOf(name)])
  return wanted.filter(({ name }) => !except.includes(name))
}

function progressWords(stage: string, statements: number, told: SparkProgress | undefined): string {
  const words = `${stage}, statement ${formatCount(statements)}`
  if (told === undefined || told.stages.length === 0) return words
  const done = told.stages.reduce((sum, { doneCount }) => sum + doneCount, 0)
  const all = told.stages.reduce((sum, { taskCount }) => sum + taskCount, 0)
  return `${words}: ${formatCount(done)} of ${formatCount(all)} tasks`
}
