// Batch scoring: the updates of a model applied by the kernels to chunks of rows, in this thread. The same numbers as the
// row-by-row walk of update/move.ts, many times faster.

import { loadKernels } from '../kernels/load.ts'
import { binCount, type FeatureSchema } from '../quantize/schema.ts'
import type { Update } from '../update/update.ts'
import type { RowShape } from './memory/segments.ts'
import { Shard } from './memory/shard.ts'

/** Rows scored at a time: their bins and predictions stay in the cache from one update to the next. */
export const SCORE_ROWS = 8192

export interface Scorer {
  readonly kernelKind: 'wasm' | 'twin'
  /** Predictions in units after all updates; at most SCORE_ROWS rows. */
  score(
    features: readonly (Uint8Array | Float64Array)[],
    signals: readonly Int32Array[],
    start: Int32Array,
  ): Int32Array
}

const NO_BINS = new Uint8Array(0)

/** Features come as bins, or as numbers whose bins the kernels find. */
export function makeScorer(
  updates: readonly Update[],
  schemas: readonly FeatureSchema[],
  signalCount: number,
): Scorer {
  const { kernelKind, moves, shard } = openShard(updates, schemas.map(binCount), signalCount)
  return {
    kernelKind,
    score(features, signals, start) {
      shard.clear()
      const bins = features.map(feature => (feature instanceof Uint8Array ? feature : NO_BINS))
      shard.append({ rowCount: start.length, bins, signals, label: start, start })
      features.forEach((numbers, index) => {
        const schema = schemas[index]
        if (numbers instanceof Float64Array && schema.kind === 'numeric')
          shard.binNumbers(index, numbers, schema.cuts)
      })
      for (const move of moves) move()
      return shard.snapshot()
    },
  }
}

/** The same for rows in bins, of any number: what engines do that keep their rows elsewhere. */
export function makeBinScorer(
  updates: readonly Update[],
  binCounts: readonly number[],
  signalCount: number,
): (bins: readonly Uint8Array[], signals: readonly Int32Array[], start: Int32Array) => Int32Array {
  const { moves, shard } = openShard(updates, binCounts, signalCount)
  return (bins, signals, start) => {
    const moved = new Int32Array(start.length)
    for (let from = 0; from < start.length; from += SCORE_ROWS) {
      const to = Math.min(start.length, from + SCORE_ROWS)
      const part = start.subarray(from, to)
      shard.clear()
      shard.append({
        rowCount: to - from,
        bins: bins.map(column => column.subarray(from, to)),
        signals: signals.map(column => column.subarray(from, to)),
        label: part,
        start: part,
      })
      for (const move of moves) move()
      moved.set(shard.snapshot(), from)
    }
    return moved
  }
}

/** Room for SCORE_ROWS rows, and the updates made ready for them. */
function openShard(updates: readonly Update[], binCounts: readonly number[], signalCount: number) {
  const { kernels, memory } = loadKernels('auto')
  const shape: RowShape = { binCounts, signalCount, weighted: false, keyed: false, noisy: false }
  const shard = new Shard(
    { ...shape, coarseOf: [], coarseCounts: [], foldCount: 1, segmentRows: SCORE_ROWS },
    memory,
    kernels,
  )
  return { kernelKind: kernels.kind, moves: updates.map(update => shard.prepare(update)), shard }
}
