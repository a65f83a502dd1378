// One shard: rows in one memory, and the engine's questions answered about them by the kernels. A shard knows nothing of
// workers; it runs in whichever thread made it.

import { emptySplitSum } from '../../common/units.ts'
import {
  type CellSums,
  FIT,
  type Histogram,
  type HistogramRequest,
  HOLDOUT,
  type JointHistogramRequest,
  type LevelMoments,
  type LevelSums,
  type LevelSumsRequest,
  type MomentsRequest,
  type Outcome,
  type RowChunk,
} from '../engine.ts'
import { offsetsOf } from '../offsets.ts'
import { LABEL, needsKeys } from '../outcome.ts'
import {
  type LinearUpdate,
  leafCount,
  ROOT,
  selectLeaves,
  type TableUpdate,
  type Tree,
  type Update,
} from '../update.ts'
import { flattenTree } from '../walk.ts'
import {
  addSkippedRows,
  type CommonBin,
  chooseSkipped,
  findCommonBin,
  type SkippedSide,
} from './commonBins.ts'
import { addFingerprint } from './fingerprint.ts'
import { writeForest } from './forestMove.ts'
import {
  BLOCK_ROWS,
  type CountingKernel,
  FEATURE_BYTES,
  type KernelMemory,
  type Kernels,
  PAIR_BYTES,
  ROW_BYTES,
  type SegmentRows,
  WEIGHTED_ROW_BYTES,
} from './kernels.ts'
import { poseRows, squareWeights } from './pose.ts'
import { Room } from './room.ts'
import { rowMove } from './rowMove.ts'
import { align, layoutSegment, type RowShape, Segment, type SegmentLayout } from './segments.ts'
import { addMoments, emptyMoments, moveLinearRows, type ShardLoss } from './signals.ts'
import { Spares } from './spares.ts'
import { writeTree } from './writeTree.ts'

export interface ShardShape extends RowShape {
  readonly coarseOf: readonly Uint8Array[]
  readonly coarseCounts: readonly number[]
  readonly foldCount: number
  readonly segmentRows: number
}

const rangeSize = ([from, to]: [from: number, to: number]): number => to - from

/** Rows that are looked at to see which bins are common. */
const LOOKED_AT = 2 ** 16

/** What a counting question says besides what is counted. */
type Question = Pick<HistogramRequest, 'fold' | 'levels' | 'levelValues' | 'levelSigns' | 'outcome'>

/** What moves predictions without asking for labels. */
type MapUpdate = Exclude<Update, TableUpdate | LinearUpdate>

export class Shard {
  readonly #shape: ShardShape
  readonly #memory: KernelMemory
  readonly #kernels: Kernels
  readonly #spares: Spares
  readonly #layout: SegmentLayout
  readonly #segments: Segment[] = []
  /** Addresses of the coarse maps, 256 bytes per feature. */
  readonly #coarse: readonly number[]
  /** Everything below is rows and maps; questions use the room above. */
  #top: number
  /** Which outcome the outcome columns hold; none after rows came or predictions moved. */
  #posed: string | undefined
  /** Per feature, the bin that most rows share, if there is one; found when first asked for. */
  #common: readonly (CommonBin | undefined)[] | undefined

  /** Answers are written to `spares` where these have room. */
  constructor(shape: ShardShape, memory: KernelMemory, kernels: Kernels, spares = new Spares(0)) {
    this.#spares = spares
    this.#shape = shape
    this.#memory = memory
    this.#kernels = kernels
    this.#layout = layoutSegment(shape, shape.segmentRows)
    const first = 1024
    this.#coarse = shape.coarseOf.map((_, feature) => first + 256 * feature)
    this.#top = align(first + 256 * shape.coarseOf.length)
    memory.reserve(this.#top)
    shape.coarseOf.forEach((map, feature) => {
      new Uint8Array(memory.buffer).set(map, this.#coarse[feature])
    })
  }

  get kernelKind(): Kernels['kind'] {
    return this.#kernels.kind
  }

  append(chunk: RowChunk): void {
    this.#posed = undefined
    this.#common = undefined
    for (let from = 0; from < chunk.rowCount; ) {
      let segment = this.#segments[this.#segments.length - 1]
      if (segment === undefined || segment.rowCount === this.#layout.capacity) {
        segment = new Segment(this.#top, this.#layout)
        this.#memory.reserve(this.#top + this.#layout.size)
        this.#top += this.#layout.size
        this.#segments.push(segment)
      }
      from += segment.append(this.#memory, chunk, from)
    }
  }

  /** Bins of a numeric feature, found by the kernels; the rows are those of the first segment. */
  binNumbers(feature: number, values: Float64Array, cuts: readonly number[]): void {
    const room = this.#room()
    const half = 2 ** Math.floor(Math.log2(Math.max(1, cuts.length)))
    const valuesAt = room.take(8 * values.length)
    const cutsAt = room.take(16 * half)
    const doubles = new Float64Array(this.#memory.buffer)
    doubles.set(values, valuesAt >>> 3)
    doubles.fill(Number.POSITIVE_INFINITY, cutsAt >>> 3, (cutsAt >>> 3) + 2 * half)
    doubles.set(cuts, cutsAt >>> 3)
    const { base, layout } = this.#segments[0]
    this.#kernels.binNumbers(
      valuesAt,
      values.length,
      cutsAt,
      half,
      cuts.length + 1,
      base + layout.bins[feature],
    )
  }

  /** Forgets all rows; the room of the first segment is used again. */
  clear(): void {
    this.#segments.splice(1)
    this.#segments[0]?.clear()
  }

  histogram(request: HistogramRequest): Histogram {
    const { features, levels, resolution } = request
    const coarse = resolution === 'coarse'
    const binCounts = coarse ? this.#shape.coarseCounts : this.#shape.binCounts
    const { leaves, tree } = selectLeaves(request.tree, request.leaves)
    const { offsets, size } = offsetsOf(features.map(feature => leaves * binCounts[feature] * levels))
    const room = this.#room()
    const table = room.take(features.length * FEATURE_BYTES)
    const count = this.#count(room, request, tree, leaves, size)
    features.forEach((feature, index) => {
      const map = coarse ? this.#coarse[feature] : 0
      const entry = [this.#layout.bins[feature], binCounts[feature], offsets[index], map]
      this.#ints().set(entry, (table + index * FEATURE_BYTES) >>> 2)
    })
    return { ...count(this.#kernels.histogram, table, features.length), offsets }
  }

  jointHistogram(request: JointHistogramRequest): Histogram {
    const { levels, pairs } = request
    const { coarseCounts } = this.#shape
    const { offsets, size } = offsetsOf(pairs.map(([a, b]) => coarseCounts[a] * coarseCounts[b] * levels))
    const skips = this.#skips(request)
    const room = this.#room()
    const table = room.take(pairs.length * PAIR_BYTES)
    const count = this.#count(room, request, ROOT, 1, size)
    pairs.forEach(([a, b], index) => {
      const { bins } = this.#layout
      const sizes = coarseCounts[a] | (coarseCounts[b] << 16)
      const skip = skips[index]
      const skipped = skip === undefined ? 0 : 1 + skip.bin + (skip.side === 'a' ? 256 : 0)
      const entry = [bins[a], bins[b], this.#coarse[a], this.#coarse[b], sizes, offsets[index], skipped]
      this.#ints().set(entry, (table + index * PAIR_BYTES) >>> 2)
    })
    const cells = count(this.#kernels.jointHistogram, table, pairs.length)
    addSkippedRows(cells, { pairs, offsets, skips, levels, ...this.#shape }, features =>
      this.histogram({ ...request, tree: ROOT, features, resolution: 'coarse' }),
    )
    return { ...cells, offsets }
  }

  /** What need not be counted of each pair. Weighted cells are counted as doubles, row by row. */
  #skips({ fold, levels, pairs }: JointHistogramRequest): (SkippedSide | undefined)[] {
    if (this.#shape.weighted) return pairs.map(() => undefined)
    const { coarseCounts } = this.#shape
    const rows = this.#segments.reduce((sum, segment) => sum + rangeSize(segment.range(fold)), 0)
    this.#common ??= this.#layout.bins.map(offset => findCommonBin(this.#firstRows(offset)))
    const common = this.#common
    return pairs.map(([a, b]) =>
      chooseSkipped(common[a], common[b], rows, coarseCounts[a] * coarseCounts[b] * levels),
    )
  }

  /** The first rows are enough to know what is common; how common it is changes no sum. */
  #firstRows(offset: number): Uint8Array {
    const segment = this.#segments[0]
    if (segment === undefined) return new Uint8Array()
    const [from, to] = segment.range(FIT)
    const rows = Math.min(to - from, LOOKED_AT)
    return new Uint8Array(this.#memory.buffer, segment.base + offset + from, rows)
  }

  /** Lays out the cells of a counting question; the answer runs a kernel over all segments and copies the sums out. */
  #count(
    room: Room,
    { fold, levels, levelSigns, levelValues, outcome }: Question,
    tree: Tree,
    leaves: number,
    cells: number,
  ) {
    const treeAt = this.#writeTree(room, tree)
    const valuesAt = this.#writeLevelValues(room, levelValues)
    const signsAt = levelSigns === undefined ? 0 : room.write([levelSigns.length, ...levelSigns])
    const values = room.take(BLOCK_ROWS * (this.#shape.weighted ? WEIGHTED_ROW_BYTES : ROW_BYTES))
    const [packed, counts, residuals] = [room.zeros(8 * cells), room.zeros(8 * cells), room.zeros(8 * cells)]
    this.#pose(outcome)
    return (kernel: CountingKernel, table: number, entries: number): CellSums => {
      for (const segment of this.#segments) {
        const rows = this.#rowsOf(segment, fold, outcome)
        const where = [values, packed, counts, residuals] as const
        kernel(...rows, levels, valuesAt, signsAt, treeAt, leaves, table, entries, ...where)
      }
      return { counts: this.#doubles(counts, cells), residuals: this.#doubles(residuals, cells) }
    }
  }

  levelSums(request: LevelSumsRequest): LevelSums[] {
    const { fold, levels, outcome, trees } = request
    this.#pose(outcome)
    return trees.map(tree => {
      const room = this.#room()
      const treeAt = this.#writeTree(room, tree)
      const valuesAt = this.#writeLevelValues(room, request.levelValues)
      const cells = leafCount(tree) * levels
      const [counts, residuals, predictions] = [
        room.zeros(8 * cells),
        room.zeros(8 * cells),
        room.zeros(8 * cells),
      ]
      for (const segment of this.#segments) {
        const rows = this.#rowsOf(segment, fold, outcome)
        this.#kernels.levelSums(...rows, levels, valuesAt, treeAt, counts, residuals, predictions)
      }
      return {
        counts: this.#doubles(counts, cells),
        residuals: this.#doubles(residuals, cells),
        predictions: this.#doubles(predictions, cells),
      }
    })
  }

  losses(): ShardLoss[] {
    return this.#lossOfFolds((segment, fold, out) => {
      const [from, to, , label, prediction, weight] = this.#rowsOf(segment, fold)
      this.#kernels.loss(from, to, label, prediction, weight, out)
    })
  }

  /** The losses after an update; with `keep` the predictions move, otherwise nothing does. */
  move(update: Update, keep: boolean): ShardLoss[] {
    if (keep) this.#posed = undefined
    switch (update.kind) {
      case 'table':
        return this.#moveTable(update, keep)
      case 'linear':
        return this.#moveLinear(update, keep)
      default:
        return this.#moveThenLoss(update, keep)
    }
  }

  #moveThenLoss(update: MapUpdate, keep: boolean): ShardLoss[] {
    const room = this.#room()
    const move = this.#writeMap(room, update)
    const moved = keep ? 0 : room.take(4 * this.#layout.capacity)
    return this.#lossOfFolds((segment, fold, out) => {
      const rows = this.#rowsOf(segment, fold)
      const [from, to, , label, prediction, weight] = rows
      const target = keep ? prediction : moved
      move(rows, target)
      this.#kernels.loss(from, to, label, target, weight, out)
    }, room)
  }

  #writeMap(room: Room, update: MapUpdate): (rows: SegmentRows, target: number) => void {
    if (update.kind !== 'forest')
      return rowMove(this.#memory, update, this.#shape.binCounts, this.#layout.bins)
    const write = (into: Room, tree: Tree) => this.#writeTree(into, tree)
    return writeForest(this.#kernels, room, update, write, this.#layout.capacity).move
  }

  #moveTable(update: TableUpdate, keep: boolean): ShardLoss[] {
    const room = this.#room()
    const move = this.#writeTable(room, update)
    return this.#lossOfFolds((segment, fold, out) => {
      const rows = this.#rowsOf(segment, fold)
      move(rows, keep ? rows[4] : 0, out)
    }, room)
  }

  #writeTable(room: Room, { levels, tree, values }: TableUpdate) {
    const [treeAt, table] = [this.#writeTree(room, tree), room.write(values)]
    return (rows: SegmentRows, target: number, out: number) =>
      this.#kernels.move(...rows, levels, treeAt, table, target, out)
  }

  #moveLinear(update: LinearUpdate, keep: boolean): ShardLoss[] {
    const folds = [FIT, HOLDOUT].slice(0, this.#shape.foldCount)
    return folds.map(fold => {
      const total = { weight: 0, squaredWeight: 0, squares: emptySplitSum() }
      for (const segment of this.#segments) {
        const signals = update.signals.map(signal => segment.base + this.#layout.signals[signal])
        moveLinearRows(total, this.#ints(), this.#rowsOf(segment, fold), signals, update, keep)
      }
      return total
    })
  }

  /** What moves the predictions by this update, as often as it is called; nobody asks for the loss. Its trees stay in memory. */
  prepare(update: Update): () => void {
    if (update.kind === 'linear') return () => void this.#moveLinear(update, true)
    const room = this.#room()
    const move = update.kind === 'table' ? this.#writeTable(room, update) : this.#writeMap(room, update)
    this.#top = room.end
    return () => {
      for (const segment of this.#segments) {
        const rows = this.#rowsOf(segment, FIT)
        move(rows, rows[4], 0)
      }
    }
  }

  moments(request: MomentsRequest): LevelMoments[] {
    const moments = emptyMoments(request)
    for (const segment of this.#segments) {
      const signals = request.signals.map(signal => segment.base + this.#layout.signals[signal])
      addMoments(moments, this.#ints(), this.#rowsOf(segment, request.fold), signals, request)
    }
    return moments
  }

  reset(): void {
    this.#posed = undefined
    const bytes = new Uint8Array(this.#memory.buffer)
    for (const { base, layout } of this.#segments) {
      bytes.copyWithin(
        base + layout.prediction,
        base + layout.start,
        base + layout.start + 4 * layout.capacity,
      )
    }
  }

  /** Predictions in the order in which rows came. */
  snapshot(): Int32Array {
    const rowCount = this.#segments.reduce((total, segment) => total + segment.rowCount, 0)
    const predictions = new Int32Array(rowCount)
    let offset = 0
    for (const segment of this.#segments) {
      segment.readPredictions(this.#memory, predictions, offset)
      offset += segment.rowCount
    }
    return predictions
  }

  /** This shard's part of the order-free checksum (engine/fingerprint.ts). */
  fingerprint(): { a: number; b: number } {
    const total = { a: 0, b: 0 }
    for (const segment of this.#segments) {
      for (const fold of [FIT, HOLDOUT]) {
        addFingerprint(total, this.#memory, this.#rowsOf(segment, fold), this.#layout, fold)
      }
    }
    return total
  }

  #lossOfFolds(
    add: (segment: Segment, fold: number, out: number) => void,
    room: Room = this.#room(),
  ): ShardLoss[] {
    return [FIT, HOLDOUT].slice(0, this.#shape.foldCount).map(fold => {
      const out = room.zeros(32)
      for (const segment of this.#segments) add(segment, fold, out)
      const [weight, squaredWeight, high, low] = Array.from(
        new BigInt64Array(this.#memory.buffer, out, 4),
        Number,
      )
      return { weight, squaredWeight, squares: { high, low } }
    })
  }

  /** With an outcome its column stands for the label; a variance counts with squared weights. */
  #rowsOf(segment: Segment, fold: number, outcome: Outcome = LABEL): SegmentRows {
    const { base, layout } = segment
    const label = outcome.kind === 'label' ? layout.label : layout.outcome
    const weight = outcome.kind === 'variance' ? layout.square : layout.weight
    const range = segment.range(fold)
    return [...range, base, base + label, base + layout.prediction, weight === 0 ? 0 : base + weight]
  }

  /** Fills the outcome column, unless it holds this outcome already. */
  #pose(outcome: Outcome = LABEL): void {
    if (outcome.kind === 'label') return
    if (!this.#shape.keyed) throw needsKeys()
    const posed = JSON.stringify(outcome)
    if (this.#posed === posed) return
    const ints = this.#ints()
    for (const segment of this.#segments) {
      for (const fold of [FIT, HOLDOUT]) {
        const [from, to, base, label, prediction, weight] = this.#rowsOf(segment, fold)
        const { key, outcome: at, square } = segment.layout
        const columns = [label, prediction, base + key, base + at].map(address => address >>> 2)
        poseRows(ints, from, to, columns, outcome)
        if (outcome.kind === 'variance' && weight !== 0) {
          squareWeights(ints, from, to, weight >>> 2, (base + square) >>> 2, outcome.shift)
        }
      }
    }
    this.#posed = posed
  }

  #writeTree(room: Room, tree: Tree): number {
    return writeTree(this.#memory, room, flattenTree(tree, this.#shape.binCounts), this.#layout.bins)
  }

  #writeLevelValues(room: Room, levelValues: Int32Array | undefined): number {
    return levelValues === undefined ? 0 : room.write(levelValues)
  }

  #room(): Room {
    return new Room(this.#memory, this.#top)
  }

  #ints(): Int32Array {
    return new Int32Array(this.#memory.buffer)
  }

  /** A copy, so that it can be handed to another thread. */
  #doubles(at: number, length: number): Float64Array {
    const copy = new Float64Array(this.#spares.take(8 * length), 0, length)
    copy.set(new Float64Array(this.#memory.buffer, at, length))
    return copy
  }
}
