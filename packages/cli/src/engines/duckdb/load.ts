// Rows that are encoded in this process, chunk by chunk, into a table of DuckDB: for engines that are given rows, and for auditors that are
// JavaScript. One chunk is in memory at a time.

import type { DuckDBConnection } from '@duckdb/node-api'
import {
  countUnits,
  type EngineShape,
  type FoldUnits,
  joinUnits,
  type RowChunk,
  type RowSource,
  sumUnits,
} from '@featureboost/core/internal'
import { hasOwnCoarse } from '../sql/engine.ts'
import { createByAppending, type NamedKind } from './numbers.ts'

const CHUNK_ROWS = 65_536

/** The columns of a table of rows, in order. */
export function rowColumns(
  source: Pick<RowSource, 'binCounts' | 'coarseOf' | 'signalCount' | 'weighted' | 'folded' | 'keyed'>,
): NamedKind[] {
  const { binCounts, coarseOf, folded, keyed = false, signalCount, weighted } = source
  const byte = (name: string): NamedKind => ({ name, kind: 'byte' })
  const word = (name: string): NamedKind => ({ name, kind: 'word' })
  return [
    ...binCounts.map((_, feature) => byte(`f${feature}`)),
    ...coarseOf.flatMap((map, feature) => (hasOwnCoarse(map) ? [byte(`g${feature}`)] : [])),
    ...Array.from({ length: signalCount }, (_, signal) => word(`s${signal}`)),
    word('y'),
    word('start'),
    ...(weighted ? [word('w')] : []),
    ...(folded ? [byte('fold')] : []),
    ...(keyed ? [word('key')] : []),
  ]
}

/** Writes the table, and says what the rows are worth. */
export async function loadRows(
  connection: DuckDBConnection,
  table: string,
  source: RowSource,
): Promise<EngineShape> {
  let own: FoldUnits[] | undefined
  const appender = await createByAppending(connection, table, rowColumns(source))
  for await (const chunk of source.chunks(CHUNK_ROWS)) {
    const units = sumUnits(chunk.rowCount, chunk.weight, chunk.fold)
    own = own === undefined ? units : joinUnits(own, units)
    appender.append(chunkColumns(chunk, source.coarseOf))
  }
  appender.close()
  return shapeOf(source, own)
}

/** `own`: units that were counted in the rows; absent where there are none. */
export function shapeOf(source: RowSource, own: readonly FoldUnits[] | undefined): EngineShape {
  const { binCounts, coarseCounts, folded, observationWeight, rowCount, signalCount } = source
  const counted = own ?? sumUnits(0, undefined, folded ? new Uint8Array(0) : undefined)
  return {
    rowCount,
    countedRows: countUnits(counted),
    ...(observationWeight !== undefined && { observationWeight }),
    units: source.units ?? counted,
    binCounts,
    coarseCounts,
    signalCount,
    foldCount: folded ? 2 : 1,
  }
}

/** One chunk as the columns of a table of rows, in order. */
export const chunkColumns = (
  { bins, fold, key, label, signals, start, weight }: RowChunk,
  coarseOf: RowSource['coarseOf'],
): (Uint8Array | Int32Array)[] => [
  ...bins,
  ...coarseOf.flatMap((map, feature) => (hasOwnCoarse(map) ? [bins[feature].map(bin => map[bin])] : [])),
  ...signals,
  label,
  start,
  ...[weight, fold, key].filter(column => column !== undefined),
]
