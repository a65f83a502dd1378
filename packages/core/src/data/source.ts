// Rows that come in chunks, so that a table larger than memory can be fitted and verified. A source is read more than
// once, from the beginning, and gives the same rows in the same order every time.

import { type CancelSignal, throwIfCancelled } from '../common/cancel.ts'
import { FeatureBoostError } from '../common/errors.ts'
import { type Column, type ColumnKind, columnLength, isWhollyMissing, missingColumn } from './column.ts'
import { findColumn, type Table } from './table.ts'

/** Rows that come in chunks, from the beginning at each call. */
export interface TableSource {
  /** Tables with the same columns, of any length. What is kept of one is copied, so their arrays may be filled again. */
  chunks(): AsyncIterable<Table> | Iterable<Table>
}

export const isSource = (rows: Table | TableSource): rows is TableSource => 'chunks' in rows

/** The same source, until the signal is given. */
export const untilCancelled = (source: TableSource, signal: CancelSignal | undefined): TableSource => ({
  async *chunks() {
    for await (const chunk of source.chunks()) {
      throwIfCancelled(signal, 'the reading of rows')
      yield chunk
    }
  },
})

/**
 * Sees to it that all chunks have the columns of the first, and that a column is of one kind throughout. A column may be
 * wholly missing in some chunks, whatever kind it is there.
 */
export class ChunkGuard {
  #names: readonly string[] | undefined
  readonly #kinds = new Map<string, ColumnKind>()
  #rowCount = 0

  get rowCount(): number {
    return this.#rowCount
  }

  /** The chunk with its columns in the order of the first chunk, each of its known kind. */
  admit(chunk: Table): Table {
    const names = chunk.columns.map(column => column.name)
    this.#names ??= names
    if (names.length !== this.#names.length) throw this.#otherColumns(names)
    const columns = this.#names.map(name =>
      this.#admitColumn(findColumn(chunk, name, 'column of every chunk')),
    )
    this.#rowCount += chunk.rowCount
    return { rowCount: chunk.rowCount, columns }
  }

  /** The kind that a column turned out to have; numeric where nothing was ever in it. */
  kindOf(name: string): ColumnKind {
    return this.#kinds.get(name) ?? 'numeric'
  }

  #admitColumn(column: Column): Column {
    const known = this.#kinds.get(column.name)
    if (known === column.kind) return column
    if (isWhollyMissing(column)) {
      return known === undefined ? column : missingColumn(column.name, known, columnLength(column))
    }
    if (known === undefined) {
      this.#kinds.set(column.name, column.kind)
      return column
    }
    throw new FeatureBoostError(
      'FB_COLUMN_KIND',
      `is ${known} at first, and ${column.kind} in a later chunk.`,
      {
        column: column.name,
        row: this.#rowCount + 1,
        expected: 'one kind in all chunks',
      },
    )
  }

  #otherColumns(names: readonly string[]): FeatureBoostError {
    return new FeatureBoostError('FB_SOURCE', `a chunk has the columns ${names.join(', ')}.`, {
      row: this.#rowCount + 1,
      expected: `${this.#names?.join(', ')}, as in the first chunk`,
    })
  }
}

export const rowsChanged = (column: string): FeatureBoostError =>
  new FeatureBoostError('FB_SOURCE', 'the source gave other values when it was read again.', {
    column,
    expected: 'the same rows in the same order every time',
    hint: 'Did the source change meanwhile? Read from a copy, or hold the rows in memory.',
  })

export const sourceChanged = (first: number, then: number): FeatureBoostError =>
  new FeatureBoostError('FB_SOURCE', `the source gave ${first} rows, and ${then} when it was read again.`, {
    expected: 'the same rows in the same order every time',
    hint: 'A source is read more than once: chunks() must start from the beginning at each call.',
  })
