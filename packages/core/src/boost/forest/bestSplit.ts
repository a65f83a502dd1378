// The best split of one node, from the sums of both derivatives in every bin: the largest gain in log loss to second order.

import { binTakesYes, type FeatureSplit } from '../../engine/update.ts'
import { type CategoryNode, type CategoryRules, findCategorySet } from './categorySets.ts'
import type { ForestFeature } from './rows.ts'

export interface SplitRules {
  /** Added to the second derivatives of every leaf, in rows at even odds times four. */
  readonly ridge: number
  /** The least sum of second derivatives on either side: rows at even odds count a quarter. */
  readonly leastVariance: number
  /** The least gain, in nats. */
  readonly leastGain: number
  /** The least weight of rows on either side, judged from second derivatives: as if all of a node's rows had the same. */
  readonly leastRows?: number
  /** Which sets of categories are tried; absent: those of `Scan.categories`. */
  readonly categories?: CategoryRules
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
  /** Of the two leaves, where it is not the one of the rules. */
  readonly ridge?: number
}

/** First derivatives come in units of 2^-18, second ones in units of 2^-12. */
const FIRST_UNIT = 2 ** 18
const SECOND_UNIT = 2 ** 12

/** One nat as first^2 / second in these units: a gain is half of what that grows by. */
const NAT = (2 * FIRST_UNIT ** 2) / SECOND_UNIT

/** The step that is best to second order, on the logit scale. */
export const newtonStep = (first: number, second: number, ridge: number): number =>
  first / FIRST_UNIT / (second / SECOND_UNIT + ridge)

/** Per bin: 1 takes the yes side. */
export function yesBins(split: ForestSplit, { bins }: ForestFeature): Uint8Array {
  const yes = new Uint8Array(256)
  if (split.kind === 'in') {
    for (const bin of split.bins) yes[bin] = 1
    return yes
  }
  for (let bin = 0; bin < bins; bin++) {
    yes[bin] = Number(split.kind === 'score' ? bin <= split.bin : binTakesYes(split, bin, bins - 1))
  }
  return yes
}

interface Found {
  gain: number
  feature: number
  bin: number
  /** Where rows without a value go; or the split is between them and all others. */
  missing: boolean
  alone: boolean
  /** Categories on the yes side. */
  bins: readonly number[] | undefined
  ridge: number | undefined
}

/**
 * `sums` holds two doubles for every bin of every feature, feature after feature; the last feature is the score, which is
 * never missing. Undefined where no split is worth it. Ties go to the first.
 */
export function findBestSplit(
  sums: Float64Array,
  features: readonly ForestFeature[],
  total: NodeTotal,
  rules: SplitRules,
): BestSplit | undefined {
  const scan = new Scan(total, rules)
  let offset = 0
  for (let feature = 0; feature < features.length; feature++) {
    const { bins, ordered } = features[feature]
    scan.feature = feature
    if (!ordered && rules.categories !== undefined) scan.sets(sums, offset, bins, rules.categories)
    else if (!ordered) scan.categories(sums, offset, bins)
    else scan.numbers(sums, offset, bins, feature === features.length - 1)
    offset += 2 * bins
  }
  return scan.finish(features)
}

class Scan {
  feature = 0
  readonly #first: number
  readonly #second: number
  readonly #ridge: number
  /** With weights that were scaled, a gain is larger by as much. */
  readonly #nat: number
  readonly #least: number
  readonly #leastGain: number
  readonly #node: CategoryNode
  readonly #best: Found = {
    gain: 0,
    feature: -1,
    bin: 0,
    missing: false,
    alone: false,
    bins: undefined,
    ridge: undefined,
  }

  constructor({ first, rows = 1, second, weightScale = 1 }: NodeTotal, rules: SplitRules) {
    const [unit, given] = [SECOND_UNIT * weightScale, rows / weightScale]
    this.#first = first
    this.#second = second
    this.#nat = NAT * weightScale
    this.#ridge = rules.ridge * unit
    this.#least = Math.max(rules.leastVariance * unit, ((rules.leastRows ?? 0) * second) / given)
    this.#node = { first, second, rows: given, ridge: this.#ridge, least: this.#least, unit }
    this.#leastGain = rules.leastGain * this.#nat
  }

  numbers(sums: Float64Array, offset: number, bins: number, isScore: boolean): void {
    const last = isScore ? bins : bins - 1
    const missingFirst = isScore ? 0 : sums[offset + 2 * last]
    const missingSecond = isScore ? 0 : sums[offset + 2 * last + 1]
    const someMissing = missingSecond > 0
    // The innermost loop of growing: no calls, one division.
    const [all, total, ridge, least] = [this.#first, this.#second, this.#ridge, this.#least]
    const whole = (all * all) / (total + ridge)
    let [first, second, most] = [0, 0, this.#best.gain + whole]
    for (let bin = 0; bin < last - 1; bin++) {
      // Nobody is in this bin, so nothing is better than after the one before.
      if (sums[offset + 2 * bin + 1] === 0) continue
      first += sums[offset + 2 * bin]
      second += sums[offset + 2 * bin + 1]
      for (let side = 0; side < (someMissing ? 2 : 1); side++) {
        const here = side === 0 ? second : second + missingSecond
        if (here < least || total - here < least) continue
        const slope = side === 0 ? first : first + missingFirst
        const [one, other] = [here + ridge, total - here + ridge]
        const value = (slope * slope * other + (all - slope) * (all - slope) * one) / (one * other)
        if (value <= most) continue
        most = value
        this.#keep(value - whole, bin, side === 1, false, undefined)
      }
    }
    const alone = someMissing ? this.#gain(missingFirst, missingSecond) : 0
    if (alone > this.#best.gain) this.#keep(alone, 0, true, true, undefined)
  }

  /**
   * In the order of their mean gradient the best two sets are neighbours; rare ones, which say little, stay on the no side.
   * Noise alone gains that way, about CHANCE_GAIN nats a category, and that is taken off. In the order of their names,
   * which may mean something, it does not.
   */
  categories(sums: Float64Array, offset: number, bins: number): void {
    let [before, weight] = [0, 0]
    for (let bin = 0; bin < bins - 1; bin++) {
      if (sums[offset + 2 * bin + 1] === 0) continue
      before += sums[offset + 2 * bin]
      weight += sums[offset + 2 * bin + 1]
      const gain = this.#gain(before, weight)
      if (gain > this.#best.gain) this.#keep(gain, bin, false, false, EVERY_BIN.slice(0, bin + 1))
    }
    const known: number[] = []
    for (let bin = 0; bin < bins; bin++) if (sums[offset + 2 * bin + 1] >= this.#least) known.push(bin)
    const slope = (bin: number) => sums[offset + 2 * bin] / (sums[offset + 2 * bin + 1] + this.#ridge)
    known.sort((a, b) => slope(a) - slope(b) || a - b)
    const chance = CHANCE_GAIN * (known.length - 1) * this.#nat
    for (const order of [known, [...known].reverse()]) {
      let [first, second] = [0, 0]
      for (let index = 0; index < Math.min(order.length, MOST_CATEGORIES); index++) {
        first += sums[offset + 2 * order[index]]
        second += sums[offset + 2 * order[index] + 1]
        const gain = this.#gain(first, second) - chance
        if (gain > this.#best.gain) this.#keep(gain, 0, false, false, order.slice(0, index + 1))
      }
    }
  }

  sets(sums: Float64Array, offset: number, bins: number, rules: CategoryRules): void {
    const found = findCategorySet(sums, offset, bins, this.#node, rules)
    if (found === undefined || found.gain <= this.#best.gain) return
    this.#keep(found.gain, 0, false, false, found.bins)
    this.#best.ridge = found.ridge / SECOND_UNIT
  }

  finish(features: readonly ForestFeature[]): BestSplit | undefined {
    const { alone, bin, bins, feature, gain, missing, ridge } = this.#best
    if (feature < 0 || gain <= this.#leastGain) return undefined
    const isScore = feature === features.length - 1
    const split: ForestSplit = isScore
      ? { kind: 'score', bin }
      : bins !== undefined
        ? { kind: 'in', feature, bins: [...bins].sort((a, b) => a - b) }
        : alone
          ? { kind: 'missing', feature }
          : { kind: 'atMost', feature, bin, missing }
    return { split, feature, gain: gain / this.#nat, ...(ridge !== undefined && { ridge }) }
  }

  /** Of the yes side against all of the node; 0 where a side is too small. */
  #gain(first: number, second: number): number {
    const [rest, ridge] = [this.#second - second, this.#ridge]
    if (second < this.#least || rest < this.#least) return 0
    const other = this.#first - first
    const whole = (this.#first * this.#first) / (this.#second + ridge)
    return (first * first) / (second + ridge) + (other * other) / (rest + ridge) - whole
  }

  #keep(
    gain: number,
    bin: number,
    missing: boolean,
    alone: boolean,
    bins: readonly number[] | undefined,
  ): void {
    const best = this.#best
    best.ridge = undefined
    best.gain = gain
    best.feature = this.feature
    best.bin = bin
    best.missing = missing
    best.alone = alone
    best.bins = bins
  }
}

/** Half the mean of (sum of positive parts)^2 over both sides, for standard normal noise in every category: 1/pi. */
const CHANCE_GAIN = 1 / Math.PI

const EVERY_BIN = Array.from({ length: 256 }, (_, bin) => bin)

/** Categories put together on one side, at most. */
const MOST_CATEGORIES = 32
