// Batch scoring: the updates of a model applied by the kernels to chunks of rows, in this thread. The same numbers as the
// row-by-row walk of engine/move.ts, many times faster.

import type { Update } from '../update.ts'
import { loadKernels } from './load.ts'
import type { RowShape } from './segments.ts'
import { Shard } from './shard.ts'

/** Rows scored at a time: their bins and predictions stay in the cache from one update to the next. */
export const SCORE_ROWS = 8192

export interface Scorer {
  readonly kernelKind: 'wasm' | 'twin'
  /** Predictions in units after all updates; at most SCORE_ROWS rows. */
  score(bins: readonly Uint8Array[], signals: readonly Int32Array[], start: Int32Array): Int32Array
}

export function makeScorer(
  updates: readonly Update[],
  binCounts: readonly number[],
  signalCount: number,
): Scorer {
  const { kernels, memory } = loadKernels('auto')
  const shape: RowShape = { binCounts, signalCount, weighted: false }
  const shard = new Shard(
    { ...shape, coarseOf: [], coarseCounts: [], foldCount: 1, segmentRows: SCORE_ROWS },
    memory,
    kernels,
  )
  return {
    kernelKind: kernels.kind,
    score(bins, signals, start) {
      shard.clear()
      shard.append({ rowCount: start.length, bins, signals, label: start, start })
      for (const update of updates) shard.advance(update)
      return shard.snapshot()
    },
  }
}
