// How the exhaustive search over pairs is laid out for the kernels: sides of root splits, pairs, and what was not counted.

import type { PairBatch } from '../../kernels/pairs/batches.ts'
import { type SideBests, stepWords } from '../../kernels/pairs/cells.ts'
import { SCORE_KINDS, SEARCHED_PAIR_WORDS } from '../../kernels/pairs/twin.ts'
import type { Scratch } from '../../kernels/scratch.ts'
import type { PairSearchRequest } from '../engine.ts'

/** What `pairScan` needs besides pairs and cells. */
export interface SearchPlaces {
  readonly sides: number
  readonly kind: number
  readonly totals: number
  /** A line of cells, and one cell, to add up in. */
  readonly lines: number
  /** The bests as they are now. */
  readBests(): SideBests[]
}

/** `binCounts`: coarse bins of each side. */
export function writeSearch(
  scratch: Scratch,
  { levels, score, sides, total }: PairSearchRequest,
  binCounts: readonly number[],
): SearchPlaces {
  const doubles = (values: Float64Array): number => {
    const at = scratch.take(8 * values.length)
    scratch.doubles().set(values, at >>> 3)
    return at
  }
  const places = sides.map(({ bests, sides: sums, steps }, index) => {
    const words = stepWords(steps)
    return [
      index,
      binCounts[index],
      words.length,
      scratch.write(words),
      doubles(sums.counts),
      doubles(sums.residuals),
      doubles(bests.scores),
      scratch.write(bests.features),
      scratch.write(bests.splits),
    ]
  })
  const totals = scratch.take(16 * levels)
  scratch.doubles().set(total.counts, totals >>> 3)
  scratch.doubles().set(total.residuals, (totals >>> 3) + levels)
  return {
    sides: scratch.write(places.flat()),
    kind: SCORE_KINDS.indexOf(score),
    totals,
    lines: scratch.take(16 * levels * (1 + Math.max(...binCounts))),
    readBests() {
      const [ints, numbers] = [scratch.ints(), scratch.doubles()]
      return sides.map(({ bests }, index) => {
        const [scores, features, splits] = places[index].slice(6)
        const { length } = bests.scores
        return {
          scores: numbers.slice(scores >>> 3, (scores >>> 3) + length),
          features: ints.slice(features >>> 2, (features >>> 2) + length),
          splits: ints.slice(splits >>> 2, (splits >>> 2) + length),
        }
      })
    },
  }
}

/** Positions of two sides, and the first cell of theirs. */
export function writePairs(scratch: Scratch, pairs: PairBatch, offsets: readonly number[]): number {
  const words = new Int32Array(SEARCHED_PAIR_WORDS * pairs.length)
  for (let index = 0; index < pairs.length; index++) {
    const at = SEARCHED_PAIR_WORDS * index
    words[at] = pairs[index][0]
    words[at + 1] = pairs[index][1]
    words[at + 2] = offsets[index]
  }
  return scratch.write(words)
}
