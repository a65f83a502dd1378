// What a shard counts: histograms of features and of pairs, level sums, and the exhaustive search over pairs, whose cells
// never leave the memory.

import {
  BLOCK_ROWS,
  type CountingKernel,
  type Kernels,
  PART_BYTES,
  ROW_BYTES,
  WEIGHTED_ROW_BYTES,
} from '../../kernels/kernels.ts'
import { type PairBatch, pairBatches } from '../../kernels/pairs/batches.ts'
import { type SideBests, setDiagonal } from '../../kernels/pairs/cells.ts'
import type { Scratch } from '../../kernels/scratch.ts'
import { leafCount, ROOT, selectLeaves, type Tree } from '../../update/update.ts'
import {
  type CellSums,
  FIT,
  type Histogram,
  type HistogramRequest,
  HOLDOUT,
  type JointHistogramRequest,
  type LevelSums,
  type LevelSumsRequest,
  type Outcome,
  type PairSearchRequest,
} from '../engine.ts'
import { offsetsOf } from '../offsets.ts'
import { LABEL, needsKeys } from '../outcome.ts'
import type { BufferPool } from './bufferPool.ts'
import {
  type CommonBin,
  chooseSkipped,
  findCommonBin,
  keptSides,
  type SkippedSide,
  skippedCells,
} from './commonBins.ts'
import { type CellPlaces, emptyPlaces, KeptCells, type KnownCells } from './keptCells.ts'
import { fillOutcomes, squareWeights } from './outcomeColumn.ts'
import { type SearchPlaces, writePairs, writeSearch } from './pairSearch.ts'
import type { ShardRows } from './shardRows.ts'

/** Rows that are looked at to see which bins are common. */
const LOOKED_AT = 2 ** 16

/** What a counting question says besides what is counted. */
type Question = Pick<
  HistogramRequest,
  'fold' | 'levels' | 'levelCuts' | 'levelValues' | 'levelSigns' | 'outcome'
>

export class Counter {
  readonly #rows: ShardRows
  readonly #kernels: Kernels
  readonly #spares: BufferPool
  readonly #kept: KeptCells
  /** Which outcome the outcome columns hold; none after rows came or predictions moved. */
  #filled: string | undefined
  /** Per feature, the bin that most rows share, if there is one; found when first asked for. */
  #common: readonly (CommonBin | undefined)[] | undefined

  /** Answers are written to `spares` where these have room. */
  constructor(rows: ShardRows, kernels: Kernels, spares: BufferPool) {
    this.#rows = rows
    this.#kernels = kernels
    this.#spares = spares
    this.#kept = new KeptCells(rows)
  }

  /** To be called before rows come. */
  forgetRows(): void {
    this.forgetPredictions()
    this.#common = undefined
  }

  /** To be called before predictions move. */
  forgetPredictions(): void {
    this.#filled = undefined
    this.#kept.forget()
  }

  histogram(request: HistogramRequest): Histogram {
    const { offsets, places, size } = this.#countFeatures(this.#rows.scratch(), request)
    return { ...this.#copy(places, size), offsets }
  }

  #countFeatures(scratch: Scratch, request: HistogramRequest) {
    const { features, levels, resolution } = request
    const { layout, shape } = this.#rows
    const coarse = resolution === 'coarse'
    const binCounts = coarse ? shape.coarseCounts : shape.binCounts
    const { leaves, tree } = selectLeaves(request.tree, request.leaves)
    const { offsets, size } = offsetsOf(features.map(feature => leaves * binCounts[feature] * levels))
    const table = features.flatMap((feature, index) => [
      layout.bins[feature],
      binCounts[feature],
      offsets[index],
      coarse ? this.#rows.coarse[feature] : 0,
    ])
    const places = emptyPlaces(scratch, size)
    const asked = { tree, leaves, table: scratch.write(table), entries: features.length }
    this.#count(scratch, this.#kernels.histogram, request, asked, places, size)
    return { offsets, places, size }
  }

  jointHistogram(request: JointHistogramRequest): Histogram {
    const scratch = this.#rows.scratch()
    const { coarseCounts } = this.#rows.shape
    const { levels, pairs } = request
    const sizes = pairs.map(([a, b]) => coarseCounts[a] * coarseCounts[b] * levels)
    const { offsets, size } = offsetsOf(sizes)
    const known = this.#kept.findPairs(request)
    if (known !== undefined) return { ...this.#gather(known, offsets, sizes, size), offsets }
    const places = emptyPlaces(scratch, size)
    this.#countPairs(scratch, request, offsets, places, size)
    return { ...this.#copy(places, size), offsets }
  }

  /** All pairs of features, batch after batch: counted, unless their cells were kept, and searched where they are. */
  searchPairs(request: PairSearchRequest): SideBests[] {
    const { features, levels } = request
    const binCounts = features.map(feature => this.#rows.shape.coarseCounts[feature])
    const sizeOf = ([a, b]: readonly [number, number]) => binCounts[a] * binCounts[b] * levels
    const batches = pairBatches(binCounts, levels)
    const { offsets, size } = offsetsOf(batches.flat().map(sizeOf))
    const known = this.#kept.find(request)
    const kept = known === undefined ? this.#kept.reserve(request, size) : undefined
    const scratch = this.#rows.scratch()
    const search = writeSearch(scratch, request, binCounts)
    this.#scanDiagonals(scratch, request, search)
    if (known !== undefined) {
      const places = known.levels === levels ? known.places : this.#sumLevels(scratch, request, known, size)
      this.#scan(scratch, search, levels, batches.flat(), offsets, places)
    } else {
      const margins = writeMargins(scratch, request)
      let first = 0
      for (const batch of batches) {
        const above = scratch.above()
        const { offsets, size: cells } = offsetsOf(batch.map(sizeOf))
        const places = kept === undefined ? emptyPlaces(above, cells) : cellsFrom(kept, first)
        const pairs = batch.map(([a, b]) => [features[a], features[b]] as const)
        this.#countPairs(above, { ...questionOf(request), pairs }, offsets, places, cells, () => margins)
        this.#scan(above, search, levels, batch, offsets, places)
        first += cells
      }
      if (kept !== undefined) {
        const names = batches.flat().map(([a, b]) => `${features[a]},${features[b]}`)
        this.#kept.keep(request, kept, new Map(names.map((name, index) => [name, offsets[index]])))
      }
    }
    return search.readBests()
  }

  /** Every feature with itself, one at a time: there can be many, and large ones. */
  #scanDiagonals(scratch: Scratch, { levels, marginals }: PairSearchRequest, search: SearchPlaces): void {
    for (const [index, marginal] of marginals.entries()) {
      const above = scratch.above()
      const size = marginal.counts.length ** 2 / levels
      const places = emptyPlaces(above, size)
      for (const sums of ['counts', 'residuals'] as const) {
        const cells = above.doubles().subarray(places[sums] >>> 3, (places[sums] >>> 3) + size)
        setDiagonal(cells, marginal[sums], levels)
      }
      this.#scan(above, search, levels, [[index, index]], [0], places)
    }
  }

  #scan(
    scratch: Scratch,
    { kind, lines, sides, totals }: SearchPlaces,
    levels: number,
    batch: PairBatch,
    offsets: readonly number[],
    { counts, residuals }: CellPlaces,
  ): void {
    const pairs = writePairs(scratch, batch, offsets)
    this.#kernels.pairScan(pairs, batch.length, sides, levels, kind, counts, residuals, totals, lines)
  }

  /** Kept cells, all levels together, with their signs. */
  #sumLevels(
    scratch: Scratch,
    { levelSigns, score }: PairSearchRequest,
    { levels, places }: KnownCells,
    size: number,
  ): CellPlaces {
    const [ones, signs] = [scratch.take(8 * levels), scratch.take(8 * levels)]
    const sums = { counts: scratch.take(8 * size), residuals: scratch.take(8 * size) }
    scratch.doubles().fill(1, ones >>> 3, (ones >>> 3) + levels)
    scratch.doubles().set(levelSigns ?? new Float64Array(levels).fill(1), signs >>> 3)
    // Nobody looks at the counts where only residuals are scored.
    if (score !== 'absolute') this.#kernels.levelTotals(size, levels, ones, places.counts, sums.counts)
    this.#kernels.levelTotals(size, levels, signs, places.residuals, sums.residuals)
    return sums
  }

  /** Adds the cells of pairs to places that are empty. `marginsOf`: histograms of features, where they are known. */
  #countPairs(
    scratch: Scratch,
    request: JointHistogramRequest,
    offsets: readonly number[],
    places: CellPlaces,
    size: number,
    marginsOf = (features: readonly number[]): Margins => this.#margins(scratch, request, features),
  ): void {
    const { levels, pairs } = request
    const { coarse, layout, shape } = this.#rows
    const counted = { pairs, offsets, skips: this.#skips(request), levels, ...shape }
    const entries = pairs.flatMap(([a, b], index) => {
      const skip = counted.skips[index]
      const skipped = skip === undefined ? 0 : 1 + skip.bin + (skip.side === 'a' ? 256 : 0)
      const sizes = shape.coarseCounts[a] | (shape.coarseCounts[b] << 16)
      return [layout.bins[a], layout.bins[b], coarse[a], coarse[b], sizes, offsets[index], skipped]
    })
    const asked = { tree: ROOT, leaves: 1, table: scratch.write(entries), entries: pairs.length }
    this.#count(scratch, this.#kernels.jointHistogram, request, asked, places, size)
    const features = keptSides(counted)
    if (features.length === 0) return
    const margins = marginsOf(features)
    const fills = skippedCells(counted, margins.offsets)
    const at = scratch.write(fills.flat())
    for (const sums of ['counts', 'residuals'] as const)
      this.#kernels.pairFill(at, fills.length, levels, places[sums], margins.places[sums])
  }

  #margins(scratch: Scratch, request: JointHistogramRequest, features: readonly number[]): Margins {
    const asked = { ...request, tree: ROOT, features, resolution: 'coarse' } as const
    const { offsets, places } = this.#countFeatures(scratch, asked)
    return { places, offsets: new Map(features.map((feature, index) => [feature, offsets[index]])) }
  }

  /** What need not be counted of each pair. Weighted cells are counted as doubles, row by row. */
  #skips({ fold, levels, pairs }: JointHistogramRequest): (SkippedSide | undefined)[] {
    const { layout, shape } = this.#rows
    if (shape.weighted) return pairs.map(() => undefined)
    const rows = this.#rows.count(fold)
    this.#common ??= layout.bins.map(offset => findCommonBin(this.#firstRows(offset)))
    const common = this.#common
    return pairs.map(([a, b]) => {
      const cells = shape.coarseCounts[a] * shape.coarseCounts[b] * levels
      return chooseSkipped(common[a], common[b], rows, cells)
    })
  }

  /** The first rows are enough to know what is common; how common it is changes no sum. */
  #firstRows(offset: number): Uint8Array {
    const segment = this.#rows.segments[0]
    if (segment === undefined) return new Uint8Array()
    const [from, to] = segment.range(FIT)
    const rows = Math.min(to - from, LOOKED_AT)
    return new Uint8Array(this.#rows.memory.buffer, segment.base + offset + from, rows)
  }

  /** Runs a counting kernel over all segments; `table` lists what is counted. */
  #count(
    scratch: Scratch,
    kernel: CountingKernel,
    { fold, levels, levelCuts, levelSigns, levelValues, outcome }: Question,
    { entries, leaves, table, tree }: { tree: Tree; leaves: number; table: number; entries: number },
    { counts, residuals }: CellPlaces,
    size: number,
  ): void {
    const treeAt = this.#rows.writeTree(scratch, tree)
    const cutsAt = levelCuts === undefined ? 0 : scratch.write(levelCuts)
    const valuesAt = levelValues === undefined ? 0 : scratch.write(levelValues)
    const signsAt = levelSigns === undefined ? 0 : scratch.write([levelSigns.length, ...levelSigns])
    const { weighted } = this.#rows.shape
    const values = scratch.take(BLOCK_ROWS * (weighted ? WEIGHTED_ROW_BYTES : ROW_BYTES) + PART_BYTES)
    const packed = scratch.zeros(weighted ? 0 : 8 * size)
    this.#fillOutcomes(outcome)
    for (const segment of this.#rows.segments) {
      const rows = this.#rows.of(segment, fold, outcome)
      const where = [values, packed, counts, residuals] as const
      kernel(...rows, levels, cutsAt, valuesAt, signsAt, treeAt, leaves, table, entries, ...where)
    }
  }

  levelSums(request: LevelSumsRequest): LevelSums[] {
    const { fold, levels, levelValues, outcome, trees } = request
    this.#fillOutcomes(outcome)
    return trees.map(tree => {
      const scratch = this.#rows.scratch()
      const treeAt = this.#rows.writeTree(scratch, tree)
      const valuesAt = levelValues === undefined ? 0 : scratch.write(levelValues)
      const cells = leafCount(tree) * levels
      const places = emptyPlaces(scratch, cells)
      const predictions = scratch.zeros(8 * cells)
      const where = [places.counts, places.residuals, predictions, scratch.take(PART_BYTES)] as const
      for (const segment of this.#rows.segments) {
        const rows = this.#rows.of(segment, fold, outcome)
        this.#kernels.levelSums(...rows, levels, valuesAt, treeAt, ...where)
      }
      return { ...this.#copy(places, cells), predictions: this.#doubles(predictions, cells) }
    })
  }

  /** Fills the outcome column, unless it holds this outcome already. */
  #fillOutcomes(outcome: Outcome = LABEL): void {
    if (outcome.kind === 'label') return
    if (this.#rows.layout.outcome === 0) throw needsKeys('noise is drawn')
    const posed = JSON.stringify(outcome)
    if (this.#filled === posed) return
    const ints = this.#rows.ints()
    for (const segment of this.#rows.segments) {
      for (const fold of [FIT, HOLDOUT]) {
        const [from, to, base, label, prediction, weight] = this.#rows.of(segment, fold)
        const { key, outcome: at, square } = segment.layout
        const columns = [label, prediction, base + key, base + at].map(address => address >>> 2)
        fillOutcomes(ints, from, to, columns, outcome)
        if (outcome.kind === 'variance' && weight !== 0) {
          squareWeights(ints, from, to, weight >>> 2, (base + square) >>> 2, outcome.shift)
        }
      }
    }
    this.#filled = posed
  }

  #copy({ counts, residuals }: CellPlaces, cells: number): CellSums {
    return { counts: this.#doubles(counts, cells), residuals: this.#doubles(residuals, cells) }
  }

  /** Runs of cells from other places than one behind the other. */
  #gather(
    { places, starts }: { places: CellPlaces; starts: readonly number[] },
    offsets: readonly number[],
    sizes: readonly number[],
    size: number,
  ): CellSums {
    const gather = (sums: number) => {
      const copy = new Float64Array(this.#spares.take(8 * size), 0, size)
      for (const [index, start] of starts.entries())
        copy.set(new Float64Array(this.#rows.memory.buffer, sums + 8 * start, sizes[index]), offsets[index])
      return copy
    }
    return { counts: gather(places.counts), residuals: gather(places.residuals) }
  }

  /** A copy, so that it can be handed to another thread. */
  #doubles(at: number, length: number): Float64Array {
    const copy = new Float64Array(this.#spares.take(8 * length), 0, length)
    copy.set(new Float64Array(this.#rows.memory.buffer, at, length))
    return copy
  }
}

/** Histograms of features, and where that of each begins. */
interface Margins {
  readonly places: CellPlaces
  readonly offsets: ReadonlyMap<number, number>
}

/** The request brings them along. */
function writeMargins(scratch: Scratch, { features, marginals }: PairSearchRequest): Margins {
  const { offsets, size } = offsetsOf(marginals.map(({ counts }) => counts.length))
  const places = { counts: scratch.take(8 * size), residuals: scratch.take(8 * size) }
  for (const sums of ['counts', 'residuals'] as const) {
    const into = scratch.doubles().subarray(places[sums] >>> 3, (places[sums] >>> 3) + size)
    for (const [index, marginal] of marginals.entries()) into.set(marginal[sums], offsets[index])
  }
  return { places, offsets: new Map(features.map((feature, index) => [feature, offsets[index]])) }
}

const questionOf = ({ fold, levels, levelSigns, levelValues }: PairSearchRequest): Question => ({
  ...{ fold, levels },
  ...(levelValues !== undefined && { levelValues }),
  ...(levelSigns !== undefined && { levelSigns }),
})

const cellsFrom = ({ counts, residuals }: CellPlaces, first: number): CellPlaces => ({
  counts: counts + 8 * first,
  residuals: residuals + 8 * first,
})
