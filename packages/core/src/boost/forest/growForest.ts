// From rows to one update: cross-fitted forests, grown in as many threads as there are parts and cores for them.

import { type CancelSignal, throwIfCancelled } from '../../common/cancel.ts'
import { logLossUnits } from '../../common/logistic.ts'
import { startTask } from '../../common/task.ts'
import { coreCount } from '../../common/threads.ts'
import { ONE } from '../../common/units.ts'
import { type CrossFitted, chooseClip, combineForests } from './crossFit.ts'
import { type ForestQuestion, type GrownPart, growParts, type TreeGrown } from './growParts.ts'
import { type ForestRows, scoreCuts } from './rows.ts'
import type { ForestRules } from './trainer.ts'
import { WORKER_SOURCE } from './worker.generated.ts'

/** Parts of the cross-fit: an average of more forests is steadier, and with many rows it no longer matters. */
export const partsFor = (rowCount: number): number => (rowCount < 100_000 ? 6 : 4)

/** What was found to work on many tables: docs/decisions/0009. More rows can tell more leaves apart. */
export function rulesFor(rowCount: number): ForestRules {
  return {
    leaves: Math.max(8, Math.min(64, Math.round(Math.sqrt(rowCount) / 8))),
    rate: 0.2,
    roundLimit: 2000,
    patience: 10,
    ridge: 3,
    leastVariance: 1,
    leastGain: 0,
  }
}

export interface GrowOptions {
  readonly rules?: Partial<ForestRules>
  readonly threads?: number | undefined
  readonly signal?: CancelSignal | undefined
  readonly onTree?: ((grown: TreeGrown) => void) | undefined
}

/** Rows below which starting threads takes longer than growing. */
const WORTH_THREADS = 5000

export async function growForest(given: ForestRows, options: GrowOptions = {}): Promise<CrossFitted> {
  const clip = chooseClip(given.label, given.start, given.weight, logLossUnits)
  const start = given.start.map(score => Math.max(clip, Math.min(ONE - clip, score)))
  const rows = { ...given, start }
  const cuts = scoreCuts(start)
  const rules = { ...rulesFor(rows.rowCount), ...options.rules }
  const weights = weighParts(rows)
  const parts = weights.flatMap((weight, part) => (weight > 0 ? [part] : []))
  // One part alone would have nothing to grow on.
  if (parts.length < 2) return { update: undefined, losses: [], rounds: 0 }
  const threads = Math.min(options.threads ?? coreCount(), rows.rowCount < WORTH_THREADS ? 1 : parts.length)
  const shares = Array.from({ length: threads }, (_, thread) =>
    parts.filter((_part, index) => index % threads === thread),
  )
  const grown = await growShares({ rows, cuts, rules, parts }, shares, options)
  grown.sort((a, b) => a.part - b.part)
  return combineForests(
    grown,
    grown.map(({ part }) => weights[part]),
    cuts,
    clip,
  )
}

async function growShares(
  question: ForestQuestion,
  shares: readonly (readonly number[])[],
  { onTree, signal }: GrowOptions,
): Promise<GrownPart[]> {
  const tell = (grown: TreeGrown) => {
    throwIfCancelled(signal, 'the growing of forests')
    onTree?.(grown)
  }
  const tasks = shares.map(parts =>
    shares.length === 1
      ? undefined
      : startTask<ForestQuestion, TreeGrown, GrownPart[]>(WORKER_SOURCE, { ...question, parts }, tell),
  )
  try {
    const answers = tasks.map((task, index) =>
      task === undefined ? growParts({ ...question, parts: shares[index] }, tell) : task.answer,
    )
    return (await Promise.all(answers)).flat()
  } finally {
    await Promise.all(tasks.map(task => task?.stop()))
  }
}

function weighParts({ part, rowCount, weight }: ForestRows): number[] {
  const weights = new Array<number>(1 + part.reduce((most, one) => Math.max(most, one), 0)).fill(0)
  for (let row = 0; row < rowCount; row++) weights[part[row]] += weight === undefined ? 1 : weight[row]
  return weights
}
