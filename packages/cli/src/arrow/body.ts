// The body of an Arrow batch: for every column a bitmap of what is there, and its values. Bodies stand anywhere in a message,
// so that numbers are copied to where their type may begin.

import type { ColumnKind, ColumnValues, TypedValues, Value } from './columns.ts'
import { damaged } from './error.ts'

type Filled = Exclude<ColumnKind, 'null' | 'boolean' | 'decimal' | 'text' | 'large text' | 'binary'>

const ARRAYS: Readonly<Record<Filled, new (buffer: ArrayBuffer) => TypedValues>> = {
  int8: Int8Array,
  int16: Int16Array,
  int32: Int32Array,
  int64: BigInt64Array,
  uint8: Uint8Array,
  uint16: Uint16Array,
  uint32: Uint32Array,
  uint64: BigUint64Array,
  float: Float32Array,
  double: Float64Array,
  date: Int32Array,
  timestamp: BigInt64Array,
}

const WIDTHS: Readonly<Record<Filled, number>> = {
  int8: 1,
  int16: 2,
  int32: 4,
  int64: 8,
  uint8: 1,
  uint16: 2,
  uint32: 4,
  uint64: 8,
  float: 4,
  double: 8,
  date: 4,
  timestamp: 8,
}

export class BodyReader {
  readonly #body: Uint8Array
  readonly #buffers: readonly (readonly [at: number, length: number])[]
  #next = 0

  constructor(body: Uint8Array, buffers: readonly (readonly [at: number, length: number])[]) {
    this.#body = body
    this.#buffers = buffers
  }

  /** Of the next column. */
  values(kind: ColumnKind, rowCount: number, nullCount: number): ColumnValues {
    if (kind === 'null') return this.#nothing(rowCount)
    const isThere = this.#bitmap(rowCount, nullCount)
    switch (kind) {
      case 'boolean': {
        const bits = this.#take(Math.ceil(rowCount / 8))
        return fill(rowCount, isThere, row => bitOf(bits, row))
      }
      case 'decimal':
        return decimals(this.#take(16 * rowCount), rowCount, isThere)
      case 'text':
      case 'large text':
        return this.#pieces(
          rowCount,
          isThere,
          bytes => asBuffer(bytes).toString('utf8'),
          kind === 'text' ? 4 : 8,
        )
      case 'binary':
        return this.#pieces(rowCount, isThere, bytes => new Uint8Array(bytes))
      default: {
        const values = new ARRAYS[kind](copyOf(this.#take(WIDTHS[kind] * rowCount)))
        return isThere === undefined ? values : fill(rowCount, isThere, row => values[row])
      }
    }
  }

  /** It has no buffers, so that nothing but the size of the answer bounds how many rows it claims to have. */
  #nothing(rowCount: number): Value[] {
    if (rowCount > MOST_ROWS) throw damaged(`an Arrow batch claims to have ${rowCount} rows`)
    return new Array<null>(rowCount).fill(null)
  }

  #bitmap(rowCount: number, nullCount: number): ((row: number) => boolean) | undefined {
    const [at, length] = this.#buffer()
    if (nullCount === 0) return undefined
    const needed = Math.ceil(rowCount / 8)
    if (length < needed) throw damaged('a column of an Arrow batch is shorter than its rows')
    const bits = this.#body.subarray(at, at + needed)
    return row => bitOf(bits, row)
  }

  #pieces(
    rowCount: number,
    isThere: ((row: number) => boolean) | undefined,
    read: (bytes: Uint8Array) => Value,
    width: 4 | 8 = 4,
  ): Value[] {
    const places = copyOf(rowCount === 0 ? this.#take(0) : this.#take(width * (rowCount + 1)))
    const offsets =
      width === 4 ? new Int32Array(places) : Float64Array.from(new BigInt64Array(places), Number)
    const [at, length] = this.#buffer()
    const bytes = this.#body.subarray(at, at + length)
    return fill(rowCount, isThere, row => {
      const [start, end] = [offsets[row], offsets[row + 1]]
      if (start < 0 || end < start || end > length)
        throw damaged('a text of an Arrow batch leads outside of it')
      return read(bytes.subarray(start, end))
    })
  }

  /** The first `length` bytes of the next buffer. */
  #take(length: number): Uint8Array {
    const [at, given] = this.#buffer()
    if (given < length) throw damaged('a column of an Arrow batch is shorter than its rows')
    return this.#body.subarray(at, at + length)
  }

  #buffer(): readonly [at: number, length: number] {
    const buffer = this.#buffers[this.#next++]
    if (buffer === undefined) throw damaged('an Arrow batch has fewer buffers than its columns need')
    if (buffer[0] + buffer[1] > this.#body.length)
      throw damaged('a buffer of an Arrow batch leads outside of it')
    return buffer
  }
}

/** What Spark puts into one batch is bounded by spark.sql.execution.arrow.maxRecordsPerBatch, 10,000 by default. */
const MOST_ROWS = 2 ** 22

const bitOf = (bits: Uint8Array, row: number): boolean => ((bits[row >> 3] >> (row & 7)) & 1) === 1

function fill(
  rowCount: number,
  isThere: ((row: number) => boolean) | undefined,
  read: (row: number) => Value,
): Value[] {
  const values: Value[] = []
  for (let row = 0; row < rowCount; row++)
    values.push(isThere === undefined || isThere(row) ? read(row) : null)
  return values
}

/** Two's complement in 16 bytes, the lowest first. */
function decimals(
  bytes: Uint8Array,
  rowCount: number,
  isThere: ((row: number) => boolean) | undefined,
): Value[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return fill(
    rowCount,
    isThere,
    row => (view.getBigInt64(16 * row + 8, true) << 64n) | view.getBigUint64(16 * row, true),
  )
}

/** A slice of a Buffer would share its memory. */
const copyOf = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer

const asBuffer = ({ buffer, byteLength, byteOffset }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)
