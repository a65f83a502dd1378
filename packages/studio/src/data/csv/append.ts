// One more column at the end of a CSV file; all other cells stay as they were written.

import { openText } from './read.ts'
import { scanRows } from './scan.ts'

const CHUNK_ROWS = 20_000

/** `values` has one for each row. */
export function appendColumn(
  bytes: Uint8Array,
  name: string,
  values: ArrayLike<number>,
  delimiter?: string,
): Blob {
  const { dialect, start } = openText(bytes, delimiter)
  const sign = String.fromCharCode(dialect.delimiter)
  const parts: BlobPart[] = []
  const encoder = new TextEncoder()
  let pieces: Uint8Array[] = []
  let row = -1
  const flush = () => {
    parts.push(joined(pieces) as BlobPart)
    pieces = []
  }
  scanRows(bytes, start, dialect, {
    cell: () => {},
    row: (_, from, to) => {
      pieces.push(bytes.subarray(from, to), encoder.encode(`${sign}${row < 0 ? name : values[row]}\n`))
      if (++row % CHUNK_ROWS === 0) flush()
      return true
    },
  })
  flush()
  return new Blob(parts, { type: 'text/csv' })
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((size, piece) => size + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
