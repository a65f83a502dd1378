// Where the rows of a command are: in memory, or in DuckDB where they would not fit. Ctrl-C is heard between two questions, and in
// DuckDB within one.

import { totalmem } from 'node:os'
import { FeatureBoostError, type MakeEngine, type MemoryOptions, memoryEngine } from '@featureboost/core'
import { checkRowLimit, formatCount } from '@featureboost/core/internal'
import { duckdbEngine } from '../engines/duckdb/engine.ts'
import { WorkDatabase } from '../engines/duckdb/work.ts'
import { CommandError } from '../errors.ts'
import type { ReadData, Session } from './session.ts'
import { bytesOf, sizeText, WORK_SHARE } from './size.ts'

export function interruptibleEngine(
  options: Pick<MemoryOptions, 'onWarning' | 'signal'> & { readonly threads?: number | undefined },
): MakeEngine {
  const { threads, ...rest } = options
  return memoryEngine({ ...rest, ...(threads !== undefined && { mostThreads: threads }) })
}

export const ENGINES = ['memory', 'duckdb'] as const

type EngineName = (typeof ENGINES)[number]

export interface EngineOptions {
  /** Absent: in memory, unless that is too little. Rows in Spark (spark.ts) have an address here. */
  readonly engine?: string
  /** "2GB". */
  readonly memory?: string
  /** A file to work in. */
  readonly database?: string
  readonly threads?: number
}

/** Runs `work` with rows where they are to be; what was needed for that is gone afterwards. */
export async function withEngine<T>(
  { progress, signal }: Session,
  data: Pick<ReadData, 'rowCount' | 'columns' | 'source' | 'rows'>,
  options: EngineOptions,
  work: (engine: MakeEngine, rows: ReadData['rows']) => Promise<T>,
): Promise<T> {
  const { database, memory, threads } = options
  if (options.engine === 'memory' && database !== undefined)
    throw new CommandError(2, '--database is for --engine duckdb, which keeps its rows there.')
  checkRowLimit(data.rowCount)
  if (chooseEngine(data, options, progress.tell) === 'memory')
    return await work(interruptibleEngine({ threads, signal, onWarning: progress.tell }), data.rows)
  const opened = await WorkDatabase.open({
    path: database,
    threads,
    ...(memory !== undefined && { memory: sizeText(bytesOf(memory) * WORK_SHARE) }),
  })
  const interrupt = () => opened.interrupt()
  signal.addEventListener('abort', interrupt, { once: true })
  try {
    return await work(duckdbEngine(opened), data.source)
  } finally {
    signal.removeEventListener('abort', interrupt)
    await opened.close()
  }
}

/**
 * Bytes that a row takes in memory besides its bins: label, score, prediction, key and weight, and, while rows are read, its place among
 * the hashes by which copies are found, which are doubled when they are full.
 */
const ROW_BYTES = 5 * 4 + 36

/** Of the machine, or of what this process may have of it. */
const memoryOfMachine = (): number => {
  const allowed = process.constrainedMemory?.() ?? 0
  return allowed > 0 && allowed < totalmem() ? allowed : totalmem()
}

/** Says why, where nobody asked for what is chosen. */
export function chooseEngine(
  { columns, rowCount }: { readonly columns: readonly unknown[]; readonly rowCount: number },
  { database, engine, memory }: EngineOptions,
  tell: (line: string) => void,
): EngineName {
  if (engine !== undefined) return engine as EngineName
  if (database !== undefined) return 'duckdb'
  const needed = rowCount * (columns.length + ROW_BYTES)
  const there = memory === undefined ? memoryOfMachine() / 2 : bytesOf(memory)
  if (needed <= there) return 'memory'
  const limit = memory === undefined ? 'half of the memory of this machine' : `--memory ${memory}`
  tell(
    `${formatCount(rowCount)} rows would take about ${sizeText(needed)} of memory, more than ${limit}: they are kept on disk, in DuckDB, which takes longer and gives the same. --engine memory keeps them in memory all the same.`,
  )
  return 'duckdb'
}

interface Held {
  readonly columns: readonly unknown[]
  readonly rowCount: number
}

/** Of the machine's memory, where nobody says how much rows may take and there is no other place for them. */
const MOST_SHARE = 0.8

/**
 * For commands that keep their rows in memory and have no other place for them: refuses before the work what would not fit.
 * `copies`: how often they hold all cells as doubles, besides what an engine takes.
 */
export function requireMemory(
  { columns, rowCount }: Held,
  { memory }: Pick<EngineOptions, 'memory'>,
  copies = 0,
): void {
  const needed = rowCount * (columns.length + ROW_BYTES + copies * 8 * columns.length)
  const there = memory === undefined ? memoryOfMachine() * MOST_SHARE : bytesOf(memory)
  if (needed <= there) return
  const limit =
    memory === undefined ? `${MOST_SHARE * 100} % of the memory of this machine` : `--memory ${memory}`
  throw new FeatureBoostError(
    'FB_MEMORY',
    `${formatCount(rowCount)} rows would take about ${sizeText(needed)} of memory, more than ${limit}, and this command keeps them there.`,
    {
      hint: `${memory === undefined ? 'Work' : 'Raise --memory, or work'} on some of the rows: --sql "from data using sample 500000".`,
    },
  )
}
