// Rows that came in chunks as one table in memory, for work that needs all of them at hand.

import type { CancelSignal } from '../common/cancel.ts'
import { type Column, copyColumn } from './column.ts'
import { joinColumns } from './rowSample.ts'
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

/** Cells that are kept in memory, at most: rows are read a dozen times, and from a file that takes longer than the audits. */
export const HELD_CELLS = 2 ** 25

/** All columns in memory, where they are not too many: whoever reads them again and again is spared the source. */
export async function holdIfSmall(
  rows: Table | TableSource,
  heldCells: number = HELD_CELLS,
): Promise<Table | TableSource> {
  if (!isSource(rows)) return rows
  const guard = new ChunkGuard()
  const kept: Table[] = []
  for await (const chunk of rows.chunks()) {
    const { columns, rowCount } = guard.admit(chunk)
    if (guard.rowCount * columns.length > heldCells) return rows
    kept.push({ rowCount, columns: columns.map(copyColumn) })
  }
  const names = kept[0]?.columns.map(({ name }) => name) ?? []
  const joined = names.map((name, index) =>
    joinColumns(
      kept.map(({ columns }) => columns[index]),
      guard.kindOf(name),
    ),
  )
  return { rowCount: guard.rowCount, columns: joined }
}
