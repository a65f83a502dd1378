// Splits of a growing tree: by which rules they are chosen, and what the best one of a node means.

import type { FoundSplit } from '../kernels/forest/bestSplit.ts'
import { FIRST_UNIT, SECOND_UNIT } from '../kernels/forest/growTree.ts'
import type { PlanRules } from '../kernels/forest/plan.ts'
import type { FeatureSplit } from '../update/update.ts'

export interface SplitRules {
  /** Added to the second derivatives of every leaf, in rows at even odds times four. */
  readonly ridge: number
  /** The least sum of second derivatives on either side: rows at even odds count a quarter. */
  readonly leastVariance: number
  /** The least gain, in nats. */
  readonly leastGain: number
  /** The least weight of rows on either side, judged from second derivatives: as if all of a node's rows had the same. */
  readonly leastRows?: number
  /** Sets of categories as LightGBM tries them; absent: ours. */
  readonly categories?: CategoryRules
}

/** LightGBM's counts of rows are estimates from second derivatives, and so are these. */
export interface CategoryRules {
  /** Added to the ridge wherever sets are tried: to gains and to the steps of both leaves. */
  readonly ridge: number
  /** Added to second derivatives where categories are put in order; with fewer rows a category stays on the no side. */
  readonly smooth: number
  /** Rows that join between two tries, and that stay on the no side. */
  readonly leastRows: number
  /** Categories of one set, at most. */
  readonly most: number
  /** With at most so many bins, the missing one among them, every category is tried alone. */
  readonly fewBins: number
}

/** What LightGBM does unless told otherwise. */
export const LIGHTGBM_CATEGORIES: CategoryRules = {
  ridge: 10,
  smooth: 10,
  leastRows: 100,
  most: 32,
  fewBins: 4,
}

/** A split of the score is one between its bins. */
export type ForestSplit = FeatureSplit | { readonly kind: 'score'; readonly bin: number }

/** One nat as first^2 / second in the kernel's units: a gain is half of what that grows by. */
const NAT = (2 * FIRST_UNIT ** 2) / SECOND_UNIT

/** Half the mean of (sum of positive parts)^2 over both sides, for standard normal noise in every category, in nats. */
const CHANCE_GAIN = 1 / Math.PI

/** As the kernel has them. With weights that were scaled, a gain is larger by as much. */
export function splitNumbers(
  { categories, leastGain, leastRows = 0, leastVariance, ridge }: SplitRules,
  weightScale: number,
): Omit<PlanRules, 'rate' | 'largestStep' | 'draw'> {
  const [unit, nat] = [SECOND_UNIT * weightScale, NAT * weightScale]
  const sets = categories ?? NO_SETS
  return {
    ...{ ridge: ridge * unit, leastVariance: leastVariance * unit, leastRows, leastGain },
    ...{ nat, chance: CHANCE_GAIN * nat, weightScale },
    ...{ setRidge: sets.ridge * unit, setSmooth: sets.smooth * unit, setKnown: sets.smooth },
    ...{ setJoined: sets.leastRows, setMost: sets.most, fewBins: sets.fewBins },
  }
}

const NO_SETS: CategoryRules = { ridge: 0, smooth: 0, leastRows: 0, most: 0, fewBins: 0 }

/** Does a rule speak of rows? Then they are counted, by weight. */
export const countsRows = ({ categories, leastRows }: SplitRules): boolean =>
  categories !== undefined || leastRows !== undefined

/** The score is the last feature. */
export function splitOf({ feature, side }: FoundSplit, scoreFeature: number): ForestSplit {
  if (side.kind === 'in') return { kind: 'in', feature, bins: [...side.bins].sort((a, b) => a - b) }
  if (side.kind === 'missing') return { kind: 'missing', feature }
  if (feature === scoreFeature) return { kind: 'score', bin: side.bin }
  return { kind: 'atMost', feature, bin: side.bin, missing: side.missing }
}
