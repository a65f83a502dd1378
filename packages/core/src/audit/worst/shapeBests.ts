// Lists that are not crowded with one group's neighbours.

import type { Condition, FeatureSplit } from '../../update/update.ts'
import type { Ranking } from './ranking.ts'

/**
 * Of all groups of one shape, the most significant: the same columns tested to the same side (and, for categories, for the
 * same value), with cuts anywhere, at one level. Lists of such bests are not crowded with one group's neighbours.
 */
export class ShapeBests {
  readonly #ranking: Ranking
  readonly #splits: readonly (readonly FeatureSplit[])[]
  readonly #width: number
  /** Which shape a split has among those of its axis: cuts share one, every value has its own. */
  readonly #shapes: readonly Int32Array[]
  readonly #shapeCounts: readonly number[]
  readonly #squares: Float64Array
  /** Per shape: the two splits, count, residual and variance of the best. */
  readonly #bests: Float64Array

  constructor(ranking: Ranking, splits: readonly (readonly FeatureSplit[])[], width: number) {
    this.#ranking = ranking
    this.#splits = splits
    this.#width = width
    this.#shapes = splits.map(list => {
      let next = 1
      return Int32Array.from(list, ({ kind }) => (kind === 'atMost' ? 0 : next++))
    })
    this.#shapeCounts = this.#shapes.map(
      shapes => shapes.reduce((most, shape) => Math.max(most, shape), 0) + 1,
    )
    const size = this.#shapeCounts.reduce((product, count) => product * count, 4 * width)
    this.#squares = new Float64Array(size).fill(-1)
    this.#bests = new Float64Array(5 * size)
  }

  /** Quadrant: bit 1 for the no side of A, bit 0 for that of B. */
  visit(
    quadrant: number,
    splitA: number,
    splitB: number,
    column: number,
    count: number,
    residual: number,
    variance: number,
  ): void {
    if (!this.#ranking.tally(column, count, residual, variance)) return
    const square = (residual * residual) / variance
    const [shapesA, shapesB] = this.#shapes
    const shape =
      shapesB === undefined ? shapesA[splitA] : shapesA[splitA] * this.#shapeCounts[1] + shapesB[splitB]
    const slot = (shape * 4 + quadrant) * this.#width + column
    if (variance < this.#ranking.leastVariance) {
      if (this.#splits.length > this.#ranking.longestSmall) return
      this.#ranking.addSmall(this.#path(quadrant, splitA, splitB), count, residual, variance)
    } else if (square > this.#squares[slot]) {
      this.#squares[slot] = square
      this.#keep(5 * slot, splitA, splitB, count, residual, variance)
    }
  }

  #keep(at: number, splitA: number, splitB: number, count: number, residual: number, variance: number): void {
    const bests = this.#bests
    bests[at] = splitA
    bests[at + 1] = splitB
    bests[at + 2] = count
    bests[at + 3] = residual
    bests[at + 4] = variance
  }

  finish(): void {
    this.#squares.forEach((square, slot) => {
      if (square < 0 || !this.#ranking.wouldList(square)) return
      const [splitA, splitB, count, residual, variance] = this.#bests.subarray(5 * slot, 5 * slot + 5)
      const quadrant = Math.floor(slot / this.#width) % 4
      const path = this.#path(quadrant, splitA, splitB)
      this.#ranking.list(path, slot % this.#width, count, residual, variance)
    })
  }

  #path(quadrant: number, splitA: number, splitB: number): Condition[] {
    const [a, b] = this.#splits
    const first = { split: a[splitA], yes: quadrant < 2 }
    return b === undefined ? [first] : [first, { split: b[splitB], yes: quadrant % 2 === 0 }]
  }
}
