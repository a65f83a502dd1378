// The observed sums of every group and level, ranked: by significance, and, among those beyond the critical value, by the
// size of their gap on either side.

import type { Noise } from '../../engine/engine.ts'
import { LABEL, type Outcome } from '../../engine/outcome.ts'
import type { Condition, FeatureSplit } from '../../engine/update.ts'
import { type Family, type MarginSums, type PairSums, sumFamily } from './family.ts'
import { type Around, quadrantOf } from './quadrants.ts'
import { type Axis, widthOf, yesBins } from './splitSums.ts'
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

/** Sums of the noise's variance: they belong to the family, whatever the labels, and every draw is measured by them. */
export interface FamilyVariance {
  readonly margins: MarginSums
  /** In the order in which pairs come. */
  readonly pairs: readonly Float64Array[]
}

export interface Ranked {
  /** Of every shape the best; see ShapeBests. */
  readonly bySignificance: readonly Candidate[]
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

export async function rankFamily(
  family: Family,
  options: RankOptions,
): Promise<Ranked & { variance: FamilyVariance }> {
  const spread: Outcome = { kind: 'variance', noise: options.noise, shift: options.shift }
  const observed = await sumFamily(family, LABEL)
  const expected = await sumFamily(family, spread)
  const margins = {
    counts: observed.margins('counts'),
    residuals: observed.margins('residuals'),
    variances: expected.margins('residuals'),
  }
  const ranking = new Ranking(family.levels, options)
  visitMargins(ranking, family, margins)
  const variances: Float64Array[] = []
  const expectedPairs = expected.pairs()[Symbol.asyncIterator]()
  for await (const pair of observed.pairs()) {
    const { value } = await expectedPairs.next()
    const variance = (value as PairSums).sums('residuals')
    variances.push(variance)
    visitPair(ranking, family, margins, pair, variance)
  }
  return { ...ranking.finish(), variance: { margins: margins.variances, pairs: variances } }
}

interface Margins {
  readonly counts: MarginSums
  readonly residuals: MarginSums
  readonly variances: MarginSums
}

/** Everyone, and both sides of every split. */
function visitMargins(ranking: Ranking, family: Family, margins: Margins): void {
  const width = widthOf(family.levels)
  const { counts: n, residuals: r, variances: v } = margins
  for (let level = 0; level < width; level++) {
    ranking.visit([], level, n.all[level], r.all[level], v.all[level])
  }
  family.axes.forEach(({ steps }, axis) => {
    const [ns, rs, vs] = [n.axes[axis], r.axes[axis], v.axes[axis]]
    const bests = new ShapeBests(ranking, [steps.splits], width)
    steps.splits.forEach((_, split) => {
      for (let level = 0; level < width; level++) {
        const at = split * width + level
        bests.visit(0, split, 0, level, ns[at], rs[at], vs[at])
        bests.visit(2, split, 0, level, n.all[level] - ns[at], r.all[level] - rs[at], v.all[level] - vs[at])
      }
    })
    bests.finish()
  })
}

/** The four quadrants of every two splits. */
function visitPair(
  ranking: Ranking,
  { axes, levels }: Family,
  margins: Margins,
  pair: PairSums,
  variance: Float64Array,
): void {
  const { a, b } = pair
  const around = (sums: MarginSums, both: Float64Array): Around => ({
    all: sums.all,
    a: sums.axes[a],
    b: sums.axes[b],
    both,
  })
  const n = around(margins.counts, pair.sums('counts'))
  const r = around(margins.residuals, pair.sums('residuals'))
  const v = around(margins.variances, variance)
  const width = widthOf(levels)
  const [splitsA, splitsB] = [axes[a].steps.splits, axes[b].steps.splits]
  const isNew = a === b ? newQuadrants(axes[a]) : undefined
  const bests = new ShapeBests(ranking, [splitsA, splitsB], width)
  for (let splitA = 0; splitA < splitsA.length; splitA++) {
    // Two splits of one feature are the same two in either order.
    for (let splitB = a === b ? splitA + 1 : 0; splitB < splitsB.length; splitB++) {
      for (let quadrant = 0; quadrant < 4; quadrant++) {
        if (isNew !== undefined && !isNew(splitA, splitB, quadrant)) continue
        for (let level = 0; level < width; level++) {
          const [atA, atB] = [splitA * width + level, splitB * width + level]
          const both = (splitA * splitsB.length + splitB) * width + level
          const count = quadrantOf(n, quadrant, atA, atB, both, level)
          const residual = quadrantOf(r, quadrant, atA, atB, both, level)
          const varied = quadrantOf(v, quadrant, atA, atB, both, level)
          bests.visit(quadrant, splitA, splitB, level, count, residual, varied)
        }
      }
    }
  }
  bests.finish()
}

/**
 * Of all groups of one shape, the most significant: the same columns tested to the same side (and, for categories, for the
 * same value), with cuts anywhere, at one level. Lists of such bests are not crowded with one group's neighbours.
 */
class ShapeBests {
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
      this.#ranking.addSmall(this.#path(quadrant, splitA, splitB), count, residual, variance)
    } else if (square > this.#squares[slot]) {
      this.#squares[slot] = square
      this.#bests.set([splitA, splitB, count, residual, variance], 5 * slot)
    }
  }

  finish(): void {
    this.#squares.forEach((square, slot) => {
      if (square < 0) return
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

/** Which quadrants of two splits of one feature are groups of their own: not empty, nor a side of either split. */
function newQuadrants(axis: Axis): (splitA: number, splitB: number, quadrant: number) => boolean {
  const sets = yesBins(axis)
  const every = (1n << BigInt(axis.bins)) - 1n
  return (splitA, splitB, quadrant) => {
    const [a, b] = [sets[splitA], sets[splitB]]
    const set = (quadrant < 2 ? a : every ^ a) & (quadrant % 2 === 0 ? b : every ^ b)
    return ![0n, a, b, every ^ a, every ^ b].includes(set)
  }
}

/** Everything that is ranked goes through here, in a fixed order. */
export class Ranking {
  readonly leastVariance: number
  readonly #width: number
  readonly #options: RankOptions
  readonly #longestSmall: number
  readonly #bySignificance: TopList<Candidate>
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
    this.#longestSmall = longestSmall
    this.#bySignificance = new TopList(options.kept)
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
    if (path.length > this.#longestSmall) return
    this.#tooSmall.add(count, candidateOf(path, undefined, count, residual, variance, words))
  }

  finish(): Ranked {
    return {
      bySignificance: this.#bySignificance.values(),
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
