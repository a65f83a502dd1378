// Splits of a growing tree: by which rules they are chosen, and what the best one of a node means.

import {
  type ForestFeature,
  type FoundSplit,
  type SetQuestion,
  type SplitQuestion,
  wholeValue,
} from '../../engine/memory/forest/bestSplit.ts'
import { binTakesYes, type FeatureSplit } from '../../engine/update.ts'

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

/** The sums of a node. Rows, by weight, are asked for where a rule speaks of them. */
export interface NodeTotal {
  readonly first: number
  readonly second: number
  readonly rows?: number
  /** What a given weight of 1 became: rules speak of given weights. */
  readonly weightScale?: number
}

export const countsRows = ({ categories, leastRows }: SplitRules): boolean =>
  categories !== undefined || leastRows !== undefined

/** A split of the score is one between its bins. */
export type ForestSplit = FeatureSplit | { readonly kind: 'score'; readonly bin: number }

export interface BestSplit {
  readonly split: ForestSplit
  readonly feature: number
  /** In nats, over leaving the node as it is. */
  readonly gain: number
  /** Of the two leaves. */
  readonly ridge: number
  /** Of the yes side. */
  readonly first: number
  readonly second: number
}

/** First derivatives come in units of 2^-18, second ones in units of 2^-12. */
const FIRST_UNIT = 2 ** 18
const SECOND_UNIT = 2 ** 12

/** One nat as first^2 / second in these units: a gain is half of what that grows by. */
const NAT = (2 * FIRST_UNIT ** 2) / SECOND_UNIT

/** Half the mean of (sum of positive parts)^2 over both sides, for standard normal noise in every category, in nats. */
const CHANCE_GAIN = 1 / Math.PI

/** The step that is best to second order, on the logit scale. */
export const newtonStep = (first: number, second: number, ridge: number): number =>
  first / FIRST_UNIT / (second / SECOND_UNIT + ridge)

export function askFor(
  { first, rows = 1, second, weightScale = 1 }: NodeTotal,
  rules: SplitRules,
): SplitQuestion {
  const [unit, given] = [SECOND_UNIT * weightScale, rows / weightScale]
  const ridge = rules.ridge * unit
  const { categories } = rules
  return {
    first,
    second,
    ridge,
    least: Math.max(rules.leastVariance * unit, ((rules.leastRows ?? 0) * second) / given),
    // With weights that were scaled, a gain is larger by as much.
    chance: CHANCE_GAIN * NAT * weightScale,
    sets: categories && askForSets(categories, ridge, unit, second / given),
  }
}

export const askForSets = (
  rules: CategoryRules,
  ridge: number,
  unit: number,
  secondPerRow: number,
): SetQuestion => ({
  ridge: ridge + rules.ridge * unit,
  smooth: rules.smooth * unit,
  known: rules.smooth * secondPerRow,
  joined: rules.leastRows * secondPerRow,
  most: rules.most,
  fewBins: rules.fewBins,
})

/** Undefined where it gains too little. */
export function describeSplit(
  found: FoundSplit | undefined,
  question: SplitQuestion,
  features: readonly ForestFeature[],
  { leastGain }: SplitRules,
  weightScale = 1,
): BestSplit | undefined {
  if (found === undefined) return undefined
  const { feature, first, ridge, second, side, value } = found
  const gain = (value - wholeValue(question)) / (NAT * weightScale)
  if (gain <= leastGain) return undefined
  const isScore = feature === features.length - 1
  const split: ForestSplit =
    side.kind === 'in'
      ? { kind: 'in', feature, bins: [...side.bins].sort((a, b) => a - b) }
      : side.kind === 'missing'
        ? { kind: 'missing', feature }
        : isScore
          ? { kind: 'score', bin: side.bin }
          : { kind: 'atMost', feature, bin: side.bin, missing: side.missing }
  return { split, feature, gain, ridge: ridge / SECOND_UNIT, first, second }
}

/** Per bin, 256 of them: 1 takes the yes side. */
export function writeYesBins(yes: Uint8Array, split: ForestSplit, { bins }: ForestFeature): void {
  if (split.kind === 'in') {
    yes.fill(0)
    for (const bin of split.bins) yes[bin] = 1
    return
  }
  for (let bin = 0; bin < bins; bin++) {
    yes[bin] = Number(split.kind === 'score' ? bin <= split.bin : binTakesYes(split, bin, bins - 1))
  }
}
