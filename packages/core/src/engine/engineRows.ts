// Rows as engines take them: small integers only, in chunks or all at once.

import type { FoldUnits } from '../data/foldUnits.ts'

/** What must be known of the rows before the first one comes. */
export interface RowsShape {
  /** Fine bins per feature, the missing bin (always the last) included. */
  readonly binCounts: readonly number[]
  /** Per feature, the coarse bin of each fine bin. */
  readonly coarseOf: readonly Uint8Array[]
  readonly coarseCounts: readonly number[]
  readonly signalCount: number
  readonly weighted: boolean
  readonly folded: boolean
  /** What one observation weighs. Absent: every row is one. */
  readonly observationWeight?: number
  /** What the rows of each fold are worth as evidence. Absent: every row that weighs something is a unit. */
  readonly units?: readonly FoldUnits[]
  /** Do rows carry keys? Without them no noise can be drawn (outcome.ts), and no sample taken (sample.ts). */
  readonly keyed?: boolean
  /** Is noise to be drawn? Default: wherever there are keys. */
  readonly noisy?: boolean
}

export interface RowChunk {
  readonly rowCount: number
  /** Per feature, each row's fine bin. */
  readonly bins: readonly Uint8Array[]
  /** Real-valued auditors and linear terms, in units, each within -ONE to ONE. */
  readonly signals: readonly Int32Array[]
  readonly label: Int32Array
  /** Start predictions, in units, clipped to [0, ONE]. */
  readonly start: Int32Array
  /** Absent: every row weighs 1. */
  readonly weight?: Int32Array
  /** Absent: every row is in fold FIT. */
  readonly fold?: Uint8Array
  /** A hash that belongs to the row wherever it stands; rows with the same one are drawn alike. Absent: nothing is drawn by them. */
  readonly key?: Int32Array
}

/** Rows on their way into an engine. */
export interface RowSource extends RowsShape {
  readonly rowCount: number
  /** All rows, at most `rowsPerChunk` at a time. An array that is not a view of a larger one belongs to who asked. */
  chunks(rowsPerChunk: number): AsyncIterable<RowChunk> | Iterable<RowChunk>
}

/** All rows at once. */
export interface EngineRows
  extends RowChunk,
    Omit<RowsShape, 'signalCount' | 'weighted' | 'folded' | 'keyed' | 'noisy'> {}

export const isRowSource = (rows: RowSource | EngineRows): rows is RowSource => 'chunks' in rows

/** Whole rows as a source. */
export function sourceOf(rows: EngineRows): RowSource {
  const { binCounts, coarseCounts, coarseOf, observationWeight, rowCount, units } = rows
  return {
    rowCount,
    ...(units !== undefined && { units }),
    binCounts,
    coarseOf,
    coarseCounts,
    signalCount: rows.signals.length,
    weighted: rows.weight !== undefined,
    folded: rows.fold !== undefined,
    ...(observationWeight !== undefined && { observationWeight }),
    keyed: rows.key !== undefined,
    *chunks(rowsPerChunk) {
      for (let from = 0; from < rowCount; from += rowsPerChunk) {
        yield sliceRows(rows, from, Math.min(rowCount, from + rowsPerChunk))
      }
    },
  }
}

/** A range of rows; views, not copies. */
function sliceRows(rows: RowChunk, from: number, to: number): RowChunk {
  return {
    rowCount: to - from,
    bins: rows.bins.map(column => column.subarray(from, to)),
    signals: rows.signals.map(column => column.subarray(from, to)),
    label: rows.label.subarray(from, to),
    start: rows.start.subarray(from, to),
    ...(rows.weight !== undefined && { weight: rows.weight.subarray(from, to) }),
    ...(rows.fold !== undefined && { fold: rows.fold.subarray(from, to) }),
    ...(rows.key !== undefined && { key: rows.key.subarray(from, to) }),
  }
}

/** All rows of a source at once. */
export async function collectRows(source: RowSource): Promise<EngineRows> {
  const { binCounts, coarseCounts, coarseOf, folded, keyed = false } = source
  const { observationWeight, rowCount, signalCount, units, weighted } = source
  const words = () => new Int32Array(rowCount)
  const rows = {
    rowCount,
    binCounts,
    coarseOf,
    coarseCounts,
    ...(observationWeight !== undefined && { observationWeight }),
    ...(units !== undefined && { units }),
    bins: binCounts.map(() => new Uint8Array(rowCount)),
    signals: Array.from({ length: signalCount }, words),
    label: words(),
    start: words(),
    ...(weighted && { weight: words() }),
    ...(folded && { fold: new Uint8Array(rowCount) }),
    ...(keyed && { key: words() }),
  }
  let offset = 0
  for await (const chunk of source.chunks(rowCount)) {
    for (const [index, column] of chunk.bins.entries()) rows.bins[index].set(column, offset)
    for (const [index, column] of chunk.signals.entries()) rows.signals[index].set(column, offset)
    rows.label.set(chunk.label, offset)
    rows.start.set(chunk.start, offset)
    if (chunk.weight !== undefined) rows.weight?.set(chunk.weight, offset)
    if (chunk.fold !== undefined) rows.fold?.set(chunk.fold, offset)
    if (chunk.key !== undefined) rows.key?.set(chunk.key, offset)
    offset += chunk.rowCount
  }
  return rows
}
