// Rows that came in chunks as one table in memory, for work that needs all of them at hand.

import type { CancelSignal } from '../common/cancel.ts'
import { type Column, copyColumn } from './column.ts'
import { joinColumns } from './sample.ts'
import { ChunkGuard, isSource, type TableSource, untilCancelled } from './source.ts'
import type { Table } from './table.ts'

export async function holdTable(rows: Table | TableSource, signal: CancelSignal | undefined): Promise<Table> {
  if (!isSource(rows)) return rows
  const guard = new ChunkGuard()
  const pieces: Column[][] = []
  for await (const chunk of untilCancelled(rows, signal).chunks()) {
    for (const [index, column] of guard.admit(chunk).columns.entries()) {
      pieces[index] ??= []
      pieces[index].push(copyColumn(column))
    }
  }
  const columns = pieces.map(parts => joinColumns(parts, guard.kindOf(parts[0].name)))
  return { rowCount: guard.rowCount, columns }
}
