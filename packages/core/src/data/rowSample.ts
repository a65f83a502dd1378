// Up to 2^17 rows to learn cuts from: all of them while there are no more, else those with the smallest hashes. Which
// rows these are depends on their content alone, not on their order or on how they were cut into chunks.

import { type Column, type ColumnKind, columnLength, gatherColumn, missingColumn } from './column.ts'

/** So many that the weight of a bin is off by a few percent of itself at most, and that they fit in little memory. */
export const SAMPLE_ROWS = 2 ** 17

interface Piece {
  readonly columns: readonly Column[]
  readonly keys: Int32Array
  /** Their numbers among all rows. */
  readonly rows: Int32Array
}

export class RowSample {
  readonly #capacity: number
  #pieces: Piece[] = []
  #rowCount = 0
  #seen = 0
  /** Rows with a key below this are kept; a power of two. */
  #limit = 2 ** 32

  constructor(capacity = SAMPLE_ROWS) {
    this.#capacity = capacity
  }

  /** `keys`: a hash of each row; `use`: rows that may be taken. */
  add(columns: readonly Column[], keys: Int32Array, use: (row: number) => boolean): void {
    let rows = this.#below(keys, use)
    while (this.#rowCount + rows.length > this.#capacity) {
      this.#limit /= 2
      this.#thin()
      rows = rows.filter(row => keys[row] >>> 0 < this.#limit)
    }
    const seen = this.#seen
    this.#seen += keys.length
    this.#keep(columns, keys, rows, row => seen + row)
  }

  /** The numbers of the rows that were kept, among all that came. */
  rows(): Int32Array {
    return this.#join(piece => piece.rows)
  }

  keys(): Int32Array {
    return this.#join(piece => piece.keys)
  }

  #join(part: (piece: Piece) => Int32Array): Int32Array {
    const joined = new Int32Array(this.#rowCount)
    let offset = 0
    for (const piece of this.#pieces) {
      joined.set(part(piece), offset)
      offset += part(piece).length
    }
    return joined
  }

  /** The columns of the rows that were kept; `kindOf` says of which kind a column is that had pieces without values. */
  finish(kindOf: (name: string) => ColumnKind): Column[] {
    const [first] = this.#pieces
    if (first === undefined) return []
    return first.columns.map((column, index) => {
      const pieces = this.#pieces.map(piece => piece.columns[index])
      return pieces.length === 1 ? column : joinColumns(pieces, kindOf(column.name))
    })
  }

  #below(keys: Int32Array, use: (row: number) => boolean): Int32Array {
    const rows = new Int32Array(keys.length)
    let count = 0
    for (let row = 0; row < keys.length; row++) {
      if (keys[row] >>> 0 < this.#limit && use(row)) rows[count++] = row
    }
    return rows.subarray(0, count)
  }

  #thin(): void {
    const pieces = this.#pieces
    this.#pieces = []
    this.#rowCount = 0
    for (const piece of pieces)
      this.#keep(
        piece.columns,
        piece.keys,
        this.#below(piece.keys, () => true),
        row => piece.rows[row],
      )
  }

  #keep(
    columns: readonly Column[],
    keys: Int32Array,
    rows: Int32Array,
    numberOf: (row: number) => number,
  ): void {
    if (rows.length === 0 && this.#pieces.length > 0) return
    this.#rowCount += rows.length
    this.#pieces.push({
      columns: columns.map(column => gatherColumn(column, rows)),
      keys: rows.map(row => keys[row]),
      rows: rows.map(numberOf),
    })
  }
}

/** One column of many pieces, as they come in chunks; pieces of another kind than it has hold nothing but missing values. */
export function joinColumns(pieces: readonly Column[], kind: ColumnKind): Column {
  const { name } = pieces[0]
  const length = pieces.reduce((sum, piece) => sum + columnLength(piece), 0)
  const joined = missingColumn(name, kind, length)
  const time = pieces.find(piece => piece.kind === 'numeric' && piece.time !== undefined)
  const categories = new Map<string, number>()
  let offset = 0
  for (const piece of pieces) {
    if (piece.kind === 'numeric' && joined.kind === 'numeric') joined.values.set(piece.values, offset)
    if (piece.kind === 'boolean' && joined.kind === 'boolean') joined.values.set(piece.values, offset)
    if (piece.kind === 'categorical' && joined.kind === 'categorical') {
      const codes = piece.categories.map(category => codeOf(categories, category))
      joined.codes.set(
        piece.codes.map(code => (code < 0 ? -1 : codes[code])),
        offset,
      )
    }
    offset += columnLength(piece)
  }
  if (joined.kind === 'categorical') {
    const numbers = pieces.some(piece => piece.kind === 'categorical' && piece.numbers)
    return { ...joined, categories: [...categories.keys()], ...(numbers && { numbers }) }
  }
  if (joined.kind !== 'numeric' || time?.kind !== 'numeric') return joined
  return { ...joined, time: time.time!, ...(time.format !== undefined && { format: time.format }) }
}

function codeOf(categories: Map<string, number>, category: string): number {
  const known = categories.get(category)
  if (known !== undefined) return known
  categories.set(category, categories.size)
  return categories.size - 1
}
