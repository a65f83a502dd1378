// Columns of an answer. Values stand in a typed array where their type has one and none is null, else in an array with null.

import { damaged } from './error.ts'

export type ColumnKind =
  | 'null'
  | 'boolean'
  | 'int8'
  | 'int16'
  | 'int32'
  | 'int64'
  | 'uint8'
  | 'uint16'
  | 'uint32'
  | 'uint64'
  | 'float'
  | 'double'
  /** Integers in units of 10^-scale. */
  | 'decimal'
  | 'text'
  /** The same, with places of 64 bits. */
  | 'large text'
  | 'binary'
  /** Days since 1970-01-01. */
  | 'date'
  /** Microseconds since 1970-01-01, in UTC, or by the clock on the wall where `zone` is undefined. */
  | 'timestamp'

export type TypedValues =
  | Int8Array
  | Int16Array
  | Int32Array
  | BigInt64Array
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | BigUint64Array
  | Float32Array
  | Float64Array
export type Value = number | bigint | boolean | string | Uint8Array | null
export type ColumnValues = TypedValues | Value[]

export interface ColumnType {
  readonly name: string
  readonly kind: ColumnKind
  readonly scale?: number
  readonly zone?: string
}

export interface Column extends ColumnType {
  readonly values: ColumnValues
}

export interface Batch {
  readonly rowCount: number
  readonly columns: readonly Column[]
}

/** One batch of all rows. All batches of an answer have the same columns. */
export function joinBatches(batches: readonly Batch[]): Batch {
  const [first] = batches
  if (first === undefined) return { rowCount: 0, columns: [] }
  if (batches.length === 1) return first
  for (const batch of batches) checkSame(first, batch)
  return {
    rowCount: batches.reduce((sum, { rowCount }) => sum + rowCount, 0),
    columns: first.columns.map((column, index) => ({
      ...column,
      values: joinValues(batches.map(({ columns }) => columns[index].values)),
    })),
  }
}

function checkSame(first: Batch, other: Batch): void {
  const describe = ({ columns }: Batch) =>
    JSON.stringify(columns.map(({ kind, name, scale, zone }) => [name, kind, scale, zone]))
  if (describe(first) !== describe(other)) throw damaged('parts of one answer have different columns')
}

function joinValues(parts: readonly ColumnValues[]): ColumnValues {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  if (parts.some(Array.isArray)) {
    const all: Value[] = []
    for (const part of parts) for (const value of part) all.push(value)
    return all
  }
  const all = new (parts[0].constructor as new (length: number) => TypedValues)(length)
  let at = 0
  for (const part of parts as TypedValues[]) {
    all.set(part as never, at)
    at += part.length
  }
  return all
}
