// The penalized log loss of a logistic regression on the logit of the score and on indicators, and its derivatives. All sums
// over rows are of whole numbers, so they do not depend on the order of rows: chances are in units, logits in units of 2^-18
// and their products kept within 53 bits however much all rows weigh.

import { clipStep, logitUnits, logLossUnits, moveOdds } from '../../common/logistic.ts'
import { addProduct, emptySplitSum, ONE, splitSumValue } from '../../common/units.ts'
import type { Derivatives } from '../../forest/line/newton.ts'
import { insideUnits } from '../../forest/line/regression.ts'
import type { BaselineRows } from '../baseline.ts'
import type { IndicatorFeature } from './thirds.ts'

const LOGIT_UNIT = 2 ** 18
/** Products of a variance and a logit are kept in units of 2^-22. */
const PRODUCT_UNIT = 2 ** 22
const LOSS_UNIT = 2 ** 20

/** The terms of a mean loss are rounded to this. */
export const LOSS_NOISE = 1 / LOSS_UNIT

/** Coefficient 0 is that of the logit, 1 the intercept, which is free; then come the indicators, feature after feature. */
export class FeatureRegression {
  readonly size: number
  readonly #rows: BaselineRows
  readonly #ridge: number
  readonly #total: number
  /** Of each row, in units of 2^-18. */
  readonly #logit: Int32Array
  /** Which indicators a row has, one for each feature; `size` stands for none. */
  readonly #active: Uint16Array
  readonly #width: number

  constructor(rows: BaselineRows, indicators: readonly IndicatorFeature[], ridge: number) {
    this.#rows = rows
    this.#ridge = ridge
    this.#logit = rows.start.map(score => Math.round((logitUnits(insideUnits(score)) / ONE) * LOGIT_UNIT))
    this.#total = rows.weight?.reduce((sum, one) => sum + one, 0) ?? rows.rowCount
    this.#width = indicators.length
    this.#active = new Uint16Array(rows.rowCount * this.#width)
    this.size = indicators.reduce((sum, { count }) => sum + count, 2)
    let first = 2
    for (const [place, { count, feature, indicatorOf }] of indicators.entries()) {
      for (let row = 0; row < rows.rowCount; row++) {
        const one = indicatorOf[rows.bins[feature][row]]
        this.#active[row * this.#width + place] = one < count ? first + one : this.size
      }
      first += count
    }
  }

  /** Means over the rows, with the ridge shared out among them. */
  look(at: Float64Array): Derivatives {
    const chance = this.#chances(at)
    const [gradient, hessian] = [this.#gradient(chance), this.#hessian(chance)]
    let value = this.#loss(chance)
    for (let i = 0; i < this.size; i++) {
      const ridge = i === 1 ? 0 : this.#ridge
      value += (ridge / 2) * at[i] ** 2
      gradient[i] += ridge * at[i]
      hessian[i * this.size + i] += ridge
    }
    const mean = (sum: number) => sum / this.#total
    return { value: mean(value), gradient: gradient.map(mean), hessian: hessian.map(mean) }
  }

  /** In units, row by row. */
  #chances(at: Float64Array): Int32Array {
    const width = this.#width
    const steps = Float64Array.from([...at, 0])
    return this.#logit.map((logit, row) => {
      let z = steps[0] * (logit / LOGIT_UNIT) + steps[1]
      for (let place = row * width; place < (row + 1) * width; place++) z += steps[this.#active[place]]
      return moveOdds(ONE / 2, clipStep(z * ONE))
    })
  }

  #loss(chance: Int32Array): number {
    const { label } = this.#rows
    let sum = 0
    for (let row = 0; row < chance.length; row++) {
      sum += this.#weight(row) * Math.floor(logLossUnits(label[row], chance[row]) / (ONE / LOSS_UNIT) + 0.5)
    }
    return sum / LOSS_UNIT
  }

  #gradient(chance: Int32Array): Float64Array {
    const width = this.#width
    const sums = new Float64Array(this.size + 1)
    const slope = emptySplitSum()
    for (let row = 0; row < chance.length; row++) {
      const residual = chance[row] - this.#rows.label[row]
      const counted = this.#weight(row) * residual
      addProduct(slope, residual, this.#logit[row], this.#weight(row))
      sums[1] += counted
      for (let place = row * width; place < (row + 1) * width; place++) sums[this.#active[place]] += counted
    }
    const gradient = sums.subarray(0, this.size).map(sum => sum / ONE)
    gradient[0] = splitSumValue(slope) * (ONE / LOGIT_UNIT)
    return gradient
  }

  /** Row 0 and column 0 are those of the logit. Indicators that a row lacks fall into the last row and column, which go. */
  #hessian(chance: Int32Array): Float64Array {
    const [width, side] = [this.#width, this.size + 1]
    const sums = new Float64Array(side * side)
    const square = emptySplitSum()
    for (let row = 0; row < chance.length; row++) {
      const weight = this.#weight(row)
      const variance = Math.floor((chance[row] * (ONE - chance[row])) / ONE)
      const tilted = Math.floor((variance * this.#logit[row]) / (LOGIT_UNIT * (ONE / PRODUCT_UNIT)))
      addProduct(square, tilted, this.#logit[row], weight)
      sums[1] += weight * tilted
      sums[side + 1] += weight * variance
      for (let place = row * width; place < (row + 1) * width; place++) {
        const i = this.#active[place]
        sums[i] += weight * tilted
        sums[side + i] += weight * variance
        for (let other = place; other < (row + 1) * width; other++)
          sums[i * side + this.#active[other]] += weight * variance
      }
    }
    const hessian = this.#mirror(sums)
    hessian[0] = splitSumValue(square) * (ONE / PRODUCT_UNIT) * (ONE / LOGIT_UNIT)
    return hessian
  }

  /** From the upper half, in units, to the whole. Active indicators ascend within a row, but for those that it lacks. */
  #mirror(sums: Float64Array): Float64Array {
    const { size } = this
    const hessian = new Float64Array(size * size)
    for (let i = 0; i < size; i++) {
      for (let j = i; j < size; j++) {
        const value = sums[i * (size + 1) + j] / (i === 0 ? PRODUCT_UNIT : ONE)
        hessian[i * size + j] = value
        hessian[j * size + i] = value
      }
    }
    return hessian
  }

  #weight(row: number): number {
    return this.#rows.weight === undefined ? 1 : this.#rows.weight[row]
  }
}
