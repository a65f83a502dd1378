// What a correction did to the scores: how many went from where to where, and, if rows may be shown, which moved most.

import { type CancelSignal, throwIfCancelled } from '../common/cancel.ts'
import { fromUnits, toUnits } from '../common/units.ts'
import { valueAt } from '../data/column.ts'
import { isSource, type TableSource } from '../data/source.ts'
import type { Table } from '../data/table.ts'
import { clipText, shorten } from './caps.ts'
import type { Moved, MovedRow } from './evidence.ts'
import { binAmong } from './reliability.ts'

const BINS = 40
const SHOWN_ROWS = 20
const SHOWN_COLUMNS = 40

interface TwoScores {
  readonly before: ArrayLike<number>
  readonly after: ArrayLike<number>
  readonly labels: ArrayLike<number>
}

export function movedOf({ after, before }: Pick<TwoScores, 'before' | 'after'>): Moved {
  const counts = new Float64Array(BINS * BINS)
  let [sum, absolute, largest] = [0, 0, 0]
  for (let row = 0; row < before.length; row++) {
    const move = toUnits(after[row]) - toUnits(before[row])
    counts[binAmong(before[row], BINS) * BINS + binAmong(after[row], BINS)]++
    sum += move
    absolute += Math.abs(move)
    if (Math.abs(move) > Math.abs(largest)) largest = move
  }
  const density = [...counts].flatMap((count, cell) =>
    count === 0 ? [] : [[Math.floor(cell / BINS), cell % BINS, count] as const],
  )
  return {
    bins: BINS,
    density,
    meanMove: shorten(fromUnits(sum) / before.length),
    meanAbsoluteMove: shorten(fromUnits(absolute) / before.length),
    largestMove: shorten(fromUnits(largest)),
  }
}

/** The rows that moved most, the first of equals first. */
export async function movedRows(
  rows: Table | TableSource,
  { after, before, labels }: TwoScores,
  columns: readonly string[],
  signal?: CancelSignal,
): Promise<MovedRow[]> {
  const size = (row: number) => Math.abs(after[row] - before[row])
  const order = Array.from({ length: before.length }, (_, row) => row)
  const most = order.sort((a, b) => size(b) - size(a) || a - b).slice(0, SHOWN_ROWS)
  const shown = new Set(columns.slice(0, SHOWN_COLUMNS))
  const found = new Map<number, MovedRow>()
  let offset = 0
  for await (const chunk of isSource(rows) ? rows.chunks() : [rows]) {
    throwIfCancelled(signal, 'the reading of rows')
    for (const row of most.filter(each => each >= offset && each < offset + chunk.rowCount)) {
      const values = chunk.columns
        .filter(column => shown.has(column.name))
        .map(column => [clipText(column.name), clipped(valueAt(column, row - offset))] as const)
      found.set(row, { row: row + 1, before: before[row], after: after[row], label: labels[row], values })
    }
    offset += chunk.rowCount
  }
  return most.map(row => found.get(row)!)
}

const clipped = <T>(value: T): T | string => (typeof value === 'string' ? clipText(value) : value)
