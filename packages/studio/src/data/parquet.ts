// Parquet to a table. Values are taken as they are stored and brought into numbers here, in the way of the command line:
// days, seconds, and decimals by one division.

import type { Column } from '@featureboost/core'
import { typedColumn } from '@featureboost/core/internal'
import {
  type ColumnData,
  type FileMetaData,
  parquetMetadataAsync,
  parquetRead,
  type SchemaElement,
} from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { Dictionary } from './categories.ts'
import { finishTable, type LeftOut, type LoadedTable, refuseMany, type TellRows } from './loaded.ts'
import { DataProblem } from './problem.ts'

/** Stored values, untouched. */
const PARSERS = {
  timestampFromMilliseconds: (value: bigint) => value,
  timestampFromMicroseconds: (value: bigint) => value,
  timestampFromNanoseconds: (value: bigint) => value,
  dateFromDays: (value: number) => value,
}

export async function readParquet(bytes: Uint8Array, tell: TellRows = () => {}): Promise<LoadedTable> {
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer
  try {
    return await readColumns(buffer, tell)
  } catch (error) {
    if (error instanceof DataProblem) throw error
    throw new DataProblem(
      `The file could not be read as Parquet: ${(error as Error).message}. It may be damaged or cut short; copy it again.`,
    )
  }
}

async function readColumns(buffer: ArrayBuffer, tell: TellRows): Promise<LoadedTable> {
  const file = { byteLength: buffer.byteLength, slice: (from: number, to?: number) => buffer.slice(from, to) }
  const metadata = await parquetMetadataAsync(file)
  const rowCount = Number(metadata.num_rows)
  if (rowCount === 0) throw new DataProblem('The file has no rows.')
  refuseContradiction(metadata)
  const leftOut: LeftOut[] = []
  const columns = new Map<string, ParquetColumn>()
  refuseMany(metadata.schema.length - 1)
  for (const element of flatElements(metadata.schema, leftOut)) {
    const form = formOf(element)
    if (form === undefined) leftOut.push({ name: element.name, reason: OTHER_TYPE })
    else columns.set(element.name, new ParquetColumn(element.name, form, rowCount))
    if (form?.kind === 'decimal') asStored(element)
  }
  let done = 0
  await parquetRead({
    file,
    metadata,
    columns: [...columns.keys()],
    compressors,
    parsers: PARSERS,
    utf8: false,
    geoparquet: false,
    onChunk: (chunk: ColumnData) => {
      columns.get(chunk.columnName)!.fill(chunk)
      done += chunk.rowEnd - chunk.rowStart
      tell(done / columns.size, rowCount)
    },
  })
  const built = [...columns.values()].flatMap(column => {
    const found = column.finish()
    if ('kind' in found) return [found]
    leftOut.push(found)
    return []
  })
  return finishTable(built, rowCount, leftOut)
}

/** A file says twice what its columns are: in the schema and with every piece. Damage to one of them is seen by the other. */
function refuseContradiction({ row_groups: groups, schema }: FileMetaData): void {
  const types = new Map(schema.filter(({ type }) => type !== undefined).map(({ name, type }) => [name, type]))
  for (const { columns } of groups) {
    for (const { meta_data: piece } of columns) {
      if (piece === undefined) continue
      const path = piece.path_in_schema
      if (types.get(path.at(-1)!) !== piece.type)
        throw new Error(`column "${path.join('.')}" is of one type in the schema and of another in the rows`)
    }
  }
}

const OTHER_TYPE = 'It is of a type that is no number, text, date or truth value.'

/** Columns of one value per row; the others are told. */
function flatElements(schema: readonly SchemaElement[], leftOut: LeftOut[]): SchemaElement[] {
  const flat: SchemaElement[] = []
  let index = 1
  const skip = (): void => {
    const children = schema[index++].num_children ?? 0
    for (let child = 0; child < children; child++) skip()
  }
  while (index < schema.length) {
    const element = schema[index]
    if (element.num_children || element.repetition_type === 'REPEATED') {
      leftOut.push({ name: element.name, reason: 'It holds lists or objects, not one value per row.' })
      skip()
    } else {
      flat.push(element)
      index++
    }
  }
  return flat
}

/** How a stored value becomes one of ours. */
type Form =
  | { readonly kind: 'number'; readonly wide: boolean; readonly time?: 'date' }
  /** To be divided. */
  | { readonly kind: 'decimal'; readonly by: number }
  /** Of nanoseconds the whole microseconds count. */
  | { readonly kind: 'scaled' | 'nanoseconds'; readonly by: number; readonly time: 'timestamp' | 'time' }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'text' }

function formOf({
  converted_type: old,
  logical_type: logical,
  scale = 0,
  type,
}: SchemaElement): Form | undefined {
  const name = logical?.type
  if (type === 'BOOLEAN') return { kind: 'boolean' }
  if (type === 'FLOAT' || type === 'DOUBLE') return { kind: 'number', wide: false }
  if (type === 'INT96') return { kind: 'nanoseconds', by: DAY_SECONDS * 1e6, time: 'timestamp' }
  if (type === 'BYTE_ARRAY') return old === 'UTF8' || name === 'STRING' ? { kind: 'text' } : undefined
  if (name === 'UUID') return { kind: 'text' }
  if (type !== 'INT32' && type !== 'INT64') return undefined
  if (old === 'DECIMAL' || name === 'DECIMAL') return { kind: 'decimal', by: 10 ** scale }
  if (old === 'DATE' || name === 'DATE') return { kind: 'number', wide: false, time: 'date' }
  if (name === 'TIMESTAMP' || name === 'TIME')
    return timeForm(name === 'TIME' ? 'time' : 'timestamp', logical.unit)
  if (old?.endsWith('_MILLIS')) return timeForm(old.startsWith('TIME_') ? 'time' : 'timestamp', 'MILLIS')
  if (old?.endsWith('_MICROS')) return timeForm(old.startsWith('TIME_') ? 'time' : 'timestamp', 'MICROS')
  return { kind: 'number', wide: type === 'INT64' }
}

const DAY_SECONDS = 86_400

/** Moments are days, times of day seconds; each by one division, so that they are the numbers of the command line. */
function timeForm(time: 'timestamp' | 'time', unit: 'MILLIS' | 'MICROS' | 'NANOS'): Form {
  const seconds = time === 'time' ? 1 : DAY_SECONDS
  if (unit === 'NANOS') return { kind: 'nanoseconds', by: seconds * 1e6, time }
  return { kind: 'scaled', by: seconds * (unit === 'MILLIS' ? 1e3 : 1e6), time }
}

/** The library would multiply decimals by a rounded fraction. */
function asStored(element: SchemaElement): void {
  delete element.converted_type
  delete element.logical_type
}

class ParquetColumn {
  readonly #name: string
  readonly #form: Form
  readonly #values: Float64Array | Int8Array | Int32Array
  readonly #dictionary = new Dictionary()
  /** Whole numbers beyond 2^53 are ids: then these are the values. */
  #ids: Map<number, bigint> | undefined
  #isInexact = false
  #filled = 0

  constructor(name: string, form: Form, rowCount: number) {
    this.#name = name
    this.#form = form
    if (form.kind === 'text') this.#values = new Int32Array(rowCount).fill(-1)
    else if (form.kind === 'boolean') this.#values = new Int8Array(rowCount).fill(-1)
    else this.#values = new Float64Array(rowCount).fill(Number.NaN)
  }

  fill({ columnData, rowStart }: ColumnData): void {
    const values = this.#values
    const { length } = columnData
    this.#filled += length
    for (let index = 0; index < length; index++) {
      const value: unknown = columnData[index]
      if (value !== null && value !== undefined)
        values[rowStart + index] = this.#convert(value, rowStart + index)
    }
  }

  #convert(value: unknown, row: number): number {
    const form = this.#form
    if (form.kind === 'text') return this.#dictionary.codeOf(value as string)
    if (form.kind === 'boolean') return value ? 1 : 0
    const number = Number(form.kind === 'nanoseconds' ? (value as bigint) / 1000n : value)
    if (form.kind === 'number') {
      if (form.wide && !Number.isSafeInteger(number)) {
        this.#ids ??= new Map()
        this.#ids.set(row, value as bigint)
      }
      return number
    }
    if (form.kind === 'decimal' && !Number.isSafeInteger(number)) this.#isInexact = true
    return number / form.by
  }

  finish(): Column | LeftOut {
    const name = this.#name
    const values = this.#values
    if (this.#filled !== values.length)
      throw new Error(`column "${name}" has ${this.#filled} values for ${values.length} rows`)
    if (this.#isInexact) return { name, reason: 'Its decimals have more digits than can be read here.' }
    if (values instanceof Int8Array) return { name, kind: 'boolean', values }
    if (values instanceof Int32Array)
      return typedColumn({
        ...{ name, kind: 'categorical', codes: values },
        categories: this.#dictionary.finish(values),
      })
    if (this.#ids !== undefined) return this.#asIds(values, this.#ids)
    const time = 'time' in this.#form ? this.#form.time : undefined
    return { name, kind: 'numeric', values, ...(time !== undefined && { time }) }
  }

  #asIds(values: Float64Array, ids: ReadonlyMap<number, bigint>): Column {
    const codes = Int32Array.from(values, (value, row) => {
      if (Number.isNaN(value)) return -1
      return this.#dictionary.codeOf(String(ids.get(row) ?? value))
    })
    return { name: this.#name, kind: 'categorical', codes, categories: this.#dictionary.finish(codes) }
  }
}
