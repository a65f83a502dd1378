// The randomized predictor behind the optimal rate of multicalibration (Collina, Lu, Noarov and Roth 2026): an online learner against
// exponential weights over all tests (a group, a sign for every value of a grid), streamed over the rows once; the predictor draws one
// of its states, and then a value from the distribution that this state gives. The weights over signs factor, so a state is one number
// for every group and value.

export interface GroupRows {
  readonly rowCount: number
  /** The groups of every row, by number. */
  readonly groupsOf: readonly (readonly number[])[]
  readonly groupCount: number
}

/** A distribution over the values 0, 1/K, ..., 1: one value, or two neighbours. */
export interface Draw {
  readonly at: number
  /** Of `at`; the rest is that of the next value. */
  readonly share: number
}

export class OnlineLearner {
  readonly #bins: number
  readonly #rate: number
  /** Sums of g(x) q(p) (p - y) at [group * (K + 1) + p]. */
  readonly #sums: Float64Array
  readonly #groupCount: number

  constructor(groupCount: number, bins: number, rate: number, sums?: Float64Array) {
    this.#groupCount = groupCount
    this.#bins = bins
    this.#rate = rate
    this.#sums = sums ?? new Float64Array(groupCount * (bins + 1))
  }

  /** The state as it is now. */
  copy(): OnlineLearner {
    return new OnlineLearner(this.#groupCount, this.#bins, this.#rate, this.#sums.slice())
  }

  /** Of a row in these groups. */
  drawFor(groups: readonly number[]): Draw {
    const leanings = this.leanings(groups)
    const last = this.#bins
    if (leanings[0] >= 0) return { at: 0, share: 1 }
    if (leanings[last] <= 0) return { at: last, share: 1 }
    let at = 0
    while (leanings[at + 1] < 0) at++
    const [below, above] = [leanings[at], leanings[at + 1]]
    return { at, share: above === below ? 1 : above / (above - below) }
  }

  /** lambda(p): how much the weighted tests say that predictions of p have been too high. */
  leanings(groups: readonly number[]): Float64Array {
    const weights = this.#groupWeights()
    const leanings = new Float64Array(this.#bins + 1)
    for (const group of groups) {
      for (let value = 0; value <= this.#bins; value++) {
        leanings[value] += weights[group] * Math.tanh(this.#rate * this.#sums[this.#at(group, value)])
      }
    }
    return leanings
  }

  learn(groups: readonly number[], label: number): void {
    const { at, share } = this.drawFor(groups)
    for (const group of groups) {
      this.#sums[this.#at(group, at)] += share * (at / this.#bins - label)
      if (share < 1) this.#sums[this.#at(group, at + 1)] += (1 - share) * ((at + 1) / this.#bins - label)
    }
    this.#weights = undefined
  }

  #weights: Float64Array | undefined

  #groupWeights(): Float64Array {
    if (this.#weights !== undefined) return this.#weights
    const logs = Float64Array.from({ length: this.#groupCount }, (_, group) => {
      let sum = 0
      for (let value = 0; value <= this.#bins; value++)
        sum += logCosh(this.#rate * this.#sums[this.#at(group, value)])
      return sum
    })
    const most = logs.reduce((a, b) => Math.max(a, b))
    const weights = logs.map(log => Math.exp(log - most))
    const total = weights.reduce((sum, weight) => sum + weight, 0)
    this.#weights = weights.map(weight => weight / total)
    return this.#weights
  }

  #at(group: number, value: number): number {
    return group * (this.#bins + 1) + value
  }
}

const logCosh = (x: number): number => Math.abs(x) + Math.log1p(Math.exp(-2 * Math.abs(x))) - Math.LN2

/** One pass over the rows; `states` of its states, evenly spaced over the pass. */
export function learnStates(
  { groupCount, groupsOf, rowCount }: GroupRows,
  labels: ArrayLike<number>,
  bins: number,
  states: number,
): OnlineLearner[] {
  const rate = Math.sqrt((Math.log(groupCount) + bins * Math.LN2) / rowCount)
  const learner = new OnlineLearner(groupCount, bins, rate)
  const kept: OnlineLearner[] = []
  for (let row = 0; row < rowCount; row++) {
    // The state before each row: row t is predicted by what rows 1 to t - 1 taught.
    if (Math.floor(((row + 1) * states) / rowCount) > Math.floor((row * states) / rowCount))
      kept.push(learner.copy())
    learner.learn(groupsOf[row], labels[row])
  }
  return kept
}

/** The chance of every value for a row in these groups: a state is drawn first. */
export function chancesFor(
  states: readonly OnlineLearner[],
  groups: readonly number[],
  bins: number,
): Float64Array {
  const chances = new Float64Array(bins + 1)
  for (const state of states) {
    const { at, share } = state.drawFor(groups)
    chances[at] += share / states.length
    if (share < 1) chances[at + 1] += (1 - share) / states.length
  }
  return chances
}
