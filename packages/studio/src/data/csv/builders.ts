// Cells to columns: one builder per type. A builder refuses a cell that is not of its type; then the type was guessed
// wrong and the column is read again.

import type { Column } from '@featureboost/core'
import * as cell from './cellClass.ts'
import type { ColumnType } from './columnType.ts'
import { formatOf, isMomentType, readMoment, timeOf } from './moments.ts'
import { hasMark, readPlainNumber } from './numbers.ts'
import { TextCells } from './texts.ts'

export interface Cells {
  readonly bytes: Uint8Array
  /** A cell as text, with doubled quotation marks made single. */
  readonly decode: (start: number, end: number, escaped: boolean) => string
  readonly decimal: cell.Decimal
}

export interface Builder {
  /** Is the cell of this type? Empty cells do not come here: they are missing. */
  add(row: number, start: number, end: number, escaped: boolean): boolean
  finish(rowCount: number): Column
}

export function builderFor(type: ColumnType, name: string, rows: number, cells: Cells): Builder {
  if (type === 'boolean') return new BooleanBuilder(name, rows, cells)
  if (type === 'integer' || type === 'double') return new NumberBuilder(name, rows, cells, type)
  if (isMomentType(type)) return new MomentBuilder(name, rows, cells, type)
  return new TextBuilder(name, rows, cells)
}

class NumberBuilder implements Builder {
  readonly #values: Float64Array
  /** Some whole number is beyond 2^53: these are ids, kept as text. */
  #isWide = false

  constructor(
    readonly name: string,
    rows: number,
    readonly cells: Cells,
    readonly type: 'integer' | 'double',
  ) {
    this.#values = new Float64Array(rows).fill(Number.NaN)
  }

  get isWide(): boolean {
    return this.#isWide
  }

  add(row: number, start: number, end: number, escaped: boolean): boolean {
    const { bytes, decimal, decode } = this.cells
    const mark = decimal.charCodeAt(0)
    const plain = readPlainNumber(bytes, start, end, mark)
    if (!Number.isNaN(plain)) {
      if (this.type === 'double') this.#values[row] = plain
      else if (hasMark(bytes, start, end, mark)) return false
      // There is no negative zero among whole numbers.
      else this.#values[row] = plain + 0
      return true
    }
    const text = decode(start, end, escaped)
    if (!(cell.classify(text, decimal) & (this.type === 'integer' ? cell.INTEGER : cell.DOUBLE))) return false
    const value = /nan/i.test(text) ? Number.NaN : Number(decimal === ',' ? text.replace(',', '.') : text)
    if (this.type === 'integer' && !Number.isSafeInteger(value)) this.#isWide = true
    this.#values[row] = this.type === 'integer' ? value + 0 : value
    return true
  }

  finish(rowCount: number): Column {
    return { name: this.name, kind: 'numeric', values: this.#values.subarray(0, rowCount) }
  }
}

class BooleanBuilder implements Builder {
  readonly #values: Int8Array

  constructor(
    readonly name: string,
    rows: number,
    readonly cells: Cells,
  ) {
    this.#values = new Int8Array(rows).fill(-1)
  }

  add(row: number, start: number, end: number, escaped: boolean): boolean {
    const text = this.cells.decode(start, end, escaped).toLowerCase()
    this.#values[row] = text === 'true' ? 1 : 0
    return text === 'true' || text === 'false'
  }

  finish(rowCount: number): Column {
    return { name: this.name, kind: 'boolean', values: this.#values.subarray(0, rowCount) }
  }
}

const MOMENT_BITS = {
  date: cell.DATE,
  'day first': cell.DAY_FIRST,
  'month first': cell.MONTH_FIRST,
  timestamp: cell.TIMESTAMP | cell.MOMENT,
  time: cell.TIME,
} as const

class MomentBuilder implements Builder {
  readonly #values: Float64Array
  readonly #known = new Map<string, number | undefined>()
  /** What the first cell is; all others must be it, too. */
  #form: string | undefined

  constructor(
    readonly name: string,
    rows: number,
    readonly cells: Cells,
    readonly type: Parameters<typeof readMoment>[0],
  ) {
    this.#values = new Float64Array(rows).fill(Number.NaN)
  }

  add(row: number, start: number, end: number, escaped: boolean): boolean {
    const text = this.cells.decode(start, end, escaped)
    if (!this.#known.has(text)) this.#known.set(text, this.#read(text))
    const value = this.#known.get(text)
    this.#values[row] = value ?? Number.NaN
    return value !== undefined
  }

  #read(text: string): number | undefined {
    const bit = cell.classify(text, this.cells.decimal) & MOMENT_BITS[this.type]
    const form = `${bit} ${/\D/.exec(text)?.[0]}`
    this.#form ??= form
    return bit !== 0 && form === this.#form ? readMoment(this.type, text) : undefined
  }

  finish(rowCount: number): Column {
    const [first = ''] = this.#known.keys()
    const format = formatOf(this.type, first)
    return {
      name: this.name,
      kind: 'numeric',
      values: this.#values.subarray(0, rowCount),
      time: timeOf(this.type),
      ...(format !== undefined && { format }),
    }
  }
}

class TextBuilder implements Builder {
  readonly #codes: Int32Array
  readonly #texts: TextCells

  constructor(
    readonly name: string,
    rows: number,
    cells: Cells,
  ) {
    this.#codes = new Int32Array(rows).fill(-1)
    this.#texts = new TextCells(cells.bytes, cells.decode)
  }

  add(row: number, start: number, end: number, escaped: boolean): boolean {
    this.#codes[row] = this.#texts.codeOf(start, end, escaped)
    return true
  }

  finish(rowCount: number): Column {
    const codes = this.#codes.subarray(0, rowCount)
    return { name: this.name, kind: 'categorical', codes, categories: this.#texts.finish(codes) }
  }
}

export const isWide = (builder: Builder): boolean => builder instanceof NumberBuilder && builder.isWide
