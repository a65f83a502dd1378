// Sums carried from bins to splits. A depth-2 group is one of the four quadrants of two splits; from the sums of the
// yes sides of both, of each, and of everyone all four follow by addition and subtraction, exactly.

import type { FlatSteps } from '../scan.ts'

/** One feature's declared splits. */
export interface Axis {
  readonly feature: number
  readonly steps: FlatSteps
  /** Of every fine bin, the coarse one. */
  readonly coarse: Uint8Array
  /** Coarse bins, the missing bin included. */
  readonly bins: number
  /** Up to the last that has rows; the missing one often stays empty. */
  readonly used: number
}

export const splitCount = (axis: Axis): number => axis.steps.splits.length

/** The bins on the yes side of every split, a bit each. */
export function yesBins({ steps: { bins, resets, splitIndexes, splits } }: Axis): bigint[] {
  const sets = new Array<bigint>(splits.length).fill(0n)
  let running = 0n
  for (let step = 0; step < bins.length; step++) {
    running = (resets[step] === 1 ? 0n : running) | (1n << BigInt(bins[step]))
    if (splitIndexes[step] >= 0) sets[splitIndexes[step]] = running
  }
  return sets
}

/** Levels side by side; where there are several, a last column for all of them together. */
export const widthOf = (levels: number): number => (levels > 1 ? levels + 1 : 1)

/** From cells at [bin * levels + level] to the yes side of every split, at [split * width + level]. */
export function sumAxis(axis: Axis, cells: Float64Array, levels: number): Float64Array {
  const width = widthOf(levels)
  const sums = new Float64Array(splitCount(axis) * width)
  carry(sums, 0, axis, cells, levels, new Float64Array(levels))
  return sums
}

/** Everyone, at [level]. */
export function sumAll(cells: Float64Array, levels: number): Float64Array {
  const sums = new Float64Array(widthOf(levels))
  for (let cell = 0; cell < cells.length; cell++) sums[cell % levels] += cells[cell]
  if (levels > 1) for (let level = 0; level < levels; level++) sums[levels] += sums[level]
  return sums
}

/** From joint cells at [(binA * binsB + binB) * levels + level] to both yes sides, at [(splitA * splitsB + splitB) * width + level]. */
export function sumPair(a: Axis, b: Axis, joint: Float64Array, levels: number): Float64Array {
  const row = b.bins * levels
  const side = new Float64Array(row)
  return sumSides(a, b, levels, side, (bin, reset) => {
    if (reset) side.fill(0)
    for (let cell = 0, from = bin * row; cell < row; cell++) side[cell] += joint[from + cell]
  })
}

/** The same for two splits of one feature: its cells are the diagonal of the joint ones. */
export function sumDiagonal(a: Axis, cells: Float64Array, levels: number): Float64Array {
  const side = new Float64Array(a.bins * levels)
  return sumSides(a, a, levels, side, (bin, reset) => {
    if (reset) side.fill(0)
    const from = bin * levels
    for (let level = 0; level < levels; level++) side[from + level] = cells[from + level]
  })
}

/** `add` puts one more bin of A into `side`, whose cells are at [binB * levels + level]. */
function sumSides(
  a: Axis,
  b: Axis,
  levels: number,
  side: Float64Array,
  add: (bin: number, reset: boolean) => void,
): Float64Array {
  const rowSize = splitCount(b) * widthOf(levels)
  const sums = new Float64Array(splitCount(a) * rowSize)
  const running = new Float64Array(levels)
  const { bins, resets, splitIndexes } = a.steps
  for (let step = 0; step < bins.length; step++) {
    add(bins[step], resets[step] === 1)
    if (splitIndexes[step] >= 0) carry(sums, splitIndexes[step] * rowSize, b, side, levels, running)
  }
  return sums
}

/** Running sums over the steps of an axis, written wherever a step stands for a split. */
function carry(
  sums: Float64Array,
  offset: number,
  { steps: { bins, resets, splitIndexes } }: Axis,
  cells: Float64Array,
  levels: number,
  running: Float64Array,
): void {
  const width = widthOf(levels)
  running.fill(0)
  for (let step = 0; step < bins.length; step++) {
    if (resets[step] === 1) running.fill(0)
    const from = bins[step] * levels
    for (let level = 0; level < levels; level++) running[level] += cells[from + level]
    if (splitIndexes[step] < 0) continue
    const at = offset + splitIndexes[step] * width
    let all = 0
    for (let level = 0; level < levels; level++) {
      sums[at + level] = running[level]
      all += running[level]
    }
    if (levels > 1) sums[at + levels] = all
  }
}
