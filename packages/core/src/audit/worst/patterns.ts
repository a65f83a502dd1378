// Patterns: hundreds of groups can be surely off because of a few. A group whose gap lies in rows that it shares with another is not
// news. The surest group is taken as a pattern; what its rows explain of all others is taken from them; then the surest of the rest, until
// nothing is left that is more than noise. What groups share is counted by the engine, in whole numbers, so that patterns are the
// same on every engine, however the rows are ordered.

import { groupTree } from '../../classes/groups.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Candidate } from './ranking.ts'

export interface Merged {
  /** One group for each pattern: the surest of what the ones before it left over. */
  readonly patterns: readonly Candidate[]
  /** As many findings each of them was the first to explain, itself included. */
  readonly explainedBy: readonly number[]
  /** Findings that were looked at. */
  readonly findings: number
  /** Were these all that were given? */
  readonly isAll: boolean
}

interface MergeOptions {
  readonly engine: Engine
  readonly fold: number
  readonly levels: number
  /** What R^2 / V must exceed to be more than noise. */
  readonly criticalSquare: number
}

/** More patterns than anyone reads. */
const MOST_PATTERNS = 12

/** Of a group within a pattern this much more than the pattern's own gap is still that pattern: groups are not off by the same everywhere. */
const STRETCH = 2

/** So much of a group's weight makes it a part of another; so much larger a gap makes it another group. */
const [WITHIN, PURER] = [0.9, 1.4]

/** Findings times rows, which every pattern is counted for; but some findings always. */
const WORK = 2 ** 27
const [FEWEST, MOST_FINDINGS] = [64, 512]

/** A finding, and between what the patterns so far can explain its residual sum. */
interface Open {
  readonly candidate: Candidate
  readonly low: number
  readonly high: number
}

/** Of candidates beyond the critical value, the surest first. */
export async function mergeFindings(
  candidates: readonly Candidate[],
  options: MergeOptions,
): Promise<Merged> {
  const { criticalSquare, engine } = options
  const room = Math.max(FEWEST, Math.min(MOST_FINDINGS, Math.floor(WORK / engine.shape.rowCount)))
  const looked = candidates.slice(0, room)
  const patterns: Candidate[] = []
  const explainedBy: number[] = []
  let open = looked.map((candidate): Open => ({ candidate, low: 0, high: 0 }))
  while (open.length > 0 && patterns.length < MOST_PATTERNS) {
    let { candidate: pattern } = open.reduce((most, one) => (restSquare(one) > restSquare(most) ? one : most))
    let shared = await sharedWeights(pattern, open, options)
    let core = coreOf(pattern, open, shared, criticalSquare)
    while (core !== undefined) {
      pattern = core
      shared = await sharedWeights(pattern, open, options)
      core = coreOf(pattern, open, shared, criticalSquare)
    }
    const left = open
      .map((each, index) => explainBy(pattern, each, shared[index]))
      .filter(each => each.candidate !== pattern && restSquare(each) > criticalSquare)
    patterns.push(pattern)
    explainedBy.push(open.length - left.length)
    open = left
  }
  return { patterns, explainedBy, findings: looked.length, isAll: looked.length === candidates.length }
}

/**
 * Two groups that are off make a third that holds both look surer than either. A group within the pattern is taken for it where its gap is
 * larger by two fifths, and surely larger than that of the pattern's other rows; the surest, where there are several.
 */
function coreOf(
  pattern: Candidate,
  open: readonly Open[],
  shared: readonly number[],
  criticalSquare: number,
): Candidate | undefined {
  const inside = open.flatMap(({ candidate }, index) =>
    candidate !== pattern && shared[index] >= WITHIN * candidate.count ? [candidate] : [],
  )
  const isCore = ({ count, residual, variance }: Candidate) => {
    const rest = pattern.count - count
    const [gap, all] = [residual / count, pattern.residual / pattern.count]
    if (rest <= 0 || gap / all < PURER) return false
    const other = (pattern.residual - residual) / rest
    const noise = variance / count ** 2 + Math.max(0, pattern.variance - variance) / rest ** 2
    return (gap - other) ** 2 > criticalSquare * noise
  }
  return inside
    .filter(isCore)
    .reduce<Candidate | undefined>(
      (most, one) => (most === undefined || squareOf(one) > squareOf(most) ? one : most),
      undefined,
    )
}

const squareOf = ({ residual, variance }: Candidate): number => (residual * residual) / variance

/** What no pattern explains, as R^2 / V. */
function restSquare({ candidate: { residual, variance }, high, low }: Open): number {
  const rest = residual - Math.max(low, Math.min(high, residual))
  return (rest * rest) / variance
}

/** Rows that it shares with the pattern may be off as those of the pattern are, to the same side. */
function explainBy({ count, residual }: Candidate, open: Open, shared: number): Open {
  const explained = STRETCH * (residual / count) * shared
  return { ...open, low: open.low + Math.min(0, explained), high: open.high + Math.max(0, explained) }
}

/** The weight of the rows that each has in common with the pattern. */
async function sharedWeights(
  pattern: Candidate,
  open: readonly Open[],
  { engine, fold, levels }: MergeOptions,
): Promise<number[]> {
  const apart = ({ level }: Candidate) =>
    level !== undefined && pattern.level !== undefined && level !== pattern.level
  const asked = open.filter(({ candidate }) => !apart(candidate))
  const trees = asked.map(({ candidate }) => groupTree([...candidate.path, ...pattern.path]))
  const sums = await engine.levelSums({ fold, levels, trees })
  const found = new Map(
    asked.map(({ candidate }, index) => {
      const counts = sums[index].counts.subarray(0, levels)
      const level = candidate.level ?? pattern.level
      return [candidate, level === undefined ? counts.reduce((sum, count) => sum + count, 0) : counts[level]]
    }),
  )
  return open.map(({ candidate }) => found.get(candidate) ?? 0)
}
