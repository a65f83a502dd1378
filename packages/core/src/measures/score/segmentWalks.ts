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
  /** Variance of each residual if predictions are right, or, for labels between 0 and 1, the most it can be. */
  readonly variances: Float64Array
  /** Rows of one number are looked at together; ascending. */
  readonly steps: Uint32Array
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

const MAX_CELLS = 2 ** 24

export function cellsOfRows(columns: readonly LeveledColumn[], rowCount: number): Cells {
  const count = countCells(columns)
  const of = new Uint32Array(rowCount)
  for (const [index, { codes, levels }] of columns.entries()) {
    if (index === 0) of.set(codes)
    else addDigit(of, codes, levels.length)
  }
  return { of, count }
}

function countCells(columns: readonly LeveledColumn[]): number {
  const count = columns.reduce((product, { levels }) => product * levels.length, 1)
  if (count > MAX_CELLS) {
    throw new FeatureBoostError(
      'FB_CELL_BUDGET',
      `the levels of ${columns.length} columns make ${count} segments.`,
      {
        found: count,
        expected: `at most ${MAX_CELLS}`,
        hint: 'Use fewer levels or a smaller depth.',
      },
    )
  }
  return count
}

function addDigit(cells: Uint32Array, codes: Uint16Array, base: number): void {
  for (let row = 0; row < cells.length; row++) cells[row] = cells[row] * base + codes[row]
}

// What a cell sums up to, and where its walk stands, side by side: a row touches one place of the memory. Counts and
// steps are whole numbers, which doubles hold exactly.
const COUNT = 0
const VARIANCE = 1
const SQUARE = 2
const SUM = 3
const HIGH = 4
const LOW = 5
const STEP = 6
const WEIGHT = 7
const STRIDE = 8

/** Sums and walks of every cell, in one pass. `none`: a zero for every row. */
export function walkCells(rows: WalkRows, columns: readonly LeveledColumn[], none: Uint16Array): CellWalks {
  const count = countCells(columns)
  const head = columns.slice(0, -1)
  const last = columns[columns.length - 1]
  const cellsOfHead =
    head.length === 0 ? none : head.length === 1 ? head[0].codes : cellsOfRows(head, none.length).of
  const sums = new Float64Array(STRIDE * count)
  sumWalks(sums, rows, cellsOfHead, last?.codes ?? none, last?.levels.length ?? 1)
  const column = (offset: number) =>
    Float64Array.from({ length: count }, (_, cell) => sums[cell * STRIDE + offset])
  return {
    rowCounts: Uint32Array.from(column(COUNT)),
    weights: column(rows.weighted ? WEIGHT : COUNT),
    variances: column(VARIANCE),
    residualSquares: column(SQUARE),
    ranges: Float64Array.from({ length: count }, (_, cell) => {
      const [sum, high, low] = [SUM, HIGH, LOW].map(offset => sums[cell * STRIDE + offset])
      return Math.max(high, sum) - Math.min(low, sum)
    }),
  }
}

/** The cell of a row is head * base + code. */
function sumWalks(
  sums: Float64Array,
  { residuals, steps, variances, weighted, weights }: WalkRows,
  head: Uint16Array | Uint32Array,
  codes: Uint16Array,
  base: number,
): void {
  for (let row = 0; row < codes.length; row++) {
    const at = (head[row] * base + codes[row]) * STRIDE
    const residual = residuals[row]
    const step = steps[row]
    const sum = sums[at + SUM]
    if (sums[at + STEP] !== step) {
      sums[at + STEP] = step
      if (sum > sums[at + HIGH]) sums[at + HIGH] = sum
      else if (sum < sums[at + LOW]) sums[at + LOW] = sum
    }
    sums[at + COUNT]++
    sums[at + VARIANCE] += variances[row]
    sums[at + SQUARE] += residual * residual
    sums[at + SUM] = sum + residual
    if (weighted) sums[at + WEIGHT] += weights[row]
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
