// Curves and polynomials applied to the rows of a segment, row by row: only baselines make them, one or a few to a model.

import type { KernelMemory, SegmentRows } from '../../kernels/kernels.ts'
import { makeMover } from '../../update/move.ts'
import type { CurveUpdate, PolynomialUpdate } from '../../update/update.ts'

const NO_SIGNALS: readonly Int32Array[] = []

/** What writes moved predictions to an address as that of the predictions; `columns` are relative to the segment. */
export function rowMove(
  memory: KernelMemory,
  update: CurveUpdate | PolynomialUpdate,
  binCounts: readonly number[],
  columns: readonly number[],
) {
  const move = makeMover(update, binCounts)
  return ([from, to, base, , prediction]: SegmentRows, target: number): void => {
    const ints = new Int32Array(memory.buffer)
    const bins = columns.map(column => new Uint8Array(memory.buffer, base + column))
    const [at, into] = [prediction >>> 2, target >>> 2]
    for (let row = from; row < to; row++) ints[into + row] = move(bins, NO_SIGNALS, row, ints[at + row])
  }
}
