// Levels of the prediction with about as many rows each, and what a group has at each of its own.

import { groupTree } from '../../classes/groups.ts'
import { ONE } from '../../common/units.ts'
import { type Engine, observationWeight } from '../../engine/engine.ts'
import { type Condition, ROOT } from '../../update/update.ts'
import type { GroupLevels } from './steps.ts'

/** Predictions are looked at in so many steps when levels are chosen. */
const SCORE_STEPS = 4096

/** Levels of one group for its steps, and how many rows each has at least. */
const GROUP_LEVELS = 24
const LEVEL_ROWS = 20

export async function readGroup(
  engine: Engine,
  fold: number,
  path: readonly Condition[],
  clip: number,
): Promise<{ cuts: number[]; levels: GroupLevels }> {
  const rowWeight = observationWeight(engine.shape, (await engine.losses())[fold])
  const [sums] = await engine.levelSums({ fold, levels: SCORE_STEPS, trees: [groupTree(path)] })
  const counts = sums.counts.subarray(0, SCORE_STEPS)
  const rows = counts.reduce((sum, count) => sum + count, 0) / rowWeight
  const parts = Math.max(1, Math.min(GROUP_LEVELS, Math.floor(rows / LEVEL_ROWS)))
  const steps = equalParts(counts, parts)
  const bounds = [0, ...steps, SCORE_STEPS]
  const sumOf = (values: Float64Array) =>
    Float64Array.from({ length: bounds.length - 1 }, (_, level) => {
      let sum = 0
      for (let step = bounds[level]; step < bounds[level + 1]; step++) sum += values[step]
      return sum / rowWeight
    })
  const counted = sumOf(counts)
  const predicted = sumOf(sums.predictions).map(sum => sum / ONE)
  const labels = sumOf(sums.residuals).map((sum, level) => predicted[level] + sum / ONE)
  const nearest = clip / ONE
  const expected = predicted.map((sum, level) =>
    Math.max(nearest * counted[level], Math.min((1 - nearest) * counted[level], sum)),
  )
  return { cuts: steps.map(step => (step * ONE) / SCORE_STEPS), levels: { rows: counted, expected, labels } }
}

/** Cuts of the prediction, in units, that leave about equally many rows between them. */
export async function chooseCuts(engine: Engine, fold: number, levels: number): Promise<Int32Array> {
  const [{ counts }] = await engine.levelSums({ fold, levels: SCORE_STEPS, trees: [ROOT] })
  return Int32Array.from(equalParts(counts, levels), step => (step * ONE) / SCORE_STEPS)
}

/** Where to part steps so that no part is empty and all are about equal. */
function equalParts(counts: Float64Array, parts: number): number[] {
  const total = counts.reduce((sum, count) => sum + count, 0)
  const bounds: number[] = []
  let [before, since] = [0, 0]
  for (let step = 0; step < counts.length && bounds.length < parts - 1; step++) {
    if (since > 0 && counts[step] > 0 && before >= ((bounds.length + 1) * total) / parts) {
      bounds.push(step)
      since = 0
    }
    before += counts[step]
    since += counts[step]
  }
  return bounds
}
