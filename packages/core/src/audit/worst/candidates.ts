// The observed sums of every group and level of a family of trees, put to the ranking in a fixed order.

import { LABEL, type Outcome } from '../../engine/outcome.ts'
import { type Family, type MarginSums, type PairSums, sumFamily } from '../../oracle/groups/family.ts'
import { type Axis, widthOf, yesBins } from '../../oracle/groups/splitSums.ts'
import { type Around, quadrantOf } from './quadrants.ts'
import { type Ranked, Ranking, type RankOptions } from './ranking.ts'
import { ShapeBests } from './shapeBests.ts'

/** Sums of the noise's variance: they belong to the family, whatever the labels, and every draw is measured by them. */
export interface FamilyVariance {
  readonly margins: MarginSums
  /** In the order in which pairs come. */
  readonly pairs: readonly Float64Array[]
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
