// From rows to one update: cross-fitted forests, grown in as many threads as there are parts and cores for them.

import { type CancelSignal, throwIfCancelled } from '../../common/cancel.ts'
import { type Helper, openHelper } from '../../common/task.ts'
import { coreCount } from '../../common/threads.ts'
import { ONE } from '../../common/units.ts'
import type { ForestUpdate } from '../../engine/update.ts'
import { NEAREST } from '../logit/regression.ts'
import { type CrossFitted, combineForests } from './crossFit.ts'
import {
  type ForestQuestion,
  type GrowthNews,
  growParts,
  type PlantedForest,
  type PlantedPart,
  type TreeGrown,
} from './growParts.ts'
import { type ForestRows, scoreCuts, weighParts } from './rows.ts'
import { chooseStart, type Recalibration } from './start.ts'
import type { ForestRules } from './trainer.ts'
import { WORKER_SOURCE } from './worker.generated.ts'

/** Parts of the cross-fit: an average of more forests is steadier, and with many rows it no longer matters. */
export const partsFor = (rowCount: number): number => (rowCount < 100_000 ? 6 : 4)

/**
 * What was found to work on many tables: docs/decisions/0009. More rows can tell more leaves apart, fewer where outcomes are rare;
 * few rows deserve small steps.
 */
export function rulesFor(rowCount: number, telling: number): ForestRules {
  const few = rowCount < 10_000
  return {
    leaves: Math.max(8, Math.min(64, Math.round(Math.sqrt(telling) / 7))),
    rate: few ? 0.1 : 0.3,
    roundLimit: 2000,
    patience: few ? 20 : 8,
    ridge: 3,
    leastVariance: 1,
    leastGain: 0,
    sureness: 1,
    lineSureness: 1.5,
  }
}

export interface GrowOptions {
  readonly rules?: Partial<ForestRules>
  readonly threads?: number | undefined
  readonly signal?: CancelSignal | undefined
  readonly onTree?: ((grown: TreeGrown) => void) | undefined
  readonly log?: ForestLog | undefined
  /** Threads that were started ahead, each to be asked once. */
  readonly helpers?: readonly ForestHelper[] | undefined
  /** What this thread does while the others have begun. */
  readonly meanwhile?: (() => Promise<void>) | undefined
}

export type ForestHelper = Helper<ForestQuestion, GrowthNews, void>

/** Forests are kept when they are done, part after part, so that a fit can be cut off anywhere and go on later. */
export interface ForestLog {
  readonly done: ReadonlyMap<number, PlantedForest>
  save(part: PlantedPart): Promise<void>
}

/** Rows below which starting threads takes longer than growing, and below which this thread may grow forests itself. */
const WORTH_THREADS = 5000
const SHORT_WORK = 50_000

/** Threads for so many rows, started before these have been read. */
export function startHelpers(rowCount: number, threads: number = coreCount()): ForestHelper[] {
  const beside = rowCount < WORTH_THREADS ? 0 : threads - (threads === 1 || rowCount < SHORT_WORK ? 1 : 0)
  return Array.from({ length: Math.min(beside, partsFor(rowCount)) }, startHelper).filter(
    helper => helper !== undefined,
  )
}

const startHelper = (): ForestHelper | undefined => openHelper(WORKER_SOURCE)

export interface Grown extends Pick<CrossFitted, 'losses' | 'rounds'> {
  /** None where nothing helps: the score is left as it is. */
  readonly updates: readonly ForestUpdate[]
  /** Where trees grew from: predictions, in units, and how far from 0 and 1 they lie. */
  readonly start: Int32Array
  readonly clip: number
  /** What was done to the score before trees grew. */
  readonly recalibration?: Recalibration
  /** For each part of the rows, the forest that did not see it, with as many trees as were kept. */
  readonly apart: ReadonlyMap<number, ForestUpdate>
}

export async function growForest(given: ForestRows, options: GrowOptions = {}): Promise<Grown> {
  const weights = weighParts(given)
  const parts = weights.flatMap((weight, part) => (weight > 0 ? [part] : []))
  // One part alone would have nothing to grow on.
  if (parts.length < 2) return nothingGrown(given)
  const rules = { ...rulesFor(given.rowCount, tellingRows(given)), ...options.rules }
  const {
    clip,
    start,
    updates: startUpdates,
    ...recalibrated
  } = chooseStart(given, weights, rules.lineSureness ?? Infinity)
  const rows = { ...given, start }
  const cuts = scoreCuts(start, undefined, rows.weight)
  const open = parts.filter(part => options.log?.done.has(part) !== true)
  const threads = Math.min(options.threads ?? coreCount(), rows.rowCount < WORTH_THREADS ? 1 : open.length)
  const forests = await growShares({ rows, cuts, rules, parts }, shareParts(open, threads), options)
  const { losses, rounds, update } = combineForests(
    parts.map(part => forests.get(part)!),
    parts.map(part => weights[part]),
    clip,
    rules.sureness,
  )
  const apart = new Map<number, ForestUpdate>()
  if (update !== undefined) {
    for (const part of parts)
      apart.set(part, { kind: 'forest', clip, trees: forests.get(part)!.trees.slice(0, rounds) })
  }
  const updates = update === undefined ? startUpdates : [...startUpdates, update]
  return { updates, losses, rounds, start, clip, apart, ...recalibrated }
}

const nothingGrown = ({ start }: ForestRows): Grown => ({
  ...{ updates: [], losses: [], rounds: 0, start, clip: NEAREST, apart: new Map() },
})

/** As many rows with even odds would tell as much: four times the variance of the labels, for every row. */
export function tellingRows({ label, rowCount, weight }: ForestRows): number {
  let [ones, total] = [0, 0]
  for (let row = 0; row < rowCount; row++) {
    const counted = weight === undefined ? 1 : weight[row]
    ones += counted * label[row]
    total += counted
  }
  const rate = ones / total / ONE
  return 4 * rate * (1 - rate) * rowCount
}

type Share = Pick<ForestQuestion, 'parts' | 'taken'>

/** One for each thread. Where threads share memory, each takes from all parts until none is left. */
function shareParts(parts: readonly number[], threads: number): Share[] {
  const taken =
    typeof SharedArrayBuffer === 'undefined' ? undefined : new Int32Array(new SharedArrayBuffer(4))
  return Array.from({ length: threads }, (_, thread) =>
    taken === undefined
      ? { parts: parts.filter((_part, index) => index % threads === thread) }
      : { parts, taken },
  )
}

async function growShares(
  question: ForestQuestion,
  shares: readonly Share[],
  { helpers = [], log, meanwhile, onTree, signal }: GrowOptions,
): Promise<ReadonlyMap<number, PlantedForest>> {
  const forests = new Map(log?.done)
  const keeper = new Keeper(question.parts, forests, log)
  const hear = (news: GrowthNews) => {
    throwIfCancelled(signal, 'the growing of forests')
    if ('loss' in news) onTree?.(news)
    else {
      forests.set(news.part, news)
      keeper.keep()
    }
  }
  const helps = shares.length === 1 || question.rows.rowCount < SHORT_WORK
  const waiting = [...helpers]
  const tasks = shares.map((share, thread) =>
    helps && thread === 0
      ? undefined
      : (waiting.pop() ?? startHelper())?.ask({ ...question, ...share }, hear),
  )
  try {
    await meanwhile?.()
    for (const [thread, task] of tasks.entries()) {
      if (task === undefined) growParts({ ...question, ...shares[thread] }, hear)
    }
    // A thread that came too late to take a part is not waited for.
    if (forests.size < question.parts.length) await Promise.all(tasks.map(task => task?.answer))
    await keeper.kept
    return forests
  } finally {
    await Promise.all(tasks.map(task => task?.stop()))
  }
}

/** Saves forests in the order of their parts, whichever is done first: equal fits keep equal logs. */
class Keeper {
  readonly #open: number[]
  readonly #forests: ReadonlyMap<number, PlantedForest>
  readonly #log: ForestLog | undefined
  kept: Promise<void> = Promise.resolve()

  constructor(
    parts: readonly number[],
    forests: ReadonlyMap<number, PlantedForest>,
    log: ForestLog | undefined,
  ) {
    this.#open = parts.filter(part => !forests.has(part))
    this.#forests = forests
    this.#log = log
  }

  keep(): void {
    while (this.#open.length > 0) {
      const part = this.#open[0]
      const forest = this.#forests.get(part)
      if (forest === undefined) return
      this.#open.shift()
      const { losses, trees } = forest
      this.kept = this.kept.then(() => this.#log?.save({ part, losses, trees }))
      // Whoever waits for `kept` hears of it.
      this.kept.catch(() => {})
    }
  }
}
