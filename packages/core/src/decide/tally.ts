// Who gets which action, and what it costs: sums over rows, for everyone and for groups. Weights may be any numbers, and yet the order of
// rows does not matter.

import { ExactSum } from '../common/exactSum.ts'
import { normalMultiple } from '../measures/score/normal.ts'
import type { Estimate } from '../measures/score/scoredRows.ts'
import { type DecisionLoss, slopeOf } from './losses.ts'

/** Of one score's actions in one group of rows. */
export interface ActionSums {
  /** Per action: how much its rows weigh, and how much of that has the outcome 1. */
  readonly weights: readonly ExactSum[]
  readonly outcomes: readonly ExactSum[]
}

export const emptySums = ({ actions }: DecisionLoss): ActionSums => ({
  weights: actions.map(() => new ExactSum()),
  outcomes: actions.map(() => new ExactSum()),
})

/** Of all actions together. */
export const weightOf = ({ weights }: ActionSums): number => sumOf(valuesOf(weights))

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
  const [weights, outcomes] = [valuesOf(sums.weights), valuesOf(sums.outcomes)]
  const weight = sumOf(weights)
  const shares = weights.map(each => each / weight)
  if (!labelled) return { shares }
  const lost = loss.actions.map(
    (action, index) => weights[index] * action.losses[0] + outcomes[index] * slopeOf(action),
  )
  const meanLoss = sumOf(lost) / weight
  if (loss.actions.length > 2) return { shares, meanLoss }
  const [positives, negatives] = [sumOf(outcomes), weight - sumOf(outcomes)]
  return {
    ...{ shares, meanLoss },
    ...(negatives > 0 && { falsePositiveRate: (weights[1] - outcomes[1]) / negatives }),
    ...(positives > 0 && { falseNegativeRate: outcomes[0] / positives }),
  }
}

/** The mean difference of two losses of the same rows, with an interval from how much it varies between rows. */
export class LossChange {
  readonly #weight = new ExactSum()
  readonly #squaredWeight = new ExactSum()
  readonly #sum = new ExactSum()
  readonly #squares = { first: new ExactSum(), second: new ExactSum() }

  add(difference: number, weight: number): void {
    this.#weight.add(weight)
    this.#squaredWeight.add(weight * weight)
    if (difference === 0) return
    this.#sum.add(weight * difference)
    this.#squares.first.add(weight * weight * difference)
    this.#squares.second.add(weight * weight * difference * difference)
  }

  estimate(confidence: number): Estimate {
    const [weight, squaredWeight] = [this.#weight.value(), this.#squaredWeight.value()]
    const value = this.#sum.value() / weight
    const count = weight ** 2 / squaredWeight
    const [first, second] = [this.#squares.first.value(), this.#squares.second.value()]
    const spread = Math.max(0, second - 2 * value * first + value ** 2 * squaredWeight)
    const reach = normalMultiple(confidence) * (Math.sqrt(spread * (count / (count - 1))) / weight)
    return { value, low: value - reach, high: value + reach }
  }
}

const valuesOf = (sums: readonly ExactSum[]): number[] => sums.map(sum => sum.value())

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)
