// The exhaustive search for the group that is most surely off: everyone, both sides of every split, all four quadrants of
// every two splits, each with the scores that fit it best.

import { lnOf } from '../../common/logistic.ts'
import { LABEL } from '../../engine/outcome.ts'
import type { Condition } from '../../update/update.ts'
import type { Evidence } from './evidence.ts'
import { type Family, type MarginSums, type PairSums, sumFamily } from './family.ts'
import { splitCount, widthOf } from './splitSums.ts'

export interface Candidate {
  readonly path: readonly Condition[]
  readonly evidence: number
}

/**
 * Everyone, and the best of every column and of every two columns: the first `wanted` of those with more evidence than
 * `least`, most first, then as they were searched.
 */
export async function searchGroups(
  family: Family,
  evidence: Evidence,
  { least, wanted }: { readonly least: number; readonly wanted: number },
): Promise<Candidate[]> {
  const sums = await sumFamily(family, LABEL)
  const margins = { counts: sums.margins('counts'), residuals: sums.margins('residuals') }
  const scan = new Scan(family, evidence, margins)
  const best: Candidate[] = []
  const bar = () => (best.length < wanted ? least : best[wanted - 1].evidence)
  const list = (found: Candidate) => {
    if (found.evidence <= bar()) return
    const place = best.findIndex(each => each.evidence < found.evidence)
    best.splice(place < 0 ? best.length : place, 0, found)
    best.length = Math.min(best.length, wanted)
  }
  list(scan.everyone())
  for (const axis of family.axes.keys()) list(scan.axis(axis, bar()))
  for await (const pair of sums.pairs()) list(scan.pair(pair, bar()))
  return best
}

interface Margins {
  readonly counts: MarginSums
  readonly residuals: MarginSums
}

class Scan {
  readonly #family: Family
  readonly #evidence: Evidence
  readonly #margins: Margins
  readonly #width: number
  readonly #counts: Float64Array
  readonly #residuals: Float64Array

  constructor(family: Family, evidence: Evidence, margins: Margins) {
    this.#family = family
    this.#evidence = evidence
    this.#margins = margins
    this.#width = widthOf(family.levels)
    this.#counts = new Float64Array(family.levels)
    this.#residuals = new Float64Array(family.levels)
  }

  everyone(): Candidate {
    const { counts, residuals } = this.#margins
    return { path: [], evidence: this.#evidence.weigh(counts.all, residuals.all) }
  }

  /** Evidence 0 where none has more than `least`. */
  axis(axis: number, least: number): Candidate {
    const [n, r] = [this.#margins.counts, this.#margins.residuals]
    let best = { split: 0, side: 0, evidence: least }
    for (let split = 0; split < splitCount(this.#family.axes[axis]); split++) {
      for (let side = 0; side < 2; side++) {
        for (let level = 0; level < this.#family.levels; level++) {
          const at = split * this.#width + level
          const [count, residual] = [n.axes[axis][at], r.axes[axis][at]]
          this.#counts[level] = side === 0 ? count : n.all[level] - count
          this.#residuals[level] = side === 0 ? residual : r.all[level] - residual
        }
        const evidence = this.#evidence.weigh(this.#counts, this.#residuals, best.evidence)
        if (evidence > best.evidence) best = { split, side, evidence }
      }
    }
    return {
      path: [this.#condition(axis, best.split, best.side === 0)],
      evidence: beyond(best.evidence, least),
    }
  }

  /** Evidence 0 where none has more than `least`. */
  pair(pair: PairSums, least: number): Candidate {
    const { a, b } = pair
    const [both, bothResiduals] = [pair.sums('counts'), pair.sums('residuals')]
    const [splitsA, splitsB] = [a, b].map(axis => splitCount(this.#family.axes[axis]))
    let best = { splitA: 0, splitB: 0, quadrant: 0, evidence: least }
    for (let splitA = 0; splitA < splitsA; splitA++) {
      // Two splits of one column are the same two in either order.
      for (let splitB = a === b ? splitA + 1 : 0; splitB < splitsB; splitB++) {
        const at = (splitA * splitsB + splitB) * this.#width
        for (let quadrant = 0; quadrant < 4; quadrant++) {
          this.#fill(this.#counts, this.#margins.counts, pair, both, quadrant, splitA, splitB, at)
          this.#fill(
            this.#residuals,
            this.#margins.residuals,
            pair,
            bothResiduals,
            quadrant,
            splitA,
            splitB,
            at,
          )
          const evidence = this.#evidence.weigh(this.#counts, this.#residuals, best.evidence)
          if (evidence > best.evidence) best = { splitA, splitB, quadrant, evidence }
        }
      }
    }
    const { evidence, quadrant, splitA, splitB } = best
    const path = [this.#condition(a, splitA, quadrant < 2), this.#condition(b, splitB, quadrant % 2 === 0)]
    return { path, evidence: beyond(evidence, least) }
  }

  /** Quadrant q: bit 1 is A's side, bit 0 is B's, 0 for yes. */
  #fill(
    into: Float64Array,
    { all, axes }: MarginSums,
    { a, b }: PairSums,
    both: Float64Array,
    quadrant: number,
    splitA: number,
    splitB: number,
    at: number,
  ): void {
    const [ofA, ofB] = [axes[a], axes[b]]
    const [atA, atB] = [splitA * this.#width, splitB * this.#width]
    const levels = into.length
    if (quadrant === 0) for (let level = 0; level < levels; level++) into[level] = both[at + level]
    else if (quadrant === 1)
      for (let level = 0; level < levels; level++) into[level] = ofA[atA + level] - both[at + level]
    else if (quadrant === 2)
      for (let level = 0; level < levels; level++) into[level] = ofB[atB + level] - both[at + level]
    else
      for (let level = 0; level < levels; level++)
        into[level] = all[level] - ofA[atA + level] - ofB[atB + level] + both[at + level]
  }

  #condition(axis: number, split: number, yes: boolean): Condition {
    return { split: this.#family.axes[axis].steps.splits[split], yes }
  }
}

const beyond = (evidence: number, least: number): number => (evidence > least ? evidence : 0)

/**
 * More evidence than noise alone reaches in all but few searches: docs/decisions/0014 has the draws behind it. Cuts of one number
 * are much alike and count by their logarithm, values of a category one by one.
 */
export function leastEvidence({ axes, depth }: Family): number {
  const splits = axes.map(({ steps }) => {
    const cuts = steps.splits.filter(({ kind }) => kind === 'atMost').length
    return steps.splits.length - cuts + lnOf(1 + cuts) / Math.LN2
  })
  const sum = splits.reduce((total, count) => total + count, 0)
  const squares = splits.reduce((total, count) => total + count * count, 0)
  const groups = 1 + 2 * sum + (depth === 2 ? 2 * (sum * sum - squares) : 0)
  return 6.5 + 2 * lnOf(groups)
}
