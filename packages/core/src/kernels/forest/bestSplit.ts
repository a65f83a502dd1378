// The best split of one node, from the sums of both derivatives in every bin: the largest gain in log loss to second order.
// kernels/forestScan.ts does the same to the bit.

import { mix32 } from '../../common/hash.ts'

/** Bins include the missing bin, always the last. Bins of a category have no order. */
export interface ForestFeature {
  readonly bins: number
  readonly ordered: boolean
}

/** Sums are whole numbers in the units of the caller, and so are bounds on them. */
export interface SplitQuestion {
  /** Of the node. */
  readonly first: number
  readonly second: number
  /** Added to the second derivatives of either side. */
  readonly ridge: number
  /** The least second derivative on either side. */
  readonly least: number
  /** Taken off for every category but one that was put in the order of its mean gradient. */
  readonly chance: number
  /** Of every number one cut is looked at, and of categories one alone, drawn by this and the feature; 0: all are. */
  readonly draw: number
  /** Which sets of categories are tried; absent: those of `Scan.categories`. */
  readonly sets?: SetQuestion | undefined
}

/**
 * Sets of categories by the rules of LightGBM: few of them one by one; many in the order of their mean gradient, from either
 * end, with a ridge of their own. The missing bin always takes the no side.
 */
interface SetQuestion {
  readonly ridge: number
  /** Added to second derivatives where categories are put in order. */
  readonly smooth: number
  /** The least second derivative of a category that may take the yes side. */
  readonly known: number
  /** What joins between two tries, and what stays on the no side, in second derivatives. */
  readonly joined: number
  /** Categories of one set, at most. */
  readonly most: number
  /** With at most so many bins, the missing one among them, every category is tried alone. */
  readonly fewBins: number
}

export interface FoundSplit {
  /** Of both sides together, squared first over second derivatives; the whole node has less. */
  readonly value: number
  /** Of the leaves that it makes. */
  readonly ridge: number
  /** Of the yes side. */
  readonly first: number
  readonly second: number
  readonly feature: number
  readonly side: YesSide
}

/** Bins that take the yes side: all up to one, with the missing one or without; the missing one alone; or a set of them. */
export type YesSide =
  | { readonly kind: 'atMost'; readonly bin: number; readonly missing: boolean }
  | { readonly kind: 'missing' }
  | { readonly kind: 'in'; readonly bins: readonly number[] }

/** What the whole node has. */
export const wholeValue = ({ first, ridge, second }: SplitQuestion): number =>
  (first * first) / (second + ridge)

/** Categories put together on one side, at most. */
const MAX_CATEGORIES = 32

/**
 * `sums` holds two doubles for every bin of every feature, feature after feature; the last feature is the score, which is
 * never missing. Undefined where no split gains. Ties go to the first.
 */
export function findSplit(
  sums: Float64Array,
  features: readonly ForestFeature[],
  question: SplitQuestion,
): FoundSplit | undefined {
  const scan = new Scan(sums, question)
  let offset = 0
  for (const [feature, { bins, ordered }] of features.entries()) {
    if (ordered) scan.numbers(feature, offset, bins, feature === features.length - 1)
    else if (question.draw !== 0) scan.drawnCategory(feature, offset, bins)
    else if (question.sets === undefined) scan.categories(feature, offset, bins)
    else if (bins <= question.sets.fewBins) scan.singles(feature, offset, bins)
    else scan.sets(feature, offset, bins, question.sets)
    offset += 2 * bins
  }
  return scan.best
}

/** Sums of its yes side. */
interface Cut {
  readonly bin: number
  readonly first: number
  readonly second: number
}

class Scan {
  best: FoundSplit | undefined
  readonly #sums: Float64Array
  readonly #question: SplitQuestion
  #most: number

  constructor(sums: Float64Array, question: SplitQuestion) {
    this.#sums = sums
    this.#question = question
    this.#most = wholeValue(question)
  }

  numbers(feature: number, offset: number, bins: number, isScore: boolean): void {
    const sums = this.#sums
    const last = isScore ? bins : bins - 1
    const [missingFirst, missingSecond] = isScore ? [0, 0] : sums.subarray(offset + 2 * last)
    for (const { bin, first, second } of this.#cuts(feature, offset, last)) {
      if (this.#isLarge(second)) this.#try(feature, first, second, { kind: 'atMost', bin, missing: false })
      if (missingSecond > 0 && this.#isLarge(second + missingSecond)) {
        const [both, weight] = [first + missingFirst, second + missingSecond]
        this.#try(feature, both, weight, { kind: 'atMost', bin, missing: true })
      }
    }
    if (missingSecond > 0 && this.#isLarge(missingSecond)) {
      this.#try(feature, missingFirst, missingSecond, { kind: 'missing' })
    }
  }

  /** Sums up to each cut: all of them, or the one that is drawn of those that leave enough on either side. */
  #cuts(feature: number, offset: number, last: number): Cut[] {
    const cuts: Cut[] = []
    let [first, second] = [0, 0]
    for (let bin = 0; bin < last - 1; bin++) {
      // Nobody is in this bin, so nothing is better than after the one before.
      if (this.#sums[offset + 2 * bin + 1] === 0) continue
      first += this.#sums[offset + 2 * bin]
      second += this.#sums[offset + 2 * bin + 1]
      cuts.push({ bin, first, second })
    }
    return this.#question.draw === 0 ? cuts : this.#drawn(feature, cuts)
  }

  /** One category alone. */
  drawnCategory(feature: number, offset: number, bins: number): void {
    const all = Array.from({ length: bins }, (_, bin) => {
      const [first, second] = this.#sums.subarray(offset + 2 * bin)
      return { bin, first, second }
    })
    for (const { bin, first, second } of this.#drawn(feature, all))
      this.#try(feature, first, second, { kind: 'in', bins: [bin] })
  }

  /** One that leaves enough on either side, if there is any. */
  #drawn(feature: number, cuts: readonly Cut[]): Cut[] {
    const large = cuts.filter(({ second }) => this.#isLarge(second))
    const index = mix32(this.#question.draw + (feature << 16)) % Math.max(1, large.length)
    return large.slice(index, index + 1)
  }

  /**
   * In the order of their mean gradient the best two sets are neighbours; rare ones, which say little, stay on the no side.
   * Noise alone gains that way, so something is taken off. In the order of their names, which may mean something, it is not.
   */
  categories(feature: number, offset: number, bins: number): void {
    const sums = this.#sums
    const { chance, least, ridge } = this.#question
    let [first, second] = [0, 0]
    for (let bin = 0; bin < bins - 1; bin++) {
      if (sums[offset + 2 * bin + 1] === 0) continue
      first += sums[offset + 2 * bin]
      second += sums[offset + 2 * bin + 1]
      if (!this.#isLarge(second)) continue
      const side: YesSide = { kind: 'in', bins: Array.from({ length: bin + 1 }, (_, each) => each) }
      this.#try(feature, first, second, side)
    }
    const known = orderCategories(sums, offset, bins, ridge, least)
    const charge = chance * (known.length - 1)
    for (const order of [known, [...known].reverse()]) {
      ;[first, second] = [0, 0]
      for (let index = 0; index < Math.min(order.length, MAX_CATEGORIES); index++) {
        first += sums[offset + 2 * order[index]]
        second += sums[offset + 2 * order[index] + 1]
        if (!this.#isLarge(second)) continue
        this.#try(feature, first, second, { kind: 'in', bins: order.slice(0, index + 1) }, ridge, charge)
      }
    }
  }

  singles(feature: number, offset: number, bins: number): void {
    for (let bin = 0; bin < bins - 1; bin++) {
      const [first, second] = this.#sums.subarray(offset + 2 * bin)
      if (this.#isLarge(second)) this.#try(feature, first, second, { kind: 'in', bins: [bin] })
    }
  }

  sets(feature: number, offset: number, bins: number, rules: SetQuestion): void {
    const sums = this.#sums
    const { least, second: total } = this.#question
    // LightGBM's gradients have the other sign.
    const known = orderCategories(sums, offset, bins - 1, rules.smooth, rules.known, -1)
    const most = Math.min(rules.most, (known.length + 1) >> 1)
    for (const order of [known, [...known].reverse()]) {
      let [first, second, joined] = [0, 0, 0]
      for (let index = 0; index < most; index++) {
        const cell = offset + 2 * order[index]
        first += sums[cell]
        second += sums[cell + 1]
        joined += sums[cell + 1]
        if (second < least) continue
        if (total - second < Math.max(least, rules.joined)) break
        if (joined < rules.joined) continue
        joined = 0
        this.#try(feature, first, second, { kind: 'in', bins: order.slice(0, index + 1) }, rules.ridge)
      }
    }
  }

  #isLarge(second: number): boolean {
    const { least, second: total } = this.#question
    return second >= least && total - second >= least
  }

  /** Numerator and denominator apart: only what is better than all before has to be divided. */
  #try(
    feature: number,
    first: number,
    second: number,
    side: YesSide,
    ridge: number = this.#question.ridge,
    charge = 0,
  ): void {
    const { first: all, second: total } = this.#question
    const [one, other, left] = [second + ridge, total - second + ridge, all - first]
    const above = first * first * other + left * left * one
    const below = one * other
    if (above <= (this.#most + charge) * below) return
    this.#most = above / below - charge
    this.best = { value: this.#most, ridge, first, second, feature, side }
  }
}

/** Bins with at least so much of the second derivative, by their mean gradient. */
function orderCategories(
  sums: Float64Array,
  offset: number,
  bins: number,
  smooth: number,
  enough: number,
  sign = 1,
): number[] {
  const known: { bin: number; key: number }[] = []
  for (let bin = 0; bin < bins; bin++) {
    const [first, second] = sums.subarray(offset + 2 * bin)
    if (second >= enough && second !== 0) known.push({ bin, key: (sign * first) / (second + smooth) })
  }
  return known.sort((a, b) => a.key - b.key || a.bin - b.bin).map(({ bin }) => bin)
}
