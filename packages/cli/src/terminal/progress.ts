// Progress on stderr: one line that is drawn anew on a terminal, plain lines elsewhere (one a second at most), nothing when
// quiet. It also times the phases. Events only note what happened; one timer draws, so nothing flickers.

import type { SearchProgress, TableSource } from '@featureboost/core'
import { formatCount, type Round, type TreeGrown } from '@featureboost/core/internal'
import { roundsLeft } from './estimate.ts'
import { wrap } from './layout.ts'
import { barStatus, plainStatus, type Status } from './status.ts'
import { type View, viewOf } from './view.ts'
import { visible } from './width.ts'

/** Where progress goes: stderr, or what a test listens to. */
interface ProgressOutput {
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
  write(text: string): unknown
}

export interface ProgressOptions {
  readonly quiet: boolean
  readonly ascii?: boolean
}

interface Phase {
  readonly name: string
  readonly since: number
  /** Rows of the present reading, and readings that are done. */
  rows: number
  readings: number
  readonly rounds: { readonly at: number; readonly round: Round }[]
  trees: { number: number; loss: number } | undefined
  groups: number | undefined
  steps: number | undefined
  task: string | undefined
  /** The round with the lowest held-out loss. */
  best: number
  /** A bar never goes back. */
  share: number
}

/** Milliseconds. A log is told of rows and rounds every second, of nothing but time every ten. */
const [DRAW_EVERY, TELL_EVERY, WAIT_EVERY] = [100, 1000, 10_000]
/** Phases of fewer seconds are not worth a word. */
const SHORTEST_TOLD = 0.05
/** Pieces of work differ: what the first of them took says little of the others. */
const SHARE_TOLD = 0.2
const CLEAR = '\r\x1b[K'

export class Progress {
  readonly #quiet: boolean
  readonly #told = new Set<string>()
  readonly #ascii: boolean
  readonly #output: ProgressOutput
  readonly #terminal: boolean
  readonly #seconds: Record<string, number> = {}
  readonly #started = performance.now()
  #phase: Phase | undefined
  #rowCount: number | undefined
  /** Phases that read all rows so many times, and do little else: their end can be told. */
  #readings: Readonly<Record<string, number>> = { reading: 1, loading: 1, correcting: 1 }
  #timer: NodeJS.Timeout | undefined
  #lastTold = Number.NEGATIVE_INFINITY
  #drawn = ''
  #lastDrawn = Number.NEGATIVE_INFINITY
  #summed = false

  constructor({ ascii = false, quiet }: ProgressOptions, output: ProgressOutput = process.stderr) {
    this.#quiet = quiet
    this.#ascii = ascii
    this.#output = output
    this.#terminal = output.isTTY === true && process.env.TERM !== 'dumb'
  }

  readonly phase = (name: string): void => {
    this.#close()
    const since = performance.now()
    const nothing = {
      rows: 0,
      readings: 0,
      trees: undefined,
      groups: undefined,
      steps: undefined,
      task: undefined,
      best: 0,
      share: 0,
    }
    this.#phase = { name, since, rounds: [], ...nothing }
    if (this.#quiet) return
    // The timer alone must not keep the process alive.
    this.#timer ??= setInterval(this.#tick, this.#terminal ? DRAW_EVERY : TELL_EVERY).unref()
    if (this.#terminal) this.#draw()
  }

  /** From now on, rows that are read through this are counted. */
  count(source: TableSource, rowCount: number): TableSource {
    this.#rowCount = rowCount
    const noted = (rows: number) => {
      const phase = this.#phase
      if (phase === undefined) return
      phase.rows += rows
      if (phase.rows >= rowCount) {
        phase.readings++
        phase.rows = 0
      }
      this.#tick()
    }
    return {
      async *chunks() {
        for await (const chunk of source.chunks()) {
          yield chunk
          noted(chunk.rowCount)
        }
      },
    }
  }

  /** Of phases that read all rows another number of times. */
  expectReadings(readings: Readonly<Record<string, number>>): void {
    this.#readings = { ...this.#readings, ...readings }
  }

  readonly round = (round: Round): void => {
    const phase = this.#phase
    if (phase === undefined) return
    const first = phase.rounds.length === 0
    const heldOut = round.losses[1]
    const lowest = phase.rounds[phase.best]?.round.losses[1]
    if (heldOut !== undefined && (lowest === undefined || heldOut < lowest)) phase.best = phase.rounds.length
    phase.rounds.push({ at: performance.now(), round })
    if (first) this.#show()
    else this.#tick()
  }

  readonly tree = ({ loss }: TreeGrown): void => {
    const phase = this.#phase
    if (phase === undefined) return
    phase.trees = { number: (phase.trees?.number ?? 0) + 1, loss }
    phase.task = undefined
    this.#tick()
  }

  /** Of groups that are mended after a forest. */
  readonly group = (): void => {
    if (this.#phase === undefined) return
    this.#phase.groups = (this.#phase.groups ?? 0) + 1
    this.#phase.task = undefined
    this.#tick()
  }

  /** Of a published method. */
  readonly step = (steps: number): void => {
    if (this.#phase === undefined) return
    this.#phase.steps = steps
    this.#tick()
  }

  /** One of several pieces of work, in words, and the share of the phase that is done when it begins. */
  readonly task = (phase: string, words: string, share: number): void => {
    if (this.#phase?.name !== phase) this.phase(phase)
    Object.assign(this.#phase!, { task: words, share })
    this.#tick()
  }

  /** What a database elsewhere is doing, in words; nobody knows how long it takes. */
  readonly asked = (words: string): void => {
    if (this.#phase === undefined) return
    this.#phase.task = words
    this.#tick()
  }

  /** Of an audit, whose work was planned before it began. */
  readonly search = ({ done, of, share, task }: SearchProgress): void => {
    if (this.#phase === undefined) return
    Object.assign(this.#phase, { task: `${formatCount(done)} of ${formatCount(of)} ${task}`, share })
    this.#tick()
  }

  /** A sentence that stays, said once: what is noticed of the data may be noticed again by the work. */
  readonly tell = (line: string): void => {
    if (this.#told.has(line)) return
    this.#told.add(line)
    this.#write(line)
  }

  #write(line: string): void {
    if (this.#quiet) return
    const text = this.#terminal ? wrap(visible(line), this.#view().width, 2) : visible(line)
    this.#output.write(this.#drawn === '' ? `${text}\n` : `${CLEAR}${text}\n`)
    this.#drawn = ''
  }

  /** By phase, and in all, up to now; said in one line, too. */
  seconds(): Record<string, number> {
    this.#close()
    const total = secondsSince(this.#started)
    if (!this.#summed) {
      const long = Object.entries(this.#seconds).filter(([, seconds]) => seconds >= SHORTEST_TOLD)
      const phases = long.map(([name, seconds]) => `${name} ${seconds.toFixed(1)} s`)
      this.#write(`${phases.length === 0 ? 'done' : phases.join(', ')}: ${total.toFixed(1)} s in all`)
      this.#summed = true
    }
    return { ...this.#seconds, total }
  }

  /** Leaves a clean line behind, whatever happened. */
  end(): void {
    this.#close()
    clearInterval(this.#timer)
    this.#timer = undefined
    if (this.#drawn !== '') this.#output.write(CLEAR)
    this.#drawn = ''
  }

  #close(): void {
    if (this.#phase === undefined) return
    const { name, since } = this.#phase
    this.#seconds[name] = rounded((this.#seconds[name] ?? 0) + secondsSince(since))
    this.#phase = undefined
  }

  /** Work that keeps the event loop busy also stops the timer, so events tick too. */
  readonly #tick = (): void => {
    if (this.#quiet || this.#phase === undefined) return
    const now = performance.now()
    if (this.#terminal) {
      if (now - this.#lastDrawn >= DRAW_EVERY) this.#draw()
      return
    }
    const { rate } = this.#status(this.#phase)
    const every = rate === undefined && this.#phase.task === undefined ? WAIT_EVERY : TELL_EVERY
    if (now - Math.max(this.#phase.since, this.#lastTold) >= every) this.#tellStatus()
  }

  /** At once: the first of many events is seen, however short the phase is. */
  #show(): void {
    if (!this.#terminal) this.#tellStatus()
    else if (!this.#quiet) this.#draw()
  }

  #tellStatus(): void {
    if (this.#quiet || this.#phase === undefined) return
    this.#lastTold = performance.now()
    this.#write(plainStatus(this.#status(this.#phase)))
  }

  #draw(): void {
    if (this.#phase === undefined) return
    this.#lastDrawn = performance.now()
    const line = barStatus(this.#status(this.#phase), this.#view())
    if (line === this.#drawn) return
    // What is left of a longer line is erased after the new one stands, so the line never blinks.
    this.#output.write(`\r${line}\x1b[K`)
    this.#drawn = line
  }

  /** Asked for anew each time: terminals are resized. */
  #view(): View {
    return viewOf(this.#output, { ascii: this.#ascii })
  }

  #status(phase: Phase): Status {
    const elapsed = (performance.now() - phase.since) / 1000
    const common = { phase: phase.name, elapsed }
    if (phase.rounds.length > 0) return { ...common, ...roundStatus(phase) }
    if (phase.task !== undefined) {
      const left = phase.share < SHARE_TOLD ? undefined : (elapsed / phase.share) * (1 - phase.share)
      return { ...common, task: phase.task, share: phase.share, left }
    }
    if (phase.groups !== undefined) return { ...common, groups: phase.groups }
    if (phase.trees !== undefined) {
      return { ...common, trees: phase.trees, rate: phase.trees.number / elapsed }
    }
    if (phase.steps !== undefined) return { ...common, steps: phase.steps, rate: phase.steps / elapsed }
    const all = this.#rowCount
    const readings = this.#readings[phase.name]
    if (all === undefined || readings === undefined || phase.rows + phase.readings === 0) return common
    const done = phase.readings * all + phase.rows
    const share = Math.max(phase.share, Math.min(1, done / (readings * all)))
    phase.share = share
    const left = share < 1 && elapsed > 0.5 ? (elapsed / share) * (1 - share) : undefined
    const rows = { done: Math.min(all, phase.rows === 0 ? all : phase.rows), all }
    return { ...common, share, rows, rate: done / elapsed, left }
  }
}

/** Rounds behind the rate. */
const RECENT = 10

function roundStatus(phase: Phase): Omit<Status, 'phase' | 'elapsed'> {
  const { best, rounds } = phase
  const { round } = rounds[rounds.length - 1]
  const recent = rounds.slice(-RECENT - 1)
  const span = (recent[recent.length - 1].at - recent[0].at) / 1000
  const rate = span > 0 ? (recent.length - 1) / span : undefined
  const drops = rounds.map(each => each.round.drop)
  const left = round.leastDrop === undefined ? undefined : roundsLeft(drops, round.leastDrop)
  if (left !== undefined) {
    phase.share = Math.max(phase.share, Math.min(0.99, rounds.length / (rounds.length + left)))
  }
  return {
    share: left === undefined ? undefined : phase.share,
    round: {
      number: round.round,
      losses: round.losses,
      // With a drop to reach, the held-out loss decides nothing.
      sinceBest:
        round.losses.length > 1 && round.leastDrop === undefined ? rounds.length - 1 - best : undefined,
    },
    rate,
    left: left === undefined || rate === undefined ? undefined : left / rate,
  }
}

const rounded = (seconds: number): number => Math.round(1000 * seconds) / 1000
const secondsSince = (since: number): number => rounded((performance.now() - since) / 1000)
