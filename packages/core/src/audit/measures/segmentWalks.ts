// The residual walks of all segments made of the same columns, in one pass over the rows in the order of their score.

import { FeatureBoostError } from '../../common/errors.ts'
import type { LeveledColumn } from './segments.ts'

/** Rows sorted by score, everything a walk needs. */
export interface WalkRows {
  readonly predictions: Float64Array
  readonly weights: Float64Array
  /** Does any row weigh other than 1? */
  readonly weighted: boolean
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

/** `into`: an array to fill, of that many rows; a new one where there is none. */
export function cellsOfRows(
  columns: readonly LeveledColumn[],
  rowCount: number,
  into = new Uint32Array(rowCount),
): Cells {
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
  into.fill(0)
  for (const [index, { codes, levels }] of columns.entries()) {
    if (index === 0) into.set(codes)
    else addDigit(into, codes, levels.length)
  }
  return { of: into, count }
}

function addDigit(cells: Uint32Array, codes: Uint16Array, base: number): void {
  for (let row = 0; row < cells.length; row++) cells[row] = cells[row] * base + codes[row]
}

/** What a cell sums up to, and where its walk stands, side by side: a row touches one place of the memory. */
const WEIGHT = 0
const VARIANCE = 1
const SQUARE = 2
const SUM = 3
const HIGH = 4
const LOW = 5
const STRIDE = 8

/** Sums and walks in one pass. */
export function walkCells(rows: WalkRows, { count, of }: Cells): CellWalks {
  const { residuals, steps, variances, weighted, weights } = rows
  const sums = new Float64Array(STRIDE * count)
  const [rowCounts, last] = [new Uint32Array(count), new Uint32Array(count)]
  for (let row = 0; row < of.length; row++) {
    const cell = of[row]
    const at = cell * STRIDE
    const residual = residuals[row]
    const sum = sums[at + SUM]
    if (last[cell] !== steps[row]) {
      last[cell] = steps[row]
      if (sum > sums[at + HIGH]) sums[at + HIGH] = sum
      else if (sum < sums[at + LOW]) sums[at + LOW] = sum
    }
    rowCounts[cell]++
    if (weighted) sums[at + WEIGHT] += weights[row]
    sums[at + VARIANCE] += variances[row]
    sums[at + SQUARE] += residual * residual
    sums[at + SUM] = sum + residual
  }
  const column = (offset: number) => Float64Array.from(rowCounts, (_, cell) => sums[cell * STRIDE + offset])
  return {
    rowCounts,
    weights: weighted ? column(WEIGHT) : Float64Array.from(rowCounts),
    variances: column(VARIANCE),
    residualSquares: column(SQUARE),
    ranges: Float64Array.from(rowCounts, (_, cell) => {
      const [sum, high, low] = [SUM, HIGH, LOW].map(offset => sums[cell * STRIDE + offset])
      return Math.max(high, sum) - Math.min(low, sum)
    }),
  }
}

/** The walks alone. A cell's walk is looked at when the cell meets a row of a later step, and at the end. */
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
