// From rows to one update: cross-fitted forests, grown in as many threads as there are parts and cores for them.

import { type CancelSignal, throwIfCancelled } from '../common/cancel.ts'
import { type Helper, openHelper } from '../common/task.ts'
import { coreCount } from '../common/threads.ts'
import { makePause } from '../common/turn.ts'
import { ONE } from '../common/units.ts'
import { makeMover } from '../update/move.ts'
import type { ForestUpdate } from '../update/update.ts'
import { type CrossFitted, combineForests } from './crossFit.ts'
import { type ForestRows, observationsIn, scoreCuts, weighParts } from './forestRows.ts'
import {
  type ForestQuestion,
  type GrowthNews,
  growParts,
  type NumberedForest,
  type PartForest,
  type TreeGrown,
} from './growParts.ts'
import { NEAREST } from './line/regression.ts'
import { evidenceAgainst, lossGain, rowWeightOf, shareBeyondLuck } from './lossGain.ts'
import { chooseStart, type Recalibration } from './start.ts'
import type { ForestRules } from './trainer.ts'
import { WORKER_SOURCE } from './worker.generated.ts'

/** Fewer rows are few: forests that learn from them need all the help that time can buy. */
export const FEW_ROWS = 10_000

/** Parts of the cross-fit: an average of more forests is steadier, and with many rows it no longer matters. */
export const partsFor = (rowCount: number): number => (rowCount < FEW_ROWS ? 12 : rowCount < 100_000 ? 6 : 4)

/**
 * What was found to work on many tables: docs/decisions/0009. More rows can tell more leaves apart, fewer where outcomes are rare.
 */
export function rulesFor(rowCount: number, informativeRows: number): ForestRules {
  const leaves = Math.max(8, Math.min(64, Math.round(Math.sqrt(informativeRows) / 7)))
  const common = {
    leaves,
    roundLimit: 2000,
    ridge: 3,
    leastVariance: 1,
    leastGain: 0,
    lineStandardErrors: 1.5,
  }
  return { ...common, ...(rowCount < FEW_ROWS ? OF_FEW_ROWS : OF_MANY_ROWS) }
}

const OF_MANY_ROWS = { rate: 0.3, patience: 8, standardErrors: 1 }

/** Small steps, and a test of whether the score is wrong at all. */
const OF_FEW_ROWS = { rate: 0.1, patience: 20, trial: { steps: 2, evidence: 3.3 }, further: 2 }

/** Nats by which few rows have to prefer trees that look at all cuts: more is to be gained by choosing these than by luck. */
const LEAD_OF_ALL_CUTS = 4

/** With few rows, drawn cuts find what many trees agree on, and all cuts what a single one tells: both are tried. */
function rulesToTry(rowCount: number, informativeRows: number): ForestRules[] {
  const rules = rulesFor(rowCount, informativeRows)
  if (rowCount >= FEW_ROWS) return [rules]
  return [
    { ...rules, drawsCuts: true },
    { ...rules, lead: LEAD_OF_ALL_CUTS },
  ]
}

/** Smaller steps need more patience. */
function overrule(usual: ForestRules, other: Partial<ForestRules>): ForestRules {
  const { rate = usual.rate } = other
  return { ...usual, patience: Math.round((usual.patience * usual.rate) / rate), ...other }
}

interface GrowOptions {
  /** In place of the usual ones. */
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
  readonly done: ReadonlyMap<number, PartForest>
  save(part: NumberedForest): Promise<void>
}

/** Rows below which starting threads takes longer than growing, and below which this thread may grow forests itself. */
const WORTH_THREADS = 5000
const SHORT_WORK = 50_000

/** Threads for so many rows, started before these have been read. */
export function startHelpers(
  rowCount: number,
  threads: number = coreCount(),
  parts: number = partsFor(rowCount),
): ForestHelper[] {
  const beside = rowCount < WORTH_THREADS ? 0 : threads - (threads === 1 || rowCount < SHORT_WORK ? 1 : 0)
  return Array.from({ length: Math.min(beside, parts) }, startHelper).filter(helper => helper !== undefined)
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
  /** Did forests show, on rows that they did not see, that where they grew from is wrong? Asked where rows are few. */
  readonly proven: boolean
  /** Trees that parts of the rows do not agree on; absent where they do, where there are none, or where rows are few. */
  readonly doubtful?: Trees
}

/** Updates, the last of which is the forest; and the forests apart that it is the average of. */
export type Trees = Pick<Grown, 'apart' | 'rounds' | 'updates'>

export async function growForest(given: ForestRows, options: GrowOptions = {}): Promise<Grown> {
  const weights = weighParts(given)
  const parts = weights.flatMap((weight, part) => (weight > 0 ? [part] : []))
  // One part alone would have nothing to grow on.
  if (parts.length < 2) return nothingGrown(given)
  const observations = observationsIn(given)
  const informativeRows = countInformativeRows(given)
  const rules =
    options.rules === undefined
      ? rulesToTry(observations, informativeRows)
      : [overrule(rulesFor(observations, informativeRows), options.rules)]
  const {
    clip,
    start,
    updates: startUpdates,
    ...recalibrated
  } = chooseStart(given, weights, rules[0].lineStandardErrors ?? Infinity)
  const rows = { ...given, start }
  const cuts = scoreCuts(start, undefined, rows.weight)
  const all = rules.flatMap((_, by) => parts.map(part => by * weights.length + part))
  const open = all.filter(part => options.log?.done.has(part) !== true)
  const threads = Math.min(options.threads ?? coreCount(), rows.rowCount < WORTH_THREADS ? 1 : open.length)
  const grown = await growShares({ rows, cuts, rules, parts: all }, shareParts(open, threads), options)
  const kinds = rules.map((each, by) => ({
    rules: each,
    forests: new Map(parts.map(part => [part, grown.get(by * weights.length + part)!])),
  }))
  const trial = judgeStart(rows, kinds[0], clip)
  const tried = kinds.map(kind => combineApart(kind, weights, clip, trial))
  const best = tried.reduce((a, b) => (isBetter(b, a, observations) ? b : a))
  const { doubtful, losses, rounds, update } = best
  const proven = trial?.isWrong === true && rounds > 0
  const treesOf = (forest: ForestUpdate, count: number): Trees => ({
    updates: [...startUpdates, forest],
    rounds: count,
    apart: cutForests(best.forests, clip, count),
  })
  const trees =
    update === undefined ? { updates: startUpdates, rounds, apart: new Map() } : treesOf(update, rounds)
  return {
    ...{ ...trees, losses, start, clip, proven, ...recalibrated },
    ...(doubtful !== undefined && { doubtful: treesOf(doubtful.update, doubtful.rounds) }),
  }
}

/** Forests by the part that they did not see. */
interface ForestKind {
  readonly rules: ForestRules
  readonly forests: ReadonlyMap<number, PartForest>
}

interface Combined extends CrossFitted, ForestKind {}

/** What few rows say of the start, by forests that did not see them. */
interface Trial {
  /** Nothing is kept where they do not contradict it. */
  readonly isWrong: boolean
  /** Of what they find, the share that is not luck. */
  readonly share: number
}

/** Undefined where it is not asked. */
function judgeStart(
  rows: ForestRows,
  { forests, rules: { rate, trial } }: ForestKind,
  clip: number,
): Trial | undefined {
  if (trial === undefined) return undefined
  const apart = predictApart(rows, cutForests(forests, clip, Math.round(trial.steps / rate)))
  const evidence = evidenceAgainst(lossGain({ ...rows, rowWeight: rowWeightOf(rows) }, rows.start, apart))
  return { isWrong: evidence >= trial.evidence, share: shareBeyondLuck(evidence) }
}

function combineApart(
  { forests, rules }: ForestKind,
  weights: readonly number[],
  clip: number,
  trial: Trial | undefined,
): Combined {
  const { further = 1, standardErrors } = rules
  const fitted = combineForests(
    [...forests.values()],
    [...forests.keys()].map(part => weights[part]),
    clip,
    trial === undefined
      ? { standardErrors, further }
      : { standardErrors: trial.isWrong ? 0 : Infinity, further: further * trial.share },
  )
  return { ...fitted, forests, rules }
}

/** Forests that are kept are better than none; of two, the one with the lower loss, by what its rules ask for. */
function isBetter(one: Combined, other: Combined, observations: number): boolean {
  if (one.rounds === 0 || other.rounds === 0) return one.rounds > other.rounds
  return Math.min(...one.losses) + (one.rules.lead ?? 0) / observations < Math.min(...other.losses)
}

/** Forests of so many trees, by the part that they did not see. */
const cutForests = (
  forests: ReadonlyMap<number, PartForest>,
  clip: number,
  count: number,
): Map<number, ForestUpdate> =>
  new Map(
    [...forests].map(([part, { trees }]) => [part, { kind: 'forest', clip, trees: trees.slice(0, count) }]),
  )

/** What each row is predicted by the forest that did not see it. */
function predictApart(
  { bins, features, part, rowCount, start }: ForestRows,
  apart: ReadonlyMap<number, ForestUpdate>,
): Int32Array {
  const binCounts = features.map(feature => feature.bins)
  const movers = new Map([...apart].map(([key, forest]) => [key, makeMover(forest, binCounts)]))
  const moved = Int32Array.from(start)
  for (let row = 0; row < rowCount; row++) moved[row] = movers.get(part[row])!(bins, [], row, start[row])
  return moved
}

const nothingGrown = ({ start }: ForestRows): Grown => ({
  ...{ updates: [], losses: [], rounds: 0, start, clip: NEAREST, apart: new Map(), proven: false },
})

/** As many rows with even odds would tell as much: four times the variance of the labels, for every row. */
export function countInformativeRows(rows: ForestRows): number {
  const { label, rowCount, weight } = rows
  let [ones, total] = [0, 0]
  for (let row = 0; row < rowCount; row++) {
    const counted = weight === undefined ? 1 : weight[row]
    ones += counted * label[row]
    total += counted
  }
  const rate = ones / total / ONE
  return 4 * rate * (1 - rate) * observationsIn(rows)
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

const GROWING = 'the growing of forests'

async function growShares(
  question: ForestQuestion,
  shares: readonly Share[],
  { helpers = [], log, meanwhile, onTree, signal }: GrowOptions,
): Promise<ReadonlyMap<number, PartForest>> {
  const forests = new Map(log?.done)
  const keeper = new Keeper(question.parts, forests, log)
  const hear = (news: GrowthNews) => {
    throwIfCancelled(signal, GROWING)
    if ('loss' in news) onTree?.(news)
    else {
      forests.set(news.part, news)
      keeper.keep()
    }
  }
  const pause = makePause(signal, GROWING)
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
      if (task !== undefined) continue
      for (const news of growParts({ ...question, ...shares[thread] })) {
        hear(news)
        await pause()
      }
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
  readonly #forests: ReadonlyMap<number, PartForest>
  readonly #log: ForestLog | undefined
  kept: Promise<void> = Promise.resolve()

  constructor(
    parts: readonly number[],
    forests: ReadonlyMap<number, PartForest>,
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
