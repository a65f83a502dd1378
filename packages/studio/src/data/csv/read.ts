// CSV to a table. Types are guessed from the first rows; where a later cell is of another type, from all rows: the same
// two steps that the command line takes.

import { formatCount } from '@featureboost/core/internal'
import {
  finishTable,
  type LeftOut,
  type LoadedTable,
  refuseAlike,
  refuseMany,
  type TellRows,
} from '../loaded.ts'
import { DataProblem, NotUtf8 } from '../problem.ts'
import { type Builder, builderFor, type Cells, isWide } from './builders.ts'
import { type ColumnType, settleTypes, Tally } from './columnType.ts'
import { findDialect, raggedLine } from './dialect.ts'
import { type Dialect, lineOf, scanRows } from './scan.ts'

/** As many as DuckDB guesses from. */
const SAMPLE_ROWS = 20_480
const TELL_ROWS = 65_536
const LF = 10
const CR = 13
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

interface CsvOptions {
  /** The sign between cells, where it is known. */
  readonly delimiter?: string
  /** Texts that mean "missing", besides the empty one. */
  readonly missing?: readonly string[]
  /** Default: a point. */
  readonly decimal?: ',' | '.'
  /** Columns that are text whatever they look like. */
  readonly text?: readonly string[]
  readonly tell?: TellRows
}

export function readCsv(bytes: Uint8Array, options: CsvOptions = {}): LoadedTable {
  const { dialect, start } = openText(bytes, options.delimiter)
  const file = openFile(bytes, start, dialect, options)
  const types = typesOf(file, SAMPLE_ROWS)
  // A column without a value in the first rows is text, whatever comes later.
  const first = build(
    file,
    types.map(type => (type === 'empty' ? 'text' : type)),
  )
  if (first.rowCount === 0) throw new DataProblem('The file has a header line and no rows.')
  return finish(file, first.failed.some(Boolean) ? rebuild(file, types, first) : first)
}

/** Where the header begins, and how the file is written. */
export function openText(bytes: Uint8Array, delimiter?: string): { start: number; dialect: Dialect } {
  const start = isMark(bytes, 0) ? BYTE_ORDER_MARK.length : 0
  refuseMarks(bytes, start)
  return { start, dialect: findDialect(bytes, start, delimiter?.charCodeAt(0)) }
}

const isMark = (bytes: Uint8Array, at: number): boolean =>
  BYTE_ORDER_MARK.every((byte, index) => bytes[at + index] === byte)

/** Files that were joined have such marks within; whether one belongs to a cell, readers do not agree. */
function refuseMarks(bytes: Uint8Array, from: number): void {
  for (let at = bytes.indexOf(BYTE_ORDER_MARK[0], from); at >= 0; ) {
    if (isMark(bytes, at))
      throw new DataProblem(
        `Line ${formatCount(lineOf(bytes, at))} holds a byte order mark, which may stand only at the very beginning. Were files joined?`,
      )
    at = bytes.indexOf(BYTE_ORDER_MARK[0], at + 1)
  }
}

interface File extends Cells {
  readonly names: readonly string[]
  readonly dialect: Dialect
  readonly firstRow: number
  /** At most so many rows. */
  readonly rowBound: number
  readonly isMissing: (start: number, end: number) => boolean
  readonly text: ReadonlySet<string>
  readonly tell: TellRows
}

function openFile(bytes: Uint8Array, start: number, dialect: Dialect, options: CsvOptions): File {
  const decode = makeDecoder(bytes, dialect.quote)
  const names: string[] = []
  const firstRow = scanRows(bytes, start, dialect, {
    cell: (_, from, to, escaped) => names.push(decode(from, to, escaped)),
    row: () => false,
  })
  if (names.length === 0) throw new DataProblem('The file is empty.')
  refuseMany(names.length)
  checkNames(names)
  const missing = new Set(options.missing ?? [])
  const longest = Math.max(0, ...[...missing].map(text => 4 * text.length))
  return {
    bytes,
    decode,
    decimal: options.decimal ?? '.',
    names,
    dialect,
    firstRow,
    rowBound: countLines(bytes, firstRow),
    isMissing: (from, to) => from === to || (to - from <= longest && missing.has(decode(from, to, false))),
    text: new Set(options.text),
    tell: options.tell ?? (() => {}),
  }
}

/** Ends of lines, and one more. */
function countLines(bytes: Uint8Array, from: number): number {
  let count = 1
  for (let at = bytes.indexOf(LF, from); at >= 0; at = bytes.indexOf(LF, at + 1)) count++
  for (let at = bytes.indexOf(CR, from); at >= 0; at = bytes.indexOf(CR, at + 1))
    if (bytes[at + 1] !== LF) count++
  return count
}

function makeDecoder(bytes: Uint8Array, quote: number): Cells['decode'] {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const mark = String.fromCharCode(quote)
  return (start, end, escaped) => {
    let text = ''
    try {
      if (end - start > 24) text = decoder.decode(bytes.subarray(start, end))
      else {
        // Short cells of plain letters need no decoder.
        for (let at = start; at < end; at++) {
          if (bytes[at] > 127) {
            text = decoder.decode(bytes.subarray(start, end))
            break
          }
          text += String.fromCharCode(bytes[at])
        }
      }
    } catch {
      throw new NotUtf8()
    }
    return escaped ? text.replaceAll(mark + mark, mark) : text
  }
}

function checkNames(names: readonly string[]): void {
  const nameless = names.findIndex(name => name.trim() === '')
  if (nameless >= 0)
    throw new DataProblem(`The header line has no name for column ${formatCount(nameless + 1)}. Give it one.`)
  const broken = names.find(name => /[\r\n]/.test(name))
  if (broken !== undefined)
    throw new DataProblem(
      `The header line has a name that goes on in the next line: ${JSON.stringify(broken)}. Write it in one line.`,
    )
  refuseAlike(names)
}

/** By the first rows, but for columns that are said to be text. */
const typesOf = (file: File, rows: number): ColumnType[] =>
  settleTypes(tallyCells(file, rows)).map((type, index) => (file.text.has(file.names[index]) ? 'text' : type))

function tallyCells(file: File, rows: number): Tally[] {
  const { decimal, decode, dialect, firstRow, isMissing, names } = file
  const tallies = names.map(() => new Tally(decimal))
  let row = 0
  scanRows(file.bytes, firstRow, dialect, {
    cell: (column, start, end, escaped) => {
      if (column >= tallies.length || isMissing(start, end)) return
      tallies[column].add(decode(start, end, escaped))
    },
    row: () => ++row < rows,
  })
  return tallies
}

interface Built {
  readonly builders: readonly (Builder | undefined)[]
  readonly types: readonly ColumnType[]
  readonly failed: readonly boolean[]
  readonly rowCount: number
}

/** Columns in doubt are not built. */
function build(file: File, types: readonly ColumnType[], only: readonly boolean[] = []): Built {
  const { dialect, firstRow, isMissing, names, rowBound, tell } = file
  const builders = types.map((type, column) =>
    type === 'doubt' || only[column] === false ? undefined : builderFor(type, names[column], rowBound, file),
  )
  const failed = names.map(() => false)
  let row = 0
  let rowStart = firstRow
  scanRows(file.bytes, firstRow, dialect, {
    cell: (column, start, end, escaped) => {
      if (column === 0) rowStart = start
      const builder = builders[column]
      if (builder === undefined || failed[column] || isMissing(start, end)) return
      if (!builder.add(row, start, end, escaped)) failed[column] = true
    },
    row: cells => {
      if (cells !== names.length) throw raggedLine(file.bytes, dialect, names.length, { at: rowStart, cells })
      if (++row % TELL_ROWS === 0) tell(row, rowBound)
      return true
    },
  })
  return { builders, types, failed, rowCount: row }
}

/** With the types of all rows. Columns that had the right one already are not built again. */
function rebuild(file: File, sampled: readonly ColumnType[], first: Built): Built {
  const types = typesOf(file, Number.POSITIVE_INFINITY)
  const again = types.map((type, column) => first.failed[column] || sampled[column] !== type)
  const second = build(file, types, again)
  return {
    builders: again.map((isNew, column) => (isNew ? second : first).builders[column]),
    types,
    failed: second.failed,
    rowCount: first.rowCount,
  }
}

function finish(file: File, { builders, failed, rowCount, types }: Built): LoadedTable {
  const leftOut: LeftOut[] = []
  const columns = file.names.flatMap((name, index) => {
    const builder = builders[index]
    if (builder === undefined || failed[index]) {
      leftOut.push({ name, reason: DOUBT_WORDS })
      return []
    }
    return [isWide(builder) ? readIds(file, index) : builder.finish(rowCount)]
  })
  if (types.length === 1 && columns.length === 0)
    throw new DataProblem('The file has one column, and that cannot be read.')
  return finishTable(columns, rowCount, leftOut)
}

const DOUBT_WORDS =
  'Its values are dates or numbers in a form that can be read in several ways. Write dates as 2021-03-04, times as 2021-03-04 05:06:07, and numbers without spaces.'

/** Whole numbers that doubles cannot tell apart, as text. */
function readIds(file: File, index: number) {
  const decode: Cells['decode'] = (...cell) => BigInt(file.decode(...cell)).toString()
  const types = file.names.map((): ColumnType => 'text')
  const only = file.names.map((_, column) => column === index)
  const { builders, rowCount } = build({ ...file, decode }, types, only)
  return builders[index]!.finish(rowCount)
}
