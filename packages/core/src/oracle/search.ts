// Exhaustive search over the declared trees of depth 0, 1 and 2: every split of every feature at the root, and on
// each side every split of every feature again. The score of a tree is the sum (or the largest) of its leaves'
// scores, so the two sides are searched apart, from joint histograms of feature pairs, and nothing is missed.

import { declaredSteps, type SplitStep } from '../classes/splits.ts'
import { FeatureBoostError } from '../common/errors.ts'
import { formatCount } from '../common/text.ts'
import type { CellSums, Engine } from '../engine/engine.ts'
import { numberLeaves, ROOT, type Split, type Tree } from '../engine/update.ts'
import type { FeatureSchema } from '../quantize/schema.ts'
import { cellGain } from './cells.ts'

/** Scores one leaf from its cells at offset .. offset + levels. Counts up to `floor` are taken for empty. */
export type LeafScore = (
  counts: Float64Array,
  residuals: Float64Array,
  offset: number,
  levels: number,
  floor: number,
) => number

/** One question put to every tree; several are answered in one pass over the data. */
export interface Channel {
  readonly score: LeafScore
  /** How the scores of the two sides of a split become one. */
  readonly join: 'sum' | 'max'
  /** Level factors t: cells become N' = sum t^2 N and R' = sum t R, one level. */
  readonly projection?: ArrayLike<number>
}

export interface Found {
  readonly score: number
  readonly tree: Tree
}

export interface SearchRequest {
  readonly engine: Engine
  readonly fold: number
  readonly levels: number
  readonly depth: 1 | 2
  readonly schemas: readonly FeatureSchema[]
  readonly features: readonly number[]
  readonly channels: readonly Channel[]
  readonly levelValues?: Int32Array
  readonly cellBudget: number
}

/** sum over levels of R^2/N: what the best table gains on a leaf. */
export const squareSum: LeafScore = (counts, residuals, offset, levels, floor) => {
  let sum = 0
  for (let cell = offset; cell < offset + levels; cell++) {
    if (counts[cell] > floor) sum += (residuals[cell] * residuals[cell]) / counts[cell]
  }
  return sum
}

/** The largest R^2/N among the levels: what the best single cell gains. */
export const squareMax: LeafScore = (counts, residuals, offset, levels) => {
  let best = 0
  for (let cell = offset; cell < offset + levels; cell++) {
    best = Math.max(best, cellGain(counts[cell], residuals[cell]))
  }
  return best
}

/** sum over levels of |R|: the leaf's part of a calibration error. */
export const absoluteSum: LeafScore = (_counts, residuals, offset, levels) => {
  let sum = 0
  for (let cell = offset; cell < offset + levels; cell++) sum += Math.abs(residuals[cell])
  return sum
}

/** Cells of all joint histograms together, the measure of the search's cost. */
export function searchCells(
  coarseCounts: readonly number[],
  features: readonly number[],
  levels: number,
): number {
  const counts = features.map(feature => coarseCounts[feature])
  const sum = counts.reduce((total, count) => total + count, 0)
  const squares = counts.reduce((total, count) => total + count * count, 0)
  return ((sum * sum + squares) / 2) * levels
}

/** The best declared tree for every channel. Fixed order, the first best wins. */
export async function searchTrees(request: SearchRequest): Promise<Found[]> {
  const { depth, engine, features, fold, levels } = request
  checkBudget(request)
  const levelValues = request.levelValues === undefined ? {} : { levelValues: request.levelValues }
  const histogram = await engine.histogram({
    fold,
    levels,
    tree: ROOT,
    features,
    resolution: 'coarse',
    ...levelValues,
  })
  const marginals = features.map((feature, index) => {
    const size = engine.shape.coarseCounts[feature] * levels
    return sliceCells(histogram, histogram.offsets[index], size)
  })
  const steps = features.map((feature, index) =>
    declaredSteps(request.schemas[feature], feature, hasMissing(marginals[index], levels)),
  )
  const searches = request.channels.map(channel => new ChannelSearch(channel, marginals, steps, levels))
  if (depth === 2) {
    for (const search of searches) search.scanDiagonals()
    for (const batch of pairBatches(engine.shape.coarseCounts, features, levels)) {
      const pairs = batch.map(([a, b]) => [features[a], features[b]] as const)
      const joint = await engine.jointHistogram({ fold, levels, pairs, ...levelValues })
      batch.forEach(([a, b], index) => {
        const size = (joint.offsets[index + 1] ?? joint.counts.length) - joint.offsets[index]
        const cells = sliceCells(joint, joint.offsets[index], size)
        for (const search of searches) search.scanPair(a, b, cells)
      })
    }
  }
  return searches.map(search => search.best())
}

/** Cells asked for at a time: one pass over the rows serves many pairs, and the answer stays small. */
const BATCH_CELLS = 2 ** 21

/** All pairs of positions a < b, in a fixed order, in batches. */
function pairBatches(
  coarseCounts: readonly number[],
  features: readonly number[],
  levels: number,
): [number, number][][] {
  const batches: [number, number][][] = []
  let room = 0
  for (let a = 0; a < features.length; a++) {
    for (let b = a + 1; b < features.length; b++) {
      const cells = coarseCounts[features[a]] * coarseCounts[features[b]] * levels
      if (cells > room) {
        batches.push([])
        room = BATCH_CELLS
      }
      batches[batches.length - 1].push([a, b])
      room -= cells
    }
  }
  return batches
}

function checkBudget({ cellBudget, depth, engine, features, levels }: SearchRequest): void {
  const cells = searchCells(engine.shape.coarseCounts, features, levels)
  if (depth === 2 && cells > cellBudget) {
    throw new FeatureBoostError(
      'FB_CELL_BUDGET',
      `the exhaustive depth-2 search needs ${formatCount(cells)} cells for ${features.length} features and ${levels} levels; the budget is ${formatCount(cellBudget)}.`,
      { hint: 'Name fewer columns, lower coarseBins, raise epsilon (fewer levels), or raise cellBudget.' },
    )
  }
}

function sliceCells(sums: CellSums, offset: number, size: number): CellSums {
  return {
    counts: sums.counts.subarray(offset, offset + size),
    residuals: sums.residuals.subarray(offset, offset + size),
  }
}

const hasMissing = (marginal: CellSums, levels: number): boolean =>
  marginal.counts.subarray(marginal.counts.length - levels).some(count => count > 0)

/** The best continuation of one side of a root split: a leaf, or one more split. */
interface SideBest {
  score: number
  split?: Split
}

interface RootCandidate {
  readonly split: Split
  readonly yes: SideBest
  readonly no: SideBest
}

class ChannelSearch {
  readonly #channel: Channel
  readonly #steps: readonly SplitStep[][]
  readonly #levels: number
  readonly #marginals: readonly CellSums[]
  readonly #candidates: RootCandidate[][]
  readonly #floor: number
  #whole = 0

  constructor(
    channel: Channel,
    marginals: readonly CellSums[],
    steps: readonly SplitStep[][],
    levels: number,
  ) {
    this.#channel = channel
    this.#steps = steps
    this.#levels = channel.projection === undefined ? levels : 1
    this.#marginals = marginals.map(cells => this.#project(cells))
    // Exact integers need no floor; projected sums are doubles, and a difference of them is never quite zero.
    const total = this.#marginals[0].counts.reduce((sum, count) => sum + count, 0)
    this.#floor = channel.projection === undefined ? 0 : total * 1e-10
    this.#candidates = this.#marginals.map((marginal, index) => this.#rootCandidates(marginal, steps[index]))
  }

  /** Depth 1: every root split with both sides left as leaves. */
  #rootCandidates(marginal: CellSums, steps: readonly SplitStep[]): RootCandidate[] {
    const levels = this.#levels
    const total = emptyCells(levels)
    for (let bin = 0; bin * levels < marginal.counts.length; bin++) addCells(total, marginal, bin * levels)
    this.#whole = this.#score(total, 0)
    const [yes, no] = [emptyCells(levels), emptyCells(levels)]
    const candidates: RootCandidate[] = []
    for (const step of steps) {
      if (step.reset) clearCells(yes)
      addCells(yes, marginal, step.bin * levels)
      if (step.split === undefined) continue
      subtractCells(no, total, yes)
      candidates.push({
        split: step.split,
        yes: { score: this.#score(yes, 0) },
        no: { score: this.#score(no, 0) },
      })
    }
    return candidates
  }

  /** Root and child split on the same feature: the joint histogram is the marginal on its diagonal. */
  scanDiagonals(): void {
    for (let a = 0; a < this.#marginals.length; a++) this.#scanDiagonal(a)
  }

  #scanDiagonal(a: number): void {
    const levels = this.#levels
    const marginal = this.#marginals[a]
    const bins = marginal.counts.length / levels
    const joint = emptyCells(bins * bins * levels)
    for (let bin = 0; bin < bins; bin++) {
      const from = bin * levels
      joint.counts.set(marginal.counts.subarray(from, from + levels), (bin * bins + bin) * levels)
      joint.residuals.set(marginal.residuals.subarray(from, from + levels), (bin * bins + bin) * levels)
    }
    this.#scan(a, a, joint, bins, 1)
  }

  scanPair(a: number, b: number, joint: CellSums): void {
    const cells = this.#project(joint)
    const binsB = this.#marginals[b].counts.length / this.#levels
    this.#scan(a, b, cells, binsB, 1)
    this.#scan(b, a, cells, 1, binsB)
  }

  /** All root splits of one feature with all child splits of another; a cell is at root * r + child * c. */
  #scan(root: number, child: number, joint: CellSums, rootStride: number, childStride: number): void {
    const levels = this.#levels
    const childCells = this.#marginals[child].counts.length
    const [yes, no] = [emptyCells(childCells), emptyCells(childCells)]
    let candidate = 0
    for (const step of this.#steps[root]) {
      if (step.reset) clearCells(yes)
      for (let bin = 0; bin * levels < childCells; bin++) {
        const from = (step.bin * rootStride + bin * childStride) * levels
        for (let level = 0; level < levels; level++) {
          yes.counts[bin * levels + level] += joint.counts[from + level]
          yes.residuals[bin * levels + level] += joint.residuals[from + level]
        }
      }
      if (step.split === undefined) continue
      subtractCells(no, this.#marginals[child], yes)
      const sides = this.#candidates[root][candidate++]
      this.#improveSide(sides.yes, yes, this.#steps[child])
      this.#improveSide(sides.no, no, this.#steps[child])
    }
  }

  #improveSide(best: SideBest, side: CellSums, steps: readonly SplitStep[]): void {
    const levels = this.#levels
    const [total, yes, no] = [emptyCells(levels), emptyCells(levels), emptyCells(levels)]
    for (let bin = 0; bin * levels < side.counts.length; bin++) addCells(total, side, bin * levels)
    for (const step of steps) {
      if (step.reset) clearCells(yes)
      addCells(yes, side, step.bin * levels)
      if (step.split === undefined) continue
      subtractCells(no, total, yes)
      const score = this.#join(this.#score(yes, 0), this.#score(no, 0))
      if (score > best.score) {
        best.score = score
        best.split = step.split
      }
    }
  }

  best(): Found {
    let found: Found = { score: this.#whole, tree: ROOT }
    for (const candidates of this.#candidates) {
      for (const { split, yes, no } of candidates) {
        const score = this.#join(yes.score, no.score)
        if (score > found.score)
          found = { score, tree: numberLeaves({ split, yes: sideTree(yes), no: sideTree(no) }) }
      }
    }
    return found
  }

  #score(cells: CellSums, offset: number): number {
    return this.#channel.score(cells.counts, cells.residuals, offset, this.#levels, this.#floor)
  }

  #join(a: number, b: number): number {
    return this.#channel.join === 'sum' ? a + b : Math.max(a, b)
  }

  #project(cells: CellSums): CellSums {
    const { projection } = this.#channel
    if (projection === undefined) return cells
    const projected = emptyCells(cells.counts.length / projection.length)
    for (let cell = 0; cell < cells.counts.length; cell++) {
      const factor = projection[cell % projection.length]
      const into = Math.floor(cell / projection.length)
      projected.counts[into] += factor * factor * cells.counts[cell]
      projected.residuals[into] += factor * cells.residuals[cell]
    }
    return projected
  }
}

const sideTree = (side: SideBest): Tree =>
  side.split === undefined ? ROOT : { split: side.split, yes: ROOT, no: ROOT }

const emptyCells = (size: number): CellSums => ({
  counts: new Float64Array(size),
  residuals: new Float64Array(size),
})

function clearCells(cells: CellSums): void {
  cells.counts.fill(0)
  cells.residuals.fill(0)
}

/** Adds the cells at offset, as many as `into` has. */
function addCells(into: CellSums, from: CellSums, offset: number): void {
  for (let cell = 0; cell < into.counts.length; cell++) {
    into.counts[cell] += from.counts[offset + cell]
    into.residuals[cell] += from.residuals[offset + cell]
  }
}

function subtractCells(into: CellSums, whole: CellSums, part: CellSums): void {
  for (let cell = 0; cell < into.counts.length; cell++) {
    into.counts[cell] = whole.counts[cell] - part.counts[cell]
    into.residuals[cell] = whole.residuals[cell] - part.residuals[cell]
  }
}
