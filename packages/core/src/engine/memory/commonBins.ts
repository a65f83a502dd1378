// Bins that most rows share: zeros, "no", "none". A joint histogram need not count these rows: what the other cells leave of
// the other feature's own histogram is theirs. All sums are whole numbers, so that is exact.

import type { CellSums, Histogram } from '../engine.ts'

/** A fine bin that most rows of a feature are in. */
export interface CommonBin {
  readonly bin: number
  readonly share: number
}

/** One side of a pair whose common bin is not counted; the histogram of the other side fills its cells in. */
export interface SkippedSide {
  readonly side: 'a' | 'b'
  readonly bin: number
}

/** Passing over a row costs about a third of counting it, and filling in a cell about twice as much. */
const WORTH_SKIPPING = 0.6
const CELL_ROWS = 4

export function findCommonBin(column: Uint8Array): CommonBin | undefined {
  const counts = new Uint32Array(256)
  for (let row = 0; row < column.length; row++) counts[column[row]]++
  const most = counts.reduce((best, count, bin) => (count > counts[best] ? bin : best), 0)
  const share = column.length === 0 ? 0 : counts[most] / column.length
  return share >= WORTH_SKIPPING ? { bin: most, share } : undefined
}

/** The side with more to skip; undefined where counting every row is less work than filling in the cells. */
export function chooseSkipped(
  a: CommonBin | undefined,
  b: CommonBin | undefined,
  rows: number,
  cells: number,
): SkippedSide | undefined {
  const [shareA, shareB] = [a?.share ?? 0, b?.share ?? 0]
  if (Math.max(shareA, shareB) * rows <= CELL_ROWS * cells) return undefined
  return shareA > shareB ? { side: 'a', bin: a!.bin } : { side: 'b', bin: b!.bin }
}

export interface CountedPairs {
  readonly pairs: readonly (readonly [number, number])[]
  readonly offsets: readonly number[]
  readonly skips: readonly (SkippedSide | undefined)[]
  readonly levels: number
  readonly coarseCounts: readonly number[]
  readonly coarseOf: readonly Uint8Array[]
}

/** Adds to each pair the rows that were skipped; `countMargins` gives the histograms of the sides that were not. */
export function addSkippedRows(
  cells: CellSums,
  { coarseCounts, coarseOf, levels, offsets, pairs, skips }: CountedPairs,
  countMargins: (features: readonly number[]) => Histogram,
): void {
  const kept = (index: number) => (skips[index]!.side === 'a' ? pairs[index][1] : pairs[index][0])
  const open = pairs.flatMap((_, index) => (skips[index] === undefined ? [] : [index]))
  const features = [...new Set(open.map(kept))]
  if (features.length === 0) return
  const margins = countMargins(features)
  for (const index of open) {
    const [a, b] = pairs[index]
    const skipped = skips[index]!
    addSkipped(cells, margins, {
      skipped,
      binsA: coarseCounts[a],
      binsB: coarseCounts[b],
      levels,
      into: coarseOf[skipped.side === 'a' ? a : b][skipped.bin],
      offset: offsets[index],
      marginOffset: margins.offsets[features.indexOf(kept(index))],
    })
  }
}

/** Where the cells of a pair lie, and where those of the feature that was counted in full. */
export interface OpenPair {
  readonly skipped: SkippedSide
  readonly binsA: number
  readonly binsB: number
  readonly levels: number
  /** The coarse bin that the skipped rows belong to. */
  readonly into: number
  readonly offset: number
  readonly marginOffset: number
}

/** Adds the rows that were skipped: cells at [(binA * binsB + binB) * levels + level], margins at [bin * levels + level]. */
export function addSkipped(cells: CellSums, margins: CellSums, pair: OpenPair): void {
  const { binsA, binsB, into, levels, marginOffset, offset, skipped } = pair
  const [kept, others] = skipped.side === 'b' ? [binsA, binsB] : [binsB, binsA]
  const [keptStride, otherStride] = skipped.side === 'b' ? [binsB * levels, levels] : [levels, binsB * levels]
  for (let bin = 0; bin < kept; bin++) {
    for (let level = 0; level < levels; level++) {
      const margin = marginOffset + bin * levels + level
      let [count, residual] = [margins.counts[margin], margins.residuals[margin]]
      const first = offset + bin * keptStride + level
      for (let other = 0; other < others; other++) {
        count -= cells.counts[first + other * otherStride]
        residual -= cells.residuals[first + other * otherStride]
      }
      cells.counts[first + into * otherStride] += count
      cells.residuals[first + into * otherStride] += residual
    }
  }
}
