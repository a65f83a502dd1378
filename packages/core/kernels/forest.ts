// The kernels that grow forests: rows of a node are a range of `order`, a list of row numbers; gradients of log loss are
// kept per row and summed per bin. engine/memory/forestTwin.ts says what each one means.

const ONE: i32 = 1 << 24

/** A gradient word: the second derivative, in units of 2^-12, above bit 36; the first, in units of 2^-18 and signed, below. */
const SECOND_SHIFT: i64 = 36

/** So many first derivatives, each within -2^18 to 2^18, stay within the lower 36 bits. */
const FLUSH_ROWS: u32 = (1 << 17) - 1
const BLOCK: u32 = 1 << 15

const MAX_STEP: i32 = 32 << 24
const LOG2_E: f64 = 1.4426950408889634
const LN2_HIGH: f64 = 0.6931471803691238
const LN2_LOW: f64 = 1.9082149292705877e-10
const SQRT_2: f64 = 1.4142135623730951

@inline
function expOfStep(step: i32): f64 {
  const x = <f64>step / 16777216.0
  const k = Math.floor(x * LOG2_E + 0.5)
  const rest = x - k * LN2_HIGH - k * LN2_LOW
  let sum: f64 = 1.0 / 6227020800.0
  sum = sum * rest + 1.0 / 479001600.0
  sum = sum * rest + 1.0 / 39916800.0
  sum = sum * rest + 1.0 / 3628800.0
  sum = sum * rest + 1.0 / 362880.0
  sum = sum * rest + 1.0 / 40320.0
  sum = sum * rest + 1.0 / 5040.0
  sum = sum * rest + 1.0 / 720.0
  sum = sum * rest + 1.0 / 120.0
  sum = sum * rest + 1.0 / 24.0
  sum = sum * rest + 1.0 / 6.0
  sum = sum * rest + 0.5
  sum = sum * rest + 1.0
  sum = sum * rest + 1.0
  return sum * reinterpret<f64>((<i64>k + 1023) << 52)
}

@inline
function moveOdds(prediction: i32, step: i32): i32 {
  const odds = <f64>prediction * expOfStep(step)
  return <i32>Math.floor((16777216.0 * odds) / (odds + <f64>(ONE - prediction)) + 0.5)
}

@inline
function clipStep(step: i32): i32 {
  return step > MAX_STEP ? MAX_STEP : step < -MAX_STEP ? -MAX_STEP : step
}

@inline
function lnOfUnits(units: i32): f64 {
  const bits = reinterpret<i64>(<f64>units)
  let exponent = <f64>((bits >> 52) - 1047)
  let mantissa = reinterpret<f64>((bits & 0xfffffffffffff) | 0x3ff0000000000000)
  if (mantissa > SQRT_2) {
    mantissa /= 2
    exponent += 1
  }
  const s = (mantissa - 1) / (mantissa + 1)
  const square = s * s
  let sum: f64 = 2.0 / 19.0
  sum = sum * square + 2.0 / 17.0
  sum = sum * square + 2.0 / 15.0
  sum = sum * square + 2.0 / 13.0
  sum = sum * square + 2.0 / 11.0
  sum = sum * square + 2.0 / 9.0
  sum = sum * square + 2.0 / 7.0
  sum = sum * square + 2.0 / 5.0
  sum = sum * square + 2.0 / 3.0
  sum = sum * square + 2.0
  return exponent * LN2_HIGH + (exponent * LN2_LOW + sum * s)
}

@inline
function logLoss(label: i32, prediction: i32): f64 {
  const inside = prediction < 1 ? 1 : prediction > ONE - 1 ? ONE - 1 : prediction
  const ones: f64 = label == 0 ? 0 : <f64>label * lnOfUnits(inside)
  const zeros: f64 = label == ONE ? 0 : <f64>(ONE - label) * lnOfUnits(ONE - inside)
  return Math.floor(0.5 - ones - zeros)
}

@inline
function gradient(label: i32, prediction: i32): i64 {
  const second = (<i64>prediction * <i64>(ONE - prediction)) >> 36
  return (max<i64>(second, 1) << SECOND_SHIFT) + <i64>((label - prediction + 32) >> 6)
}

/** The prediction of odds that were moved from a start prediction: `odds` is that times e to the steps. */
@inline
function predictionOf(odds: f64, start: i32): i32 {
  return <i32>Math.floor((16777216.0 * odds) / (odds + <f64>(ONE - start)) + 0.5)
}

/**
 * Adds one step to the rows of a node: their odds are multiplied by the same e to the step. Renews their gradients (0: nobody
 * asks for them).
 */
export function forestStep(
  order: usize, from: u32, to: u32, value: i32, label: usize, start: usize, steps: usize, odds: usize, gradients: usize,
): void {
  const factor = expOfStep(value)
  for (let index = from; index < to; index++) {
    const row = <usize>load<u32>(order + (<usize>index << 2))
    const at = row << 2
    const sum = load<i32>(steps + at) + value
    const step = clipStep(sum)
    const first = load<i32>(start + at)
    const moved = step == sum ? load<f64>(odds + (row << 3)) * factor : <f64>first * expOfStep(step)
    store<i32>(steps + at, step)
    store<f64>(odds + (row << 3), moved)
    if (gradients != 0) {
      store<i64>(gradients + (row << 3), gradient(load<i32>(label + at), predictionOf(moved, first)))
    }
  }
}

/** The weighted sum of the rows' log losses, each in whole units of 2^-20. */
export function forestLoss(
  order: usize, from: u32, to: u32, label: usize, start: usize, odds: usize, weight: usize,
): f64 {
  let sum: f64 = 0
  for (let index = from; index < to; index++) {
    const row = <usize>load<u32>(order + (<usize>index << 2))
    const at = row << 2
    const prediction = predictionOf(load<f64>(odds + (row << 3)), load<i32>(start + at))
    const loss = Math.floor(logLoss(load<i32>(label + at), prediction) / 16 + 0.5)
    sum += weight == 0 ? loss : loss * <f64>load<i32>(weight + at)
  }
  return sum
}

/** Predictions, at least `clip` away from 0 and 1, moved by their steps. */
export function forestMove(from: u32, to: u32, prediction: usize, steps: usize, clip: i32, target: usize): void {
  for (let row = from; row < to; row++) {
    const at = <usize>row << 2
    const inside = max(clip, min(ONE - clip, load<i32>(prediction + at)))
    store<i32>(target + at, moveOdds(inside, clipStep(load<i32>(steps + at))))
  }
}

/**
 * Adds the gradients of a node's rows per bin of every feature: two doubles a cell at `sums`, both derivatives. `features`
 * holds 8 bytes each: column pointer, first cell. `packed` has one word a cell, all zero before and after.
 */
export function forestCount(
  order: usize, from: u32, to: u32, gradients: usize, weight: usize,
  features: usize, featureCount: u32, cells: u32, values: usize, packed: usize, sums: usize,
): void {
  if (weight != 0) {
    countWeighted(order, from, to, gradients, weight, features, featureCount, sums)
    return
  }
  let pending: u32 = 0
  for (let first = from; first < to; first += BLOCK) {
    const end = min(first + BLOCK, to)
    const rows = end - first
    const list = order + (<usize>first << 2)
    for (let i: u32 = 0; i < rows; i++) {
      const row = <usize>load<u32>(list + (<usize>i << 2))
      store<i64>(values + (<usize>i << 3), load<i64>(gradients + (row << 3)))
    }
    let f: u32 = 0
    for (; f + 3 < featureCount; f += 4) countFour(list, rows, features + (<usize>f << 3), values, packed)
    for (; f < featureCount; f++) countOne(list, rows, features + (<usize>f << 3), values, packed)
    pending += rows
    if (pending + BLOCK > FLUSH_ROWS || end == to) {
      flush(packed, sums, cells)
      pending = 0
    }
  }
}

@inline
function add(packed: usize, bin: usize, value: i64): void {
  const at = packed + (bin << 3)
  store<i64>(at, load<i64>(at) + value)
}

@inline
function countOne(list: usize, rows: u32, entry: usize, values: usize, packed: usize): void {
  const column = <usize>load<u32>(entry)
  const cells = packed + (<usize>load<u32>(entry, 4) << 3)
  for (let i: usize = 0; i < <usize>rows; i++) {
    add(cells, <usize>load<u8>(column + <usize>load<u32>(list + (i << 2))), load<i64>(values + (i << 3)))
  }
}

/** Four features a turn: row number and gradient are loaded once for all, and four sums are under way at once. */
@inline
function countFour(list: usize, rows: u32, entry: usize, values: usize, packed: usize): void {
  const columnA = <usize>load<u32>(entry)
  const cellsA = packed + (<usize>load<u32>(entry, 4) << 3)
  const columnB = <usize>load<u32>(entry, 8)
  const cellsB = packed + (<usize>load<u32>(entry, 12) << 3)
  const columnC = <usize>load<u32>(entry, 16)
  const cellsC = packed + (<usize>load<u32>(entry, 20) << 3)
  const columnD = <usize>load<u32>(entry, 24)
  const cellsD = packed + (<usize>load<u32>(entry, 28) << 3)
  for (let i: usize = 0; i < <usize>rows; i++) {
    const row = <usize>load<u32>(list + (i << 2))
    const value = load<i64>(values + (i << 3))
    add(cellsA, <usize>load<u8>(columnA + row), value)
    add(cellsB, <usize>load<u8>(columnB + row), value)
    add(cellsC, <usize>load<u8>(columnC + row), value)
    add(cellsD, <usize>load<u8>(columnD + row), value)
  }
}

@inline
function flush(packed: usize, sums: usize, cells: u32): void {
  for (let cell: usize = 0; cell < <usize>cells; cell++) {
    const word = load<i64>(packed + (cell << 3))
    if (word == 0) continue
    const first = (word << (64 - SECOND_SHIFT)) >> (64 - SECOND_SHIFT)
    const at = sums + (cell << 4)
    store<f64>(at, load<f64>(at) + <f64>first)
    store<f64>(at, load<f64>(at, 8) + <f64>((word - first) >> SECOND_SHIFT), 8)
    store<i64>(packed + (cell << 3), 0)
  }
}

@inline
function countWeighted(
  order: usize, from: u32, to: u32, gradients: usize, weight: usize, features: usize, featureCount: u32, sums: usize,
): void {
  for (let index = from; index < to; index++) {
    const row = <usize>load<u32>(order + (<usize>index << 2))
    const word = load<i64>(gradients + (row << 3))
    const counted = <f64>load<i32>(weight + (row << 2))
    const first = (word << (64 - SECOND_SHIFT)) >> (64 - SECOND_SHIFT)
    const g = counted * <f64>first
    const h = counted * <f64>((word - first) >> SECOND_SHIFT)
    for (let f: u32 = 0; f < featureCount; f++) {
      const entry = features + (<usize>f << 3)
      const bin = load<u32>(entry, 4) + <u32>load<u8>(<usize>load<u32>(entry) + row)
      const at = sums + (<usize>bin << 4)
      store<f64>(at, load<f64>(at) + g)
      store<f64>(at, load<f64>(at, 8) + h, 8)
    }
  }
}

/** Puts the rows of a node that take the yes side (by bin, 256 bytes) before the others; says how many they are. */
export function forestSplit(order: usize, from: u32, to: u32, column: usize, takesYes: usize, scratch: usize): u32 {
  let yes = order + (<usize>from << 2)
  let no = scratch
  for (let index = from; index < to; index++) {
    const row = load<u32>(order + (<usize>index << 2))
    const takes = <usize>load<u8>(takesYes + <usize>load<u8>(column + <usize>row))
    // Written to both places, kept in one: which side a row takes cannot be predicted.
    store<u32>(yes, row)
    store<u32>(no, row)
    yes += takes << 2
    no += (1 - takes) << 2
  }
  memory.copy(yes, scratch, no - scratch)
  return <u32>((yes - order) >> 2) - from
}
