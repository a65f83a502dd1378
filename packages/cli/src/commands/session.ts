// What every command that works on data shares: it can be interrupted, tells its phases on stderr and times them.

import { formatNumber, type Round } from '@featureboost/core'
import { type OpenedData, type OpenOptions, openData } from '../data/open.ts'
import { CommandError } from '../errors.ts'

export interface DataOptions {
  readonly table?: string
  readonly sql?: string
  readonly missing?: readonly string[]
  readonly maxColumns?: number
  readonly maxCell?: number
  readonly maxRows?: number
}

export interface Session {
  readonly signal: AbortSignal
  readonly progress: Progress
}

/** Work that does not end by itself so soon after Ctrl-C is ended: whatever is half done is in temporary files. */
const PATIENCE_MS = 500

/**
 * Runs `work` until it ends or Ctrl-C is pressed; a second Ctrl-C ends the process at once. `afterwards` says what is left and
 * how to go on.
 */
export async function runSession<T>(
  quiet: boolean,
  work: (session: Session) => Promise<T>,
  afterwards: () => string = () => 'Nothing was written.',
): Promise<T> {
  const controller = new AbortController()
  const interrupted = () => new CommandError(130, `Interrupted. ${afterwards()}`)
  const exit = () => {
    progress.end()
    process.stderr.write(`${interrupted().message}\n`)
    process.exit(130)
  }
  const interrupt = () => {
    if (controller.signal.aborted) exit()
    controller.abort()
    setTimeout(exit, PATIENCE_MS).unref()
  }
  process.on('SIGINT', interrupt)
  const progress = new Progress(quiet)
  try {
    return await work({ signal: controller.signal, progress })
  } catch (error) {
    if (controller.signal.aborted) throw interrupted()
    throw error
  } finally {
    progress.end()
    process.off('SIGINT', interrupt)
  }
}

/** Opens the data, tells what was noticed, and closes it whatever happens. */
export async function withData<T>(
  { progress, signal }: Session,
  paths: readonly string[],
  options: DataOptions,
  reading: Pick<OpenOptions, 'only' | 'except' | 'text'>,
  work: (data: OpenedData) => Promise<T>,
): Promise<T> {
  progress.phase('opening')
  const { maxCell, maxColumns, maxRows, missing, sql, table } = options
  const data = await openData(paths, {
    ...reading,
    ...(missing !== undefined && { missing }),
    ...(sql !== undefined && { sql }),
    ...(table !== undefined && { table }),
    limits: {
      ...(maxCell !== undefined && { cellBytes: maxCell }),
      ...(maxColumns !== undefined && { columns: maxColumns }),
      ...(maxRows !== undefined && { rows: maxRows }),
    },
    signal,
  })
  try {
    return await work(data)
  } finally {
    await data.close()
  }
}

/** Phases and rounds on stderr: one line that changes on a terminal, plain lines elsewhere, nothing when quiet. */
export class Progress {
  readonly #quiet: boolean
  readonly #terminal = process.stderr.isTTY === true
  readonly #seconds: Record<string, number> = {}
  readonly #started = performance.now()
  #phase: { readonly name: string; readonly since: number } | undefined
  #lastLine = Number.NEGATIVE_INFINITY

  constructor(quiet: boolean) {
    this.#quiet = quiet
  }

  readonly phase = (name: string): void => {
    this.#close()
    this.#phase = { name, since: performance.now() }
    if (this.#terminal) this.#show(`${name} ...`)
  }

  readonly round = ({ accepted, losses, round }: Round): void => {
    const heldOut = losses.length > 1 ? `, held out ${formatNumber(losses[1], 5)}` : ''
    const line = `  round ${round}: loss ${formatNumber(losses[0], 5)}${heldOut}${accepted ? '' : ' (not kept)'}`
    if (this.#terminal) this.#show(line)
    else if (performance.now() - this.#lastLine >= 1000) {
      this.#lastLine = performance.now()
      this.tell(line)
    }
  }

  /** A line that stays. */
  readonly tell = (line: string): void => {
    if (this.#quiet) return
    process.stderr.write(this.#terminal ? `\r\x1b[K${line}\n` : `${line}\n`)
  }

  end(): void {
    this.#close()
    if (this.#terminal && !this.#quiet) process.stderr.write('\r\x1b[K')
  }

  /** By phase, and in all, up to now. */
  seconds(): Record<string, number> {
    this.#close()
    return { ...this.#seconds, total: secondsSince(this.#started) }
  }

  #close(): void {
    if (this.#phase === undefined) return
    const { name, since } = this.#phase
    this.#seconds[name] = rounded((this.#seconds[name] ?? 0) + secondsSince(since))
    this.#phase = undefined
    this.tell(`${name}: ${this.#seconds[name].toFixed(1)} s`)
  }

  #show(line: string): void {
    if (this.#quiet) return
    process.stderr.write(`\r\x1b[K${line.slice(0, (process.stderr.columns ?? 80) - 1)}`)
  }
}

const rounded = (seconds: number): number => Math.round(1000 * seconds) / 1000
const secondsSince = (since: number): number => rounded((performance.now() - since) / 1000)
