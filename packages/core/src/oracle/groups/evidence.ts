// How much speaks for a group being off, from its weights and residuals level by level: twice the log likelihood that its rows
// gain by one step of their own, less what so small a group, or so free a choice of scores, gains by luck. A large group needs
// less than a small one, of which there are many more.

import { lnOf } from '../../common/logistic.ts'
import { ONE } from '../../common/units.ts'
import type { Engine } from '../../engine/engine.ts'
import { levelTree } from '../../engine/update.ts'

/** Taken off for every time that a group has e times less variance than everyone. */
const SMALLNESS = 2

/** Taken off where the step is for scores below or above a level only, and where there are two steps. */
const RANGE = 2
const TWO_STEPS = 5

/** Groups with a smaller sum of variances are passed over: 80 rows at a score of 0.5, two thousand at 0.01. */
const LEAST_VARIANCE = 20

/** Of the rows at each level. */
export interface LevelFacts {
  /** What one row weighs: the sum of squared weights over that of weights. */
  readonly rowWeight: number
  readonly means: Float64Array
  readonly variances: Float64Array
  /** The sum of the variances of all rows. */
  readonly variance: number
}

/** Levels that end at `cuts`. Within a level all rows count as having its mean prediction. */
export async function readLevels(engine: Engine, fold: number, cuts: Int32Array): Promise<LevelFacts> {
  const { squaredWeight, weight } = (await engine.losses())[fold]
  const [{ counts, predictions }] = await engine.levelSums({ fold, levels: 1, trees: [levelTree(cuts)] })
  const rowWeight = weight === 0 ? 1 : squaredWeight / weight
  const means = predictions.map((sum, level) => (counts[level] === 0 ? 0.5 : sum / counts[level] / ONE))
  const variances = means.map(mean => mean * (1 - mean))
  const variance = variances.reduce((sum, each, level) => sum + (each * counts[level]) / rowWeight, 0)
  return { rowWeight, means, variances, variance }
}

/** Weighs one group after the other; nothing is allocated. */
export class Evidence {
  readonly #facts: LevelFacts
  readonly levels: number

  constructor(facts: LevelFacts) {
    this.#facts = facts
    this.levels = facts.means.length
  }

  /** The most that one step for all scores, for those below or above a level, or for both, has for it; 0: nothing. */
  weigh(counts: Float64Array, residuals: Float64Array): number {
    const { means, rowWeight, variances } = this.#facts
    let [rows, sum, expected, variance] = [0, 0, 0, 0]
    for (let level = 0; level < this.levels; level++) {
      const count = counts[level] / rowWeight
      rows += count
      sum += residuals[level] / rowWeight / ONE
      expected += count * means[level]
      variance += count * variances[level]
    }
    let best = this.#ofRange(rows, sum, expected, variance)
    let [rowsBelow, sumBelow, expectedBelow, varianceBelow] = [0, 0, 0, 0]
    for (let level = 0; level + 1 < this.levels; level++) {
      const count = counts[level] / rowWeight
      rowsBelow += count
      sumBelow += residuals[level] / rowWeight / ONE
      expectedBelow += count * means[level]
      varianceBelow += count * variances[level]
      const below = this.#ofRange(rowsBelow, sumBelow, expectedBelow, varianceBelow)
      const above = this.#ofRange(
        rows - rowsBelow,
        sum - sumBelow,
        expected - expectedBelow,
        variance - varianceBelow,
      )
      if (below - RANGE > best) best = below - RANGE
      if (above - RANGE > best) best = above - RANGE
      if (below > 0 && above > 0 && below + above - TWO_STEPS > best) best = below + above - TWO_STEPS
    }
    return best
  }

  #ofRange(rows: number, sum: number, expected: number, variance: number): number {
    if (variance < LEAST_VARIANCE) return 0
    const square = (sum * sum) / variance
    // A likelihood ratio is at most about twice the square, and the logarithms take time.
    if (2 * square < SMALLNESS) return 0
    const luck = SMALLNESS * lnOf(this.#facts.variance / variance)
    if (2 * square < luck) return 0
    return Math.max(
      0,
      likelihoodRatio(rows, sum, expected) * ((expected * (rows - expected)) / rows / variance) - luck,
    )
  }
}

/** Twice the log likelihood that as many outcomes as `expected + sum` gain by being expected, for rows of one chance. */
export function likelihoodRatio(rows: number, sum: number, expected: number): number {
  const [ones, zeros] = [expected + sum, rows - expected - sum]
  const ofOnes = ones > 0 ? ones * lnOf(ones / expected) : 0
  const ofZeros = zeros > 0 ? zeros * lnOf(zeros / (rows - expected)) : 0
  return 2 * (ofOnes + ofZeros)
}
