// What is ranked: by significance, and, among groups beyond the critical value, by what is surely wrong in them and by the size of their
// gap on either side.

import type { Noise } from '../../engine/engine.ts'
import { widthOf } from '../../oracle/groups/splitSums.ts'
import type { Condition } from '../../update/update.ts'
import { TopList } from './topList.ts'

/** A group, at one level of the predictions or (undefined) at all of them, and its sums as the engine gives them. */
export interface Candidate {
  readonly path: readonly Condition[]
  /** Where the group was declared with words of its own. */
  readonly words?: string
  readonly level: number | undefined
  readonly count: number
  readonly residual: number
  /** Of the residual sum, if predictions are right; 0 is not among candidates. */
  readonly variance: number
}

export interface Ranked {
  /** Of every shape the best; see ShapeBests. */
  readonly bySignificance: readonly Candidate[]
  /** Those beyond the critical value by |R| less its noise there: by how many outcomes scores are surely off. */
  readonly byConcern: readonly Candidate[]
  /** Scores too low, and too high: by the size of the gap, among those beyond the critical value. */
  readonly tooLow: readonly Candidate[]
  readonly tooHigh: readonly Candidate[]
  /** One condition at most, and too little variance to say anything. */
  readonly tooSmall: readonly Candidate[]
  readonly groupsTested: number
  readonly groupsTooSmall: number
  /** Groups and levels with enough variance: so many statistics the largest is the largest of. */
  readonly testCount: number
  readonly largestSquare: number
}

export interface RankOptions {
  readonly noise: Noise
  readonly shift: number
  /** The least variance, in the engine's sums, at which a group is tested. */
  readonly leastVariance: number
  /** What R^2 / V must exceed to be ranked by its gap. */
  readonly criticalSquare: number
  readonly kept: number
}

/** Everything that is ranked goes through here, in a fixed order. */
export class Ranking {
  readonly leastVariance: number
  /** Conditions that a group which is too small may have to be listed. */
  readonly longestSmall: number
  readonly #width: number
  readonly #options: RankOptions
  readonly #bySignificance: TopList<Candidate>
  readonly #byConcern: TopList<Candidate>
  readonly #tooLow: TopList<Candidate>
  readonly #tooHigh: TopList<Candidate>
  readonly #tooSmall: TopList<Candidate>
  #groupsTested = 0
  #groupsTooSmall = 0
  #testCount = 0
  #largest = 0

  /** Groups that are too small are counted, and listed if they have no more conditions than `longestSmall`. */
  constructor(levels: number, options: RankOptions, longestSmall = 1) {
    this.leastVariance = options.leastVariance
    this.#width = widthOf(levels)
    this.#options = options
    this.longestSmall = longestSmall
    this.#bySignificance = new TopList(options.kept)
    this.#byConcern = new TopList(options.kept)
    this.#tooLow = new TopList(options.kept)
    this.#tooHigh = new TopList(options.kept)
    this.#tooSmall = new TopList(options.kept)
  }

  /** `column`: a level, or, in the last place, all of them. */
  visit(
    path: readonly Condition[],
    column: number,
    count: number,
    residual: number,
    variance: number,
    words?: string,
  ): void {
    if (!this.tally(column, count, residual, variance)) return
    if (variance < this.leastVariance) this.addSmall(path, count, residual, variance, words)
    else this.list(path, column, count, residual, variance, words)
  }

  /** Counts it, and says whether it is of any interest. */
  tally(column: number, count: number, residual: number, variance: number): boolean {
    const whole = column === this.#width - 1
    if (variance < this.leastVariance) {
      if (!whole || count <= 0) return false
      this.#groupsTooSmall++
      return true
    }
    this.#testCount++
    if (whole) this.#groupsTested++
    const square = (residual * residual) / variance
    if (square > this.#largest) this.#largest = square
    return true
  }

  /** Has such a square a place in any list? Asked before a path is made. */
  wouldList(square: number): boolean {
    return square > this.#bySignificance.threshold || square > this.#options.criticalSquare
  }

  list(
    path: readonly Condition[],
    column: number,
    count: number,
    residual: number,
    variance: number,
    words?: string,
  ): void {
    const level = column === this.#width - 1 ? undefined : column
    const candidate = candidateOf(path, level, count, residual, variance, words)
    const square = (residual * residual) / variance
    this.#bySignificance.add(square, candidate)
    if (square <= this.#options.criticalSquare) return
    this.#byConcern.add(Math.abs(residual) - Math.sqrt(this.#options.criticalSquare * variance), candidate)
    const side = residual > 0 ? this.#tooLow : this.#tooHigh
    side.add(Math.abs(residual) / count, candidate)
  }

  addSmall(
    path: readonly Condition[],
    count: number,
    residual: number,
    variance: number,
    words?: string,
  ): void {
    if (path.length > this.longestSmall) return
    this.#tooSmall.add(count, candidateOf(path, undefined, count, residual, variance, words))
  }

  finish(): Ranked {
    return {
      bySignificance: this.#bySignificance.values(),
      byConcern: this.#byConcern.values(),
      tooLow: this.#tooLow.values(),
      tooHigh: this.#tooHigh.values(),
      tooSmall: this.#tooSmall.values(),
      groupsTested: this.#groupsTested,
      groupsTooSmall: this.#groupsTooSmall,
      testCount: this.#testCount,
      largestSquare: this.#largest,
    }
  }
}

const candidateOf = (
  path: readonly Condition[],
  level: number | undefined,
  count: number,
  residual: number,
  variance: number,
  words: string | undefined,
): Candidate => ({ path, level, count, residual, variance, ...(words !== undefined && { words }) })
