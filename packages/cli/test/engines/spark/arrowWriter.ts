// Arrow streams as Spark writes them, for tests: a schema, batches, the end. Written from Arrow's description of the format and sharing no code with
// the reader.

import type { ColumnKind, ColumnType, Value } from '../../../src/arrow/columns.ts'
import { type FlatFields, type FlatValue, writeFlat } from './flatWriter.ts'

export interface MadeColumn extends ColumnType {
  readonly values: readonly Value[]
}

export interface ArrowQuirks {
  readonly codec?: number
  readonly bigEndian?: boolean
  readonly dictionary?: boolean
  /** In place of the type of the first column. */
  readonly type?: { readonly number: number; readonly fields: FlatFields }
}

const short = (value: number): FlatValue => ({ size: 2, value })
const byte = (value: number): FlatValue => ({ size: 1, value })
const int = (value: number): FlatValue => ({ size: 4, value })
const long = (value: number): FlatValue => ({ size: 8, value })

/** The schema and one batch. */
export const writeArrow = (columns: readonly MadeColumn[], quirks: ArrowQuirks = {}): Uint8Array =>
  Buffer.concat([writeSchema(columns, quirks), writeBatch(columns, quirks), writeEnd()])

export const writeEnd = (): Uint8Array => Uint8Array.from([255, 255, 255, 255, 0, 0, 0, 0])

export function writeSchema(columns: readonly ColumnType[], quirks: ArrowQuirks = {}): Uint8Array {
  const fields = columns.map((column, index) => {
    const { fields, number } = (index === 0 && quirks.type) || typeOf(column)
    return {
      0: { text: column.name },
      1: byte(1),
      2: byte(number),
      3: { table: fields },
      ...(quirks.dictionary && { 4: { table: {} } }),
    }
  })
  return writeMessage(1, { 0: short(quirks.bigEndian ? 1 : 0), 1: { tables: fields } }, new Uint8Array(0))
}

export function writeBatch(columns: readonly MadeColumn[], { codec }: ArrowQuirks = {}): Uint8Array {
  const rowCount = columns[0]?.values.length ?? 0
  const buffers = columns.flatMap(buffersOf)
  const places: [number, number][] = []
  const parts: Uint8Array[] = []
  let at = 0
  for (const buffer of buffers) {
    places.push([at, buffer.length])
    const padded = Math.ceil(buffer.length / 8) * 8
    parts.push(buffer, new Uint8Array(padded - buffer.length))
    at += padded
  }
  const nodes = columns.map(
    ({ values }) => [rowCount, values.filter(value => value === null).length] as const,
  )
  const compression = codec === undefined ? {} : { 3: { table: { 0: byte(codec) } } }
  const header = { 0: long(rowCount), 1: { pairs: nodes }, 2: { pairs: places }, ...compression }
  return writeMessage(3, header, Buffer.concat(parts))
}

export function writeMessage(kind: number, header: FlatFields, body: Uint8Array): Uint8Array {
  const flat = writeFlat({ 0: short(4), 1: byte(kind), 2: { table: header }, 3: long(body.length) })
  const padded = Buffer.concat([flat, new Uint8Array(Math.ceil(flat.length / 8) * 8 - flat.length)])
  const head = Buffer.alloc(8)
  head.writeUInt32LE(0xff_ff_ff_ff, 0)
  head.writeUInt32LE(padded.length, 4)
  return Buffer.concat([head, padded, body])
}

function typeOf({ kind, scale = 0, zone }: ColumnType): { number: number; fields: FlatFields } {
  switch (kind) {
    case 'null':
      return { number: 1, fields: {} }
    case 'int8':
    case 'int16':
    case 'int32':
    case 'int64':
      return { number: 2, fields: { 0: int(Number(kind.slice(3))), 1: byte(1) } }
    case 'uint8':
    case 'uint16':
    case 'uint32':
    case 'uint64':
      return { number: 2, fields: { 0: int(Number(kind.slice(4))) } }
    case 'float':
    case 'double':
      return { number: 3, fields: { 0: short(kind === 'float' ? 1 : 2) } }
    case 'binary':
      return { number: 4, fields: {} }
    case 'text':
      return { number: 5, fields: {} }
    case 'large text':
      return { number: 20, fields: {} }
    case 'boolean':
      return { number: 6, fields: {} }
    case 'decimal':
      return { number: 7, fields: { 0: int(38), 1: int(scale) } }
    case 'date':
      return { number: 8, fields: { 0: short(0) } }
    case 'timestamp':
      return { number: 10, fields: { 0: short(2), ...(zone !== undefined && { 1: { text: zone } }) } }
  }
}

function buffersOf({ kind, values }: MadeColumn): Uint8Array[] {
  if (kind === 'null') return []
  const valid = bitsOf(values.map(value => value !== null))
  if (kind === 'boolean') return [valid, bitsOf(values.map(value => value === true))]
  if (kind === 'text' || kind === 'large text' || kind === 'binary') {
    const pieces = values.map(value => (value === null ? Buffer.alloc(0) : Buffer.from(value as string)))
    const offsets = [0]
    for (const piece of pieces) offsets.push(offsets.at(-1)! + piece.length)
    const places = kind === 'large text' ? BigInt64Array.from(offsets, BigInt) : Int32Array.from(offsets)
    return [valid, new Uint8Array(places.buffer), Buffer.concat(pieces)]
  }
  return [valid, Buffer.concat(values.map(value => numberOf(kind, value)))]
}

function bitsOf(flags: readonly boolean[]): Uint8Array {
  const bits = new Uint8Array(Math.ceil(flags.length / 8))
  flags.forEach((flag, row) => {
    if (flag) bits[row >> 3] |= 1 << (row & 7)
  })
  return bits
}

const WIDTH: Partial<Record<ColumnKind, number>> = {
  int8: 1,
  int16: 2,
  int32: 4,
  uint8: 1,
  uint16: 2,
  uint32: 4,
  date: 4,
  float: 4,
  decimal: 16,
}

function numberOf(kind: ColumnKind, value: Value): Buffer {
  const width = WIDTH[kind] ?? 8
  const bytes = Buffer.alloc(width)
  if (kind === 'float') bytes.writeFloatLE(Number(value ?? 0))
  else if (kind === 'double') bytes.writeDoubleLE(Number(value ?? 0))
  else {
    let rest = BigInt.asUintN(8 * width, BigInt((value as number | bigint | null) ?? 0))
    for (let at = 0; at < width; at++, rest >>= 8n) bytes[at] = Number(rest & 255n)
  }
  return bytes
}
