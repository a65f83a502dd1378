// How much speaks for a group being off, from its weights and residuals level by level: twice the log likelihood that its rows
// gain by one step of their own, less what so small a group, or so free a choice of scores, gains by luck. A large group needs
// less than a small one, of which there are many more.

import { lnOf } from '../../common/logistic.ts'
import { ONE } from '../../common/units.ts'
import { type Engine, observationWeight } from '../../engine/engine.ts'
import { levelTree } from '../../update/update.ts'

/** Taken off for every time that a group has e times less variance than everyone. */
const SMALLNESS = 2

/** Taken off where the step is for scores below or above a level only, and where there are two steps. */
const RANGE = 2
const TWO_STEPS = 5

/** Groups with a smaller sum of variances are passed over: 80 rows at a score of 0.5, two thousand at 0.01. */
const LEAST_VARIANCE = 20

/** Of the rows at each level. */
export interface LevelFacts {
  /** What one observation weighs. */
  readonly rowWeight: number
  readonly means: Float64Array
  readonly variances: Float64Array
  /** The sum of the variances of all rows. */
  readonly variance: number
}

/** What rows with this variance on average have to weigh for a group of them not to be passed over. */
export const leastWeightOf = ({ variance }: LevelFacts, weight: number): number =>
  variance === 0 ? Number.POSITIVE_INFINITY : (LEAST_VARIANCE * weight) / variance

/** Levels that end at `cuts`. Within a level all rows count as having its mean prediction. */
export async function readLevels(engine: Engine, fold: number, cuts: Int32Array): Promise<LevelFacts> {
  const rowWeight = observationWeight(engine.shape, (await engine.losses())[fold])
  const [{ counts, predictions }] = await engine.levelSums({ fold, levels: 1, trees: [levelTree(cuts)] })
  const means = predictions.map((sum, level) => (counts[level] === 0 ? 0.5 : sum / counts[level] / ONE))
  const variances = means.map(mean => mean * (1 - mean))
  const variance = variances.reduce((sum, each, level) => sum + (each * counts[level]) / rowWeight, 0)
  return { rowWeight, means, variances, variance }
}

/** Weighs one group after the other; nothing is allocated. */
export class Evidence {
  readonly levels: number
  readonly #variance: number
  /** What a weight of 1 at each level counts: rows, outcomes that are expected, variance. */
  readonly #rows: number
  readonly #expected: Float64Array
  readonly #variances: Float64Array
  /** What a residual of one unit counts. */
  readonly #outcome: number

  constructor({ means, rowWeight, variance, variances }: LevelFacts) {
    this.levels = means.length
    this.#variance = variance
    this.#rows = 1 / rowWeight
    this.#expected = means.map(mean => mean / rowWeight)
    this.#variances = variances.map(each => each / rowWeight)
    this.#outcome = 1 / rowWeight / ONE
  }

  /** The most that one step for all scores, for those below or above a level, or one for either has for it; 0: no more than `least`. */
  weigh(counts: Float64Array, residuals: Float64Array, least = 0): number {
    const expectations = this.#expected
    const variances = this.#variances
    const last = this.levels - 1
    let [count, sum, expected, variance] = [0, 0, 0, 0]
    for (let level = 0; level <= last; level++) {
      count += counts[level]
      sum += residuals[level]
      expected += counts[level] * expectations[level]
      variance += counts[level] * variances[level]
    }
    if (variance < LEAST_VARIANCE) return 0
    let best = least
    if (this.#mayExceed(best, count, sum, expected, variance))
      best = Math.max(best, this.#ofRange(count, sum, expected, variance))
    let [countBelow, sumBelow, expectedBelow, varianceBelow] = [0, 0, 0, 0]
    for (let level = 0; level < last; level++) {
      countBelow += counts[level]
      sumBelow += residuals[level]
      expectedBelow += counts[level] * expectations[level]
      varianceBelow += counts[level] * variances[level]
      const countAbove = count - countBelow
      const sumAbove = sum - sumBelow
      const expectedAbove = expected - expectedBelow
      const varianceAbove = variance - varianceBelow
      // Of two steps, one has at least half of what both need.
      const needed = Math.min(best + RANGE, (best + TWO_STEPS) / 2)
      const isBelow = this.#mayExceed(needed, countBelow, sumBelow, expectedBelow, varianceBelow)
      if (!isBelow && !this.#mayExceed(needed, countAbove, sumAbove, expectedAbove, varianceAbove)) continue
      const below = this.#ofRange(countBelow, sumBelow, expectedBelow, varianceBelow)
      const above = this.#ofRange(countAbove, sumAbove, expectedAbove, varianceAbove)
      best = Math.max(best, below - RANGE, above - RANGE)
      if (below > 0 && above > 0) best = Math.max(best, below + above - TWO_STEPS)
    }
    return best > least ? best : 0
  }

  /**
   * A bound that takes no exact logarithm: the likelihood ratio is at most the square of the sum over its variance, times one
   * and the share of outcomes (or of the rest) that is lacking. Math.log may differ in its last bits, and no more matters here.
   */
  #mayExceed(least: number, count: number, sum: number, expected: number, variance: number): boolean {
    if (variance < LEAST_VARIANCE) return false
    const residual = sum * this.#outcome
    const square = (residual * residual) / variance
    if (2 * square < least) return false
    const lacking = residual < 0 ? -residual / expected : residual / (count * this.#rows - expected)
    return square * (1 + lacking) - SMALLNESS * Math.log(this.#variance / variance) > least - ROUNDING
  }

  #ofRange(count: number, sum: number, expected: number, variance: number): number {
    if (variance < LEAST_VARIANCE) return 0
    const rows = count * this.#rows
    const ratio = likelihoodRatio(rows, sum * this.#outcome, expected)
    // Rows of one chance would vary more than rows of different chances do.
    const spread = (expected * (rows - expected)) / rows / variance
    return Math.max(0, spread * ratio - SMALLNESS * lnOf(this.#variance / variance))
  }
}

/** Far more than bounds may be off by. */
const ROUNDING = 1e-6

/** Twice the log likelihood that as many outcomes as `expected + sum` gain by being expected, for rows of one chance. */
export function likelihoodRatio(rows: number, sum: number, expected: number): number {
  const [ones, zeros] = [expected + sum, rows - expected - sum]
  const ofOnes = ones > 0 ? ones * lnOf(ones / expected) : 0
  const ofZeros = zeros > 0 ? zeros * lnOf(zeros / (rows - expected)) : 0
  return 2 * (ofOnes + ofZeros)
}
