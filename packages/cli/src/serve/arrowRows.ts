// Rows that clients send as an Arrow stream, as the objects that JSON would have given: dates as text, numbers as numbers.

import type { Row } from '@featureboost/core'
import { FeatureBoostError } from '@featureboost/core'
import type { Column, Value } from '../arrow/columns.ts'
import { ArrowError } from '../arrow/error.ts'
import { readArrow } from '../arrow/stream.ts'
import { refuse } from './refusal.ts'
import { checkRow } from './rows.ts'
import type { Served } from './shelf.ts'

export const ARROW_TYPE = 'application/vnd.apache.arrow.stream'

export function rowsFromArrow(bytes: Uint8Array, { columns: asked }: Served, most: number): Row[] {
  const batches = readBatches(bytes, most)
  const rows: Record<string, unknown>[] = []
  for (const { columns, rowCount } of batches) {
    const names = new Set(columns.map(({ name }) => name))
    if (names.size < columns.length)
      throw refuse(400, 'FB_SERVE_BODY', 'two columns of the Arrow stream have one name.')
    const first = rows.length
    for (let row = 0; row < rowCount; row++) rows.push({})
    for (const column of columns) fillColumn(rows, first, rowCount, column)
  }
  return rows.map((row, index) => checkRow(row, asked, index + 1))
}

function readBatches(bytes: Uint8Array, most: number) {
  try {
    return readArrow(bytes, most)
  } catch (error) {
    if (!(error instanceof ArrowError)) throw error
    const { column, message, trouble } = error
    if (trouble === 'rows')
      throw refuse(413, 'FB_SERVE_LIMIT', message, {
        hint: 'Send fewer at a time, or a stream of application/x-ndjson.',
      })
    throw refuse(400, 'FB_SERVE_BODY', column === undefined ? message : `column "${column}": ${message}`, {
      hint: 'Send numbers, texts, truth values, dates and timestamps in microseconds; cast what is of another type. Nothing is compressed.',
    })
  }
}

function fillColumn(rows: Record<string, unknown>[], first: number, rowCount: number, column: Column): void {
  const { name, values } = column
  const read = reader(column)
  // Every object has this one already, and rows are plain objects.
  if (name === '__proto__') return
  for (let row = 0; row < rowCount; row++) {
    const value = values[row]
    rows[first + row][name] = value === null ? null : read(value)
  }
}

const DAY = 86_400_000

function reader({ kind, name, scale = 0 }: Column): (value: NonNullable<Value>) => unknown {
  switch (kind) {
    case 'binary':
      throw refuse(400, 'FB_SERVE_BODY', `column "${name}" holds bytes.`, { hint: 'Send them as text.' })
    case 'int64':
    case 'uint64':
      return value => exactly(value as bigint, name)
    case 'decimal':
      return value => Number(`${value}e${-scale}`)
    case 'date':
      return days => momentText(BigInt(days as number) * BigInt(DAY) * 1000n, name).slice(0, -16)
    case 'timestamp':
      return microseconds => momentText(microseconds as bigint, name)
    default:
      return value => value
  }
}

function exactly(value: bigint, column: string): number {
  const number = Number(value)
  if (Number.isSafeInteger(number)) return number
  throw new FeatureBoostError('FB_COLUMN_KIND', `${value} is more than a double holds exactly.`, {
    column,
    found: value,
  })
}

/** "2024-06-14 12:30:00.000000", in UTC. */
function momentText(microseconds: bigint, column: string): string {
  const rest = ((microseconds % 1_000_000n) + 1_000_000n) % 1_000_000n
  const date = new Date(Number((microseconds - rest) / 1000n))
  if (Number.isNaN(date.getTime()))
    throw new FeatureBoostError('FB_COLUMN_KIND', 'a moment lies outside of the calendar.', { column })
  return `${date.toISOString().slice(0, -5).replace('T', ' ')}.${String(rest).padStart(6, '0')}`
}
