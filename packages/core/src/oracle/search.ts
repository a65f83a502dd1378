// Exhaustive search over the declared trees of depth 0, 1 and 2: every split of every feature at the root, and on
// each side every split of every feature again. The score of a tree is the sum (or the largest) of its leaves'
// scores, so the two sides are searched apart, from joint histograms of feature pairs, and nothing is missed.

import { declaredSteps } from '../classes/splits.ts'
import { FeatureBoostError } from '../common/errors.ts'
import { formatCount } from '../common/text.ts'
import type { CellSums, Engine } from '../engine/engine.ts'
import { numberLeaves, ROOT, type Tree } from '../engine/update.ts'
import type { FeatureSchema } from '../quantize/schema.ts'
import {
  emptyCells,
  type FlatSteps,
  flattenSteps,
  joinScores,
  type ScanScratch,
  type ScoreKind,
  type SideBests,
  scanSide,
  scoreLeaf,
  sumLevels,
} from './scan.ts'

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
    flattenSteps(declaredSteps(request.schemas[feature], feature, hasMissing(marginals[index], levels))),
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
const BATCH_CELLS = 2 ** 19

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

/** One channel's running answer: for every root split, the best continuation of either side. */
class ChannelSearch {
  readonly #channel: Channel
  readonly #steps: readonly FlatSteps[]
  readonly #levels: number
  readonly #marginals: readonly CellSums[]
  /** Per feature: slot 2 * split is the yes side of a root split, the next its no side. */
  readonly #bests: readonly SideBests[]
  readonly #floor: number
  readonly #scratch: ScanScratch
  #whole = 0

  constructor(channel: Channel, marginals: readonly CellSums[], steps: readonly FlatSteps[], levels: number) {
    this.#channel = channel
    this.#steps = steps
    this.#levels = channel.projection === undefined ? levels : 1
    this.#scratch = { yes: emptyCells(this.#levels), total: emptyCells(this.#levels) }
    this.#marginals = marginals.map(cells => this.#project(cells))
    // Exact integers need no floor; projected sums are doubles, and a difference of them is never quite zero.
    const total = this.#marginals[0].counts.reduce((sum, count) => sum + count, 0)
    this.#floor = channel.projection === undefined ? 0 : total * 1e-10
    this.#bests = this.#marginals.map((marginal, index) => this.#leafScores(marginal, steps[index]))
  }

  /** Depth 1: every root split with both sides left as leaves. */
  #leafScores(marginal: CellSums, steps: FlatSteps): SideBests {
    const levels = this.#levels
    const { total, yes } = this.#scratch
    const no = emptyCells(levels)
    const bests = emptyBests(2 * steps.splits.length)
    sumLevels(total, marginal, levels)
    this.#whole = this.#scoreLeaf(total)
    steps.bins.forEach((bin, step) => {
      if (steps.resets[step] === 1) clearCells(yes)
      addCells(yes, marginal, bin * levels)
      subtractCells(no, total, yes)
      const slot = 2 * steps.splitIndexes[step]
      if (slot < 0) return
      bests.scores[slot] = this.#scoreLeaf(yes)
      bests.scores[slot + 1] = this.#scoreLeaf(no)
    })
    return bests
  }

  #scoreLeaf(cells: CellSums): number {
    return scoreLeaf(this.#channel.score, cells, this.#levels, this.#floor)
  }

  /** Root and child split on the same feature: the joint histogram is the marginal on its diagonal. */
  scanDiagonals(): void {
    const levels = this.#levels
    this.#marginals.forEach((marginal, index) => {
      const bins = marginal.counts.length / levels
      const joint = emptyCells(bins * bins * levels)
      for (let bin = 0; bin < bins; bin++) {
        const [from, to] = [bin * levels, (bin * bins + bin) * levels]
        joint.counts.set(marginal.counts.subarray(from, from + levels), to)
        joint.residuals.set(marginal.residuals.subarray(from, from + levels), to)
      }
      this.#scan(index, index, joint, bins, 1)
    })
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
    const whole = this.#marginals[child]
    const [yes, no] = [emptyCells(whole.counts.length), emptyCells(whole.counts.length)]
    const { bins, resets, splitIndexes } = this.#steps[root]
    for (let step = 0; step < bins.length; step++) {
      if (resets[step] === 1) clearCells(yes)
      addStrided(yes, joint, bins[step] * rootStride * levels, childStride * levels, levels)
      if (splitIndexes[step] < 0) continue
      subtractCells(no, whole, yes)
      this.#improve(root, 2 * splitIndexes[step], yes, child)
      this.#improve(root, 2 * splitIndexes[step] + 1, no, child)
    }
  }

  #improve(root: number, slot: number, side: CellSums, child: number): void {
    const { score } = this.#channel
    const steps = this.#steps[child]
    scanSide(this.#bests[root], slot, score, side, this.#levels, steps, child, this.#floor, this.#scratch)
  }

  best(): Found {
    let found: Found = { score: this.#whole, tree: ROOT }
    this.#bests.forEach((bests, root) => {
      this.#steps[root].splits.forEach((split, index) => {
        const score = joinScores(this.#channel.score, bests.scores[2 * index], bests.scores[2 * index + 1])
        if (score <= found.score) return
        const yes = this.#sideTree(bests, 2 * index)
        found = { score, tree: numberLeaves({ split, yes, no: this.#sideTree(bests, 2 * index + 1) }) }
      })
    })
    return found
  }

  #sideTree({ features, splits }: SideBests, slot: number): Tree {
    if (features[slot] < 0) return ROOT
    return { split: this.#steps[features[slot]].splits[splits[slot]], yes: ROOT, no: ROOT }
  }

  #project(cells: CellSums): CellSums {
    const { projection } = this.#channel
    if (projection === undefined) return cells
    const levels = projection.length
    const projected = emptyCells(cells.counts.length / levels)
    for (let into = 0; into < projected.counts.length; into++) {
      let [count, residual] = [0, 0]
      for (let level = 0; level < levels; level++) {
        const factor = projection[level]
        count += factor * factor * cells.counts[into * levels + level]
        residual += factor * cells.residuals[into * levels + level]
      }
      projected.counts[into] = count
      projected.residuals[into] = residual
    }
    return projected
  }
}

const emptyBests = (slots: number): SideBests => ({
  scores: new Float64Array(slots),
  features: new Int32Array(slots).fill(-1),
  splits: new Int32Array(slots),
})

function clearCells(cells: CellSums): void {
  cells.counts.fill(0)
  cells.residuals.fill(0)
}

/** Adds the cells at offset, as many as `into` has. */
function addCells(into: CellSums, from: CellSums, offset: number): void {
  addStrided(into, from, offset, into.counts.length, into.counts.length)
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

function subtractCells(into: CellSums, whole: CellSums, part: CellSums): void {
  for (let cell = 0; cell < into.counts.length; cell++) {
    into.counts[cell] = whole.counts[cell] - part.counts[cell]
    into.residuals[cell] = whole.residuals[cell] - part.residuals[cell]
  }
}
