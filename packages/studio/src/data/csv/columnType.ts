// From the cells of a column to its type, as the command line would have it.

import * as cell from './cellClass.ts'

export type ColumnType =
  | 'empty'
  | 'boolean'
  | 'integer'
  | 'double'
  | 'date'
  | 'day first'
  | 'month first'
  | 'timestamp'
  | 'time'
  | 'text'
  | 'doubt'

/** What the cells of a column have in common, and what there is among them. */
export class Tally {
  /** Bits that all cells have. */
  shared = -1
  /** Bits that some cell has. */
  seen = 0
  /** The sign between day, month and year. */
  readonly separators = new Set<string>()

  add(text: string): void {
    const bits = cell.classify(text)
    this.shared &= bits
    this.seen |= bits
    if (bits & DATES) this.separators.add(/\D/.exec(text)![0])
  }

  get type(): ColumnType {
    return typeOf(this)
  }
}

const DATES = cell.DATE | cell.DAY_FIRST | cell.MONTH_FIRST
/** Types that DuckDB may or may not read as one another. */
const KIN = DATES | cell.TIMESTAMP | cell.MOMENT | cell.DOUBT

function typeOf({ seen, separators, shared }: Tally): ColumnType {
  if (seen === 0) return 'empty'
  if (shared & cell.BOOLEAN) return 'boolean'
  if (shared & cell.INTEGER) return 'integer'
  if (shared & cell.DOUBLE) return 'double'
  if (shared & DATES && separators.size > 1) return 'doubt'
  if (shared & cell.DATE) return 'date'
  if (shared & cell.DAY_FIRST) return 'day first'
  if (shared & cell.MONTH_FIRST) return 'month first'
  if (shared & (cell.TIMESTAMP | cell.MOMENT)) return 'timestamp'
  if (shared & cell.TIME) return 'time'
  if (seen & cell.TEXT || !(seen & KIN)) return 'text'
  // Numbers or truth values beside dates are text; two forms of dates, or numbers of two forms, are anybody's guess.
  const plain = seen & (cell.BOOLEAN | cell.DOUBLE | cell.TIME)
  return seen & cell.DOUBT || !plain ? 'doubt' : 'text'
}
