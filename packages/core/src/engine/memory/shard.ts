// One shard: rows in one memory, and the engine's questions answered about them by the kernels. A shard knows nothing of
// workers; it runs in whichever thread made it.

import { emptyHash, mixHash } from '../../common/hash.ts'
import { addProduct, clipUnits, emptySplitSum, levelOf, type SplitSum } from '../../common/units.ts'
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
} from '../engine.ts'
import { offsetsOf } from '../offsets.ts'
import { type LinearUpdate, leafCount, ROOT, type TableUpdate, type Tree, type Update } from '../update.ts'
import { flattenTree } from '../walk.ts'
import {
  BLOCK_ROWS,
  type CountingKernel,
  FEATURE_BYTES,
  type KernelMemory,
  type Kernels,
  NODE_BYTES,
  PAIR_BYTES,
  ROW_BYTES,
  type SegmentRows,
  WEIGHTED_ROW_BYTES,
} from './kernels.ts'
import {
  align,
  layoutSegment,
  type RowChunk,
  type RowShape,
  Segment,
  type SegmentLayout,
} from './segments.ts'

export interface ShardShape extends RowShape {
  readonly coarseOf: readonly Uint8Array[]
  readonly coarseCounts: readonly number[]
  readonly foldCount: number
  readonly segmentRows: number
}

/** Loss sums of one fold as two-part numbers, ready to be added up over shards. */
export interface ShardLoss {
  readonly weight: number
  readonly squaredWeight: number
  readonly squares: SplitSum
}

export class Shard {
  readonly #shape: ShardShape
  readonly #memory: KernelMemory
  readonly #kernels: Kernels
  readonly #layout: SegmentLayout
  readonly #segments: Segment[] = []
  /** Addresses of the coarse maps, 256 bytes per feature. */
  readonly #coarse: readonly number[]
  /** Everything below is rows and maps; questions use the room above. */
  #top: number

  constructor(shape: ShardShape, memory: KernelMemory, kernels: Kernels) {
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
    const { features, levels, resolution, tree } = request
    const coarse = resolution === 'coarse'
    const binCounts = coarse ? this.#shape.coarseCounts : this.#shape.binCounts
    const leaves = leafCount(tree)
    const { offsets, size } = offsetsOf(features.map(feature => leaves * binCounts[feature] * levels))
    const room = this.#room()
    const table = room.take(features.length * FEATURE_BYTES)
    const count = this.#count(room, request, tree, size)
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
    const room = this.#room()
    const table = room.take(pairs.length * PAIR_BYTES)
    const count = this.#count(room, request, ROOT, size)
    pairs.forEach(([a, b], index) => {
      const { bins } = this.#layout
      const sizes = coarseCounts[a] | (coarseCounts[b] << 16)
      const entry = [bins[a], bins[b], this.#coarse[a], this.#coarse[b], sizes, offsets[index]]
      this.#ints().set(entry, (table + index * PAIR_BYTES) >>> 2)
    })
    return { ...count(this.#kernels.jointHistogram, table, pairs.length), offsets }
  }

  /** Lays out the cells of a counting question; the answer runs a kernel over all segments and copies the sums out. */
  #count(
    room: Room,
    { fold, levels, levelValues }: { fold: number; levels: number; levelValues?: Int32Array },
    tree: Tree,
    cells: number,
  ) {
    const treeAt = this.#writeTree(room, tree)
    const valuesAt = this.#writeLevelValues(room, levelValues)
    const values = room.take(BLOCK_ROWS * (this.#shape.weighted ? WEIGHTED_ROW_BYTES : ROW_BYTES))
    const [packed, counts, residuals] = [room.zeros(8 * cells), room.zeros(8 * cells), room.zeros(8 * cells)]
    const leaves = leafCount(tree)
    return (kernel: CountingKernel, table: number, entries: number): CellSums => {
      for (const segment of this.#segments) {
        const rows = this.#rowsOf(segment, fold)
        const where = [values, packed, counts, residuals] as const
        kernel(...rows, levels, valuesAt, treeAt, leaves, table, entries, ...where)
      }
      return { counts: this.#doubles(counts, cells), residuals: this.#doubles(residuals, cells) }
    }
  }

  levelSums(request: LevelSumsRequest): LevelSums[] {
    const { fold, levels, trees } = request
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
        const rows = this.#rowsOf(segment, fold)
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
    return update.kind === 'table' ? this.#moveTable(update, keep) : this.#moveLinear(update, keep)
  }

  #moveTable(update: TableUpdate, keep: boolean): ShardLoss[] {
    const room = this.#room()
    const treeAt = this.#writeTree(room, update.tree)
    const table = room.take(4 * update.values.length)
    this.#ints().set(update.values, table >>> 2)
    return this.#lossOfFolds((segment, fold, out) => {
      const rows = this.#rowsOf(segment, fold)
      this.#kernels.move(...rows, update.levels, treeAt, table, keep ? rows[4] : 0, out)
    }, room)
  }

  /** Moves the predictions, and nobody asks for the loss. */
  advance(update: Update): void {
    if (update.kind === 'linear') {
      this.#moveLinear(update, true)
      return
    }
    const room = this.#room()
    const treeAt = this.#writeTree(room, update.tree)
    const table = room.take(4 * update.values.length)
    this.#ints().set(update.values, table >>> 2)
    for (const segment of this.#segments) {
      const rows = this.#rowsOf(segment, FIT)
      this.#kernels.move(...rows, update.levels, treeAt, table, rows[4], 0)
    }
  }

  /** Linear moves are rare and stay in TypeScript: doubles added in a fixed order within a row. */
  #moveLinear({ coefficients, levels, signals }: LinearUpdate, keep: boolean): ShardLoss[] {
    const columns = signals.length
    return this.#lossOfFolds((segment, fold, out) => {
      const [from, to, base, label, prediction, weight] = this.#rowsOf(segment, fold)
      const ints = this.#ints()
      const sums = new BigInt64Array(this.#memory.buffer, out, 4)
      const total = { weight: 0, squaredWeight: 0, squares: emptySplitSum() }
      for (let row = from; row < to; row++) {
        const current = ints[(prediction >>> 2) + row]
        const offset = levelOf(current, levels) * columns
        let distance = 0
        for (let k = 0; k < columns; k++) {
          const signal = ints[((base + this.#layout.signals[signals[k]]) >>> 2) + row]
          distance += coefficients[offset + k] * signal
        }
        const moved = clipUnits(current + Math.round(distance))
        if (keep) ints[(prediction >>> 2) + row] = moved
        addSquare(total, ints[(label >>> 2) + row] - moved, weight === 0 ? 1 : ints[(weight >>> 2) + row])
      }
      const parts = [total.weight, total.squaredWeight, total.squares.high, total.squares.low]
      parts.forEach((part, index) => {
        sums[index] += BigInt(part)
      })
    })
  }

  moments({ fold, levels, levelValues, signals }: MomentsRequest): LevelMoments[] {
    const size = signals.length
    const moments = Array.from({ length: levels }, () => ({
      count: 0,
      gram: Array.from({ length: size * size }, emptySplitSum),
      cross: Array.from({ length: size }, emptySplitSum),
    }))
    const ints = this.#ints()
    for (const segment of this.#segments) {
      const [from, to, base, label, prediction, weight] = this.#rowsOf(segment, fold)
      const columns = signals.map(signal => (base + this.#layout.signals[signal]) >>> 2)
      for (let row = from; row < to; row++) {
        const current = ints[(prediction >>> 2) + row]
        const level = levelOf(current, levels)
        const residual =
          ints[(label >>> 2) + row] - (levelValues === undefined ? current : levelValues[level])
        const counted = weight === 0 ? 1 : ints[(weight >>> 2) + row]
        const { cross, gram } = moments[level]
        moments[level].count += counted
        for (let i = 0; i < size; i++) {
          const one = ints[columns[i] + row]
          addProduct(cross[i], one, residual, counted)
          for (let j = 0; j < size; j++) addProduct(gram[i * size + j], one, ints[columns[j] + row], counted)
        }
      }
    }
    return moments
  }

  reset(): void {
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
    const [bytes, ints] = [new Uint8Array(this.#memory.buffer), this.#ints()]
    const total = { a: 0, b: 0 }
    for (const segment of this.#segments) {
      for (const fold of [FIT, HOLDOUT]) {
        const [from, to, base, label, , weight] = this.#rowsOf(segment, fold)
        const { bins, signals, start } = this.#layout
        for (let row = from; row < to; row++) {
          const hash = emptyHash()
          for (const column of bins) mixHash(hash, bytes[base + column + row])
          for (const column of signals) mixHash(hash, ints[((base + column) >>> 2) + row])
          mixHash(hash, ints[(label >>> 2) + row])
          mixHash(hash, ints[((base + start) >>> 2) + row])
          mixHash(hash, fold)
          const counted = weight === 0 ? 1 : ints[(weight >>> 2) + row]
          total.a = (total.a + Math.imul(hash.a, counted)) | 0
          total.b = (total.b + Math.imul(hash.b, counted)) | 0
        }
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

  #rowsOf(segment: Segment, fold: number): SegmentRows {
    const { base, layout } = segment
    const weight = layout.weight === 0 ? 0 : base + layout.weight
    return [...segment.range(fold), base, base + layout.label, base + layout.prediction, weight]
  }

  #writeTree(room: Room, tree: Tree): number {
    const flat = flattenTree(tree, this.#shape.binCounts)
    const at = room.take(8 + NODE_BYTES * flat.feature.length)
    const ints = this.#ints()
    ints[at >>> 2] = flat.root
    flat.feature.forEach((feature, node) => {
      const entry = at + 8 + node * NODE_BYTES
      const column = feature < 0 ? 0 : this.#layout.bins[feature]
      ints.set([column, flat.below[node], flat.no[node], flat.yes[node]], entry >>> 2)
      new Uint8Array(this.#memory.buffer).set(
        flat.takesYes.subarray(256 * node, 256 * node + 256),
        entry + 16,
      )
    })
    return at
  }

  #writeLevelValues(room: Room, levelValues: Int32Array | undefined): number {
    if (levelValues === undefined) return 0
    const at = room.take(4 * levelValues.length)
    this.#ints().set(levelValues, at >>> 2)
    return at
  }

  #room(): Room {
    return new Room(this.#memory, this.#top)
  }

  #ints(): Int32Array {
    return new Int32Array(this.#memory.buffer)
  }

  /** A copy, so that it can be handed to another thread. */
  #doubles(at: number, length: number): Float64Array {
    return new Float64Array(this.#memory.buffer, at, length).slice()
  }
}

/** Scratch room above the rows, given out piece by piece; it is forgotten when the question is answered. */
class Room {
  readonly #memory: KernelMemory
  #next: number

  constructor(memory: KernelMemory, top: number) {
    this.#memory = memory
    this.#next = top
  }

  take(bytes: number): number {
    const at = this.#next
    this.#next = align(at + bytes)
    this.#memory.reserve(this.#next)
    return at
  }

  zeros(bytes: number): number {
    const at = this.take(bytes)
    new Uint8Array(this.#memory.buffer).fill(0, at, at + bytes)
    return at
  }
}

function addSquare(
  total: ShardLoss & { weight: number; squaredWeight: number },
  residual: number,
  weight: number,
): void {
  total.weight += weight
  total.squaredWeight += weight * weight
  addProduct(total.squares, residual, residual, weight)
}
