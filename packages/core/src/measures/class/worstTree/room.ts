// What the search for the worst signed tree works on, laid out for the kernels (kernels/signedTree.ts): of every feature its splits,
// their sides and the norms that bound the trees below them; the cells of pairs; those below the present root; and the vectors
// that its sides can add.

import type { Kernels } from '../../../kernels/kernels.ts'
import { type KernelChoice, loadKernels } from '../../../kernels/load.ts'
import { setDiagonal, stepWords } from '../../../kernels/pairs/cells.ts'
import { Scratch } from '../../../kernels/scratch.ts'
import { sumSides } from '../../../oracle/channel.ts'
import type { OpenSplits } from '../../../oracle/search.ts'
import { VectorRoom } from './vectors.ts'

interface FeatureRoom {
  /** Residuals of the yes side of every split, at [split * levels + level]. */
  readonly sides: Float64Array
  /** How far the trees below a split's yes side can reach at most, at 2 * split, and those below its no side, next. */
  readonly norms: Float64Array
}

export interface RoomOptions {
  /** Are the cells of all pairs kept? Else there is room for one pair. */
  readonly keepsPairs: boolean
  readonly kernels?: KernelChoice
}

export class SearchRoom {
  readonly levels: number
  /** Residuals of everyone, level by level. */
  readonly total: Float64Array
  readonly features: readonly FeatureRoom[]
  readonly vectors: VectorRoom
  readonly #splits: OpenSplits
  readonly #kernels: Kernels
  readonly #places: Places
  readonly #doubles: Float64Array

  constructor(splits: OpenSplits, levels: number, { keepsPairs, kernels: choice = 'auto' }: RoomOptions) {
    const { marginals, steps } = splits
    const { kernels, memory } = loadKernels(choice)
    const scratch = new Scratch(memory, START)
    const sums = steps.map((own, index) => sumSides(marginals[index], own, levels).residuals)
    const places = layOut(scratch, splits, levels, keepsPairs)
    this.levels = levels
    this.total = sumBins(marginals[0].residuals, levels)
    this.#splits = splits
    this.#kernels = kernels
    this.#places = places
    const order = heaviestFirst(sums, levels)
    this.vectors = new VectorRoom(scratch, kernels, {
      order,
      width: places.width,
      most: 1 + places.splitCount,
    })
    // Nothing is taken from here on: the memory stays where it is.
    this.#doubles = scratch.doubles()
    this.#write(places.total, this.total)
    this.features = places.features.map(({ marginal, norms, sides }, index) => {
      this.#write(marginal, marginals[index].residuals)
      this.#write(sides, sums[index])
      const own = wholeNorms(sums[index], this.total)
      const view = doublesAt(this.#doubles, norms, own.length)
      view.set(own)
      return { sides: sums[index], norms: view }
    })
  }

  /** Raises the norms by all splits of a feature below each other. */
  scanSelf(feature: number): void {
    const { onePair, width } = this.#places
    const marginal = this.#marginal(feature)
    const joint = doublesAt(this.#doubles, onePair, marginal.length ** 2 / width)
    joint.fill(0)
    setDiagonal(joint, marginal, width)
    this.#scan(feature, feature, onePair)
  }

  /** Raises the norms by all splits of two features, a < b, each below the other: at [(binA * binsB + binB) * levels + level]. */
  scanPair(a: number, b: number, residuals: Float64Array): void {
    const { features, onePair, pairPlaces } = this.#places
    const place = pairPlaces[a * features.length + b] || onePair
    this.#write(place, residuals)
    this.#scan(a, b, place)
  }

  #scan(a: number, b: number, cells: number): void {
    const { scratch, table, total, width } = this.#places
    this.#kernels.sideNorms(table, a, b, cells, total, width, scratch)
  }

  /** The splits of a feature, one after the other, with the room at the cells below each. Pairs have to be kept. */
  *walk(feature: number): Generator<number> {
    const { bins, resets, splitIndexes } = this.#splits.steps[feature]
    const { cells, cellsLength, features, pairs, table, width } = this.#places
    const below = doublesAt(this.#doubles, cells[0], cellsLength)
    below.fill(0)
    for (let step = 0; step < bins.length; step++) {
      if (resets[step] === 1) below.fill(0)
      this.#kernels.addBin(table, features.length, pairs, feature, bins[step], width)
      if (splitIndexes[step] >= 0) yield splitIndexes[step]
    }
  }

  /** Cells below a root that were counted anew: of every feature at [bin * levels + level]. */
  setCells(cells: readonly Float64Array[]): void {
    cells.forEach((own, feature) => {
      this.#write(this.#places.cells[feature], own)
    })
  }

  /** Lists what either side of the root can add whose cells were set: as a whole, and by every split; only norms above these. */
  listVectors(leastYes: number, leastNo: number): void {
    const { features, scratch, table, total, width } = this.#places
    const lists = [...this.vectors.lists, leastYes, leastNo] as const
    this.#kernels.sideVectors(table, features.length, total, width, ...lists, scratch)
  }

  #marginal(feature: number): Float64Array {
    const { features, width } = this.#places
    const { residuals } = this.#splits.marginals[feature]
    return doublesAt(this.#doubles, features[feature].marginal, (residuals.length / this.levels) * width)
  }

  /** Runs of levels, each as wide as the kernels want it. */
  #write(address: number, values: Float64Array): void {
    const { width } = this.#places
    const at = address >>> 3
    if (width === this.levels) this.#doubles.set(values, at)
    else
      for (let from = 0, into = at; from < values.length; from += this.levels, into += width)
        this.#doubles.set(values.subarray(from, from + this.levels), into)
  }
}

/** Addresses. */
interface Places {
  readonly splitCount: number
  /** Levels, one more where their number is odd. */
  readonly width: number
  readonly table: number
  readonly features: readonly FeaturePlaces[]
  readonly total: number
  /** Of every feature, one behind the other. */
  readonly cells: readonly number[]
  readonly cellsLength: number
  /** The table of `pairPlaces`: at [a * features + b] where the cells of a pair are, or 0. */
  readonly pairs: number
  readonly pairPlaces: readonly number[]
  readonly onePair: number
  readonly scratch: number
}

interface FeaturePlaces {
  readonly marginal: number
  readonly sides: number
  readonly norms: number
}

/** Where the room begins. */
const START = 1024

/** Cells that the kernels add up in, besides a row of bins. */
const SPARE_CELLS = 6

function layOut(
  scratch: Scratch,
  { marginals, steps }: OpenSplits,
  levels: number,
  keepsPairs: boolean,
): Places {
  const width = levels + (levels % 2)
  const zeros = (cells: number) => scratch.zeros(8 * width * cells)
  const bins = marginals.map(({ residuals }) => residuals.length / levels)
  const mostBins = Math.max(...bins)
  const cells = bins.map(zeros)
  const cellsLength = (zeros(0) - cells[0]) >>> 3
  let splitCount = 0
  const features = steps.map((own, index) => {
    const { length } = own.splits
    const [marginal, sides, norms] = [zeros(bins[index]), zeros(length), scratch.zeros(16 * length)]
    const words = stepWords(own)
    const entry = [bins[index], words.length, scratch.write(words), marginal, sides, norms, cells[index]]
    splitCount += length
    return { marginal, sides, norms, words: [...entry, 1 + splitCount - length] }
  })
  const pairPlaces = bins.flatMap((a, first) =>
    bins.map((b, second) => (keepsPairs && first < second ? zeros(a * b) : 0)),
  )
  return {
    ...{ width, features, cells, cellsLength, pairPlaces },
    table: scratch.write(features.flatMap(({ words }) => words)),
    total: zeros(1),
    pairs: scratch.write(pairPlaces),
    onePair: zeros(mostBins ** 2),
    scratch: zeros(mostBins + SPARE_CELLS),
    splitCount,
  }
}

const doublesAt = (doubles: Float64Array, address: number, length: number): Float64Array =>
  doubles.subarray(address >>> 3, (address >>> 3) + length)

/** Of cells at [bin * levels + level]: the sums over all bins. */
function sumBins(cells: Float64Array, levels: number): Float64Array {
  const sums = new Float64Array(levels)
  for (let at = 0; at < cells.length; at += levels)
    for (let level = 0; level < levels; level++) sums[level] += cells[at + level]
  return sums
}

/** Norms of the sides as they are, before any further split. */
function wholeNorms(sides: Float64Array, total: Float64Array): Float64Array {
  const levels = total.length
  const norms = new Float64Array((2 * sides.length) / levels)
  for (let at = 0; at < sides.length; at++) {
    const slot = 2 * Math.floor(at / levels)
    norms[slot] += Math.abs(sides[at])
    norms[slot + 1] += Math.abs(total[at % levels] - sides[at])
  }
  return norms
}

/** Levels by how much they weigh in the sides of all splits together. */
function heaviestFirst(sides: readonly Float64Array[], levels: number): number[] {
  const weights = new Float64Array(levels)
  for (const own of sides) for (let at = 0; at < own.length; at++) weights[at % levels] += Math.abs(own[at])
  return Array.from(weights, (_, level) => level).sort((a, b) => weights[b] - weights[a] || a - b)
}
