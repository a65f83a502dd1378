// Bins that most rows share: zeros, "no", "none". A joint histogram need not count these rows: what the other cells leave of
// the other feature's own histogram is theirs. All sums are whole numbers, so that is exact.

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

interface CountedPairs {
  readonly pairs: readonly (readonly [number, number])[]
  readonly offsets: readonly number[]
  readonly skips: readonly (SkippedSide | undefined)[]
  readonly levels: number
  readonly coarseCounts: readonly number[]
  readonly coarseOf: readonly Uint8Array[]
}

/** Features whose histograms tell what was skipped: the sides that were counted in full. */
export const keptSides = ({ pairs, skips }: Pick<CountedPairs, 'pairs' | 'skips'>): number[] => [
  ...new Set(
    pairs.flatMap(([a, b], index) => (skips[index] === undefined ? [] : [keptSide(a, b, skips[index])])),
  ),
]

const keptSide = (a: number, b: number, { side }: SkippedSide): number => (side === 'a' ? b : a)

/** What `pairFill` has to know of each pair that lacks rows; `marginOffsets`: the first cell of a feature's histogram. */
export function skippedCells(
  { coarseCounts, coarseOf, levels, offsets, pairs, skips }: CountedPairs,
  marginOffsets: ReadonlyMap<number, number>,
): number[][] {
  return pairs.flatMap(([a, b], index) => {
    const skipped = skips[index]
    if (skipped === undefined) return []
    const strides = [coarseCounts[b] * levels, levels]
    const kept = keptSide(a, b, skipped)
    const other = kept === a ? b : a
    return [
      [
        offsets[index],
        marginOffsets.get(kept)!,
        coarseCounts[kept],
        coarseCounts[other],
        ...(kept === a ? strides : strides.reverse()),
        coarseOf[other][skipped.bin],
      ],
    ]
  })
}
