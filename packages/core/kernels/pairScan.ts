// The exhaustive search over pairs of features, on cells that were counted in this memory: rows that were passed over are filled
// in, levels are put together, and all splits of one feature are tried against all of another. kernels/pairs/quadrants.ts says
// what it means; engine/memory/pairSearch.ts lays everything out.

const LARGEST: u32 = 1
const ABSOLUTE: u32 = 2

/** A side: its number, bins, steps and how many; sums of yes sides, counts and residuals; bests: scores, features, splits. */
const SIDE_BYTES: usize = 36

/** A pair of sides, and its first cell. */
const PAIR_BYTES: usize = 12

/** First cell of a pair and of the margin; bins of the margin, and of the other side, their strides, and the bin to fill. */
const FILL_BYTES: usize = 28

// The pair, and where its cells and sums are.
let levels: u32
let rowCounts: usize
let rowResiduals: usize
let yesCounts: usize
let yesResiduals: usize
let totalCounts: usize
let totalResiduals: usize

// Scores of the quadrants: yes-yes and yes-no, no-yes and no-no.
let yes: v128
let no: v128

/** `totals`: counts of all levels, then residuals. `scratch`: twice the cells of one bin of A, and of one bin. */
export function pairScan(
  pairs: usize, pairCount: u32, sides: usize, levelCount: u32, kind: u32, counts: usize, residuals: usize, totals: usize,
  scratch: usize,
): void {
  levels = levelCount
  totalCounts = totals
  totalResiduals = totals + (<usize>levels << 3)
  for (let p: u32 = 0; p < pairCount; p++) {
    const entry = pairs + <usize>p * PAIR_BYTES
    const a = sides + <usize>load<u32>(entry) * SIDE_BYTES
    const b = sides + <usize>load<u32>(entry, 4) * SIDE_BYTES
    const first = <usize>load<u32>(entry, 8) << 3
    scanPair(a, b, kind, counts + first, residuals + first, scratch)
  }
}

function scanPair(a: usize, b: usize, kind: u32, counts: usize, residuals: usize, scratch: usize): void {
  const cells = load<u32>(b, 4) * levels
  const bytes = <usize>cells << 3
  rowCounts = scratch
  rowResiduals = rowCounts + bytes
  yesCounts = rowResiduals + bytes
  yesResiduals = yesCounts + (<usize>levels << 3)
  const stepsA = <usize>load<u32>(a, 12)
  const stepCountA = load<u32>(a, 8)
  const stepsB = <usize>load<u32>(b, 12)
  const endB = stepsB + (<usize>load<u32>(b, 8) << 2)
  clear(rowCounts, 2 * cells)
  for (let stepA: u32 = 0; stepA < stepCountA; stepA++) {
    const wordA = load<u32>(stepsA + (<usize>stepA << 2))
    if ((wordA & 256) != 0) clear(rowCounts, 2 * cells)
    const from = <usize>(wordA & 255) * bytes
    if (kind != ABSOLUTE) add(rowCounts, counts + from, cells)
    add(rowResiduals, residuals + from, cells)
    if (wordA < 65536) continue
    const splitA = (wordA >>> 16) - 1
    clear(yesCounts, 2 * levels)
    for (let at = stepsB; at < endB; at += 4) {
      const wordB = load<u32>(at)
      if ((wordB & 256) != 0) clear(yesCounts, 2 * levels)
      const bin = <usize>((wordB & 255) * levels) << 3
      if (wordB < 65536) {
        if (kind != ABSOLUTE) add(yesCounts, rowCounts + bin, levels)
        add(yesResiduals, rowResiduals + bin, levels)
        continue
      }
      const splitB = (wordB >>> 16) - 1
      if (kind == ABSOLUTE) scoreAbsolute(a, b, splitA, splitB, bin)
      else scoreSquares(a, b, splitA, splitB, bin, kind == LARGEST)
      const crossed = v128.shuffle<i64>(yes, no, 0, 2)
      const others = v128.shuffle<i64>(yes, no, 1, 3)
      improve(a, splitA << 1, join(yes, kind), b, splitB)
      improve(a, (splitA << 1) + 1, join(no, kind), b, splitB)
      improve(b, splitB << 1, join(crossed, kind), a, splitA)
      improve(b, (splitB << 1) + 1, join(others, kind), a, splitA)
    }
  }
}

@inline
function clear(at: usize, count: u32): void {
  const end = at + (<usize>count << 3)
  for (; at < end; at += 8) store<f64>(at, 0)
}

@inline
function add(into: usize, from: usize, count: u32): void {
  const even = count & ~1
  for (let i: u32 = 0; i < even; i += 2) {
    const o = <usize>i << 3
    v128.store(into + o, f64x2.add(v128.load(into + o), v128.load(from + o)))
  }
  if (even < count) {
    const o = <usize>even << 3
    store<f64>(into + o, load<f64>(into + o) + load<f64>(from + o))
  }
}

@inline
function join(scores: v128, kind: u32): f64 {
  const one = f64x2.extract_lane(scores, 0)
  const other = f64x2.extract_lane(scores, 1)
  return kind == LARGEST ? max(one, other) : one + other
}

/** The feature and split of the other side are kept with the score; the first best wins. */
@inline
function improve(side: usize, slot: u32, score: f64, other: usize, split: u32): void {
  const at = <usize>load<u32>(side, 24) + (<usize>slot << 3)
  if (score <= load<f64>(at)) return
  store<f64>(at, score)
  store<u32>(<usize>load<u32>(side, 28) + (<usize>slot << 2), load<u32>(other))
  store<u32>(<usize>load<u32>(side, 32) + (<usize>slot << 2), split)
}

@inline
function pairOf(one: f64, other: f64): v128 {
  return f64x2.replace_lane(f64x2.splat(one), 1, other)
}

/** What moving cells to their means gains; nothing where there is no row. */
@inline
function gains(counts: v128, residuals: v128): v128 {
  return v128.and(f64x2.div(f64x2.mul(residuals, residuals), counts), f64x2.gt(counts, f64x2.splat(0)))
}

@inline
function scoreSquares(a: usize, b: usize, splitA: u32, splitB: u32, bin: usize, largest: bool): void {
  const sideA = <usize>(splitA * levels) << 3
  const sideB = <usize>(splitB * levels) << 3
  const countsA = <usize>load<u32>(a, 16) + sideA
  const residualsA = <usize>load<u32>(a, 20) + sideA
  const countsB = <usize>load<u32>(b, 16) + sideB
  const residualsB = <usize>load<u32>(b, 20) + sideB
  yes = f64x2.splat(0)
  no = f64x2.splat(0)
  for (let level: u32 = 0; level < levels; level++) {
    const o = <usize>level << 3
    const count = load<f64>(yesCounts + o) + load<f64>(rowCounts + bin + o)
    const residual = load<f64>(yesResiduals + o) + load<f64>(rowResiduals + bin + o)
    store<f64>(yesCounts + o, count)
    store<f64>(yesResiduals + o, residual)
    const countA = load<f64>(countsA + o)
    const residualA = load<f64>(residualsA + o)
    const countNo = load<f64>(countsB + o) - count
    const residualNo = load<f64>(residualsB + o) - residual
    const gainYes = gains(pairOf(count, countA - count), pairOf(residual, residualA - residual))
    const gainNo = gains(
      pairOf(countNo, load<f64>(totalCounts + o) - countA - countNo),
      pairOf(residualNo, load<f64>(totalResiduals + o) - residualA - residualNo),
    )
    yes = largest ? f64x2.max(yes, gainYes) : f64x2.add(yes, gainYes)
    no = largest ? f64x2.max(no, gainNo) : f64x2.add(no, gainNo)
  }
}

@inline
function scoreAbsolute(a: usize, b: usize, splitA: u32, splitB: u32, bin: usize): void {
  const residualsA = <usize>load<u32>(a, 20) + (<usize>(splitA * levels) << 3)
  const residualsB = <usize>load<u32>(b, 20) + (<usize>(splitB * levels) << 3)
  yes = f64x2.splat(0)
  no = f64x2.splat(0)
  for (let level: u32 = 0; level < levels; level++) {
    const o = <usize>level << 3
    const residual = load<f64>(yesResiduals + o) + load<f64>(rowResiduals + bin + o)
    store<f64>(yesResiduals + o, residual)
    const residualA = load<f64>(residualsA + o)
    const residualNo = load<f64>(residualsB + o) - residual
    const rest = load<f64>(totalResiduals + o) - residualA - residualNo
    yes = f64x2.add(yes, f64x2.abs(pairOf(residual, residualA - residual)))
    no = f64x2.add(no, f64x2.abs(pairOf(residualNo, rest)))
  }
}

/** Adds to pairs the rows of a bin that was not counted: what is missing from the margins of the other side. */
export function pairFill(
  fills: usize, fillCount: u32, levelCount: u32, sums: usize, margins: usize,
): void {
  for (let f: u32 = 0; f < fillCount; f++) {
    const entry = fills + <usize>f * FILL_BYTES
    const first = sums + (<usize>load<u32>(entry) << 3)
    const margin = margins + (<usize>load<u32>(entry, 4) << 3)
    const kept = load<u32>(entry, 8)
    const others = load<u32>(entry, 12)
    const keptStride = <usize>load<u32>(entry, 16) << 3
    const otherStride = <usize>load<u32>(entry, 20) << 3
    const into = <usize>load<u32>(entry, 24) * otherStride
    for (let bin: u32 = 0; bin < kept; bin++) {
      for (let level: u32 = 0; level < levelCount; level++) {
        let missing = load<f64>(margin + (<usize>(bin * levelCount + level) << 3))
        const cell = first + <usize>bin * keptStride + (<usize>level << 3)
        for (let other: u32 = 0; other < others; other++) missing -= load<f64>(cell + <usize>other * otherStride)
        store<f64>(cell + into, load<f64>(cell + into) + missing)
      }
    }
  }
}

/** One cell for each run of levels, whose signs stand as doubles. Sums are of whole numbers, in any order. */
export function levelTotals(cells: u32, levelCount: u32, signs: usize, sums: usize, into: usize): void {
  const bytes = <usize>levelCount << 3
  const even = bytes & ~15
  let at = sums
  for (let cell: u32 = 0; cell < cells; cell++) {
    let pair = f64x2.splat(0)
    for (let o: usize = 0; o < even; o += 16) {
      pair = f64x2.add(pair, f64x2.mul(v128.load(signs + o), v128.load(at + o)))
    }
    let sum = f64x2.extract_lane(pair, 0) + f64x2.extract_lane(pair, 1)
    if (even < bytes) sum += load<f64>(signs + even) * load<f64>(at + even)
    store<f64>(into + (<usize>cell << 3), sum)
    at += bytes
  }
}
