// Walks over the bytes of a CSV file, cell by cell. Nothing is decoded here: a sink is told where each cell begins and
// ends, and whether it stood in quotation marks with doubled ones inside.

import { formatCount } from '@featureboost/core/internal'
import { DataProblem } from '../problem.ts'

export interface Dialect {
  readonly delimiter: number
  readonly quote: number
}

interface CellSink {
  /** `escaped`: quotation marks inside are doubled. */
  cell(column: number, start: number, end: number, escaped: boolean): void
  /** After the last cell of a row, which stood from here to there; false ends the walk. */
  row(cells: number, from: number, to: number): boolean
}

const LF = 10
const CR = 13
const SPACE = 32

/** Where the walk ended: the place of the next row. Lines without any character are passed over. */
export function scanRows(bytes: Uint8Array, from: number, dialect: Dialect, sink: CellSink): number {
  const { delimiter, quote } = dialect
  const end = bytes.length
  let at = from
  let column = 0
  let rowStart = from
  while (at < end) {
    let byte = bytes[at]
    if (column === 0 && (byte === LF || byte === CR)) {
      at++
      continue
    }
    if (column === 0) rowStart = at
    if (byte === quote) {
      const close = closingQuote(bytes, at, quote)
      sink.cell(column++, at + 1, close.at, close.escaped)
      at = close.at + 1
      byte = at < end ? bytes[at] : LF
      if (byte !== delimiter && byte !== LF && byte !== CR) throw strayQuote(bytes, at)
    } else {
      const start = at
      if (byte === SPACE && isQuotedLater(bytes, at, quote)) throw strayQuote(bytes, at)
      while (byte !== delimiter && byte !== LF && byte !== CR) byte = ++at < end ? bytes[at] : LF
      sink.cell(column++, start, at, false)
    }
    const cellEnd = at++
    if (byte === delimiter) {
      // A delimiter at the very end leaves an empty last cell.
      if (at >= end) sink.cell(column++, end, end, false)
      else continue
    }
    if (byte === CR && bytes[at] === LF) at++
    const cells = column
    column = 0
    if (!sink.row(cells, rowStart, byte === delimiter ? end : cellEnd)) return at
  }
  return at
}

/** Do spaces stand before a quotation mark? Readers do not agree on what that means. */
function isQuotedLater(bytes: Uint8Array, from: number, quote: number): boolean {
  let at = from
  while (bytes[at] === SPACE) at++
  return bytes[at] === quote
}

function closingQuote(bytes: Uint8Array, open: number, quote: number): { at: number; escaped: boolean } {
  let escaped = false
  for (let at = open + 1; ; at++) {
    at = bytes.indexOf(quote, at)
    if (at < 0) {
      const line = formatCount(lineOf(bytes, open))
      throw new DataProblem(
        `Line ${line}: a quotation mark is opened and never closed. Close it, or leave it out.`,
      )
    }
    if (bytes[at + 1] !== quote) return { at, escaped }
    escaped = true
    at++
  }
}

const strayQuote = (bytes: Uint8Array, at: number): DataProblem =>
  new DataProblem(
    `Line ${formatCount(lineOf(bytes, at))}: a quotation mark stands inside a value, or after a space. Inside, write it twice (""); before it, leave the space out.`,
  )

/** Counted from 1. */
export function lineOf(bytes: Uint8Array, at: number): number {
  let line = 1
  for (let next = bytes.indexOf(LF); next >= 0 && next < at; next = bytes.indexOf(LF, next + 1)) line++
  return line
}
