// A gap as a person would say it: what the score says, what the outcome is, on how many rows, and by how much they surely differ. What a
// statistician asks for is said apart.

import { formatCount, formatNumber, formatShares, outward, tidyFixed } from '../../common/text.ts'

export interface Interval {
  readonly low: number
  readonly high: number
}

/** A score in a group of rows. */
export interface SaidGap {
  readonly meanScore: number
  readonly meanLabel: number
  /** Mean label minus mean score. */
  readonly gap: number
  readonly interval: Interval
  readonly weight: number
}

/** "the score says 37 %, the outcome is 45 % (8,416 rows; +7.5 points, 4.8 to 10.3)" */
export function sayGap({ gap, interval, meanLabel, meanScore, weight }: SaidGap): string {
  const decimals = pointDecimals(gap)
  const [score, label] = formatShares(meanScore, meanLabel, decimals - 1, decimals)
  const rows = `${formatCount(weight)} ${Math.round(weight) === 1 ? 'row' : 'rows'}`
  return `the score says ${score}, the outcome is ${label} (${rows}; ${sayPoints(gap, interval)})`
}

/** "+7.5 points, 4.8 to 10.3": ends are rounded outwards. */
export function sayPoints(gap: number, interval: Interval): string {
  const decimals = pointDecimals(gap)
  const { high, low } = outward({ low: 100 * interval.low, high: 100 * interval.high }, decimals)
  const size = tidyFixed(100 * gap, decimals)
  const points = `${gap > 0 ? '+' : ''}${size} points`
  return `${points}, ${tidyFixed(low, decimals)} to ${tidyFixed(high, decimals)}`
}

/** Of percentage points: one from a point up, and more for less. */
function pointDecimals(gap: number): number {
  const points = Math.abs(100 * gap)
  if (points >= 0.995) return 1
  return points >= 0.0995 ? 2 : 3
}

/** "z 7.7, p < 0.001 after correction" */
export function sayTest({ p, z }: { readonly z: number; readonly p: number }): string {
  const sure = p < 0.001 ? 'p < 0.001' : `p = ${formatNumber(p, 2)}`
  return `z ${z.toFixed(1)}, ${sure} after correction`
}
