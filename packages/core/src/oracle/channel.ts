// One question of an exhaustive search put to every declared tree of depth 0, 1 and 2. The score of a tree is the sum (or
// the largest) of its leaves' scores, so the two sides of a root split are searched apart, and nothing is missed.

import type { CellSums, PairSearchRequest } from '../engine/engine.ts'
import type { Local } from '../engine/local.ts'
import {
  addCells,
  clearCells,
  emptyCells,
  joinScores,
  type ScoreKind,
  type SideBests,
  setDiagonal,
} from '../kernels/pairs/cells.ts'
import { type PairSide, scanQuadrants } from '../kernels/pairs/quadrants.ts'
import { numberLeaves, ROOT, type Tree } from '../update/update.ts'
import { scanOneLevel } from './oneLevel.ts'
import { type FlatSteps, scanSide, scoreLeaf, sumLevels } from './scan.ts'

/** One question put to every tree; several are answered in one pass over the data. */
export interface Channel {
  readonly score: ScoreKind
  /** Level factors t: cells become N' = sum t^2 N and R' = sum t R, one level. */
  readonly projection?: ArrayLike<number>
}

export interface Found {
  readonly score: number
  readonly tree: Tree
}

/** One channel's running answer: for every root split, the best continuation of either side. */
export class ChannelSearch {
  readonly #channel: Channel
  readonly #levels: number
  readonly #marginals: readonly CellSums[]
  /** Per feature; in `bests`, slot 2 * split is the yes side of a root split, the next its no side. */
  #sides: readonly (PairSide & { readonly steps: FlatSteps })[]
  readonly #floor: number
  readonly #exact: boolean
  /** Sums of everything per level, and what it scores as one leaf. */
  readonly #total: CellSums
  readonly #cells = new Map<string, CellSums>()
  readonly #yesYes: CellSums
  readonly #scores = new Float64Array(4)
  #whole = 0

  constructor(channel: Channel, marginals: readonly CellSums[], steps: readonly FlatSteps[], levels: number) {
    const { projection } = channel
    this.#channel = channel
    this.#levels = projection === undefined ? levels : 1
    this.#marginals = marginals.map(cells => this.#project(cells))
    this.#total = emptyCells(this.#levels)
    this.#yesYes = emptyCells(this.#levels)
    // Exact integers need no floor; projected sums are doubles, and a difference of them is never quite zero.
    const weight = this.#marginals[0].counts.reduce((sum, count) => sum + count, 0)
    this.#floor = projection === undefined ? 0 : weight * 1e-10
    this.#exact = projection === undefined || Array.from(projection).every(isSign)
    this.#sides = this.#marginals.map((marginal, feature) => {
      const sides = sumSides(marginal, steps[feature], this.#levels)
      return { feature, steps: steps[feature], sides, bests: this.#leafScores(marginal, sides) }
    })
  }

  /** Does it ask about cells that are made of those of the engine? */
  get projects(): boolean {
    return this.#channel.projection !== undefined
  }

  /** Depth 1: every root split with both sides left as leaves. */
  #leafScores(marginal: CellSums, sides: CellSums): SideBests {
    const levels = this.#levels
    const score = (cells: CellSums, offset: number) =>
      scoreLeaf(this.#channel.score, cells, offset, levels, this.#floor)
    sumLevels(this.#total, marginal, levels)
    this.#whole = score(this.#total, 0)
    const bests = emptyBests((2 * sides.counts.length) / levels)
    const no = emptyCells(levels)
    for (let from = 0, slot = 0; from < sides.counts.length; from += levels, slot += 2) {
      subtractCells(no, this.#total, sides, from)
      bests.scores[slot] = score(sides, from)
      bests.scores[slot + 1] = score(no, 0)
    }
    return bests
  }

  /** Root and child split on the same feature: the joint histogram is the marginal on its diagonal. */
  scanDiagonals(): void {
    const levels = this.#levels
    this.#marginals.forEach((marginal, index) => {
      const bins = marginal.counts.length / levels
      const joint = emptyCells(bins * bins * levels)
      setDiagonal(joint.counts, marginal.counts, levels)
      setDiagonal(joint.residuals, marginal.residuals, levels)
      this.#scanCells(index, index, joint)
    })
  }

  /** Root and child, by an engine that holds all cells itself. */
  async searchPairs(
    search: Local['searchPairs'],
    question: Omit<PairSearchRequest, 'score' | 'total' | 'marginals' | 'sides'>,
  ): Promise<void> {
    const { score } = this.#channel
    const bests = await search({
      ...{ ...question, score, total: this.#total },
      ...{ marginals: this.#marginals, sides: this.#sides },
    })
    this.#sides = this.#sides.map((side, index) => ({ ...side, bests: bests[index] }))
  }

  scanPair(a: number, b: number, joint: CellSums): void {
    const { projection } = this.#channel
    const cells =
      projection === undefined
        ? joint
        : projectCells(
            this.#cellsFor('projected', joint.counts.length / projection.length),
            joint,
            projection,
          )
    this.#scanCells(a, b, cells)
  }

  /** Cells that are filled again for every pair. */
  #cellsFor(use: 'projected' | 'row', size: number): CellSums {
    const key = `${use} ${size}`
    const cells = this.#cells.get(key) ?? emptyCells(size)
    this.#cells.set(key, cells)
    return cells
  }

  /** Each of two features as the root with the other as the child. */
  #scanCells(a: number, b: number, joint: CellSums): void {
    const size = this.#marginals[b].counts.length
    const [sideA, sideB] = [this.#sides[a], this.#sides[b]]
    if (this.#exact && this.#levels === 1 && this.#channel.score === 'absolute') {
      const row = this.#cellsFor('row', size).residuals
      scanOneLevel(sideA, sideB, joint.residuals, this.#total.residuals[0], row)
    } else if (this.#exact) {
      const scratch = { row: this.#cellsFor('row', size), yesYes: this.#yesYes, scores: this.#scores }
      const { score } = this.#channel
      scanQuadrants(sideA, sideB, score, joint, this.#total, this.#levels, this.#floor, scratch)
    } else {
      const bins = size / this.#levels
      this.#scan(a, b, joint, bins, 1)
      if (a !== b) this.#scan(b, a, joint, 1, bins)
    }
  }

  /** All root splits of one feature with all child splits of another; a cell is at root * r + child * c. */
  #scan(root: number, child: number, joint: CellSums, rootStride: number, childStride: number): void {
    const levels = this.#levels
    const whole = this.#marginals[child]
    const [yes, no] = [emptyCells(whole.counts.length), emptyCells(whole.counts.length)]
    const scratch = { total: emptyCells(levels), yes: emptyCells(levels) }
    const { bests, steps } = this.#sides[root]
    const improve = (slot: number, side: CellSums) => {
      const { score } = this.#channel
      const childSteps = this.#sides[child].steps
      sumLevels(scratch.total, side, levels)
      scanSide(bests, slot, score, side, scratch.total, levels, childSteps, child, this.#floor, scratch.yes)
    }
    for (let step = 0; step < steps.bins.length; step++) {
      if (steps.resets[step] === 1) clearCells(yes)
      addStrided(yes, joint, steps.bins[step] * rootStride * levels, childStride * levels, levels)
      const split = steps.splitIndexes[step]
      if (split < 0) continue
      subtractCells(no, whole, yes, 0)
      improve(2 * split, yes)
      improve(2 * split + 1, no)
    }
  }

  best(): Found {
    let found: Found = { score: this.#whole, tree: ROOT }
    for (const { bests, steps } of this.#sides) {
      steps.splits.forEach((split, index) => {
        const score = joinScores(this.#channel.score, bests.scores[2 * index], bests.scores[2 * index + 1])
        if (score <= found.score) return
        const yes = this.#sideTree(bests, 2 * index)
        found = { score, tree: numberLeaves({ split, yes, no: this.#sideTree(bests, 2 * index + 1) }) }
      })
    }
    return found
  }

  #sideTree({ features, splits }: SideBests, slot: number): Tree {
    if (features[slot] < 0) return ROOT
    return { split: this.#sides[features[slot]].steps.splits[splits[slot]], yes: ROOT, no: ROOT }
  }

  #project(cells: CellSums): CellSums {
    const { projection } = this.#channel
    if (projection === undefined) return cells
    return projectCells(emptyCells(cells.counts.length / projection.length), cells, projection)
  }
}

function projectCells(projected: CellSums, cells: CellSums, projection: ArrayLike<number>): CellSums {
  const levels = projection.length
  // Intervals have one factor that is not 0, and there are as many channels as levels.
  const used = Int32Array.from(projection, (_, level) => level).filter(level => projection[level] !== 0)
  for (let into = 0; into < projected.counts.length; into++) {
    let [count, residual] = [0, 0]
    for (let index = 0; index < used.length; index++) {
      const level = used[index]
      const factor = projection[level]
      count += factor * factor * cells.counts[into * levels + level]
      residual += factor * cells.residuals[into * levels + level]
    }
    projected.counts[into] = count
    projected.residuals[into] = residual
  }
  return projected
}

/** Factors that leave whole numbers whole. */
const isSign = (factor: number): boolean => factor === 0 || Math.abs(factor) === 1

const emptyBests = (slots: number): SideBests => ({
  scores: new Float64Array(slots),
  features: new Int32Array(slots).fill(-1),
  splits: new Int32Array(slots),
})

/** Sums of the yes side of every split, at [split * levels + level]. */
export function sumSides(
  marginal: CellSums,
  { bins, resets, splitIndexes, splits }: FlatSteps,
  levels: number,
): CellSums {
  const sides = emptyCells(splits.length * levels)
  const yes = emptyCells(levels)
  bins.forEach((bin, step) => {
    if (resets[step] === 1) clearCells(yes)
    addCells(yes, marginal, bin * levels)
    if (splitIndexes[step] < 0) return
    sides.counts.set(yes.counts, splitIndexes[step] * levels)
    sides.residuals.set(yes.residuals, splitIndexes[step] * levels)
  })
  return sides
}

/** Adds runs of `length` cells, `stride` apart in `from`, one after the other in `into`. */
function addStrided(into: CellSums, from: CellSums, offset: number, stride: number, length: number): void {
  const { counts, residuals } = into
  for (let start = 0, at = offset; start < counts.length; start += length, at += stride) {
    for (let cell = 0; cell < length; cell++) {
      counts[start + cell] += from.counts[at + cell]
      residuals[start + cell] += from.residuals[at + cell]
    }
  }
}

/** `whole` without the cells of `part` at offset, as many as `into` has. */
function subtractCells(into: CellSums, whole: CellSums, part: CellSums, offset: number): void {
  for (let cell = 0; cell < into.counts.length; cell++) {
    into.counts[cell] = whole.counts[cell] - part.counts[offset + cell]
    into.residuals[cell] = whole.residuals[cell] - part.residuals[offset + cell]
  }
}
