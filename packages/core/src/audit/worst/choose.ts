// From a long ranking with many near copies to a short list of different groups: a candidate is passed over if it has the
// shape of one that was chosen, or shares most of its rows with one.

import { groupTree } from '../../classes/groups.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Condition } from '../../engine/update.ts'
import type { Candidate } from './candidates.ts'

/** Rows in both over rows in either, above which two groups are one finding. */
const MOST_OVERLAP = 0.5

/** Candidates whose rows are compared, at most: each costs a pass over the rows. */
const COMPARISONS = 40

export async function chooseDifferent(
  { engine, fold, levels }: { engine: Engine; fold: number; levels: number },
  candidates: readonly Candidate[],
  wanted: number,
): Promise<Candidate[]> {
  const chosen: Candidate[] = []
  let comparisons = 0
  for (const candidate of candidates) {
    if (chosen.length === wanted || comparisons === COMPARISONS) break
    if (chosen.some(other => sameShape(candidate, other))) continue
    const rivals = chosen.filter(other => other.level === candidate.level)
    if (rivals.length > 0) {
      comparisons++
      const shared = await countShared(engine, fold, levels, candidate, rivals)
      const overlaps = rivals.map(
        ({ count }, index) => shared[index] / (count + candidate.count - shared[index]),
      )
      if (overlaps.some(overlap => overlap > MOST_OVERLAP)) continue
    }
    chosen.push(candidate)
  }
  return chosen
}

/** The same columns tested to the same side, at levels of which one holds the other: a cut moved a little. */
function sameShape(one: Candidate, other: Candidate): boolean {
  const levels = one.level === other.level || one.level === undefined || other.level === undefined
  return levels && shapeOf(one.path) === shapeOf(other.path)
}

const shapeOf = (path: readonly Condition[]): string =>
  path
    .map(({ split, yes }) => {
      if (split.kind === 'below') return `score ${yes}`
      return `${split.feature} ${split.kind} ${split.kind === 'in' ? split.bins.join() : ''} ${yes}`
    })
    .sort()
    .join()

async function countShared(
  engine: Engine,
  fold: number,
  levels: number,
  { level, path }: Candidate,
  others: readonly Candidate[],
): Promise<number[]> {
  const trees = others.map(other => groupTree([...path, ...other.path]))
  const sums = await engine.levelSums({ fold, levels, trees })
  return sums.map(({ counts }) => {
    const own = counts.subarray(0, levels)
    return level === undefined ? own.reduce((sum, count) => sum + count, 0) : own[level]
  })
}
