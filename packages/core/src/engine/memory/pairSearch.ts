// How the exhaustive search over pairs is laid out for the kernels: sides of root splits, pairs, and what was not counted.

import type { PairSearchRequest } from '../engine.ts'
import type { PairBatch } from '../pairs/batches.ts'
import type { ScoreKind } from '../pairs/cells.ts'
import { type PairSide, scanQuadrants } from '../pairs/quadrants.ts'
import { fillCells } from './commonBins.ts'
import type { PairKernels } from './kernels.ts'
import type { Room } from './room.ts'

/** As the kernel numbers them. */
const SCORE_KINDS: readonly ScoreKind[] = ['squares', 'largest', 'absolute']

const [SIDE_WORDS, SEARCHED_PAIR_WORDS, FILL_WORDS] = [9, 3, 7]

/** What `pairScan` needs besides pairs and cells. */
export interface SearchPlaces {
  readonly sides: number
  readonly kind: number
  readonly totals: number
  readonly scratch: number
  /** Copies the bests back to where the request has them. */
  readBests(): void
}

/** `binCounts`: coarse bins of each side. */
export function writeSearch(
  room: Room,
  { levels, score, sides, total }: PairSearchRequest,
  binCounts: readonly number[],
): SearchPlaces {
  const doubles = (values: Float64Array): number => {
    const at = room.take(8 * values.length)
    room.doubles().set(values, at >>> 3)
    return at
  }
  const places = sides.map(({ bests, sides: sums, steps }, index) => {
    const words = Array.from(
      steps.bins,
      (bin, step) => bin | (steps.resets[step] << 8) | ((steps.splitIndexes[step] + 1) << 16),
    )
    return [
      index,
      binCounts[index],
      words.length,
      room.write(words),
      doubles(sums.counts),
      doubles(sums.residuals),
      doubles(bests.scores),
      room.write(bests.features),
      room.write(bests.splits),
    ]
  })
  const totals = room.take(16 * levels)
  room.doubles().set(total.counts, totals >>> 3)
  room.doubles().set(total.residuals, (totals >>> 3) + levels)
  return {
    sides: room.write(places.flat()),
    kind: SCORE_KINDS.indexOf(score),
    totals,
    scratch: room.take(16 * levels * (1 + Math.max(...binCounts))),
    readBests() {
      const [ints, numbers] = [room.ints(), room.doubles()]
      for (const [index, { bests }] of sides.entries()) {
        const [scores, features, splits] = places[index].slice(6)
        const length = bests.scores.length
        bests.scores.set(numbers.subarray(scores >>> 3, (scores >>> 3) + length))
        bests.features.set(ints.subarray(features >>> 2, (features >>> 2) + length))
        bests.splits.set(ints.subarray(splits >>> 2, (splits >>> 2) + length))
      }
    },
  }
}

/** Positions of two sides, and the first cell of theirs. */
export function writePairs(room: Room, pairs: PairBatch, offsets: readonly number[]): number {
  const words = new Int32Array(SEARCHED_PAIR_WORDS * pairs.length)
  for (let index = 0; index < pairs.length; index++) {
    const at = SEARCHED_PAIR_WORDS * index
    words[at] = pairs[index][0]
    words[at + 1] = pairs[index][1]
    words[at + 2] = offsets[index]
  }
  return room.write(words)
}

/** The kernels of pairScan.ts again, in plain TypeScript. */
export function pairTwin(buffer: () => ArrayBuffer): PairKernels {
  return {
    pairScan(pairs, pairCount, sides, levels, kind, counts, residuals, totals, scratch) {
      const [ints, doubles] = [new Int32Array(buffer()), new Float64Array(buffer())]
      const view = (at: number, length: number) => doubles.subarray(at >>> 3, (at >>> 3) + length)
      const score = SCORE_KINDS[kind]
      const total = { counts: view(totals, levels), residuals: view(totals + 8 * levels, levels) }
      for (let pair = 0; pair < pairCount; pair++) {
        const [a, b, first] = ints.subarray((pairs >>> 2) + pair * SEARCHED_PAIR_WORDS)
        const [sideA, sideB] = [a, b].map(side => readSide(ints, view, sides, side, levels))
        const row = sideB.bins * levels
        const at = scratch + 16 * row
        const cells = sideA.bins * row
        scanQuadrants(
          ...[sideA, sideB, score],
          { counts: view(counts + 8 * first, cells), residuals: view(residuals + 8 * first, cells) },
          ...[total, levels, 0],
          {
            row: { counts: view(scratch, row), residuals: view(scratch + 8 * row, row) },
            yesYes: { counts: view(at, levels), residuals: view(at + 8 * levels, levels) },
            scores: new Float64Array(4),
          },
        )
      }
    },
    pairFill(fills, fillCount, levels, sums, margins) {
      const [ints, doubles] = [new Int32Array(buffer()), new Float64Array(buffer())]
      for (let fill = 0; fill < fillCount; fill++) {
        const words = ints.subarray((fills >>> 2) + fill * FILL_WORDS)
        fillCells(doubles, words, levels, sums >>> 3, margins >>> 3)
      }
    },
    levelTotals(cells, levels, signs, sums, into) {
      const doubles = new Float64Array(buffer())
      for (let cell = 0; cell < cells; cell++) {
        let sum = 0
        for (let level = 0; level < levels; level++) {
          sum += doubles[(signs >>> 3) + level] * doubles[(sums >>> 3) + cell * levels + level]
        }
        doubles[(into >>> 3) + cell] = sum
      }
    },
  }
}

interface SideInMemory extends PairSide {
  readonly bins: number
}

function readSide(
  ints: Int32Array,
  view: (at: number, length: number) => Float64Array,
  sides: number,
  side: number,
  levels: number,
): SideInMemory {
  const [feature, bins, stepCount, steps, counts, residuals, scores, features, splits] = ints.subarray(
    (sides >>> 2) + side * SIDE_WORDS,
  )
  const words = ints.subarray(steps >>> 2, (steps >>> 2) + stepCount)
  const splitIndexes = words.map(word => (word >>> 16) - 1)
  const splitCount = splitIndexes.reduce((most, split) => Math.max(most, split + 1), 0)
  const slots = (at: number) => ints.subarray(at >>> 2, (at >>> 2) + 2 * splitCount)
  return {
    feature,
    bins,
    steps: {
      bins: words.map(word => word & 255),
      resets: Uint8Array.from(words, word => (word >>> 8) & 1),
      splitIndexes,
    },
    sides: { counts: view(counts, splitCount * levels), residuals: view(residuals, splitCount * levels) },
    bests: { scores: view(scores, 2 * splitCount), features: slots(features), splits: slots(splits) },
  }
}
