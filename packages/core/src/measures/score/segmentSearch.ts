// The segments of a search: every combination of one level of each of up to `depth` columns, with its residual walk.

import { type Ecce, withSigma } from './ecce.ts'
import type { ScoredRows } from './scoredRows.ts'
import type { LeveledColumn } from './segments.ts'
import { type CellWalks, type WalkRows, walkCells } from './segmentWalks.ts'

export interface Segment extends Ecce {
  /** Empty for everyone. */
  readonly where: readonly { readonly column: string; readonly level: string }[]
  readonly rowCount: number
  readonly weight: number
  /** sqrt(sum w^2 r^2) / sum w. */
  readonly residualError: number
}

/** Segments made of the same columns. */
export interface SegmentGroup {
  readonly columns: readonly LeveledColumn[]
  /** The cell of each segment. */
  readonly cells: readonly number[]
  readonly segments: readonly Segment[]
}

interface SearchLimits {
  readonly depth: number
  readonly minRows: number
  readonly maxSegments: number
}

/** Rows in the order of their score; with 'ties', rows of equal score are one step of a walk. */
export function makeWalkRows(given: ScoredRows, order: Uint32Array, walk: 'ties' | 'rows'): WalkRows {
  const [predictions, weights, residuals, variances] = Array.from(
    { length: 4 },
    () => new Float64Array(order.length),
  )
  const steps = new Uint32Array(order.length)
  for (let index = 0; index < order.length; index++) {
    const prediction = given.predictions[order[index]]
    const weight = given.weights?.[order[index]] ?? 1
    const residual = weight * (given.labels[order[index]] - prediction)
    predictions[index] = prediction
    weights[index] = weight
    residuals[index] = residual
    variances[index] = weight ** 2 * prediction * (1 - prediction)
    if (index > 0) {
      const tied = walk === 'ties' && prediction === predictions[index - 1]
      steps[index] = steps[index - 1] + Number(!tied)
    }
  }
  const weighted = weights.some(weight => weight !== 1)
  return { predictions, weights, weighted, residuals, variances, steps }
}

/** Everyone first, however few; then by the number of columns, their order, and the order of levels. */
export function searchSegments(
  rows: WalkRows,
  columns: readonly LeveledColumn[],
  limits: SearchLimits,
): SegmentGroup[] {
  const groups: SegmentGroup[] = []
  const none = new Uint16Array(rows.weights.length)
  let room = limits.maxSegments
  for (const chosen of combinations(columns, limits.depth)) {
    if (room <= 0) break
    const walks = walkCells(rows, chosen, none)
    const minRows = chosen.length === 0 ? 1 : limits.minRows
    const cells: number[] = []
    for (let cell = 0; cell < walks.rowCounts.length && cells.length < room; cell++) {
      if (walks.rowCounts[cell] >= minRows) cells.push(cell)
    }
    room -= cells.length
    groups.push({ columns: chosen, cells, segments: cells.map(cell => describe(chosen, walks, cell)) })
  }
  return groups
}

function* combinations(columns: readonly LeveledColumn[], depth: number): Generator<LeveledColumn[]> {
  for (let size = 0; size <= Math.min(depth, columns.length); size++) yield* choose(columns, size)
}

function* choose(columns: readonly LeveledColumn[], size: number): Generator<LeveledColumn[]> {
  if (size === 0) yield []
  for (let first = 0; size > 0 && first <= columns.length - size; first++) {
    for (const others of choose(columns.slice(first + 1), size - 1)) yield [columns[first], ...others]
  }
}

function describe(chosen: readonly LeveledColumn[], walks: CellWalks, cell: number): Segment {
  const weight = walks.weights[cell]
  let rest = cell
  const where = chosen.toReversed().map(({ name, levels }) => {
    const level = levels[rest % levels.length]
    rest = Math.floor(rest / levels.length)
    return { column: name, level }
  })
  return {
    where: where.toReversed(),
    rowCount: walks.rowCounts[cell],
    weight,
    residualError: Math.sqrt(walks.residualSquares[cell]) / weight,
    ...withSigma(walks.ranges[cell] / weight, Math.sqrt(walks.variances[cell]) / weight),
  }
}
