// What every command that works on data shares: it can be interrupted, tells its phases on stderr and times them.

import type { Table, TableSource } from '@featureboost/core'
import { droppedSentence, type Encoding, holdIfSmall } from '@featureboost/core/internal'
import { checkAddresses } from '../addresses.ts'
import { type OpenedData, type OpenOptions, openData } from '../data/open.ts'
import { CommandError, messageOf } from '../errors.ts'
import { type OutputOptions, outputsOf, refuseReading } from '../outputs.ts'
import { Progress, type ProgressOptions } from '../terminal/progress.ts'
import { bytesOf, READ_SHARE, sizeText } from './size.ts'

export interface DataOptions extends OutputOptions {
  /** The file of flags that was read. */
  readonly config?: string
  readonly table?: string
  readonly sql?: string
  readonly missing?: readonly string[]
  readonly dateFormat?: string
  readonly decimal?: ',' | '.'
  readonly encoding?: Encoding
  readonly maxColumns?: number
  readonly maxCell?: number
  readonly maxRows?: number
  /** "2GB". */
  readonly memory?: string
  readonly maxCategories?: number
}

export interface Session {
  readonly signal: AbortSignal
  readonly progress: Progress
  /** From now on there is something elsewhere that has to be removed: an end is waited for longer. Until what it gives is called. */
  readonly beginCleaning: () => () => void
}

/** Work that does not end by itself so soon after Ctrl-C is ended: whatever is half done is in temporary files. */
const PATIENCE_MS = 500
/** Where tables of ours are elsewhere. A second Ctrl-C does not wait. */
const CLEANING_MS = 30_000

/** Ctrl-C, `kill` and a terminal that is closed, with the exit codes that shells know them by. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const
type Signal = keyof typeof SIGNALS

/**
 * Runs `work` until it ends or a signal asks for its end, such as Ctrl-C; a second one ends the process at once. `afterwards` says what is left and
 * how to go on.
 */
export async function runSession<T>(
  options: ProgressOptions,
  work: (session: Session) => Promise<T>,
  afterwards: () => string = () => 'Nothing was written.',
): Promise<T> {
  checkAddresses()
  const controller = new AbortController()
  let exitCode: number = SIGNALS.SIGINT
  let patience = PATIENCE_MS
  const beginCleaning = () => {
    patience = CLEANING_MS
    return () => {
      patience = PATIENCE_MS
    }
  }
  const interrupted = () => new CommandError(exitCode, `Interrupted. ${afterwards()}`)
  const exit = () => {
    progress.end()
    process.stderr.write(`${messageOf(interrupted())}\n`)
    process.exit(exitCode)
  }
  const interrupt = (signal: Signal) => {
    if (controller.signal.aborted) exit()
    exitCode = SIGNALS[signal]
    controller.abort()
    setTimeout(exit, patience).unref()
  }
  const progress = new Progress(options)
  const signals = Object.keys(SIGNALS) as Signal[]
  for (const signal of signals) process.on(signal, interrupt)
  try {
    return await work({ signal: controller.signal, progress, beginCleaning })
  } catch (error) {
    if (controller.signal.aborted) throw interrupted()
    throw error
  } finally {
    progress.end()
    for (const signal of signals) process.off(signal, interrupt)
  }
}

/** How many rows there are, and how many were left out. */
export type ReadRows = Pick<OpenedData, 'rowCount' | 'leftOut'>

export interface ReadData extends OpenedData {
  /** All rows, in memory where they are not many: whatever reads them again is spared the file. */
  readonly rows: Table | TableSource
}

/** Which columns are read, and how. */
export interface Reading
  extends Pick<
    OpenOptions,
    'only' | 'except' | 'text' | 'categorical' | 'complete' | 'ifThere' | 'dateFormat' | 'out'
  > {
  /** For a model whose file does not say which columns are dates. */
  readonly oldDates?: boolean
}

/** Cells that are held in memory, at most. */
const HELD_CELLS = 2 ** 22

/** As `withData`, for work that reads the rows more than once. */
export function withRows<T>(
  session: Session,
  paths: readonly string[],
  options: DataOptions,
  reading: Reading,
  work: (data: ReadData) => Promise<T>,
): Promise<T> {
  return withData(session, paths, options, reading, async data => {
    for (const note of data.notes) session.progress.tell(note)
    const isSmall = data.rowCount > 0 && data.rowCount * data.columns.length <= HELD_CELLS
    if (isSmall) session.progress.phase('reading')
    return await work({ ...data, rows: isSmall ? await holdIfSmall(data.source, HELD_CELLS) : data.source })
  })
}

/** Opens the data, tells what was noticed, and closes it whatever happens. */
export async function withData<T>(
  { progress, signal }: Session,
  paths: readonly string[],
  options: DataOptions,
  reading: Reading,
  work: (data: OpenedData) => Promise<T>,
): Promise<T> {
  progress.phase('opening')
  const {
    dateFormat,
    decimal,
    encoding,
    maxCategories,
    maxCell,
    maxColumns,
    maxRows,
    memory,
    missing,
    sql,
    table,
  } = options
  const { oldDates, ...columns } = reading
  const data = await openData(paths, {
    ...columns,
    ...(missing !== undefined && { missing }),
    ...(dateFormat !== undefined && { dateFormat }),
    ...(decimal !== undefined && { decimal }),
    ...(encoding !== undefined && { encoding }),
    ...(sql !== undefined && { sql }),
    ...(table !== undefined && { table }),
    ...(memory !== undefined && { memory: sizeText(bytesOf(memory) * READ_SHARE) }),
    limits: {
      ...(maxCell !== undefined && { cellBytes: maxCell }),
      ...(maxColumns !== undefined && { columns: maxColumns }),
      ...(maxRows !== undefined && { rows: maxRows }),
      ...(maxCategories !== undefined && { categories: maxCategories }),
    },
    signal,
  })
  try {
    // Patterns, and what queries name, are files only now.
    refuseReading(outputsOf(options), [...(data.input?.files ?? []), ...data.queried])
    if (oldDates) warnOfDates(data, progress)
    if (data.leftOut > 0)
      progress.tell(droppedSentence(reading.complete!, data.leftOut, data.leftOut + data.rowCount))
    const source = progress.count(data.source, data.rowCount)
    return await work({ ...data, source })
  } finally {
    await data.close()
  }
}

function warnOfDates({ columns }: OpenedData, progress: Progress): void {
  const dates = columns.filter(({ time }) => time !== undefined).map(({ name }) => `"${name}"`)
  if (dates.length === 0) return
  progress.tell(
    `The model file is of version 1, which does not say how dates were read: ${dates.join(', ')} count as days where they are dates, and as seconds where they have a time of day. Were they the other way round when it was fitted, predictions are wrong. Fit it again to be sure.`,
  )
}
