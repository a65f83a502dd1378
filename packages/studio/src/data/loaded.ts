// A file as a table, whatever its format.

import type { Column, Table } from '@featureboost/core'
import { formatCount, isWhollyMissing, MOST_COLUMNS, missingColumn } from '@featureboost/core/internal'
import { DataProblem } from './problem.ts'

export interface LoadedTable {
  readonly table: Table
  /** Columns that are left out, with the reason. */
  readonly leftOut: readonly LeftOut[]
}

export interface LeftOut {
  readonly name: string
  readonly reason: string
}

/** Rows read so far, of about so many. */
export type TellRows = (done: number, of: number) => void

/**
 * Columns with infinite numbers are left out, as the command line asks for. One without a value is numeric, whatever its file says, so
 * that it is the same column from every file.
 */
export function finishTable(columns: readonly Column[], rowCount: number, leftOut: LeftOut[]): LoadedTable {
  refuseAlike([...columns, ...leftOut].map(({ name }) => name))
  const kept = columns.filter(column => {
    const row = column.kind === 'numeric' ? firstInfinite(column.values) : -1
    if (row >= 0)
      leftOut.push({
        name: column.name,
        reason: `Row ${(row + 1).toLocaleString('en-US')} holds an infinite number. Leave such cells empty.`,
      })
    return row < 0
  })
  const settled = kept.map(column =>
    isWhollyMissing(column) ? missingColumn(column.name, 'numeric', rowCount) : column,
  )
  return { table: { rowCount, columns: settled }, leftOut }
}

/** As on the command line, where --max-columns can raise it. */
export function refuseMany(count: number): void {
  if (count > MOST_COLUMNS)
    throw new DataProblem(
      `The file has ${formatCount(count)} columns; at most ${formatCount(MOST_COLUMNS)} are read here. Leave some out, or use the command line with --max-columns.`,
    )
}

/** Names that differ in nothing but large and small letters are one name to the command line. */
export function refuseAlike(names: readonly string[]): void {
  const seen = new Set<string>()
  for (const name of names) {
    if (seen.has(name.toLowerCase()))
      throw new DataProblem(
        `Two columns are named "${name}" (large and small letters are alike). Rename one.`,
      )
    seen.add(name.toLowerCase())
  }
}

function firstInfinite(values: Float64Array): number {
  for (let row = 0; row < values.length; row++) {
    if (values[row] === Number.POSITIVE_INFINITY || values[row] === Number.NEGATIVE_INFINITY) return row
  }
  return -1
}
