// Who gets which action, and what it costs: sums over rows, for everyone and for groups.

import { normalMultiple } from '../measures/score/normal.ts'
import type { Estimate } from '../measures/score/scoredRows.ts'
import { type DecisionLoss, slopeOf } from './losses.ts'

/** Of one score's actions in one group of rows. */
export interface ActionSums {
  /** Per action: how much its rows weigh, and how much of that has the outcome 1. */
  readonly weights: Float64Array
  readonly outcomes: Float64Array
}

export const emptySums = ({ actions }: DecisionLoss): ActionSums => ({
  weights: new Float64Array(actions.length),
  outcomes: new Float64Array(actions.length),
})

/** What decisions by one score come to. What asks for outcomes is absent where there are none. */
export interface ActionFacts {
  /** The share of the rows, by weight, that each action is taken for. */
  readonly shares: readonly number[]
  readonly meanLoss?: number
  /** Of two actions, the second one being "yes": of outcomes 0 the share that gets it, of outcomes 1 the share that does not. */
  readonly falsePositiveRate?: number
  readonly falseNegativeRate?: number
}

export function factsOf(loss: DecisionLoss, sums: ActionSums, labelled: boolean): ActionFacts {
  const weight = sumOf(sums.weights)
  const shares = Array.from(sums.weights, each => each / weight)
  if (!labelled) return { shares }
  const meanLoss = lossOf(loss, sums) / weight
  if (loss.actions.length > 2) return { shares, meanLoss }
  const [positives, negatives] = [sumOf(sums.outcomes), weight - sumOf(sums.outcomes)]
  return {
    ...{ shares, meanLoss },
    ...(negatives > 0 && { falsePositiveRate: (sums.weights[1] - sums.outcomes[1]) / negatives }),
    ...(positives > 0 && { falseNegativeRate: sums.outcomes[0] / positives }),
  }
}

/** The sum of weight times loss. */
const lossOf = ({ actions }: DecisionLoss, { outcomes, weights }: ActionSums): number =>
  actions.reduce(
    (sum, action, index) => sum + weights[index] * action.losses[0] + outcomes[index] * slopeOf(action),
    0,
  )

/** The mean difference of two losses of the same rows, with an interval from how much it varies between rows. */
export class LossChange {
  #weight = 0
  #squaredWeight = 0
  #sum = 0
  readonly #squares = { first: 0, second: 0 }

  add(difference: number, weight: number): void {
    this.#weight += weight
    this.#squaredWeight += weight ** 2
    this.#sum += weight * difference
    this.#squares.first += weight ** 2 * difference
    this.#squares.second += weight ** 2 * difference ** 2
  }

  estimate(confidence: number): Estimate {
    const value = this.#sum / this.#weight
    const count = this.#weight ** 2 / this.#squaredWeight
    const { first, second } = this.#squares
    const spread = Math.max(0, second - 2 * value * first + value ** 2 * this.#squaredWeight)
    const reach = normalMultiple(confidence) * (Math.sqrt(spread * (count / (count - 1))) / this.#weight)
    return { value, low: value - reach, high: value + reach }
  }
}

const sumOf = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0)
