// Rows as a forest learns from them: bins of every feature, the score as one more feature, and the part of the cross-fit
// that each row belongs to.

import { levelAmong, ONE } from '../common/units.ts'
import type { SampledRows } from '../engine/sample.ts'
import type { ForestFeature } from '../kernels/forest/bestSplit.ts'

export interface ForestRows extends SampledRows {
  readonly features: readonly ForestFeature[]
  /** What a given weight of 1 became; absent: 1. Rules that count rows go by this. */
  readonly weightScale?: number
  /** What one observation weighs, where weights may be counts. Absent: every row is one. */
  readonly observationWeight?: number
}

/** How many observations the rows are. */
export const observationsIn = ({ observationWeight, rowCount, weight }: ForestRows): number =>
  observationWeight === undefined
    ? rowCount
    : (weight?.reduce((sum, each) => sum + each, 0) ?? rowCount) / observationWeight

/** Parts are numbered from 0; some may have no row. */
export const partCount = ({ part }: Pick<ForestRows, 'part'>): number =>
  1 + part.reduce((most, one) => Math.max(most, one), 0)

/** How much each part weighs. */
export function weighParts(rows: ForestRows): number[] {
  const { part, rowCount, weight } = rows
  const weights = new Array<number>(partCount(rows)).fill(0)
  for (let row = 0; row < rowCount; row++) weights[part[row]] += weight === undefined ? 1 : weight[row]
  return weights
}

/** Start predictions are looked at in so many steps when cuts between them are chosen. */
const SCORE_STEPS = 2 ** 16

/**
 * Cuts, in units, that leave about equally many rows between them; at most 254, each between two different scores. With
 * weights, a row of weight 2 counts as two.
 */
export function scoreCuts(start: Int32Array, most = 254, weight?: Int32Array): Int32Array {
  const width = ONE / SCORE_STEPS
  const counts = new Float64Array(SCORE_STEPS + 1)
  let total = 0
  for (let row = 0; row < start.length; row++) {
    const counted = weight === undefined ? 1 : weight[row]
    counts[Math.floor(start[row] / width)] += counted
    total += counted
  }
  const cuts: number[] = []
  let since = 0
  for (let step = 0; step <= SCORE_STEPS; step++) {
    if (counts[step] === 0) continue
    // A cut stands before the first score that would make its bin larger than its share.
    if (since > 0 && (since + counts[step]) * (most + 1) > total && cuts.length < most) {
      cuts.push(step * width)
      since = 0
    }
    since += counts[step]
  }
  return Int32Array.from(cuts)
}

/** A score below the cut number b has a bin of at most b. */
export function scoreBins(start: Int32Array, cuts: Int32Array): Uint8Array {
  const bins = new Uint8Array(start.length)
  for (let row = 0; row < start.length; row++) bins[row] = levelAmong(start[row], cuts)
  return bins
}
