// One draw of the noise: the largest R^2 / V of all quadrants of all pairs, counted and scanned pair by pair, so that cells never
// leave the cache; columns of few bins are counted together (joinedCells.ts). Rows lie in the order of their levels, and what no test
// needs is not looked at: kernels/pairs/largest.ts says what it means, audit/worst/drawScanner.ts lays everything out.

import { add, clear, countCells, countTables, even, foldCells, foldLine, foldLines, tableCells } from './joinedCells'

/**
 * Column of bins, how many bins; how many steps, and the steps; splits, padded; sums of their yes sides: residuals, variances; in
 * the joined column, what one bin counts, and how many bins have rows.
 */
const AXIS_BYTES: usize = 36

/** Two axes; the levels that have tests, how many and which; quadrants with tests per split of A; variances of both yes sides. */
const PAIR_BYTES: usize = 24

/** Pairs, how many; the joined columns that their axes are members of, each with its bins: no bins where rows are counted pair by pair. */
const BLOCK_BYTES: usize = 20

let axisA: usize
let axisB: usize
let binsA: u32
let binsB: u32

// The block, with its tables, and the same by the digits of one axis.
let block: usize
let joined: usize
let halves: usize
let halvesOf: usize

// What a test has to reach: the largest so far, and a little less, so that rounding leaves no larger one out.
let largest: f64
let nearly: f64
let least: f64

/** 1 - 2^-50: products that decide what is divided are off by less. */
const NEARLY: f64 = 0.9999999999999991

/**
 * `blocks`: pairs one after the other. `starts`: the first row of each level, and the end. `values`: weighted residuals, doubles, which
 * are overwritten. `alls`: sums of everyone at every level, then of all levels where there are several; residuals, then variances.
 * `scratch`: room for the cells of the largest pair, three times, and one line. `tables`: room for those of the largest block, twice.
 */
export function largestQuadrant(
  pairs: usize, pairCount: u32, blocks: usize, axes: usize, levels: u32, starts: usize, values: usize, alls: usize,
  leastVariance: f64, best: f64, enough: f64, scratch: usize, tables: usize,
): f64 {
  const rows = load<u32>(starts + (<usize>levels << 2))
  // Whole numbers add up in one cycle, doubles in four.
  for (let at = values, end = values + (<usize>rows << 3); at < end; at += 8) store<i64>(at, <i64>load<f64>(at))
  largest = best
  nearly = best * NEARLY
  least = leastVariance
  block = blocks
  joined = tables
  let left: u32 = 0
  for (let p: u32 = 0; p < pairCount; p++, left--) {
    if (left == 0) {
      if (p > 0) block += BLOCK_BYTES
      left = load<u32>(block)
      openBlock(levels, starts, values)
    }
    scanLevels(pairs + <usize>p * PAIR_BYTES, axes, levels, starts, values, alls, scratch)
    if (largest >= enough) break
  }
  return largest
}

@inline
function isJoined(): bool {
  return load<u32>(block, 8) > 0
}

function openBlock(levels: u32, starts: usize, values: usize): void {
  halvesOf = 0
  if (!isJoined()) return
  const columnA = <usize>load<u32>(block, 4)
  const sizeA = load<u32>(block, 8)
  const columnB = <usize>load<u32>(block, 12)
  const sizeB = load<u32>(block, 16)
  countTables(columnA, sizeA, columnB, sizeB, levels, starts, values, joined)
  halves = joined + (<usize>(widthOf(levels) * tableCells(sizeA, columnB, sizeB)) << 3)
}

@inline
function widthOf(levels: u32): u32 {
  return levels > 1 ? levels + 1 : 1
}

/** The cells of the two axes, of one table of the block. */
function fold(cells: usize, table: u32, levels: u32): void {
  const sizeA = load<u32>(block, 8)
  const columnB = <usize>load<u32>(block, 12)
  const sizeB = load<u32>(block, 16)
  const stepA = load<u32>(axisA, 28)
  const usedA = load<u32>(axisA, 32)
  const stepB = load<u32>(axisB, 28)
  const usedB = load<u32>(axisB, 32)
  clear(cells, binsA * binsB)
  if (columnB == 0) {
    foldLine(joined + (<usize>(table * even(sizeA)) << 3), sizeA, stepA, usedA, stepB, usedB, cells, binsB)
    return
  }
  const line = even(sizeB)
  const isAlone = usedA == sizeA
  if (!isAlone && halvesOf != axisA) {
    foldLines(joined, widthOf(levels), sizeA, line, stepA, usedA, halves)
    halvesOf = axisA
  }
  const half = (isAlone ? joined : halves) + (<usize>(table * usedA * line) << 3)
  foldCells(half, usedA, sizeB, line, stepB, usedB, cells, binsB)
}

function scanLevels(
  pair: usize, axes: usize, levels: u32, starts: usize, values: usize, alls: usize, scratch: usize,
): void {
  axisA = axes + <usize>load<u32>(pair) * AXIS_BYTES
  axisB = axes + <usize>load<u32>(pair, 4) * AXIS_BYTES
  binsA = load<u32>(axisA, 4)
  binsB = load<u32>(axisB, 4)
  const cells = binsA * binsB
  const bytesOfCells = <usize>even(cells) << 3
  const whole = scratch
  const level = whole + bytesOfCells
  const carried = level + bytesOfCells
  let next = <usize>load<u32>(pair, 12)
  const end = next + (<usize>load<u32>(pair, 8) << 2)
  if (next == end) return
  let lines = <usize>load<u32>(pair, 16)
  let variances = <usize>load<u32>(pair, 20)
  const strideA = load<u32>(axisA, 16)
  const bytes = (<usize>strideA * <usize>load<u32>(axisB, 16)) << 3
  const together: u32 = levels > 1 ? levels : 0
  const folded = isJoined()
  if (!folded) clear(whole, cells)
  for (let l: u32 = 0; l < levels; l++) {
    const from = load<u32>(starts + (<usize>l << 2))
    const to = load<u32>(starts + (<usize>l << 2), 4)
    if (l == together || next == end || load<u32>(next) != l) {
      if (!folded) count(whole, values, from, to)
      continue
    }
    if (folded) fold(level, l, levels)
    else {
      clear(level, cells)
      count(level, values, from, to)
      add(whole, level, cells)
    }
    scan(level, carried, l, levels, alls, lines, variances)
    next += 4
    lines += <usize>strideA << 2
    variances += bytes
  }
  if (next == end) return
  if (folded) fold(whole, together, levels)
  scan(whole, carried, together, levels, alls, lines, variances)
}

@inline
function count(cells: usize, values: usize, from: u32, to: u32): void {
  countCells(cells, <usize>load<u32>(axisA), <usize>load<u32>(axisB), binsB, values, from, to)
}

/** From cells to the yes sides of B's splits, bin by bin of A; then over the splits of A. */
function scan(cells: usize, carried: usize, column: u32, levels: u32, alls: usize, lines: usize, variances: usize): void {
  const stride = load<u32>(axisB, 16)
  const line = <usize>stride << 3
  for (let bin: u32 = 0; bin < binsA; bin++) carry(cells + (<usize>(bin * binsB) << 3), carried + <usize>bin * line, line)
  const side = carried + <usize>binsA * line
  const marginsB = <usize>(column * stride) << 3
  const residualsB = <usize>load<u32>(axisB, 20) + marginsB
  const variancesB = <usize>load<u32>(axisB, 24) + marginsB
  const strideA = load<u32>(axisA, 16)
  const residualsA = <usize>load<u32>(axisA, 20) + (<usize>(column * strideA) << 3)
  const variancesA = <usize>load<u32>(axisA, 24) + (<usize>(column * strideA) << 3)
  const width = levels > 1 ? levels + 1 : 1
  const residualAll = load<f64>(alls + (<usize>column << 3))
  const varianceAll = load<f64>(alls + (<usize>(width + column) << 3))
  const steps = <usize>load<u32>(axisA, 12)
  const end = steps + (<usize>load<u32>(axisA, 8) << 2)
  for (let o: usize = 0; o < line; o += 16) v128.store(side + o, f64x2.splat(0))
  for (let step = steps; step < end; step += 4) {
    const word = load<u32>(step)
    const from = carried + <usize>(word & 255) * line
    if ((word & 256) != 0) for (let o: usize = 0; o < line; o += 16) v128.store(side + o, v128.load(from + o))
    else for (let o: usize = 0; o < line; o += 16) v128.store(side + o, f64x2.add(v128.load(side + o), v128.load(from + o)))
    if (word < 65536) continue
    const split = <usize>((word >>> 16) - 1)
    const residualA = load<f64>(residualsA + (split << 3))
    const varianceA = load<f64>(variancesA + (split << 3))
    const own = variances + split * line
    const quadrants = load<u32>(lines + (split << 2))
    compare(quadrants, side, own, residualsB, variancesB, line, residualA, varianceA, residualAll - residualA, varianceAll - varianceA)
  }
}

/** Where splits are padded, the padding has no residual. */
@inline
function carry(cells: usize, into: usize, line: usize): void {
  store<f64>(into + line - 8, 0)
  const steps = <usize>load<u32>(axisB, 12)
  const end = steps + (<usize>load<u32>(axisB, 8) << 2)
  let sum: i64 = 0
  for (let step = steps; step < end; step += 4) {
    const word = load<u32>(step)
    const cell = load<i64>(cells + (<usize>(word & 255) << 3))
    sum = (word & 256) != 0 ? cell : sum + cell
    if (word >= 65536) store<f64>(into + (<usize>((word >>> 16) - 1) << 3), <f64>sum)
  }
}

/**
 * One split of A against all splits of B, two at a time; "rest" is the no side of A. `quadrants`: a bit for each that has tests; what
 * reaches the largest is looked at again, one by one.
 */
@inline
function compare(
  quadrants: u32, residuals: usize, variances: usize, residualsB: usize, variancesB: usize, line: usize,
  residualA: f64, varianceA: f64, residualRest: f64, varianceRest: f64,
): void {
  const floor = f64x2.splat(least)
  if ((quadrants & 1) != 0) {
    const bar = f64x2.splat(nearly)
    let hit = i64x2.splat(0)
    for (let o: usize = 0; o < line; o += 16)
      hit = v128.or(hit, reaches(v128.load(residuals + o), v128.load(variances + o), bar, floor))
    if (v128.any_true(hit))
      for (let o: usize = 0; o < line; o += 8) improve(load<f64>(residuals + o), load<f64>(variances + o))
  }
  if ((quadrants & 2) != 0) {
    const r = f64x2.splat(residualA)
    const v = f64x2.splat(varianceA)
    const bar = f64x2.splat(nearly)
    let hit = i64x2.splat(0)
    for (let o: usize = 0; o < line; o += 16)
      hit = v128.or(hit, reaches(f64x2.sub(r, v128.load(residuals + o)), f64x2.sub(v, v128.load(variances + o)), bar, floor))
    if (v128.any_true(hit))
      for (let o: usize = 0; o < line; o += 8)
        improve(residualA - load<f64>(residuals + o), varianceA - load<f64>(variances + o))
  }
  if ((quadrants & 4) != 0) {
    const bar = f64x2.splat(nearly)
    let hit = i64x2.splat(0)
    for (let o: usize = 0; o < line; o += 16) {
      const r = f64x2.sub(v128.load(residualsB + o), v128.load(residuals + o))
      hit = v128.or(hit, reaches(r, f64x2.sub(v128.load(variancesB + o), v128.load(variances + o)), bar, floor))
    }
    if (v128.any_true(hit))
      for (let o: usize = 0; o < line; o += 8)
        improve(load<f64>(residualsB + o) - load<f64>(residuals + o), load<f64>(variancesB + o) - load<f64>(variances + o))
  }
  if ((quadrants & 8) != 0) {
    const rest = f64x2.splat(residualRest)
    const spread = f64x2.splat(varianceRest)
    const bar = f64x2.splat(nearly)
    let hit = i64x2.splat(0)
    for (let o: usize = 0; o < line; o += 16) {
      const r = f64x2.sub(rest, f64x2.sub(v128.load(residualsB + o), v128.load(residuals + o)))
      const v = f64x2.sub(spread, f64x2.sub(v128.load(variancesB + o), v128.load(variances + o)))
      hit = v128.or(hit, reaches(r, v, bar, floor))
    }
    if (v128.any_true(hit))
      for (let o: usize = 0; o < line; o += 8)
        improve(
          residualRest - (load<f64>(residualsB + o) - load<f64>(residuals + o)),
          varianceRest - (load<f64>(variancesB + o) - load<f64>(variances + o)),
        )
  }
}

@inline
function reaches(r: v128, v: v128, bar: v128, floor: v128): v128 {
  return v128.and(f64x2.gt(f64x2.mul(r, r), f64x2.mul(bar, v)), f64x2.ge(v, floor))
}

function improve(r: f64, v: f64): void {
  if (v < least) return
  const square = (r * r) / v
  if (square <= largest) return
  largest = square
  nearly = square * NEARLY
}
