// The memory engine: rows in shards, one per thread, each in its own memory, counted by WebAssembly kernels. Threads
// share nothing; they exchange questions and sums. All sums are whole numbers, so neither the number of shards nor the
// order of rows changes an answer.

import type { CancelSignal } from '../../common/cancel.ts'
import { FeatureBoostError } from '../../common/errors.ts'
import { coreCount } from '../../common/threads.ts'
import { countUnits, type FoldUnits, joinUnits, sumUnits } from '../../data/foldUnits.ts'
import type { KernelChoice } from '../../kernels/load.ts'
import type { SideBests } from '../../kernels/pairs/cells.ts'
import type { Update } from '../../update/update.ts'
import type {
  CellSums,
  EngineRows,
  EngineShape,
  FoldLoss,
  Histogram,
  HistogramRequest,
  JointHistogramRequest,
  LevelMoments,
  LevelSums,
  LevelSumsRequest,
  LocalEngine,
  MomentsRequest,
  PairSearchRequest,
  RowChunk,
  RowSource,
  RowsShape,
} from '../engine.ts'
import { isRowSource, sourceOf } from '../engineRows.ts'
import { type Checksum, type ColumnRange, checksumText, joinChecksums } from '../fingerprint.ts'
import { joinSamples, type SampledRows, type SampleRequest, sampleRule } from '../sample.ts'
import { BufferPool } from './bufferPool.ts'
import { inlineShard, type ShardHandle, workerShard } from './handles.ts'
import { type ShardQuestion, transfersOf } from './messages.ts'
import type { ShardShape } from './shardRows.ts'
import type { ShardLoss } from './signals.ts'

export interface MemoryOptions {
  /** Just so many. 1 stays in this thread. */
  readonly threads?: number
  /** Without `threads`: as many as the rows are worth, and no more than this. Default: the number of cores. */
  readonly mostThreads?: number
  readonly kernels?: KernelChoice
  /** Rows that travel to a shard at a time. */
  readonly chunkRows?: number
  /** Bytes of rows that one shard takes before there are more shards than threads. */
  readonly shardBytes?: number
  readonly signal?: CancelSignal
  readonly onWarning?: (sentence: string) => void
}

/** Rows below which a further thread costs more than it gives. */
const ROWS_PER_THREAD = 50_000
const CHUNK_ROWS = 2 ** 16
const SEGMENT_ROWS = 2 ** 20

/** What a shard may hold in rows: a memory ends at 4 GiB, and questions need room too. */
const SHARD_BYTES = 3 * 2 ** 30

/** How many memories the rows need, whatever the number of threads. */
function shardsFor(shape: RowsShape, rows: number, shardBytes: number): number {
  const bytesPerRow =
    shape.binCounts.length +
    4 * (3 + Number(shape.weighted) + Number(shape.keyed) + 2 * Number(shape.noisy) + shape.signalCount)
  return Math.ceil((rows * bytesPerRow) / shardBytes)
}

/**
 * The engine that is used by default, for `fit({ engine })`: rows in shards, one for each thread,
 * counted by WebAssembly kernels.
 */
export function memoryEngine(
  options: MemoryOptions = {},
): (rows: RowSource | EngineRows) => Promise<LocalEngine> {
  return async rows => {
    const source = isRowSource(rows) ? rows : sourceOf(rows)
    const builder = await openMemoryEngine(source, { ...options, expectedRows: source.rowCount })
    try {
      const step = options.chunkRows ?? Math.min(CHUNK_ROWS, Math.ceil(source.rowCount / builder.shards))
      const spares = new BufferPool(SPARE_COLUMNS)
      for await (const chunk of source.chunks(step)) {
        spares.give(transfersOf(await builder.append(copyColumns(chunk, spares))))
      }
      return await builder.finish()
    } catch (error) {
      await builder.abandon()
      throw error
    }
  }
}

export interface EngineBuilder {
  readonly shards: number
  /** Takes the chunk's arrays over, and gives them back, to be filled again, when the shard has room for more. */
  append(chunk: RowChunk): Promise<RowChunk>
  finish(): Promise<LocalEngine>
  abandon(): Promise<void>
}

/** Columns of a chunk that are kept to be filled again: those of a wide one. */
const SPARE_COLUMNS = 256

/** A chunk is handed to another thread: its columns are copied, into those of an earlier chunk if that has come back. */
function copyColumns(chunk: RowChunk, spares: BufferPool): RowChunk {
  const bytes = (column: Uint8Array): Uint8Array => {
    const copy = new Uint8Array(spares.take(column.byteLength), 0, column.length)
    copy.set(column)
    return copy
  }
  const words = (column: Int32Array): Int32Array => {
    const copy = new Int32Array(spares.take(column.byteLength), 0, column.length)
    copy.set(column)
    return copy
  }
  return {
    rowCount: chunk.rowCount,
    bins: chunk.bins.map(bytes),
    signals: chunk.signals.map(words),
    label: words(chunk.label),
    start: words(chunk.start),
    ...(chunk.weight !== undefined && { weight: words(chunk.weight) }),
    ...(chunk.fold !== undefined && { fold: bytes(chunk.fold) }),
    ...(chunk.key !== undefined && { key: words(chunk.key) }),
  }
}

/** Opens shards for rows that come in chunks; nothing is held but what the shards hold. */
export async function openMemoryEngine(
  given: RowsShape,
  options: MemoryOptions & { expectedRows?: number } = {},
): Promise<EngineBuilder> {
  const { expectedRows, kernels = 'auto', onWarning = () => {} } = options
  // A copy: what is given may be a source, and hold more than its shape.
  const { binCounts, coarseCounts, coarseOf, folded, keyed = false, signalCount, weighted } = given
  const noisy = keyed && (given.noisy ?? true)
  const shape = { binCounts, coarseOf, coarseCounts, signalCount, weighted, folded, keyed, noisy }
  const worth = Math.max(1, Math.ceil((expectedRows ?? Number.POSITIVE_INFINITY) / ROWS_PER_THREAD))
  const threads = options.threads ?? Math.min(options.mostThreads ?? coreCount(), worth)
  const shardCount = Math.max(threads, shardsFor(shape, expectedRows ?? 0, options.shardBytes ?? SHARD_BYTES))
  const shards = Array.from({ length: shardCount }, () =>
    threads === 1 ? inlineShard() : workerShard(onWarning),
  )
  const perShard = Math.ceil((expectedRows ?? SEGMENT_ROWS * shardCount) / shardCount)
  const shardShape: ShardShape = {
    ...shape,
    foldCount: folded ? 2 : 1,
    segmentRows: Math.max(1, Math.min(SEGMENT_ROWS, perShard + (options.chunkRows ?? CHUNK_ROWS))),
  }
  const engine = new MemoryEngine({ ...shape, ...evidenceOf(given) }, shards, options.signal)
  const kinds = await engine.askAll<'wasm' | 'twin'>({ ask: 'open', shape: shardShape, kernels })
  engine.kernelKind = kinds[0]
  if (kernels === 'auto' && kinds.includes('twin')) {
    onWarning('There is no WebAssembly here: the plain TypeScript kernels run instead, several times slower.')
  }
  return {
    shards: engine.shardCount,
    append: chunk => engine.append(chunk),
    finish: async () => engine,
    abandon: () => engine.close(),
  }
}

/** What was said of how much the rows tell. */
const evidenceOf = ({ observationWeight, units }: RowsShape) => ({
  ...(observationWeight !== undefined && { observationWeight }),
  ...(units !== undefined && { units }),
})

/** What a real AbortSignal can do besides. */
interface AbortTarget {
  addEventListener?(event: 'abort', handle: () => void, how: { once: true }): void
  removeEventListener?(event: 'abort', handle: () => void): void
}

export class MemoryEngine implements LocalEngine {
  readonly name = 'memory'
  /** Which kernels really run. */
  kernelKind: 'wasm' | 'twin' | undefined
  readonly #shape: RowsShape
  readonly #shards: readonly ShardHandle[]
  readonly #signal: CancelSignal | undefined
  /** Which shard took each chunk, and how many rows it has: what puts a snapshot back in order. */
  readonly #chunks: { shard: number; rows: number }[] = []
  readonly #stopListening: () => void
  readonly searchPairs?: (request: PairSearchRequest) => Promise<SideBests[]>
  #rowCount = 0
  /** Of rows, each by itself. */
  #rowUnits: FoldUnits[]
  #closed: FeatureBoostError | undefined

  constructor(shape: RowsShape, shards: readonly ShardHandle[], signal: CancelSignal | undefined) {
    this.#shape = shape
    this.#rowUnits = sumUnits(0, undefined, shape.folded ? new Uint8Array() : undefined)
    this.#shards = shards
    this.#signal = signal
    if (shards.length === 1 && shards[0].inThisThread)
      this.searchPairs = request => this.#ask(0, { ask: 'searchPairs', request })
    const onAbort = () => void this.#end(new FeatureBoostError('FB_ABORTED', 'the work was cancelled.'))
    const target = signal as AbortTarget | undefined
    target?.addEventListener?.('abort', onAbort, { once: true })
    // A signal may outlive many engines, and would keep each of them with its rows.
    this.#stopListening = () => target?.removeEventListener?.('abort', onAbort)
  }

  get shape(): EngineShape {
    const { binCounts, coarseCounts, folded, signalCount } = this.#shape
    return {
      ...{ binCounts, coarseCounts, signalCount, units: this.#rowUnits },
      ...evidenceOf(this.#shape),
      rowCount: this.#rowCount,
      countedRows: countUnits(this.#rowUnits),
      foldCount: folded ? 2 : 1,
    }
  }

  get shardCount(): number {
    return this.#shards.length
  }

  #unitsOf({ fold, rowCount, weight }: RowChunk): FoldUnits[] {
    return sumUnits(rowCount, weight, this.#shape.folded ? (fold ?? new Uint8Array(rowCount)) : undefined)
  }

  async append(chunk: RowChunk): Promise<RowChunk> {
    const shard = this.#chunks.length % this.#shards.length
    this.#chunks.push({ shard, rows: chunk.rowCount })
    this.#rowCount += chunk.rowCount
    this.#rowUnits = joinUnits(this.#rowUnits, this.#unitsOf(chunk))
    return await this.#ask<RowChunk>(shard, { ask: 'append', chunk })
  }

  async histogram(request: HistogramRequest): Promise<Histogram> {
    return this.#sumHistograms({ ask: 'histogram', request })
  }

  async jointHistogram(request: JointHistogramRequest): Promise<Histogram> {
    return this.#sumHistograms({ ask: 'jointHistogram', request })
  }

  async #sumHistograms(question: ShardQuestion): Promise<Histogram> {
    const [sum, ...others] = await this.askAll<Histogram>(question)
    others.forEach((answer, index) => {
      addCells(sum, answer)
      this.#shards[index + 1].release(transfersOf(answer))
    })
    return sum
  }

  /** Sums are those of the first shard, with those of the others added; so are their buffers. */
  release({ counts, residuals }: CellSums): void {
    this.#shards[0].release(transfersOf([counts, residuals]))
  }

  async levelSums(request: LevelSumsRequest): Promise<LevelSums[]> {
    const answers = await this.askAll<LevelSums[]>({ ask: 'levelSums', request })
    return answers.reduce((sums, answer) =>
      sums.map((sum, index) => ({
        ...addCells(sum, answer[index]),
        predictions: addInto(sum.predictions, answer[index].predictions),
      })),
    )
  }

  async moments(request: MomentsRequest): Promise<LevelMoments[]> {
    const answers = await this.askAll<LevelMoments[]>({ ask: 'moments', request })
    return answers.reduce((sums, answer) =>
      sums.map((sum, level) => ({
        count: sum.count + answer[level].count,
        gram: sum.gram.map((part, index) => addSplit(part, answer[level].gram[index])),
        cross: sum.cross.map((part, index) => addSplit(part, answer[level].cross[index])),
      })),
    )
  }

  async losses(): Promise<FoldLoss[]> {
    return this.#sumLosses({ ask: 'losses' })
  }

  async evaluate(update: Update): Promise<FoldLoss[]> {
    return this.#sumLosses({ ask: 'move', update, keep: false })
  }

  async apply(update: Update): Promise<FoldLoss[]> {
    return this.#sumLosses({ ask: 'move', update, keep: true })
  }

  async #sumLosses(question: ShardQuestion): Promise<FoldLoss[]> {
    const answers = await this.askAll<ShardLoss[]>(question)
    return answers.reduce((sums, answer) =>
      sums.map((sum, fold) => ({
        weight: sum.weight + answer[fold].weight,
        squaredWeight: sum.squaredWeight + answer[fold].squaredWeight,
        squares: addSplit(sum.squares, answer[fold].squares),
      })),
    )
  }

  async reset(): Promise<void> {
    await this.askAll({ ask: 'reset' })
  }

  async snapshot(): Promise<Int32Array> {
    const parts = await this.askAll<Int32Array>({ ask: 'snapshot' })
    const predictions = new Int32Array(this.#rowCount)
    const read = this.#shards.map(() => 0)
    let offset = 0
    for (const { rows, shard } of this.#chunks) {
      predictions.set(parts[shard].subarray(read[shard], read[shard] + rows), offset)
      read[shard] += rows
      offset += rows
    }
    return predictions
  }

  async sample(request: SampleRequest): Promise<SampledRows> {
    const rule = sampleRule(request, this.shape.countedRows)
    return joinSamples(await this.askAll<SampledRows>({ ask: 'sample', rule }))
  }

  async fingerprint(columns?: ColumnRange): Promise<string> {
    return checksumText(joinChecksums(await this.askAll<Checksum>({ ask: 'fingerprint', columns })))
  }

  async close(): Promise<void> {
    await this.#end(new FeatureBoostError('FB_ENGINE_CLOSED', 'the engine has been closed.'))
  }

  /** The same question to every shard; answers in the order of shards. If one fails, the engine ends. */
  async askAll<T>(question: ShardQuestion): Promise<T[]> {
    return await Promise.all(this.#shards.map((_, shard) => this.#ask<T>(shard, question)))
  }

  async #ask<T>(shard: number, question: ShardQuestion): Promise<T> {
    if (this.#signal?.aborted) await this.#end(new FeatureBoostError('FB_ABORTED', 'the work was cancelled.'))
    if (this.#closed !== undefined) throw this.#closed
    try {
      return await this.#shards[shard].ask<T>(question)
    } catch (error) {
      const reason =
        error instanceof FeatureBoostError ? error : new FeatureBoostError('FB_WORKER', String(error))
      await this.#end(reason)
      throw this.#closed ?? error
    }
  }

  /** Ends every worker, once; later questions fail with the first reason. */
  async #end(reason: FeatureBoostError): Promise<void> {
    this.#closed ??= reason
    this.#stopListening()
    await Promise.all(this.#shards.map(shard => shard.close(reason)))
  }
}

function addInto(into: Float64Array, values: Float64Array): Float64Array {
  for (let index = 0; index < into.length; index++) into[index] += values[index]
  return into
}

const addCells = (sum: CellSums, answer: CellSums): CellSums => ({
  counts: addInto(sum.counts, answer.counts),
  residuals: addInto(sum.residuals, answer.residuals),
})

const addSplit = (a: FoldLoss['squares'], b: FoldLoss['squares']) => ({
  high: a.high + b.high,
  low: a.low + b.low,
})
