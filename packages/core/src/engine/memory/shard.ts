// One shard: rows in one memory, and the engine's questions answered about them by the kernels. A shard knows nothing of
// workers; it runs in whichever thread made it.

import { emptySplitSum } from '../../common/units.ts'
import type { KernelMemory, Kernels, SegmentRows } from '../../kernels/kernels.ts'
import type { SideBests } from '../../kernels/pairs/cells.ts'
import type { Scratch } from '../../kernels/scratch.ts'
import type { LinearUpdate, TableUpdate, Tree, Update } from '../../update/update.ts'
import {
  FIT,
  type Histogram,
  type HistogramRequest,
  HOLDOUT,
  type JointHistogramRequest,
  type LevelMoments,
  type LevelSums,
  type LevelSumsRequest,
  type MomentsRequest,
  type PairSearchRequest,
  type RowChunk,
} from '../engine.ts'
import { type Checksum, type ColumnRange, fingerprintOf, joinChecksums } from '../fingerprint.ts'
import { joinSamples, type SampledRows, type SampleRule, sampleRows } from '../sample.ts'
import { BufferPool } from './bufferPool.ts'
import { Counter } from './counter.ts'
import { writeForest } from './forestMove.ts'
import { rowMove } from './rowMove.ts'
import { noRows, type Segment } from './segments.ts'
import { ShardRows, type ShardShape } from './shardRows.ts'
import { addMoments, emptyMoments, moveLinearRows, type ShardLoss } from './signals.ts'

/** What moves predictions without asking for labels. */
type MapUpdate = Exclude<Update, TableUpdate | LinearUpdate>

export class Shard {
  readonly #rows: ShardRows
  readonly #counter: Counter
  readonly #kernels: Kernels

  /** Answers are written to `spares` where these have room. */
  constructor(shape: ShardShape, memory: KernelMemory, kernels: Kernels, spares = new BufferPool(0)) {
    this.#rows = new ShardRows(shape, memory)
    this.#counter = new Counter(this.#rows, kernels, spares)
    this.#kernels = kernels
  }

  get kernelKind(): Kernels['kind'] {
    return this.#kernels.kind
  }

  append(chunk: RowChunk): void {
    this.#counter.forgetRows()
    this.#rows.append(chunk)
  }

  /** Bins of a numeric feature, found by the kernels; the rows are those of the first segment. */
  binNumbers(feature: number, values: Float64Array, cuts: readonly number[]): void {
    const scratch = this.#rows.scratch()
    const half = 2 ** Math.floor(Math.log2(Math.max(1, cuts.length)))
    const valuesAt = scratch.take(8 * values.length)
    const cutsAt = scratch.take(16 * half)
    const doubles = new Float64Array(this.#rows.memory.buffer)
    doubles.set(values, valuesAt >>> 3)
    doubles.fill(Number.POSITIVE_INFINITY, cutsAt >>> 3, (cutsAt >>> 3) + 2 * half)
    doubles.set(cuts, cutsAt >>> 3)
    const { base, layout } = this.#rows.segments[0]
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
    this.#counter.forgetRows()
    this.#rows.clear()
  }

  histogram(request: HistogramRequest): Histogram {
    return this.#counter.histogram(request)
  }

  jointHistogram(request: JointHistogramRequest): Histogram {
    return this.#counter.jointHistogram(request)
  }

  searchPairs(request: PairSearchRequest): SideBests[] {
    return this.#counter.searchPairs(request)
  }

  levelSums(request: LevelSumsRequest): LevelSums[] {
    return this.#counter.levelSums(request)
  }

  losses(): ShardLoss[] {
    return this.#lossOfFolds((segment, fold, out) => {
      const [from, to, , label, prediction, weight] = this.#rows.of(segment, fold)
      this.#kernels.loss(from, to, label, prediction, weight, out)
    })
  }

  /** The losses after an update; with `keep` the predictions move, otherwise nothing does. */
  move(update: Update, keep: boolean): ShardLoss[] {
    if (keep) this.#counter.forgetPredictions()
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
    const scratch = this.#rows.scratch()
    const move = this.#writeMap(scratch, update)
    const moved = keep ? 0 : scratch.take(4 * this.#rows.layout.capacity)
    return this.#lossOfFolds((segment, fold, out) => {
      const rows = this.#rows.of(segment, fold)
      const [from, to, , label, prediction, weight] = rows
      const target = keep ? prediction : moved
      move(rows, target)
      this.#kernels.loss(from, to, label, target, weight, out)
    }, scratch)
  }

  #writeMap(scratch: Scratch, update: MapUpdate): (rows: SegmentRows, target: number) => void {
    if (update.kind !== 'forest')
      return rowMove(this.#rows.memory, update, this.#rows.shape.binCounts, this.#rows.layout.bins)
    const write = (into: Scratch, tree: Tree) => this.#rows.writeTree(into, tree)
    return writeForest(this.#kernels, scratch, update, write, this.#rows.layout.capacity).move
  }

  #moveTable(update: TableUpdate, keep: boolean): ShardLoss[] {
    const scratch = this.#rows.scratch()
    const move = this.#writeTable(scratch, update)
    return this.#lossOfFolds((segment, fold, out) => {
      const rows = this.#rows.of(segment, fold)
      move(rows, keep ? rows[4] : 0, out)
    }, scratch)
  }

  #writeTable(scratch: Scratch, { levels, tree, values }: TableUpdate) {
    const [treeAt, table] = [this.#rows.writeTree(scratch, tree), scratch.write(values)]
    return (rows: SegmentRows, target: number, out: number) =>
      this.#kernels.move(...rows, levels, treeAt, table, target, out)
  }

  #moveLinear(update: LinearUpdate, keep: boolean): ShardLoss[] {
    const folds = [FIT, HOLDOUT].slice(0, this.#rows.shape.foldCount)
    return folds.map(fold => {
      const total = { weight: 0, squaredWeight: 0, squares: emptySplitSum() }
      for (const segment of this.#rows.segments) {
        const signals = update.signals.map(signal => segment.base + this.#rows.layout.signals[signal])
        moveLinearRows(total, this.#rows.ints(), this.#rows.of(segment, fold), signals, update, keep)
      }
      return total
    })
  }

  /** What moves the predictions by this update, as often as it is called; nobody asks for the loss. Its trees stay in memory. */
  prepare(update: Update): () => void {
    if (update.kind === 'linear') return () => void this.#moveLinear(update, true)
    this.#counter.forgetPredictions()
    const scratch = this.#rows.scratch()
    const move = update.kind === 'table' ? this.#writeTable(scratch, update) : this.#writeMap(scratch, update)
    this.#rows.hold(scratch)
    return () => {
      for (const segment of this.#rows.segments) {
        const rows = this.#rows.of(segment, FIT)
        move(rows, rows[4], 0)
      }
    }
  }

  moments(request: MomentsRequest): LevelMoments[] {
    const moments = emptyMoments(request)
    for (const segment of this.#rows.segments) {
      const signals = request.signals.map(signal => segment.base + this.#rows.layout.signals[signal])
      addMoments(moments, this.#rows.ints(), this.#rows.of(segment, request.fold), signals, request)
    }
    return moments
  }

  reset(): void {
    this.#counter.forgetPredictions()
    const bytes = new Uint8Array(this.#rows.memory.buffer)
    for (const { base, layout } of this.#rows.segments) {
      bytes.copyWithin(
        base + layout.prediction,
        base + layout.start,
        base + layout.start + 4 * layout.capacity,
      )
    }
  }

  /** Predictions in the order in which rows came. */
  snapshot(): Int32Array {
    const rowCount = this.#rows.segments.reduce((total, segment) => total + segment.rowCount, 0)
    const predictions = new Int32Array(rowCount)
    let offset = 0
    for (const segment of this.#rows.segments) {
      segment.readPredictions(this.#rows.memory, predictions, offset)
      offset += segment.rowCount
    }
    return predictions
  }

  /** The fitting rows of all segments, as far as they are picked. */
  sample(rule: SampleRule): SampledRows {
    const { memory, segments, shape } = this.#rows
    const read = segments.length === 0 ? [noRows(shape)] : segments.map(each => each.read(memory, FIT))
    return joinSamples(read.map(rows => sampleRows(rows, rule)))
  }

  /** This shard's part of the order-free checksum. */
  fingerprint(columns: ColumnRange | undefined): Checksum {
    const { memory, segments } = this.#rows
    return joinChecksums(
      segments.flatMap(segment =>
        [FIT, HOLDOUT].map(fold => fingerprintOf(segment.read(memory, fold), columns, fold)),
      ),
    )
  }

  #lossOfFolds(
    add: (segment: Segment, fold: number, out: number) => void,
    scratch: Scratch = this.#rows.scratch(),
  ): ShardLoss[] {
    return [FIT, HOLDOUT].slice(0, this.#rows.shape.foldCount).map(fold => {
      const out = scratch.zeros(32)
      for (const segment of this.#rows.segments) add(segment, fold, out)
      const [weight, squaredWeight, high, low] = Array.from(
        new BigInt64Array(this.#rows.memory.buffer, out, 4),
        Number,
      )
      return { weight, squaredWeight, squares: { high, low } }
    })
  }
}
