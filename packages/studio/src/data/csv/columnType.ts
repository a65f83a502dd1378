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
  /** In which forms dates are written among the cells: the place of the year, and the sign between. */
  readonly dateForms = new Set<string>()

  constructor(readonly decimal: cell.Decimal = '.') {}

  add(text: string): void {
    const bits = cell.classify(text, this.decimal)
    this.shared &= bits
    this.seen |= bits
    if (bits & DATES) this.dateForms.add(`${bits & cell.DATE ? 'first' : 'last'} ${/\D/.exec(text)![0]}`)
    else if (bits & cell.DOUBT && ODD_DATE.test(text)) this.dateForms.add('odd')
  }

  get type(): ColumnType {
    return typeOf(this)
  }
}

/**
 * DuckDB reads all dates of a file in one form, and even a date among other text has a say in which. So dates are sure
 * where all in the file are of the usual form, or where those of one other form have columns to themselves.
 */
export function settleTypes(tallies: readonly Tally[]): ColumnType[] {
  const types = tallies.map(({ type }) => type)
  const forms = new Set(tallies.flatMap(({ dateForms }) => [...dateForms]))
  const kinds = new Set(types.filter((_, index) => tallies[index].dateForms.size > 0))
  const [kind] = kinds
  const isSure = forms.size <= 1 && (forms.has(USUAL) || (kinds.size === 1 && DATE_TYPES.includes(kind)))
  return isSure ? types : types.map(type => (DATE_TYPES.includes(type) ? 'doubt' : type))
}

const USUAL = 'first -'
const DATE_TYPES: readonly ColumnType[] = ['date', 'day first', 'month first']
const ODD_DATE = /\d[-/. ]\d+[-/. ]\d+(?![-/.\d])/

const DATES = cell.DATE | cell.DAY_FIRST | cell.MONTH_FIRST
/** Types that DuckDB may or may not read as one another. */
export const KIN = DATES | cell.TIMESTAMP | cell.MOMENT | cell.DOUBT

function typeOf({ dateForms, seen, shared }: Tally): ColumnType {
  if (seen === 0) return 'empty'
  if (shared & cell.BOOLEAN) return 'boolean'
  if (shared & cell.INTEGER) return 'integer'
  if (shared & cell.DOUBLE) return 'double'
  if (shared & DATES && dateForms.size > 1) return 'doubt'
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
