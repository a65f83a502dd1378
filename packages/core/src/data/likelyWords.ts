// What outcomes and scores probably mean, by how they are written: a guess that a person confirms, never a reading of its own.

import type { ScoreScale } from './scoreScale.ts'

/** Beyond these, log odds are as good as certain; credit scores and amounts lie far beyond. */
const LARGEST_LOG_ODDS = 50

/** The scale that a range of scores speaks for; undefined where it speaks for none. */
export function likelyScale(low: number, high: number): ScoreScale | undefined {
  if (low >= 0 && high <= 1) return 'probability'
  if (low >= 0 && high <= 100) return 'percent'
  return low < 0 && low >= -LARGEST_LOG_ODDS && high <= LARGEST_LOG_ODDS ? 'logit' : undefined
}

/** Pairs that everybody reads in one way: what counts as 1, and the other. Of 1 and 2, or good and bad, either may be meant. */
const PAIRS: readonly (readonly [positive: string, other: string])[] = [
  ['1', '0'],
  ['1', '-1'],
  ['yes', 'no'],
  ['y', 'n'],
  ['true', 'false'],
  ['t', 'f'],
  ['positive', 'negative'],
  ['pos', 'neg'],
]

/** Which of two values counts as 1, where nobody would doubt it. */
export function likelyPositive(values: readonly string[]): string | undefined {
  if (values.length !== 2) return undefined
  const isPair = (a: string, b: string) =>
    PAIRS.some(([one, other]) => one === a.trim().toLowerCase() && other === b.trim().toLowerCase())
  const [first, second] = values
  if (isPair(first, second)) return first
  return isPair(second, first) ? second : undefined
}
