// The residual walks of all segments made of the same columns, in one pass over the rows in the order of their score.

import { FeatureBoostError } from '../../common/errors.ts'
import type { LeveledColumn } from './segments.ts'

/** Rows sorted by score, everything a walk needs. */
export interface WalkRows {
  readonly predictions: Float64Array
  readonly weights: Float64Array
  /** w (y - f). */
  readonly residuals: Float64Array
  /** Variance of each residual if predictions are right. */
  readonly variances: Float64Array
  /** Rows of one number are looked at together; ascending. */
  readonly steps: Uint32Array
  /** Every label is 0 or 1. */
  readonly binary: boolean
}

/** One entry a cell: a cell is one level of each column, the last column running fastest. */
export interface CellWalks {
  readonly rowCounts: Uint32Array
  readonly weights: Float64Array
  readonly variances: Float64Array
  readonly residualSquares: Float64Array
  /** Highest minus lowest point of the walk, in sums of w (y - f). */
  readonly ranges: Float64Array
}

/** The cell of each row. */
export interface Cells {
  readonly of: Uint32Array
  readonly count: number
}

const MOST_CELLS = 2 ** 24

export function cellsOfRows(columns: readonly LeveledColumn[], rowCount: number): Cells {
  const count = columns.reduce((product, { levels }) => product * levels.length, 1)
  if (count > MOST_CELLS) {
    throw new FeatureBoostError(
      'FB_CELL_BUDGET',
      `the levels of ${columns.length} columns make ${count} segments.`,
      {
        found: count,
        expected: `at most ${MOST_CELLS}`,
        hint: 'Use fewer levels or a smaller depth.',
      },
    )
  }
  const of = new Uint32Array(rowCount)
  for (const { levels, codes } of columns) {
    for (let row = 0; row < rowCount; row++) of[row] = of[row] * levels.length + codes[row]
  }
  return { of, count }
}

export function walkCells(rows: WalkRows, cells: Cells): CellWalks {
  const rowCounts = new Uint32Array(cells.count)
  const [weights, variances, residualSquares] = Array.from({ length: 3 }, () => new Float64Array(cells.count))
  for (let row = 0; row < cells.of.length; row++) {
    const cell = cells.of[row]
    rowCounts[cell]++
    weights[cell] += rows.weights[row]
    variances[cell] += rows.variances[row]
    residualSquares[cell] += rows.residuals[row] * rows.residuals[row]
  }
  return {
    rowCounts,
    weights,
    variances,
    residualSquares,
    ranges: walkRanges(rows.residuals, rows.steps, cells),
  }
}

/** A cell's walk is looked at when the cell meets a row of a later step, and at the end. */
export function walkRanges(residuals: Float64Array, steps: Uint32Array, { of, count }: Cells): Float64Array {
  const [sums, highs, lows] = Array.from({ length: 3 }, () => new Float64Array(count))
  const last = new Uint32Array(count)
  for (let row = 0; row < of.length; row++) {
    const cell = of[row]
    if (last[cell] !== steps[row]) {
      last[cell] = steps[row]
      const sum = sums[cell]
      if (sum > highs[cell]) highs[cell] = sum
      else if (sum < lows[cell]) lows[cell] = sum
    }
    sums[cell] += residuals[row]
  }
  return highs.map((high, cell) => Math.max(high, sums[cell]) - Math.min(lows[cell], sums[cell]))
}
