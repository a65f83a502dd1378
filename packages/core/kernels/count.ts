// What is counted: histograms of features and of pairs, and sums of levels.

import { listRows, PART_ROWS, partNode, placeFirstLeaf } from './part'
import { leafOf, levelAmong, levelOf, NODE_BYTES, ONE, UNIT_BITS } from './tree'

/** Rows are handled in blocks: large enough to reuse a table of cells, small enough to stay in the cache. */
const BLOCK: u32 = 262144

// A packed row: one in the count (bit 44 and up), its key (leaf * levels + level) in bits 26 to 43, residual + 2^24 below.
// A packed cell is a sum of packed rows without their keys: the count in the upper 20 bits, the residuals in the lower
// 44. A residual lies within -2^24 to 2^24, so 2^19 - 1 rows fit before the cells must be flushed.
const COUNT_SHIFT: u64 = 44
const KEY_SHIFT: u64 = 26
const KEY_MASK: u64 = (1 << 18) - 1
const SUM_MASK: u64 = (1 << 44) - 1
const ROW_MASK: u64 = (1 << 44) | ((1 << 26) - 1)
const FLUSH_ROWS: u32 = (1 << 19) - 1

/**
 * A pair of features: column A, column B, coarse map A, coarse map B, coarse bins of A and B in two halves, first cell, and
 * what is not counted: 0, or 1 and a bin of B, or 257 and a bin of A.
 */
const PAIR_BYTES: usize = 28

/** A weighted row of a block: weight, weighted residual, key, place in the block. */
const WEIGHTED_BYTES: usize = 24

/** Without weights the places of a block's rows stand behind its packed words. */
const PLACES: usize = <usize>BLOCK << 3

/** Behind all that is kept of a block there is room for rows to be parted in. */
const LIST: usize = PLACES + (<usize>BLOCK << 2)
const WEIGHTED_LIST: usize = <usize>BLOCK * WEIGHTED_BYTES

/**
 * What the counting kernels need of each row of a block, once: its packed word, or, with weights, its weight, weighted
 * residual and key. Rows of leaves from number `leaves` on are left out and the others close up, each with its place in
 * the block; says how many they are.
 */
@inline
function prepareBlock(
  from: u32, to: u32, base: usize, label: usize, prediction: usize, weight: usize,
  levels: u32, levelCuts: usize, levelValues: usize, levelSigns: usize, tree: usize, leaves: u32, values: usize,
): u32 {
  const single = load<i32>(tree) == ~0 && leaves > 0
  if (single && levelSigns == 0 && levelCuts == 0) {
    return prepareRows(from, to, base, label, prediction, weight, levels, 0, levelValues, 0, tree, leaves, values, true)
  }
  if (!single && leaves == 1) {
    return prepareLeaf(from, to, base, label, prediction, weight, levels, levelCuts, levelValues, levelSigns, tree, values)
  }
  return single
    ? prepareRows(from, to, base, label, prediction, weight, levels, levelCuts, levelValues, levelSigns, tree, leaves, values, true)
    : prepareRows(from, to, base, label, prediction, weight, levels, levelCuts, levelValues, levelSigns, tree, leaves, values, false)
}

/**
 * `single` is a constant where this is inlined: without a tree there is no walk, and no row is left out. Else, whether a row
 * stays cannot be predicted, so every row is written, and the next one may overwrite it.
 */
@inline
function prepareRows(
  from: u32, to: u32, base: usize, label: usize, prediction: usize, weight: usize,
  levels: u32, levelCuts: usize, levelValues: usize, levelSigns: usize, tree: usize, leaves: u32, values: usize, single: bool,
): u32 {
  let kept: u32 = 0
  for (let row = from; row < to; row++) {
    const current = load<i32>(prediction + (<usize>row << 2))
    const leaf: u32 = single ? 0 : <u32>leafOf(tree, base, row, current)
    prepareRow(row, kept, label, current, weight, levels, levelCuts, levelValues, levelSigns, leaf, values)
    if (!single) storePlace(row - from, kept, weight, values)
    kept += single ? 1 : <u32>(leaf < leaves)
  }
  return kept
}

/** Leaf 0 alone, mostly of few rows: these are sought out first, and the others cost next to nothing. */
@inline
function prepareLeaf(
  from: u32, to: u32, base: usize, label: usize, prediction: usize, weight: usize,
  levels: u32, levelCuts: usize, levelValues: usize, levelSigns: usize, tree: usize, values: usize,
): u32 {
  const list = values + (weight == 0 ? LIST : WEIGHTED_LIST)
  const stride = weight == 0 ? 4 : WEIGHTED_BYTES
  const places = values + (weight == 0 ? PLACES : 20)
  let kept: u32 = 0
  for (let start = from; start < to; start += PART_ROWS) {
    const end = min(start + PART_ROWS, to)
    kept += placeFirstLeaf(tree, from, start, end, list, base, prediction, places + <usize>kept * stride, stride)
  }
  for (let i: u32 = 0; i < kept; i++) {
    const row = from + load<u32>(places + <usize>i * stride)
    const current = load<i32>(prediction + (<usize>row << 2))
    prepareRow(row, i, label, current, weight, levels, levelCuts, levelValues, levelSigns, 0, values)
  }
  return kept
}

/**
 * `levelCuts` is 0 for levels of equal width, or where one cut less than levels stands, ascending. `levelSigns` is 0, or the
 * number of levels that have a sign and then these: residuals count with the sign of their level.
 */
@inline
function prepareRow(
  row: u32, kept: u32, label: usize, current: i32, weight: usize,
  levels: u32, levelCuts: usize, levelValues: usize, levelSigns: usize, leaf: u32, values: usize,
): void {
  const at = <usize>row << 2
  const level = levelCuts == 0 ? levelOf(<u32>current, levels) : levelAmong(current, levelCuts, levels)
  const looked = levelSigns == 0 ? level : levelOf(<u32>current, load<u32>(levelSigns))
  const predicted = levelValues == 0 ? current : load<i32>(levelValues + (<usize>looked << 2))
  const sign = levelSigns == 0 ? 1 : load<i32>(levelSigns + (<usize>looked << 2), 4)
  const residual = sign * (load<i32>(label + at) - predicted)
  const key = leaf * levels + level
  if (weight == 0) {
    const packed = (<u64>1 << COUNT_SHIFT) | (<u64>key << KEY_SHIFT) | <u64>(residual + ONE)
    store<u64>(values + (<usize>kept << 3), packed)
  } else {
    const counted = load<i32>(weight + at)
    const entry = values + <usize>kept * WEIGHTED_BYTES
    store<f64>(entry, <f64>counted)
    store<f64>(entry, <f64>counted * <f64>residual, 8)
    store<u32>(entry, key, 16)
  }
}

@inline
function storePlace(place: u32, kept: u32, weight: usize, values: usize): void {
  if (weight == 0) store<u32>(values + PLACES + (<usize>kept << 2), place)
  else store<u32>(values + <usize>kept * WEIGHTED_BYTES, place, 20)
}

/**
 * Moves packed cells of one table into exact doubles and empties them. Packed cells lie at [key * bins + bin], the
 * answer at [(leaf * bins + bin) * levels + level]: levels of one bin side by side, as the learner scans them.
 */
@inline
function flushTable(packed: usize, counts: usize, residuals: usize, keys: u32, bins: u32, levels: u32): void {
  for (let key: u32 = 0; key < keys; key++) {
    const leaf = key / levels
    const level = key - leaf * levels
    for (let bin: u32 = 0; bin < bins; bin++) {
      const to = <usize>((leaf * bins + bin) * levels + level) << 3
      flushCell(packed + (<usize>(key * bins + bin) << 3), counts, residuals, to)
    }
  }
}

/** The same for cells that lie as the answer does. */
@inline
function flush(packed: usize, counts: usize, residuals: usize, cells: u32): void {
  for (let cell: u32 = 0; cell < cells; cell++) flushCell(packed + (<usize>cell << 3), counts, residuals, <usize>cell << 3)
}

@inline
function flushCell(from: usize, counts: usize, residuals: usize, to: usize): void {
  const value = load<u64>(from)
  if (value == 0) return
  const count = value >> COUNT_SHIFT
  const sum = <i64>(value & SUM_MASK) - (<i64>count << <i64>UNIT_BITS)
  store<f64>(counts + to, load<f64>(counts + to) + <f64>count)
  store<f64>(residuals + to, load<f64>(residuals + to) + <f64>sum)
  store<u64>(from, 0)
}

@inline
function addWeighted(counts: usize, residuals: usize, cell: usize, value: usize): void {
  const at = cell << 3
  store<f64>(counts + at, load<f64>(counts + at) + load<f64>(value))
  store<f64>(residuals + at, load<f64>(residuals + at) + load<f64>(value, 8))
}

/**
 * One histogram per feature and leaf below number `leaves`; rows of other leaves are skipped. `features` holds 16 bytes
 * each: column pointer, bins, first cell, pointer to a coarse map of 256 bytes (0: fine bins count as they are).
 */
export function histogram(
  from: u32, to: u32, base: usize, label: usize, prediction: usize, weight: usize,
  levels: u32, levelCuts: usize, levelValues: usize, levelSigns: usize, tree: usize, leaves: u32,
  features: usize, featureCount: u32, values: usize, packed: usize, counts: usize, residuals: usize,
): void {
  let pending: u32 = 0
  for (let start = from; start < to; start += BLOCK) {
    const end = min(start + BLOCK, to)
    const rows = prepareBlock(start, end, base, label, prediction, weight, levels, levelCuts, levelValues, levelSigns, tree, leaves, values)
    // Rows of one leaf are only in order where it stands in the tree once.
    const all = rows == end - start && (leaves != 1 || load<i32>(tree) < 0)
    pending += rows
    const full = pending + BLOCK > FLUSH_ROWS || end == to
    if (full) pending = 0
    for (let f: u32 = 0; f < featureCount; f++) {
      const entry = features + (<usize>f << 4)
      const column = base + <usize>load<u32>(entry) + <usize>start
      const bins = load<u32>(entry, 4)
      const first = <usize>load<u32>(entry, 8) << 3
      const coarse = <usize>load<u32>(entry, 12)
      if (weight == 0) {
        if (!all) countSome(column, bins, coarse, values, packed + first, rows)
        else if (coarse == 0) countFine(column, bins, values, packed + first, rows)
        else countCoarse(column, bins, coarse, values, packed + first, rows)
        if (full) flushTable(packed + first, counts + first, residuals + first, leaves * levels, bins, levels)
      } else if (all) countWeighted(column, bins, levels, coarse, values, counts + first, residuals + first, rows)
      else countSomeWeighted(column, bins, levels, coarse, values, counts + first, residuals + first, rows)
    }
  }
}

@inline
function addPacked(packed: usize, bins: u32, bin: u32, value: u64): void {
  const key = <u32>((value >> KEY_SHIFT) & KEY_MASK)
  const at = packed + (<usize>(key * bins + bin) << 3)
  store<u64>(at, load<u64>(at) + (value & ROW_MASK))
}

/** Four rows a turn: the four bins come in one load, and the loop's own cost is shared. */
@inline
function countFine(column: usize, bins: u32, values: usize, packed: usize, rows: u32): void {
  const even = rows & ~3
  let value = values
  let i: u32 = 0
  for (; i < even; i += 4, value += 32) {
    const four = load<u32>(column + <usize>i)
    addPacked(packed, bins, four & 255, load<u64>(value))
    addPacked(packed, bins, (four >> 8) & 255, load<u64>(value, 8))
    addPacked(packed, bins, (four >> 16) & 255, load<u64>(value, 16))
    addPacked(packed, bins, four >> 24, load<u64>(value, 24))
  }
  for (; i < rows; i++, value += 8) addPacked(packed, bins, load<u8>(column + <usize>i), load<u64>(value))
}

@inline
function countCoarse(column: usize, bins: u32, coarse: usize, values: usize, packed: usize, rows: u32): void {
  for (let i: u32 = 0; i < rows; i++) {
    const bin = load<u8>(coarse + <usize>load<u8>(column + <usize>i))
    addPacked(packed, bins, bin, load<u64>(values + (<usize>i << 3)))
  }
}

/** Rows that closed up: their bins are looked up by their places. */
@inline
function countSome(column: usize, bins: u32, coarse: usize, values: usize, packed: usize, rows: u32): void {
  let place = values + PLACES
  for (let value = values, end = values + (<usize>rows << 3); value < end; value += 8, place += 4) {
    const fine = <usize>load<u8>(column + <usize>load<u32>(place))
    addPacked(packed, bins, coarse == 0 ? <u32>fine : <u32>load<u8>(coarse + fine), load<u64>(value))
  }
}

@inline
function countWeighted(
  column: usize, bins: u32, levels: u32, coarse: usize, values: usize, counts: usize, residuals: usize, rows: u32,
): void {
  for (let i: u32 = 0; i < rows; i++) {
    const fine = <usize>load<u8>(column + <usize>i)
    addWeightedRow(fine, bins, levels, coarse, values + <usize>i * WEIGHTED_BYTES, counts, residuals)
  }
}

@inline
function countSomeWeighted(
  column: usize, bins: u32, levels: u32, coarse: usize, values: usize, counts: usize, residuals: usize, rows: u32,
): void {
  for (let i: u32 = 0; i < rows; i++) {
    const entry = values + <usize>i * WEIGHTED_BYTES
    addWeightedRow(<usize>load<u8>(column + <usize>load<u32>(entry, 20)), bins, levels, coarse, entry, counts, residuals)
  }
}

@inline
function addWeightedRow(
  fine: usize, bins: u32, levels: u32, coarse: usize, entry: usize, counts: usize, residuals: usize,
): void {
  const bin = coarse == 0 ? <u32>fine : <u32>load<u8>(coarse + fine)
  const key = load<u32>(entry, 16)
  const leaf = key / levels
  addWeighted(counts, residuals, <usize>((leaf * bins + bin) * levels + (key - leaf * levels)), entry)
}

/** Joint histograms of feature pairs; `pairs` holds PAIR_BYTES each. */
export function jointHistogram(
  from: u32, to: u32, base: usize, label: usize, prediction: usize, weight: usize,
  levels: u32, levelCuts: usize, levelValues: usize, levelSigns: usize, tree: usize, leaves: u32,
  pairs: usize, pairCount: u32, values: usize, packed: usize, counts: usize, residuals: usize,
): void {
  let pending: u32 = 0
  for (let start = from; start < to; start += BLOCK) {
    const end = min(start + BLOCK, to)
    const rows = end - start
    prepareBlock(start, end, base, label, prediction, weight, levels, levelCuts, levelValues, levelSigns, tree, leaves, values)
    pending += rows
    const full = pending + BLOCK > FLUSH_ROWS || end == to
    if (full) pending = 0
    for (let p: u32 = 0; p < pairCount; p++) {
      const entry = pairs + <usize>p * PAIR_BYTES
      if (weight != 0) countWeightedPair(base + <usize>start, rows, entry, levels, values, counts, residuals)
      else if (load<u32>(entry, 24) != 0) countUncommon(base + <usize>start, rows, entry, levels, values, packed)
      else countPair(base + <usize>start, rows, entry, levels, values, packed)
    }
    if (full && weight == 0) flushPairs(pairs, pairCount, levels, packed, counts, residuals)
  }
}

@inline
function flushPairs(pairs: usize, pairCount: u32, levels: u32, packed: usize, counts: usize, residuals: usize): void {
  for (let p: u32 = 0; p < pairCount; p++) {
    const entry = pairs + <usize>p * PAIR_BYTES
    const first = <usize>load<u32>(entry, 20) << 3
    const cells = <u32>load<u16>(entry, 16) * <u32>load<u16>(entry, 18) * levels
    flush(packed + first, counts + first, residuals + first, cells)
  }
}

@inline
function coarseBin(map: usize, column: usize, row: usize): u32 {
  return <u32>load<u8>(map + <usize>load<u8>(column + row))
}

@inline
function addToCell(cells: usize, cell: u32, value: u64): void {
  const at = cells + (<usize>cell << 3)
  store<u64>(at, load<u64>(at) + value)
}

@inline
function countPair(block: usize, rows: u32, entry: usize, levels: u32, values: usize, packed: usize): void {
  const columnA = block + <usize>load<u32>(entry)
  const columnB = block + <usize>load<u32>(entry, 4)
  const coarseA = <usize>load<u32>(entry, 8)
  const coarseB = <usize>load<u32>(entry, 12)
  const binsB = <u32>load<u16>(entry, 18)
  const cells = packed + (<usize>load<u32>(entry, 20) << 3)
  for (let i: usize = 0; i < <usize>rows; i++) {
    const value = load<u64>(values + (i << 3))
    const bins = coarseBin(coarseA, columnA, i) * binsB + coarseBin(coarseB, columnB, i)
    addToCell(cells, bins * levels + <u32>((value >> KEY_SHIFT) & KEY_MASK), value & ROW_MASK)
  }
}

/** The same without the rows of one bin of one side, which are passed over eight at a time. */
@inline
function countUncommon(block: usize, rows: u32, entry: usize, levels: u32, values: usize, packed: usize): void {
  const columnA = block + <usize>load<u32>(entry)
  const columnB = block + <usize>load<u32>(entry, 4)
  const skipped = load<u32>(entry, 24) - 1
  const column = skipped < 256 ? columnB : columnA
  const common = <u64>(skipped & 255) * 0x0101010101010101
  const whole = rows & ~7
  for (let i: u32 = 0; i < whole; i += 8) {
    // A byte for each row, 0 where it has the common bin.
    let others = load<u64>(column + <usize>i) ^ common
    while (others != 0) {
      const shift = ctz(others) & ~7
      others &= ~(<u64>255 << shift)
      addPair(columnA, columnB, i + <u32>(shift >> 3), entry, levels, values, packed)
    }
  }
  for (let i = whole; i < rows; i++) {
    if (load<u8>(column + <usize>i) != <u8>skipped) addPair(columnA, columnB, i, entry, levels, values, packed)
  }
}

@inline
function addPair(columnA: usize, columnB: usize, row: u32, entry: usize, levels: u32, values: usize, packed: usize): void {
  const value = load<u64>(values + (<usize>row << 3))
  const a = coarseBin(<usize>load<u32>(entry, 8), columnA, <usize>row)
  const b = coarseBin(<usize>load<u32>(entry, 12), columnB, <usize>row)
  const cell = (a * <u32>load<u16>(entry, 18) + b) * levels + <u32>((value >> KEY_SHIFT) & KEY_MASK)
  addToCell(packed + (<usize>load<u32>(entry, 20) << 3), cell, value & ROW_MASK)
}

@inline
function countWeightedPair(
  block: usize, rows: u32, entry: usize, levels: u32, values: usize, counts: usize, residuals: usize,
): void {
  const columnA = block + <usize>load<u32>(entry)
  const columnB = block + <usize>load<u32>(entry, 4)
  const coarseA = <usize>load<u32>(entry, 8)
  const coarseB = <usize>load<u32>(entry, 12)
  const binsB = <u32>load<u16>(entry, 18)
  const first = <usize>load<u32>(entry, 20) << 3
  for (let i: usize = 0; i < <usize>rows; i++) {
    const value = values + i * WEIGHTED_BYTES
    const bins = coarseBin(coarseA, columnA, i) * binsB + coarseBin(coarseB, columnB, i)
    addWeighted(counts + first, residuals + first, <usize>(bins * levels + load<u32>(value, 16)), value)
  }
}

/**
 * Weight, residual and prediction sums of every leaf and level of one tree. `scratch` has room for two row numbers of each of
 * PART_ROWS rows.
 */
export function levelSums(
  from: u32, to: u32, base: usize, label: usize, prediction: usize, weight: usize,
  levels: u32, levelValues: usize, tree: usize, counts: usize, residuals: usize, predictions: usize, scratch: usize,
): void {
  const root = load<i32>(tree)
  if (root < 0) {
    for (let row = from; row < to; row++) addLevels(row, label, prediction, weight, levels, levelValues, 0, counts, residuals, predictions)
    return
  }
  for (let start = from; start < to; start += PART_ROWS) {
    const last = listRows(scratch, start, min(start + PART_ROWS, to))
    sumLeaves(tree, root, scratch, last, last, base, label, prediction, weight, levels, levelValues, counts, residuals, predictions)
  }
}

function sumLeaves(
  tree: usize, start: i32, first: usize, last: usize, spare: usize,
  base: usize, label: usize, prediction: usize, weight: usize,
  levels: u32, levelValues: usize, counts: usize, residuals: usize, predictions: usize,
): void {
  let node = start
  while (node >= 0) {
    if (first == last) return
    const entry = tree + 8 + <usize>node * NODE_BYTES
    const middle = partNode(entry, first, last, spare, base, prediction)
    const yes = load<i32>(entry, 12)
    sumLeaves(tree, yes, first, middle, spare, base, label, prediction, weight, levels, levelValues, counts, residuals, predictions)
    node = load<i32>(entry, 8)
    first = middle
  }
  const leaf = <u32>~node * levels
  for (let at = first; at < last; at += 4)
    addLevels(load<u32>(at), label, prediction, weight, levels, levelValues, leaf, counts, residuals, predictions)
}

/** Of one row, in the cells from number `first` on. */
@inline
function addLevels(
  row: u32, label: usize, prediction: usize, weight: usize,
  levels: u32, levelValues: usize, first: u32, counts: usize, residuals: usize, predictions: usize,
): void {
  const at = <usize>row << 2
  const current = load<i32>(prediction + at)
  const level = levelOf(<u32>current, levels)
  const predicted = levelValues == 0 ? current : load<i32>(levelValues + (<usize>level << 2))
  const cell = <usize>(first + level) << 3
  const counted = weight == 0 ? 1.0 : <f64>load<i32>(weight + at)
  store<f64>(counts + cell, load<f64>(counts + cell) + counted)
  store<f64>(residuals + cell, load<f64>(residuals + cell) + counted * <f64>(load<i32>(label + at) - predicted))
  store<f64>(predictions + cell, load<f64>(predictions + cell) + counted * <f64>current)
}
