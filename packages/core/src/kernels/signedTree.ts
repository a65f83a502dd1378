// The kernels that look for the tree with signed leaves whose K1 is largest, again, in plain TypeScript; and how what they read lies
// in memory. Sums are of residuals, whole numbers below 2^53, so their order does not matter. A cell is a run of prediction bins,
// as many as there are levels, and a zero behind them where that number is odd: its width.

import type { SignedTreeKernels } from './kernels.ts'
import { readSteps } from './pairs/cells.ts'

/**
 * Words of a feature: bins; steps, and where they are; where its cells of all rows are, the yes sides of its splits, the norms of
 * these (yes, no), and its cells below the present root; the number of its first split among those of all features, from 1.
 */
export const SIGNED_FEATURE_WORDS = 8

/**
 * Words of a list of vectors: where their values, norms, rests and splits are, blocks of a vector, where the order of its values is,
 * and how many there are. Values are in this order, so that the heaviest come first; those that fill the last block are 0.
 */
export const VECTOR_LIST_WORDS = 7

/** Values of a block. A rest is what the blocks behind one add to the norm. */
export const VECTOR_BLOCK = 8

interface FeatureInMemory {
  readonly bins: number
  readonly steps: ReturnType<typeof readSteps>
  readonly marginal: number
  readonly sides: number
  readonly norms: number
  readonly cells: number
  readonly first: number
}

export function signedTreeTwin(buffer: () => ArrayBuffer): SignedTreeKernels {
  return {
    sideNorms(features, a, b, cells, total, width, scratch) {
      const [ints, doubles] = [new Int32Array(buffer()), new Float64Array(buffer())]
      const [featureA, featureB] = [readFeature(ints, features, a), readFeature(ints, features, b)]
      scanNorms(doubles, featureA, featureB, cells >>> 3, total >>> 3, width, scratch >>> 3)
    },
    addBin(features, featureCount, pairs, root, bin, width) {
      const [ints, doubles] = [new Int32Array(buffer()), new Float64Array(buffer())]
      const own = readFeature(ints, features, root)
      const pairOf = (a: number, b: number) => ints[(pairs >>> 2) + a * featureCount + b] >>> 3
      for (let other = 0; other < featureCount; other++) {
        const { bins, cells } = readFeature(ints, features, other)
        if (other === root) addRun(doubles, cells + bin * width, own.marginal + bin * width, width)
        else if (root < other) addRun(doubles, cells, pairOf(root, other) + bin * bins * width, bins * width)
        else
          for (let at = 0; at < bins; at++)
            addRun(doubles, cells + at * width, pairOf(other, root) + (at * own.bins + bin) * width, width)
      }
    },
    sideVectors(features, featureCount, total, width, yes, no, leastYes, leastNo) {
      const [ints, doubles] = [new Int32Array(buffer()), new Float64Array(buffer())]
      const all = Array.from({ length: featureCount }, (_, index) => readFeature(ints, features, index))
      const [ofYes, ofNo] = [
        new VectorList(ints, doubles, yes, leastYes),
        new VectorList(ints, doubles, no, leastNo),
      ]
      const whole = new Float64Array(width)
      for (let bin = 0; bin < all[0].bins; bin++)
        for (let level = 0; level < width; level++)
          whole[level] += doubles[all[0].cells + bin * width + level]
      const rest = whole.map((sum, level) => doubles[(total >>> 3) + level] - sum)
      ofYes.keep(whole, 0)
      ofNo.keep(rest, 0)
      for (const { cells, first, sides, steps } of all) {
        const sum = new Float64Array(width)
        steps.bins.forEach((bin, step) => {
          if (steps.resets[step] === 1) sum.fill(0)
          for (let level = 0; level < width; level++) sum[level] += doubles[cells + bin * width + level]
          const split = steps.splitIndexes[step]
          if (split < 0) return
          const everyone = doubles.subarray(sides + split * width, sides + (split + 1) * width)
          ofYes.keep(
            sum.map((own, level) => 2 * own - whole[level]),
            first + split,
          )
          ofNo.keep(
            sum.map((own, level) => 2 * (everyone[level] - own) - rest[level]),
            first + split,
          )
        })
      }
    },
    tryPairs(yes, no, yesCodes, yesReach, yesCount, noCodes, noReach, noCount, least, answer) {
      const [ints, doubles] = [new Int32Array(buffer()), new Float64Array(buffer())]
      let [best, looked] = [least, 0]
      for (let i = 0; i < yesCount; i++) {
        for (let j = 0; j < noCount; j++) {
          if (doubles[(yesReach >>> 3) + i] + doubles[(noReach >>> 3) + j] <= best) continue
          const codes = [ints[(yesCodes >>> 2) + i], ints[(noCodes >>> 2) + j]]
          const { blocks, error } = tryPair(ints, doubles, yes, no, codes, best)
          looked += blocks
          if (error <= best) continue
          best = error
          ints.set(codes, answer >>> 2)
        }
      }
      ints[(answer >>> 2) + 2] = looked
      return best
    },
  }
}

/** The error of a pair, block by block, as far as it may still be above the best. */
function tryPair(
  ints: Int32Array,
  doubles: Float64Array,
  yes: number,
  no: number,
  [a, b]: readonly number[],
  best: number,
): { error: number; blocks: number } {
  const [yesList, noList] = [ints.subarray(yes >>> 2), ints.subarray(no >>> 2)]
  const blocks = yesList[4]
  const [atA, atB] = [(a >> 1) * blocks, (b >> 1) * blocks]
  const sign = (a ^ b) & 1 ? -1 : 1
  let error = 0
  for (let block = 0; block < blocks; block++) {
    for (let place = 0; place < VECTOR_BLOCK; place++) {
      const value = doubles[(yesList[0] >>> 3) + (atA + block) * VECTOR_BLOCK + place]
      error += Math.abs(value + sign * doubles[(noList[0] >>> 3) + (atB + block) * VECTOR_BLOCK + place])
    }
    const rest = doubles[(yesList[2] >>> 3) + atA + block] + doubles[(noList[2] >>> 3) + atB + block]
    if (error + rest <= best) return { error: best, blocks: block + 1 }
  }
  return { error, blocks }
}

function readFeature(ints: Int32Array, features: number, index: number): FeatureInMemory {
  const [bins, stepCount, steps, marginal, sides, norms, cells, first] = ints.subarray(
    (features >>> 2) + index * SIGNED_FEATURE_WORDS,
  )
  const words = ints.subarray(steps >>> 2, (steps >>> 2) + stepCount)
  const [marginalAt, sidesAt, normsAt, cellsAt] = [marginal, sides, norms, cells].map(at => at >>> 3)
  return {
    ...{ bins, first, steps: readSteps(words) },
    ...{ marginal: marginalAt, sides: sidesAt, norms: normsAt, cells: cellsAt },
  }
}

/**
 * How much K1 the trees below a root split can have at most: below it a side adds a vector over prediction bins, its sums or the
 * difference of its two leaves (of equal signs they are the whole side again), and the l1 norm of a sum is at most the sum of the
 * norms. The quadrants of two splits are the leaves whichever of them is the root, so each serves both.
 */
function scanNorms(
  doubles: Float64Array,
  a: FeatureInMemory,
  b: FeatureInMemory,
  cells: number,
  total: number,
  width: number,
  row: number,
): void {
  const rowCells = b.bins * width
  const yesYes = new Float64Array(width)
  doubles.fill(0, row, row + rowCells)
  a.steps.bins.forEach((binA, stepA) => {
    if (a.steps.resets[stepA] === 1) doubles.fill(0, row, row + rowCells)
    addRun(doubles, row, cells + binA * rowCells, rowCells)
    const splitA = a.steps.splitIndexes[stepA]
    if (splitA < 0) return
    const sideA = a.sides + splitA * width
    yesYes.fill(0)
    b.steps.bins.forEach((binB, stepB) => {
      if (b.steps.resets[stepB] === 1) yesYes.fill(0)
      for (let level = 0; level < width; level++) yesYes[level] += doubles[row + binB * width + level]
      const splitB = b.steps.splitIndexes[stepB]
      if (splitB < 0) return
      const sideB = b.sides + splitB * width
      let [yesA, noA, yesB, noB] = [0, 0, 0, 0]
      for (let level = 0; level < width; level++) {
        const both = yesYes[level]
        const onlyA = doubles[sideA + level] - both
        const onlyB = doubles[sideB + level] - both
        const none = doubles[total + level] - both - onlyA - onlyB
        yesA += Math.abs(both - onlyA)
        noA += Math.abs(onlyB - none)
        yesB += Math.abs(both - onlyB)
        noB += Math.abs(onlyA - none)
      }
      raise(doubles, a.norms + 2 * splitA, yesA, noA)
      raise(doubles, b.norms + 2 * splitB, yesB, noB)
    })
  })
}

function raise(doubles: Float64Array, at: number, yes: number, no: number): void {
  doubles[at] = Math.max(doubles[at], yes)
  doubles[at + 1] = Math.max(doubles[at + 1], no)
}

function addRun(doubles: Float64Array, into: number, from: number, length: number): void {
  for (let cell = 0; cell < length; cell++) doubles[into + cell] += doubles[from + cell]
}

class VectorList {
  readonly #ints: Int32Array
  readonly #doubles: Float64Array
  readonly #list: number
  readonly #least: number

  /** Empty now. */
  constructor(ints: Int32Array, doubles: Float64Array, list: number, least: number) {
    this.#ints = ints
    this.#doubles = doubles
    this.#list = list >>> 2
    this.#least = least
    ints[this.#list + 6] = 0
  }

  /** If its norm is above the least. */
  keep(vector: Float64Array, split: number): void {
    const norm = vector.reduce((sum, value) => sum + Math.abs(value), 0)
    if (norm <= this.#least) return
    const [values, norms, rests, splits, blocks, order, count] = this.#ints.subarray(this.#list)
    this.#doubles[(norms >>> 3) + count] = norm
    this.#ints[(splits >>> 2) + count] = split
    let rest = norm
    for (let place = 0; place < blocks * VECTOR_BLOCK; place++) {
      const value = vector[this.#ints[(order >>> 2) + place]] ?? 0
      this.#doubles[(values >>> 3) + count * blocks * VECTOR_BLOCK + place] = value
      rest -= Math.abs(value)
      // The last value of a block is the last to write its place.
      this.#doubles[(rests >>> 3) + count * blocks + Math.floor(place / VECTOR_BLOCK)] = rest
    }
    this.#ints[this.#list + 6]++
  }
}
