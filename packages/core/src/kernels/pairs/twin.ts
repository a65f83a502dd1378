// The kernels that search pairs, again, in plain TypeScript; and how their words lie in memory.

import type { PairKernels } from '../kernels.ts'
import { readSteps, type ScoreKind } from './cells.ts'
import { largestQuadrant } from './largest.ts'
import { type PairSide, scanQuadrants } from './quadrants.ts'

/** As the kernel numbers them. */
export const SCORE_KINDS: readonly ScoreKind[] = ['squares', 'largest', 'absolute']

/** Words of a pair that is searched: the positions of two sides, and the first of their cells. */
export const SEARCHED_PAIR_WORDS = 3

const [SIDE_WORDS, FILL_WORDS] = [9, 7]

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
    largestQuadrant: (...args) => largestQuadrant(buffer(), ...args),
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
  const flat = readSteps(words)
  const splitCount = flat.splitIndexes.reduce((most, split) => Math.max(most, split + 1), 0)
  const slots = (at: number) => ints.subarray(at >>> 2, (at >>> 2) + 2 * splitCount)
  return {
    feature,
    bins,
    steps: flat,
    sides: { counts: view(counts, splitCount * levels), residuals: view(residuals, splitCount * levels) },
    bests: { scores: view(scores, 2 * splitCount), features: slots(features), splits: slots(splits) },
  }
}

/** What `pairFill` does: cells and margins at [bin * levels + level], the cells with strides of their own. */
export function fillCells(
  doubles: Float64Array,
  [first, margin, kept, others, keptStride, otherStride, into]: ArrayLike<number> & Iterable<number>,
  levels: number,
  sums: number,
  margins: number,
): void {
  for (let bin = 0; bin < kept; bin++) {
    for (let level = 0; level < levels; level++) {
      const cell = sums + first + bin * keptStride + level
      let missing = doubles[margins + margin + bin * levels + level]
      for (let other = 0; other < others; other++) missing -= doubles[cell + other * otherStride]
      doubles[cell + into * otherStride] += missing
    }
  }
}
