// The observed sums of every group and level of a family of trees, put to the ranking in a fixed order.

import { type Noise, type Outcome, observedOf } from '../../engine/outcome.ts'
import {
  type Family,
  type MarginSums,
  type PairSums,
  pairedAxes,
  sumFamily,
} from '../../oracle/groups/family.ts'
import { type Axis, widthOf, yesBins } from '../../oracle/groups/splitSums.ts'
import { aroundPair, largeQuadrants, quadrantOf } from './quadrants.ts'
import { type Ranked, Ranking, type RankOptions } from './ranking.ts'
import { ShapeBests } from './shapeBests.ts'

/** Called after each pair of columns. */
export type OnPair = (done: number, of: number) => void

export async function rankFamily(
  family: Family,
  options: RankOptions,
  onPair: OnPair = () => {},
): Promise<Ranked> {
  const observed = await sumFamily(family, observedOf(options.noise))
  const expected = await sumFamily(family, spreadOf(options))
  const margins = {
    counts: observed.margins('counts'),
    residuals: observed.margins('residuals'),
    variances: expected.margins('residuals'),
  }
  const ranking = new Ranking(family.levels, options)
  visitMargins(ranking, family, margins)
  const columns = pairedAxes(family).length
  let done = 0
  const expectedPairs = expected.pairs()[Symbol.asyncIterator]()
  for await (const pair of observed.pairs()) {
    const { value } = await expectedPairs.next()
    visitPair(ranking, family, margins, pair, (value as PairSums).sums('residuals'))
    onPair(++done, (columns * (columns + 1)) / 2)
  }
  return ranking.finish()
}

/** What noise is measured by. */
export const spreadOf = ({ noise, shift }: { noise: Noise; shift: number }): Outcome => ({
  kind: 'variance',
  noise,
  shift,
})

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
  const n = aroundPair(margins.counts, a, b, pair.sums('counts'))
  const r = aroundPair(margins.residuals, a, b, pair.sums('residuals'))
  const v = aroundPair(margins.variances, a, b, variance)
  const width = widthOf(levels)
  const [splitsA, splitsB] = [axes[a].steps.splits, axes[b].steps.splits]
  const newOnes = a === b ? newQuadrants(axes[a]) : () => EVERY
  const { leastVariance } = ranking
  const bests = new ShapeBests(ranking, [splitsA, splitsB], width)
  for (let splitA = 0; splitA < splitsA.length; splitA++) {
    // Two splits of one feature are the same two in either order.
    for (let splitB = a === b ? splitA + 1 : 0; splitB < splitsB.length; splitB++) {
      const own = newOnes(splitA, splitB)
      let atA = splitA * width
      let atB = splitB * width
      let both = (splitA * splitsB.length + splitB) * width
      for (let level = 0; level < width; level++, atA++, atB++, both++) {
        // Most groups are too small at most levels; only at all levels together are these counted.
        const large = level < width - 1 ? largeQuadrants(v, atA, atB, both, level, leastVariance) : EVERY
        for (let quadrant = 0, bits = large & own; bits > 0; quadrant++, bits >>= 1) {
          if ((bits & 1) === 0) continue
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

/** A bit for each quadrant. */
const EVERY = 15

/** Which quadrants of two splits of one feature are groups of their own: not empty, nor a side of either split. */
function newQuadrants(axis: Axis): (splitA: number, splitB: number) => number {
  const sets = yesBins(axis)
  const every = (1n << BigInt(axis.bins)) - 1n
  return (splitA, splitB) => {
    const [a, b] = [sets[splitA], sets[splitB]]
    const isNew = (quadrant: number) => {
      const set = (quadrant < 2 ? a : every ^ a) & (quadrant % 2 === 0 ? b : every ^ b)
      return ![0n, a, b, every ^ a, every ^ b].includes(set)
    }
    return [0, 1, 2, 3].reduce((bits, quadrant) => bits | (Number(isNew(quadrant)) << quadrant), 0)
  }
}
