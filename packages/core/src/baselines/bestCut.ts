// The best split of rows by one column, from sums of a target. Categories are cut in the order of their means, where the best
// two sets are neighbours.

import type { ForestFeature } from '../boost/forest/rows.ts'
import type { FeatureSplit } from '../engine/update.ts'

/** Per bin: total weight, and sum of weight * target. */
export interface BinSums {
  readonly weights: Float64Array
  readonly sums: Float64Array
}

/** What a set of rows is worth. Both of these never fall when a set is split. */
export type Merit = (weight: number, sum: number) => number

/** How much the squared error falls when the set moves by its mean. */
export const squareMerit: Merit = (weight, sum) => (weight === 0 ? 0 : (sum * sum) / weight)

/** How far a function that is 1 or -1 on the set correlates with the target. */
export const absoluteMerit: Merit = (_weight, sum) => Math.abs(sum)

export interface Cut {
  readonly split: FeatureSplit
  /** Of both sides together. */
  readonly merit: number
}

/** Ties go to the first; undefined where all rows would be on one side. */
export function bestCut(
  bins: BinSums,
  feature: number,
  { ordered }: ForestFeature,
  merit: Merit,
): Cut | undefined {
  const best = new Best(bins, merit)
  if (ordered) cutNumbers(bins, feature, best)
  else cutCategories(bins, feature, best)
  return best.cut
}

class Best {
  readonly #weight: number
  readonly #sum: number
  readonly #merit: Merit
  cut: Cut | undefined

  constructor({ sums, weights }: BinSums, merit: Merit) {
    this.#merit = merit
    this.#weight = weights.reduce((total, weight) => total + weight, 0)
    this.#sum = sums.reduce((total, sum) => total + sum, 0)
  }

  /** `weight` and `sum` are those of the yes side. */
  offer(weight: number, sum: number, split: () => FeatureSplit): void {
    if (weight === 0 || weight === this.#weight) return
    const merit = this.#merit(weight, sum) + this.#merit(this.#weight - weight, this.#sum - sum)
    if (this.cut === undefined || merit > this.cut.merit) this.cut = { split: split(), merit }
  }
}

/** Up to each bin, rows without a value on either side; and these rows alone. */
function cutNumbers({ sums, weights }: BinSums, feature: number, best: Best): void {
  const last = weights.length - 1
  let [weight, sum] = [0, 0]
  for (let bin = 0; bin < last; bin++) {
    weight += weights[bin]
    sum += sums[bin]
    best.offer(weight, sum, () => ({ kind: 'atMost', feature, bin, missing: false }))
    if (weights[last] === 0) continue
    best.offer(weight + weights[last], sum + sums[last], () => ({
      kind: 'atMost',
      feature,
      bin,
      missing: true,
    }))
  }
  best.offer(weights[last], sums[last], () => ({ kind: 'missing', feature }))
}

function cutCategories({ sums, weights }: BinSums, feature: number, best: Best): void {
  const mean = (bin: number) => sums[bin] / weights[bin]
  const order = [...weights.keys()].filter(bin => weights[bin] > 0).sort((a, b) => mean(a) - mean(b) || a - b)
  let [weight, sum] = [0, 0]
  for (const [index, bin] of order.entries()) {
    weight += weights[bin]
    sum += sums[bin]
    best.offer(weight, sum, () => ({
      kind: 'in',
      feature,
      bins: order.slice(0, index + 1).sort((a, b) => a - b),
    }))
  }
}
