// MCGrad (Tax, Perini, Linder, Haimovich, Karamshuk, Okati, Vojnovic, Apostolopoulos 2026): rounds of gradient boosting on
// the features and the present score. Cross-validation says how many rounds, and they are grown on all rows.
//
// Where it differs from the original: folds come from what rows hold and are not balanced by label; the rows of a leaf are
// counted by weight; the score's bins are cut at multiples of 2^-16; no step of a leaf is larger than 4 before the rate; and a
// score of exactly 0 or 1, at which the original is stuck, counts as so far from it as log loss likes best.

import { throwIfCancelled } from '../common/cancel.ts'
import { startTask } from '../common/task.ts'
import { coreCount } from '../common/threads.ts'
import { ONE } from '../common/units.ts'
import type { ForestRows } from '../forest/forestRows.ts'
import { chooseClip } from '../forest/start.ts'
import type { ForestUpdate } from '../update/update.ts'
import type { Baseline, BaselineRows, BaselineSettings } from './baseline.ts'
import { MCGRAD_FOREST, type McgradRound, NOBODY } from './mcgrad/round.ts'
import { growRuns, lossOfPart, type RoundNews, type RunsQuestion } from './mcgrad/runs.ts'
import { WORKER_SOURCE } from './mcgrad/worker.generated.ts'

const FOLDS = 5
const ROUND_LIMIT = 100

/** Rows below which starting threads takes longer than growing. */
const WORTH_THREADS = 5000

export const mcgrad: Baseline = {
  name: 'mcgrad',
  title: 'MCGrad',
  help: 'Rounds of boosted trees on the features and the score, as many as cross-validation chooses (Tax et al. 2026).',
  reads: ['learningRate', 'roundLimit'],
  usesThreads: true,
  run: async (rows, settings) => (await runMcgrad(rows, settings)).updates,
}

interface McgradRun {
  readonly updates: readonly ForestUpdate[]
  /** Log loss of rows held apart, the mean over folds: at the start, and after each round tried. */
  readonly losses: readonly number[]
  /** Of the fitting rows, in units. */
  readonly prediction: Int32Array
}

export async function runMcgrad(given: BaselineRows, settings: BaselineSettings): Promise<McgradRun> {
  // Groups are not looked at, and may not go to another thread.
  const { groups: _, ...plain } = given
  const rows: ForestRows = { ...plain, part: given.part.map(part => part % FOLDS) }
  const folds = [...new Set(rows.part)].sort((a, b) => a - b)
  // One fold alone would have nothing to learn from.
  if (folds.length < 2) return { updates: [], losses: [], prediction: rows.start }
  const { learningRate: rate = MCGRAD_FOREST.rate, roundLimit = ROUND_LIMIT } = settings
  const question = { rows, rules: { ...MCGRAD_FOREST, rate }, clip: clipFor(rows), roundLimit }
  const log = new RoundLog(rows, folds, roundLimit)
  await follow({ ...question, runs: [...folds, NOBODY] }, log, settings)
  return log.finish()
}

/** In this thread or in several: what comes out is the same. */
async function follow(
  question: RunsQuestion,
  log: RoundLog,
  { onRound, signal, threads = coreCount() }: BaselineSettings,
): Promise<void> {
  const hear = (news: RoundNews): void => {
    throwIfCancelled(signal, 'the rounds of MCGrad')
    const before = log.losses().length
    log.hear(news)
    const rounds = log.losses().length
    if (rounds > before) onRound?.(rounds - 1)
  }
  const { rows, runs } = question
  const count = rows.rowCount < WORTH_THREADS ? 1 : Math.min(threads, runs.length)
  const shares = Array.from({ length: count }, (_, thread) =>
    runs.filter((_run, index) => index % count === thread),
  )
  if (count > 1 && (await followTasks(question, shares, hear, () => log.isDone()))) return
  for (const news of growRuns(question)) {
    hear(news)
    if (log.isDone()) return
  }
}

/** False where the platform has no threads. */
async function followTasks(
  question: RunsQuestion,
  shares: readonly (readonly number[])[],
  hear: (news: RoundNews) => void,
  isDone: () => boolean,
): Promise<boolean> {
  let finish = () => {}
  const done = new Promise<void>(resolve => {
    finish = resolve
  })
  const listen = (news: RoundNews) => {
    if (isDone()) return
    hear(news)
    if (isDone()) finish()
  }
  const tasks = shares.map(runs =>
    startTask<RunsQuestion, RoundNews, void>(WORKER_SOURCE, { ...question, runs }, listen),
  )
  if (tasks.includes(undefined)) return false
  try {
    await Promise.race([done, Promise.all(tasks.map(task => task?.answer))])
    return true
  } finally {
    await Promise.all(tasks.map(task => task?.stop()))
  }
}

/** What is known so far, and whether it is enough. */
class RoundLog {
  readonly #start: Int32Array
  readonly #roundLimit: number
  /** Per fold: at the start, and after each round. */
  readonly #folds: ReadonlyMap<number, number[]>
  readonly #grown: McgradRound[] = []

  constructor(rows: ForestRows, folds: readonly number[], roundLimit: number) {
    this.#start = rows.start
    this.#roundLimit = roundLimit
    this.#folds = new Map(folds.map(fold => [fold, [lossOfPart(rows, rows.start, fold)]]))
  }

  hear(news: RoundNews): void {
    if ('loss' in news) this.#folds.get(news.apart)!.push(news.loss)
    else this.#grown.push(news)
  }

  /** The mean over folds, up to the first round that does not help. */
  losses(): number[] {
    const folds = [...this.#folds.values()]
    const known = Math.min(...folds.map(losses => losses.length))
    const means: number[] = []
    for (let round = 0; round < known; round++) {
      means.push(folds.reduce((sum, losses) => sum + losses[round], 0) / folds.length)
      if (round > 0 && means[round] >= means[round - 1]) break
    }
    return means
  }

  /** Undefined while another round might help. */
  rounds(): number | undefined {
    const losses = this.losses()
    const last = losses.length - 1
    if (last > 0 && losses[last] >= losses[last - 1]) return last - 1
    return last >= this.#roundLimit ? this.#roundLimit : undefined
  }

  isDone(): boolean {
    const rounds = this.rounds()
    return rounds !== undefined && this.#grown.length >= rounds
  }

  finish(): McgradRun {
    const kept = this.#grown.slice(0, this.rounds())
    return {
      updates: kept.map(({ update }) => update),
      losses: this.losses(),
      prediction: kept.at(-1)?.prediction ?? this.#start,
    }
  }
}

function clipFor(rows: ForestRows): number {
  const hard = rows.start.some(score => score <= 0 || score >= ONE)
  return hard ? chooseClip(rows) : 1
}
