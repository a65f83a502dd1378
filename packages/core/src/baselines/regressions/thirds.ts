// The indicators of platt-features: every category of a column, and three bins of a number between its third quantiles, as
// scikit-learn's discretizer finds them; here a quantile is known to the bin. Missing values are an indicator of their own.

import type { FeatureSplit, ForestTree, Tree } from '../../update/update.ts'
import type { BaselineRows } from '../baseline.ts'
import { binAt, weighBins } from '../rows/bins.ts'

/** Indicators of one feature: which one each of its bins has. */
export interface IndicatorFeature {
  readonly feature: number
  readonly indicatorOf: Uint8Array
  readonly count: number
}

export const indicatorsOf = (rows: BaselineRows): IndicatorFeature[] =>
  rows.features.map(({ bins, ordered }, feature) => {
    const weights = weighBins(rows, feature)
    const third = ordered ? thirdOf(weights.slice(0, -1)) : undefined
    const classOf = (bin: number) => (bin === bins - 1 ? MISSING : third === undefined ? bin : third(bin))
    const found = new Map<number, number>()
    for (const [bin, weight] of weights.entries()) {
      if (weight > 0 && !found.has(classOf(bin))) found.set(classOf(bin), found.size)
    }
    // What no row has is taken for missing. Where nothing is missing it has the number after all others, and no coefficient.
    const other = found.get(MISSING) ?? found.size
    const indicatorOf = Uint8Array.from({ length: bins }, (_, bin) => found.get(classOf(bin)) ?? other)
    return { feature, indicatorOf, count: found.size }
  })

const MISSING = -1

/** Which third a bin belongs to: the number of third quantiles at or below it. */
function thirdOf(weights: readonly number[]): (bin: number) => number {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  if (total === 0) return () => 0
  const edges = [1, 2].map(third => upperBinOf(weights, (third * (total - 1)) / 3))
  return bin => edges.filter(edge => edge <= bin).length
}

/**
 * The first bin above the quantile that lies at this place between sorted rows. Values equal to a quantile are above it; one
 * that equals the largest value divides nothing.
 */
function upperBinOf(weights: readonly number[], place: number): number {
  const below = Math.floor(place)
  const [low, high] = [binAt(weights, below), binAt(weights, Math.ceil(place))]
  const last = weights.findLastIndex(weight => weight > 0)
  if (low < high) return low + 1
  return low === last ? weights.length : low
}

/** A tree whose leaves hold the steps of the indicators; what no row had takes no step. */
export function indicatorTree(
  { count, feature, indicatorOf }: IndicatorFeature,
  steps: readonly number[],
): { tree: ForestTree['tree']; steps: number[] } {
  const binsOf = Array.from({ length: count + 1 }, (_, one) =>
    Array.from(indicatorOf.keys()).filter(bin => indicatorOf[bin] === one),
  )
  const used = binsOf.flatMap((bins, one) => (bins.length > 0 ? [one] : []))
  const grow = (from: number, to: number): Tree => {
    if (to - from === 1) return { leaf: from }
    const middle = (from + to) >> 1
    const bins = used.slice(from, middle).flatMap(one => binsOf[one])
    const split: FeatureSplit = { kind: 'in', feature, bins: bins.sort((a, b) => a - b) }
    return { split, yes: grow(from, middle), no: grow(middle, to) }
  }
  return { tree: grow(0, used.length), steps: used.map(one => steps[one] ?? 0) }
}
