// Cells of joint histograms, how splits of two features score in them, and the best that was found.

/** Sums over cells. `counts` holds total weight, `residuals` holds the sum of weight * (label - prediction). */
export interface CellSums {
  readonly counts: Float64Array
  readonly residuals: Float64Array
}

/**
 * How a leaf is scored from its cells, and how the two leaves of a split become one score:
 * squares   the sum of R^2/N over levels and leaves: what the best table gains
 * largest   the largest R^2/N: what the best single cell gains
 * absolute  the sum of |R|: the leaves' part of a calibration error
 */
export type ScoreKind = 'squares' | 'largest' | 'absolute'

/** Splits as running sums over bins. */
export interface Steps {
  readonly bins: Int32Array
  /** 1: the sum begins anew with this bin. */
  readonly resets: Uint8Array
  /** Which split a step stands for; -1: none. */
  readonly splitIndexes: Int32Array
}

/** As the kernels read them: the bin, whether the sum begins anew, and the number of the split, from 1; 0: none. */
export const stepWords = ({ bins, resets, splitIndexes }: Steps): number[] =>
  Array.from(bins, (bin, step) => bin | (resets[step] << 8) | ((splitIndexes[step] + 1) << 16))

export function readSteps(words: Int32Array): Steps {
  return {
    bins: words.map(word => word & 255),
    resets: Uint8Array.from(words, word => (word >>> 8) & 1),
    splitIndexes: words.map(word => (word >>> 16) - 1),
  }
}

/** The best score so far of each root split and side, and the child split (feature, index) that reaches it. */
export interface SideBests {
  readonly scores: Float64Array
  readonly features: Int32Array
  readonly splits: Int32Array
}

/** What moving one cell to its mean gains: R^2/N. */
export const cellGain = (count: number, residual: number, floor: number): number =>
  count > floor ? (residual * residual) / count : 0

export const joinScores = (kind: ScoreKind, a: number, b: number): number =>
  kind === 'largest' ? Math.max(a, b) : a + b

export const emptyCells = (size: number): CellSums => ({
  counts: new Float64Array(size),
  residuals: new Float64Array(size),
})

export function clearCells(cells: CellSums): void {
  cells.counts.fill(0)
  cells.residuals.fill(0)
}

/** Adds the cells at offset, as many as `into` has. */
export function addCells({ counts, residuals }: CellSums, from: CellSums, offset: number): void {
  for (let cell = 0; cell < counts.length; cell++) {
    counts[cell] += from.counts[offset + cell]
    residuals[cell] += from.residuals[offset + cell]
  }
}

export const sliceCells = ({ counts, residuals }: CellSums, offset: number, size: number): CellSums => ({
  counts: counts.subarray(offset, offset + size),
  residuals: residuals.subarray(offset, offset + size),
})

/** The histogram of a feature as that of the feature with itself: its bins on the diagonal, all else stays as it is. */
export function setDiagonal(joint: Float64Array, marginal: Float64Array, levels: number): void {
  const bins = marginal.length / levels
  for (let bin = 0; bin < bins; bin++) {
    joint.set(marginal.subarray(bin * levels, (bin + 1) * levels), (bin * bins + bin) * levels)
  }
}
