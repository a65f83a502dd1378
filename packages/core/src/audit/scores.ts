// Labels, scores and weights of all rows as plain arrays, for the measures that need every row's own score.

import { type Column, columnLength, copyColumn, isWhollyMissing, valueAt } from '../data/column.ts'
import { joinColumns } from '../data/rowSample.ts'
import { isSource, type TableSource } from '../data/source.ts'
import { findColumn, type Table } from '../data/table.ts'
import { type MceOptions, type MulticalibrationError, segmentError } from '../measures/score/mce.ts'
import type { ScoredRows } from '../measures/score/scoredRows.ts'
import type { SegmentColumn } from '../measures/score/segments.ts'

export interface ScoreRoles {
  readonly label: string
  readonly prediction: string
  readonly weight?: string
}

/** The columns have been checked (data/roles.ts): every value is there and is a number or a boolean. */
export async function collectScores(
  rows: Table | TableSource,
  rowCount: number,
  roles: ScoreRoles,
): Promise<ScoredRows> {
  const predictions = new Float64Array(rowCount)
  const labels = new Float64Array(rowCount)
  const weights = roles.weight === undefined ? undefined : new Float64Array(rowCount)
  let offset = 0
  for await (const chunk of isSource(rows) ? rows.chunks() : [rows]) {
    copyNumbers(predictions, chunk, roles.prediction, offset)
    copyNumbers(labels, chunk, roles.label, offset)
    if (weights !== undefined && roles.weight !== undefined) copyNumbers(weights, chunk, roles.weight, offset)
    offset += chunk.rowCount
  }
  return { predictions, labels, ...(weights !== undefined && { weights }) }
}

/** A source whose first reading, whoever does it, also collects the scores: they cost no reading of their own. */
export function tapScores(
  source: TableSource,
  roles: ScoreRoles,
): { readonly rows: TableSource; scores(): ScoredRows } {
  const pieces: Table[] = []
  const names = [roles.prediction, roles.label, ...(roles.weight === undefined ? [] : [roles.weight])]
  let isRead = false
  const tapped = async function* () {
    const collects = !isRead
    isRead = true
    for await (const chunk of source.chunks()) {
      if (collects) pieces.push(scoresIn(chunk, names))
      yield chunk
    }
  }
  const scores = () => {
    const rowCount = pieces.reduce((sum, piece) => sum + piece.rowCount, 0)
    const [predictions, labels, weights] = names.map(name => {
      const joined = new Float64Array(rowCount)
      let offset = 0
      for (const piece of pieces) {
        copyNumbers(joined, piece, name, offset)
        offset += piece.rowCount
      }
      return joined
    })
    return { predictions, labels, ...(weights !== undefined && { weights }) }
  }
  return { rows: { chunks: tapped }, scores }
}

/** Columns that are not there are for others to miss. */
const scoresIn = ({ columns, rowCount }: Table, names: readonly string[]): Table => ({
  rowCount,
  columns: columns.filter(({ name }) => names.includes(name)).map(copyColumn),
})

function copyNumbers(into: Float64Array, table: Table, name: string, offset: number): void {
  const column = findColumn(table, name)
  if (column.kind === 'numeric') into.set(column.values, offset)
  else for (let row = 0; row < columnLength(column); row++) into[offset + row] = Number(valueAt(column, row))
}

/** MCGrad's measure: the worst walk of cumulative residuals over segments of the named columns. */
export async function measureSegments(
  rows: Table | TableSource,
  scored: ScoredRows,
  names: readonly string[],
  options: MceOptions,
): Promise<MulticalibrationError> {
  const columns = isSource(rows) ? await joinChunks(rows, names) : names.map(name => findColumn(rows, name))
  return segmentError(scored, columns.map(segmentColumn), options)
}

/** The named columns of all chunks, each as one. */
async function joinChunks(source: TableSource, names: readonly string[]): Promise<Column[]> {
  const pieces: Column[][] = names.map(() => [])
  for await (const chunk of source.chunks()) {
    for (const [index, name] of names.entries()) pieces[index].push(copyColumn(findColumn(chunk, name)))
  }
  return pieces.map(parts =>
    joinColumns(parts, (parts.find(part => !isWhollyMissing(part)) ?? parts[0]).kind),
  )
}

function segmentColumn(column: Column): SegmentColumn {
  const { name } = column
  if (column.kind === 'numeric') return { name, numbers: column.values }
  return column.kind === 'boolean'
    ? { name, categories: [false, true], indexes: column.values }
    : { name, categories: column.categories, indexes: column.codes }
}
