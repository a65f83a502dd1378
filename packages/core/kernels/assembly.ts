// The kernels, in AssemblyScript: plain loops over memory that the caller laid out (engine/memory/layout.ts). Every sum
// is of whole numbers: packed in 64-bit integers, or in doubles below 2^53, so their order does not matter. The plain
// TypeScript twin (engine/memory/twin.ts) says what each one means; the tests compare the two bit by bit.

const UNIT_BITS: u64 = 24
const ONE: i32 = 1 << 24

/** Rows are handled in blocks that stay in the first-level cache. */
const BLOCK: u32 = 131072

// A packed cell: the count in the upper 20 bits, the sum of (residual + 2^24) in the lower 44. A residual lies within
// -2^24 to 2^24, so 2^19 - 1 rows fit before the cells must be flushed.
const COUNT_SHIFT: u64 = 44
const SUM_MASK: u64 = (1 << 44) - 1
const FLUSH_ROWS: u32 = (1 << 19) - 1

// A node of a flat tree: column pointer (0: the prediction), bound, yes, no, then 256 bytes "takes yes" by bin.
const NODE_BYTES: usize = 272

@inline
function levelOf(prediction: u32, levels: u32): u32 {
  const level = <u32>((<u64>prediction * <u64>levels) >> UNIT_BITS)
  return level < levels ? level : levels - 1
}

/** Columns are relative to the segment: `base` is added to every column pointer. */
@inline
function leafOf(tree: usize, base: usize, row: u32, prediction: i32): i32 {
  let node = load<i32>(tree)
  while (node >= 0) {
    const entry = tree + 8 + <usize>node * NODE_BYTES
    const column = load<u32>(entry)
    const yes =
      column == 0
        ? prediction < load<i32>(entry, 4)
        : load<u8>(entry + <usize>load<u8>(base + <usize>column + <usize>row), 16) != 0
    node = yes ? load<i32>(entry, 8) : load<i32>(entry, 12)
  }
  return ~node
}

@inline
function clip(units: i32): i32 {
  return units < 0 ? 0 : units > ONE ? ONE : units
}

/**
 * What the counting kernels need of each row of a block, once: its key (leaf * levels and level) and its packed value,
 * or, with weights, its weight and weighted residual as doubles.
 */
@inline
function prepareBlock(
  from: u32, to: u32, base: usize, label: usize, prediction: usize, weight: usize,
  levels: u32, levelValues: usize, tree: usize, keys: usize, values: usize,
): void {
  const single = load<i32>(tree) < 0
  for (let row = from; row < to; row++) {
    const at = <usize>row << 2
    const current = load<i32>(prediction + at)
    const level = levelOf(<u32>current, levels)
    const predicted = levelValues == 0 ? current : load<i32>(levelValues + (<usize>level << 2))
    const residual = load<i32>(label + at) - predicted
    const index = <usize>(row - from)
    const leaf = single ? 0 : leafOf(tree, base, row, current)
    store<u32>(keys + (index << 3), level)
    store<u32>(keys + (index << 3), <u32>leaf * levels, 4)
    if (weight == 0) {
      store<u64>(values + (index << 3), (<u64>1 << COUNT_SHIFT) + <u64>(residual + ONE))
    } else {
      const counted = <f64>load<i32>(weight + at)
      store<f64>(values + (index << 4), counted)
      store<f64>(values + (index << 4), counted * <f64>residual, 8)
    }
  }
}

/** Moves packed cells into exact doubles and empties them. */
export function flush(packed: usize, counts: usize, residuals: usize, cells: u32): void {
  for (let cell: u32 = 0; cell < cells; cell++) {
    const at = <usize>cell << 3
    const value = load<u64>(packed + at)
    if (value == 0) continue
    const count = value >> COUNT_SHIFT
    const sum = <i64>(value & SUM_MASK) - (<i64>count << <i64>UNIT_BITS)
    store<f64>(counts + at, load<f64>(counts + at) + <f64>count)
    store<f64>(residuals + at, load<f64>(residuals + at) + <f64>sum)
    store<u64>(packed + at, 0)
  }
}

@inline
function addWeighted(counts: usize, residuals: usize, cell: usize, value: usize): void {
  const at = cell << 3
  store<f64>(counts + at, load<f64>(counts + at) + load<f64>(value))
  store<f64>(residuals + at, load<f64>(residuals + at) + load<f64>(value, 8))
}

/**
 * One histogram per feature and leaf. `features` holds 16 bytes each: column pointer, bins, first cell, pointer to a
 * coarse map of 256 bytes (0: fine bins count as they are).
 */
export function histogram(
  from: u32, to: u32, base: usize, label: usize, prediction: usize, weight: usize,
  levels: u32, levelValues: usize, tree: usize,
  features: usize, featureCount: u32,
  keys: usize, values: usize, packed: usize, counts: usize, residuals: usize, cells: u32,
): void {
  let pending: u32 = 0
  for (let start = from; start < to; start += BLOCK) {
    const end = min(start + BLOCK, to)
    prepareBlock(start, end, base, label, prediction, weight, levels, levelValues, tree, keys, values)
    if (weight == 0) {
      pending += end - start
      if (pending > FLUSH_ROWS) {
        flush(packed, counts, residuals, cells)
        pending = end - start
      }
    }
    for (let f: u32 = 0; f < featureCount; f++) {
      const entry = features + (<usize>f << 4)
      const column = base + <usize>load<u32>(entry) + <usize>start
      const bins = load<u32>(entry, 4)
      const first = load<u32>(entry, 8)
      const coarse = <usize>load<u32>(entry, 12)
      if (weight == 0) countPacked(column, bins, levels, coarse, keys, values, packed + (<usize>first << 3), end - start)
      else countWeighted(column, bins, levels, coarse, keys, values, counts, residuals, first, end - start)
    }
  }
  if (weight == 0) flush(packed, counts, residuals, cells)
}

@inline
function countPacked(
  column: usize, bins: u32, levels: u32, coarse: usize, keys: usize, values: usize, packed: usize, rows: u32,
): void {
  for (let i: u32 = 0; i < rows; i++) {
    const fine = <usize>load<u8>(column + <usize>i)
    const bin = coarse == 0 ? <u32>fine : <u32>load<u8>(coarse + fine)
    const key = keys + (<usize>i << 3)
    const cell = load<u32>(key, 4) * bins + bin * levels + load<u32>(key)
    const at = packed + (<usize>cell << 3)
    store<u64>(at, load<u64>(at) + load<u64>(values + (<usize>i << 3)))
  }
}

@inline
function countWeighted(
  column: usize, bins: u32, levels: u32, coarse: usize, keys: usize, values: usize,
  counts: usize, residuals: usize, first: u32, rows: u32,
): void {
  for (let i: u32 = 0; i < rows; i++) {
    const fine = <usize>load<u8>(column + <usize>i)
    const bin = coarse == 0 ? <u32>fine : <u32>load<u8>(coarse + fine)
    const key = keys + (<usize>i << 3)
    const cell = first + load<u32>(key, 4) * bins + bin * levels + load<u32>(key)
    addWeighted(counts, residuals, <usize>cell, values + (<usize>i << 4))
  }
}

/**
 * Joint histograms of feature pairs. `pairs` holds 24 bytes each: column A, column B, coarse map A, coarse map B,
 * coarse bins of B, first cell.
 */
export function jointHistogram(
  from: u32, to: u32, base: usize, label: usize, prediction: usize, weight: usize,
  levels: u32, levelValues: usize, tree: usize,
  pairs: usize, pairCount: u32,
  keys: usize, values: usize, packed: usize, counts: usize, residuals: usize, cells: u32,
): void {
  let pending: u32 = 0
  for (let start = from; start < to; start += BLOCK) {
    const end = min(start + BLOCK, to)
    const rows = end - start
    prepareBlock(start, end, base, label, prediction, weight, levels, levelValues, tree, keys, values)
    if (weight == 0) {
      pending += rows
      if (pending > FLUSH_ROWS) {
        flush(packed, counts, residuals, cells)
        pending = rows
      }
    }
    for (let p: u32 = 0; p < pairCount; p++) {
      const entry = pairs + <usize>p * 24
      const columnA = base + <usize>load<u32>(entry) + <usize>start
      const columnB = base + <usize>load<u32>(entry, 4) + <usize>start
      const coarseA = <usize>load<u32>(entry, 8)
      const coarseB = <usize>load<u32>(entry, 12)
      const binsB = load<u32>(entry, 16)
      const first = load<u32>(entry, 20)
      for (let i: u32 = 0; i < rows; i++) {
        const a = <u32>load<u8>(coarseA + <usize>load<u8>(columnA + <usize>i))
        const b = <u32>load<u8>(coarseB + <usize>load<u8>(columnB + <usize>i))
        const cell = <usize>(first + (a * binsB + b) * levels + load<u32>(keys + (<usize>i << 3)))
        if (weight == 0) {
          const at = packed + (cell << 3)
          store<u64>(at, load<u64>(at) + load<u64>(values + (<usize>i << 3)))
        } else {
          addWeighted(counts, residuals, cell, values + (<usize>i << 4))
        }
      }
    }
  }
  if (weight == 0) flush(packed, counts, residuals, cells)
}

/** Weight, residual and prediction sums of every leaf and level of one tree. */
export function levelSums(
  from: u32, to: u32, base: usize, label: usize, prediction: usize, weight: usize,
  levels: u32, levelValues: usize, tree: usize, counts: usize, residuals: usize, predictions: usize,
): void {
  const single = load<i32>(tree) < 0
  for (let row = from; row < to; row++) {
    const at = <usize>row << 2
    const current = load<i32>(prediction + at)
    const level = levelOf(<u32>current, levels)
    const predicted = levelValues == 0 ? current : load<i32>(levelValues + (<usize>level << 2))
    const leaf = single ? 0 : leafOf(tree, base, row, current)
    const cell = <usize>(<u32>leaf * levels + level) << 3
    const counted = weight == 0 ? 1.0 : <f64>load<i32>(weight + at)
    store<f64>(counts + cell, load<f64>(counts + cell) + counted)
    store<f64>(residuals + cell, load<f64>(residuals + cell) + counted * <f64>(load<i32>(label + at) - predicted))
    store<f64>(predictions + cell, load<f64>(predictions + cell) + counted * <f64>current)
  }
}

/** Adds one row's weight and squared residual to the sums at `out`: weight, squared weight, high, low. */
@inline
function addLoss(out: usize, residual: i64, counted: i64): void {
  const square = residual * residual
  store<i64>(out, load<i64>(out) + counted)
  store<i64>(out, load<i64>(out, 8) + counted * counted, 8)
  store<i64>(out, load<i64>(out, 16) + counted * (square >> 24), 16)
  store<i64>(out, load<i64>(out, 24) + counted * (square & (<i64>ONE - 1)), 24)
}

export function loss(from: u32, to: u32, label: usize, prediction: usize, weight: usize, out: usize): void {
  for (let row = from; row < to; row++) {
    const at = <usize>row << 2
    const counted: i64 = weight == 0 ? 1 : <i64>load<i32>(weight + at)
    addLoss(out, <i64>load<i32>(label + at) - <i64>load<i32>(prediction + at), counted)
  }
}

/** Where each prediction goes under a table update: into `target` (0: nowhere), with the loss it then has (0: not asked). */
export function move(
  from: u32, to: u32, base: usize, label: usize, prediction: usize, weight: usize,
  levels: u32, tree: usize, table: usize, target: usize, out: usize,
): void {
  for (let row = from; row < to; row++) {
    const at = <usize>row << 2
    const current = load<i32>(prediction + at)
    const cell = <u32>leafOf(tree, base, row, current) * levels + levelOf(<u32>current, levels)
    const moved = clip(current + load<i32>(table + (<usize>cell << 2)))
    if (target != 0) store<i32>(target + at, moved)
    if (out != 0) {
      const counted: i64 = weight == 0 ? 1 : <i64>load<i32>(weight + at)
      addLoss(out, <i64>load<i32>(label + at) - <i64>moved, counted)
    }
  }
}

/** The bin of each number: how many of the cuts lie below it. `cuts` is padded with +Infinity to `half` * 2. */
export function binNumbers(values: usize, rows: u32, cuts: usize, half: u32, missing: u32, bins: usize): void {
  for (let row: u32 = 0; row < rows; row++) {
    const value = load<f64>(values + (<usize>row << 3))
    let bin: u32 = 0
    for (let step = half; step > 0; step >>= 1) {
      bin += load<f64>(cuts + (<usize>(bin + step - 1) << 3)) < value ? step : 0
    }
    store<u8>(bins + <usize>row, value == value ? bin : missing)
  }
}
