// How a CSV file is written: which sign parts the cells, and which marks stand around them. The delimiter is the one that
// gives every line of the sample equally many cells, and most of them.

import { formatCount } from '@featureboost/core/internal'
import { DataProblem } from '../problem.ts'
import { type Dialect, lineOf, scanRows } from './scan.ts'

const DELIMITERS = [',', '|', ';', '\t'].map(sign => sign.charCodeAt(0))
const DOUBLE_QUOTE = 34
const SINGLE_QUOTE = 39
/** Enough to tell, and soon done. */
const SAMPLE_ROWS = 1000

export function findDialect(bytes: Uint8Array, from: number, given?: number): Dialect {
  const tried = (given === undefined ? DELIMITERS : [given]).map(delimiter =>
    tryDialect(bytes, from, delimiter),
  )
  const most = (of: readonly Tried[]) => of.reduce((a, b) => (b.cells > a.cells ? b : a))
  const best = most(tried)
  const even = tried.filter(({ failure, ragged }) => failure === undefined && ragged === undefined)
  const chosen = even.length === 0 ? best : most(even)
  // One column by this sign, and more by another but for some lines: those are what has to be mended.
  const torn = tried.find(({ cells, ragged }) => cells === 1 && ragged !== undefined)
  const wanted = chosen.cells > 1 ? chosen : best.cells > 1 ? best : (torn ?? chosen)
  if (wanted.failure !== undefined) throw wanted.failure
  if (wanted.ragged !== undefined) throw raggedLine(bytes, wanted.dialect, wanted.cells, wanted.ragged)
  return wanted.dialect
}

interface Tried {
  readonly dialect: Dialect
  /** Of the first line. */
  readonly cells: number
  readonly ragged?: { readonly at: number; readonly cells: number }
  /** Quotation marks that are not closed, or stand where none may. */
  readonly failure?: unknown
}

function tryDialect(bytes: Uint8Array, from: number, delimiter: number): Tried {
  const quote = singleQuoted(bytes, from, delimiter) ? SINGLE_QUOTE : DOUBLE_QUOTE
  const dialect = { delimiter, quote }
  let expected = 0
  let rows = 0
  let start = from
  let ragged: Tried['ragged']
  const sink = {
    cell: (column: number, at: number) => {
      if (column === 0) start = at
    },
    row: (cells: number) => {
      if (expected === 0) expected = cells
      else if (cells !== expected) ragged = { at: start, cells }
      return ragged === undefined && ++rows < SAMPLE_ROWS
    },
  }
  let failure: unknown
  try {
    scanRows(bytes, from, dialect, sink)
  } catch (error) {
    failure = error
  }
  return { dialect, cells: expected, failure, ...(ragged !== undefined && { ragged }) }
}

/** Do cells of the first lines stand in single quotation marks, and none in double ones? */
function singleQuoted(bytes: Uint8Array, from: number, delimiter: number): boolean {
  const text = new TextDecoder().decode(bytes.subarray(from, from + 65_536))
  if (text.includes('"')) return false
  const sign = String.fromCharCode(delimiter).replace('|', '\\|')
  return new RegExp(`(?:^|[${sign}\\n])'[^'\\n]*'(?=[${sign}\\r\\n]|$)`).test(text)
}

export function raggedLine(
  bytes: Uint8Array,
  { delimiter }: Dialect,
  expected: number,
  { at, cells }: { readonly at: number; readonly cells: number },
): DataProblem {
  const found = cells === 1 ? '1 field' : `${formatCount(cells)} fields`
  const sign = JSON.stringify(String.fromCharCode(delimiter))
  return new DataProblem(
    `Line ${formatCount(lineOf(bytes, at))}: ${found} where the header line has ${formatCount(expected)}. Mend the line; values that hold ${sign} must stand in quotation marks.`,
  )
}
