// An Arrow stream: a schema, then record batches, each a piece of metadata and a body. Dictionaries, nesting and compression are not read;
// what has them is refused in words. Numbers of fields are those of Arrow's Schema.fbs and Message.fbs.

import { BodyReader } from './body.ts'
import type { Batch, ColumnKind, ColumnType } from './columns.ts'
import { ArrowError, damaged } from './error.ts'
import { FlatTable } from './flat.ts'

const CONTINUES = 0xff_ff_ff_ff
const [SCHEMA, DICTIONARY, RECORD_BATCH] = [1, 2, 3]
const CODECS = ['lz4', 'zstd']

/** Every batch of a stream; one without rows where it has a schema only. No more rows than `mostRows` are read. */
export function readArrow(bytes: Uint8Array, mostRows = Number.POSITIVE_INFINITY): Batch[] {
  try {
    return readStream(bytes, mostRows)
  } catch (error) {
    if (error instanceof RangeError) throw damaged('an Arrow stream leads outside of itself')
    throw error
  }
}

function readStream(bytes: Uint8Array, mostRows: number): Batch[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const batches: Batch[] = []
  let types: ColumnType[] | undefined
  let rowsLeft = mostRows
  let at = 0
  while (at < bytes.length) {
    if (view.getUint32(at, true) !== CONTINUES) throw damaged('an answer is no Arrow stream')
    const length = view.getUint32(at + 4, true)
    if (length === 0) break
    const message = FlatTable.root(new DataView(bytes.buffer, bytes.byteOffset + at + 8, length))
    const bodyAt = at + 8 + length
    const bodyLength = message.length(3)
    if (bodyAt + bodyLength > bytes.length) throw damaged('an Arrow stream ends too early')
    const kind = message.byte(1)
    if (kind === SCHEMA) types = readSchema(message.table(2))
    else if (kind === RECORD_BATCH && types !== undefined) {
      rowsLeft -= message.table(2).length(0)
      if (rowsLeft < 0) throw new ArrowError('rows', `an Arrow stream has more than ${mostRows} rows`)
      batches.push(readBatch(message.table(2), types, bytes.subarray(bodyAt, bodyAt + bodyLength)))
    } else if (kind === DICTIONARY) throw new ArrowError('dictionary', 'an Arrow stream has a dictionary')
    else throw damaged(`an Arrow stream has a message of kind ${kind} where none is expected`)
    at = bodyAt + bodyLength
  }
  if (types === undefined) throw damaged('an Arrow stream has no schema')
  return batches.length > 0 ? batches : [emptyBatch(types)]
}

function emptyBatch(types: readonly ColumnType[]): Batch {
  const reader = new BodyReader(new Uint8Array(0), new Array(3 * types.length).fill([0, 0]))
  return { rowCount: 0, columns: types.map(type => ({ ...type, values: reader.values(type.kind, 0, 0) })) }
}

function readSchema(schema: FlatTable): ColumnType[] {
  if (schema.short(0) !== 0) throw damaged('an Arrow stream has its bytes in the other order')
  return schema.tables(1).map(readField)
}

const INTEGERS: Readonly<Record<number, ColumnKind>> = { 8: 'int8', 16: 'int16', 32: 'int32', 64: 'int64' }
const UNSIGNED: Readonly<Record<number, ColumnKind>> = {
  8: 'uint8',
  16: 'uint16',
  32: 'uint32',
  64: 'uint64',
}
const FLOATS: Readonly<Record<number, ColumnKind>> = { 1: 'float', 2: 'double' }
const [DAYS, MICROSECONDS] = [0, 2]

/** Names of Arrow's types, by their number. */
const NAMES =
  'none,null,integer,float,binary,text,boolean,decimal,date,time,timestamp,interval,list,struct,union,fixed-size binary,fixed-size list,map,duration,large binary,large text,large list'.split(
    ',',
  )

function readField(field: FlatTable): ColumnType {
  const name = field.text(0)
  const number = field.byte(2)
  const type = readType(NAMES[number], number === 0 ? undefined : field.table(3))
  if (type === undefined || field.has(4)) {
    const words = `${NAMES[number] ?? number}${field.has(4) ? ', by a dictionary' : ''}`
    throw new ArrowError('type', `it has the Arrow type ${words}, which is not read`, name)
  }
  return { name, ...type }
}

function readType(
  name: string | undefined,
  type: FlatTable | undefined,
): Omit<ColumnType, 'name'> | undefined {
  if (type === undefined) return undefined
  const plain = (kind: ColumnKind | undefined) => (kind === undefined ? undefined : { kind })
  switch (name) {
    case 'null':
    case 'boolean':
    case 'binary':
    case 'text':
    case 'large text':
      return { kind: name }
    case 'integer':
      return plain((type.byte(1) === 1 ? INTEGERS : UNSIGNED)[type.int(0)])
    case 'float':
      return plain(FLOATS[type.short(0)])
    case 'decimal':
      return type.int(2, 128) === 128 ? { kind: 'decimal', scale: type.int(1) } : undefined
    case 'date':
      return type.short(0, 1) === DAYS ? { kind: 'date' } : undefined
    case 'timestamp':
      if (type.short(0) !== MICROSECONDS) return undefined
      return type.has(1) ? { kind: 'timestamp', zone: type.text(1) } : { kind: 'timestamp' }
    default:
      return undefined
  }
}

function readBatch(batch: FlatTable, types: readonly ColumnType[], body: Uint8Array): Batch {
  if (batch.has(3)) {
    const codec = CODECS[batch.table(3).byte(0)] ?? 'something unknown'
    throw new ArrowError('compressed', `an Arrow batch is compressed by ${codec}`)
  }
  const rowCount = batch.length(0)
  const nodes = batch.pairs(1)
  if (nodes.length !== types.length) throw damaged('an Arrow batch has not the columns of its schema')
  const reader = new BodyReader(body, batch.pairs(2))
  const columns = types.map((type, index) => {
    const [length, nullCount] = nodes[index]
    if (length !== rowCount) throw damaged('columns of an Arrow batch differ in length')
    return { ...type, values: reader.values(type.kind, rowCount, nullCount) }
  })
  return { rowCount, columns }
}
