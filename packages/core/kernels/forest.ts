// The kernels that grow forests: rows of a node are a range of `order`, a list of row numbers; gradients of log loss are
// kept per row and summed per bin. kernels/forest/twin.ts says what each one means.

const ONE: i32 = 1 << 24

/** A gradient word: the second derivative, in units of 2^-12, above bit 36; the first, in units of 2^-18 and signed, below. */
const SECOND_SHIFT: i32 = 36

/** So many first derivatives, each within -2^18 to 2^18, stay within the lower 36 bits. */
const FLUSH_ROWS: u32 = (1 << 17) - 1

/** A row's record: its odds as a double, its start prediction and its label in units. */
const RECORD_SHIFT: usize = 4

/** An entry of the feature table: column pointer, first cell, bins, kind. */
const FEATURE_SHIFT: usize = 4

/** A feature's entry in the table of joined columns (forest/joined.ts). */
const MEMBER_BYTES: usize = 16
const COLUMN: usize = 0
const DIGIT: usize = 4
const USED_BINS: usize = 8
const SIZE: usize = 12

/**
 * While they are counted, bins of a column have one word each, and columns have room for 256 and a little more: else the
 * first bins of all columns, often the fullest, would compete for the same places of the cache.
 */
const PACKED_BYTES: usize = 2112

const MAX_STEP: i32 = 32 << 24
const LOG2_E: f64 = 1.4426950408889634
const LN2_HIGH: f64 = 0.6931471803691238
const LN2_LOW: f64 = 1.9082149292705877e-10
const SQRT_2: f64 = 1.4142135623730951

@inline
export function expOfStep(step: i32): f64 {
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

/** The prediction of odds that were moved from a start prediction: `odds` is that times e to the steps. */
@inline
function predictionOf(odds: f64, start: i32): i32 {
  return <i32>Math.floor((16777216.0 * odds) / (odds + <f64>(ONE - start)) + 0.5)
}

/**
 * Adds one step to the rows of a node, two at a time: their odds are multiplied by `factor`, e to the step, which is given
 * because V8 would work it out anew for every row. Renews their gradients (0: nobody asks for them).
 */
export function forestStep(
  order: usize, from: u32, to: u32, value: i32, factor: f64, records: usize, steps: usize, gradients: usize,
): void {
  const highest = f64x2.splat(expOfStep(MAX_STEP))
  const lowest = f64x2.splat(expOfStep(-MAX_STEP))
  for (let index = from; index < to; index += 2) {
    const a = <usize>load<u32>(order + (<usize>index << 2))
    // The last of an odd number moves in both places, to the same end.
    const b = index + 1 < to ? <usize>load<u32>(order + (<usize>index << 2), 4) : a
    const stepA = clipStep(load<i32>(steps + (a << 2)) + value)
    const stepB = clipStep(load<i32>(steps + (b << 2)) + value)
    store<i32>(steps + (a << 2), stepA)
    store<i32>(steps + (b << 2), stepB)
    const recordA = v128.load(records + (a << RECORD_SHIFT))
    const recordB = v128.load(records + (b << RECORD_SHIFT))
    // Both starts, both labels.
    const facts = v128.shuffle<i32>(recordA, recordB, 2, 6, 3, 7)
    const start = f64x2.convert_low_i32x4_s(facts)
    const free = f64x2.mul(v128.shuffle<f64>(recordA, recordB, 0, 2), f64x2.splat(factor))
    const below = f64x2.pmin(free, f64x2.mul(start, highest))
    const odds = f64x2.pmax(below, f64x2.mul(start, lowest))
    v128.store_lane<f64>(records + (a << RECORD_SHIFT), odds, 0)
    v128.store_lane<f64>(records + (b << RECORD_SHIFT), odds, 1)
    if (gradients == 0) continue
    const rest = f64x2.sub(f64x2.splat(16777216.0), start)
    const share = f64x2.div(f64x2.mul(f64x2.splat(16777216.0), odds), f64x2.add(odds, rest))
    const prediction = i32x4.trunc_sat_f64x2_s_zero(f64x2.add(share, f64x2.splat(0.5)))
    const label = v128.shuffle<i32>(facts, facts, 2, 3, 2, 3)
    const first = i32x4.shr_s(i32x4.add(i32x4.sub(label, prediction), i32x4.splat(32)), 6)
    const product = i64x2.extmul_low_i32x4_s(prediction, i32x4.sub(i32x4.splat(ONE), prediction))
    const variance = i64x2.shr_u(product, 36)
    // Never nothing: true lanes are -1.
    const second = i64x2.sub(variance, i64x2.eq(variance, i64x2.splat(0)))
    const words = i64x2.add(i64x2.shl(second, SECOND_SHIFT), i64x2.extend_low_i32x4_s(first))
    v128.store_lane<i64>(gradients + (a << 3), words, 0)
    v128.store_lane<i64>(gradients + (b << 3), words, 1)
  }
}

/** The weighted sum of the rows' log losses, each in whole units of 2^-20. */
export function forestLoss(order: usize, from: u32, to: u32, records: usize, weight: usize): f64 {
  let sum: f64 = 0
  for (let index = from; index < to; index++) {
    const row = <usize>load<u32>(order + (<usize>index << 2))
    const record = records + (row << RECORD_SHIFT)
    const prediction = predictionOf(load<f64>(record), load<i32>(record, 8))
    const loss = Math.floor(logLoss(load<i32>(record, 12), prediction) / 16 + 0.5)
    sum += weight == 0 ? loss : loss * <f64>load<i32>(weight + (row << 2))
  }
  return sum
}

/**
 * Minus the derivative of the log loss by a factor of all logits, up to a positive one: weighted residuals times logits, in
 * whole steps of 2^27 square units.
 */
export function logitSlope(rows: u32, logit: usize, label: usize, weight: usize, scale: f64): f64 {
  let sum = f64x2.splat(0)
  let row: u32 = 0
  for (; row + 1 < rows; row += 2) {
    const at = <usize>row << 2
    const slopes = slopeOfTwo(v128.load64_zero(logit + at), v128.load64_zero(label + at), scale)
    if (weight == 0) sum = f64x2.add(sum, slopes)
    else sum = f64x2.add(sum, f64x2.mul(slopes, f64x2.convert_low_i32x4_s(v128.load64_zero(weight + at))))
  }
  const both = f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1)
  if (row == rows) return both
  const at = <usize>row << 2
  const slopes = slopeOfTwo(v128.load32_zero(logit + at), v128.load32_zero(label + at), scale)
  return both + f64x2.extract_lane(slopes, 0) * (weight == 0 ? 1.0 : <f64>load<i32>(weight + at))
}

@inline
function slopeOfTwo(logits: v128, labels: v128, scale: f64): v128 {
  const logit = f64x2.convert_low_i32x4_s(logits)
  const scaled = nearest(f64x2.mul(f64x2.mul(f64x2.splat(scale), logit), f64x2.splat(1.0 / 16777216.0)))
  const step = f64x2.pmax(f64x2.pmin(scaled, f64x2.splat(<f64>MAX_STEP)), f64x2.splat(-<f64>MAX_STEP))
  const half = f64x2.splat(8388608.0)
  const odds = f64x2.mul(half, expOfTwo(step))
  const prediction = nearest(f64x2.div(f64x2.mul(f64x2.splat(16777216.0), odds), f64x2.add(odds, half)))
  const residual = f64x2.sub(f64x2.convert_low_i32x4_s(labels), prediction)
  return nearest(f64x2.mul(f64x2.mul(residual, logit), f64x2.splat(1.0 / 134217728.0)))
}

@inline
function nearest(values: v128): v128 {
  return f64x2.floor(f64x2.add(values, f64x2.splat(0.5)))
}

/** expOfStep, two at a time. */
@inline
function expOfTwo(step: v128): v128 {
  const x = f64x2.mul(step, f64x2.splat(1.0 / 16777216.0))
  const k = nearest(f64x2.mul(x, f64x2.splat(LOG2_E)))
  const near = f64x2.sub(x, f64x2.mul(k, f64x2.splat(LN2_HIGH)))
  const rest = f64x2.sub(near, f64x2.mul(k, f64x2.splat(LN2_LOW)))
  let sum = f64x2.splat(1.0 / 6227020800.0)
  sum = f64x2.add(f64x2.mul(sum, rest), f64x2.splat(1.0 / 479001600.0))
  sum = f64x2.add(f64x2.mul(sum, rest), f64x2.splat(1.0 / 39916800.0))
  sum = f64x2.add(f64x2.mul(sum, rest), f64x2.splat(1.0 / 3628800.0))
  sum = f64x2.add(f64x2.mul(sum, rest), f64x2.splat(1.0 / 362880.0))
  sum = f64x2.add(f64x2.mul(sum, rest), f64x2.splat(1.0 / 40320.0))
  sum = f64x2.add(f64x2.mul(sum, rest), f64x2.splat(1.0 / 5040.0))
  sum = f64x2.add(f64x2.mul(sum, rest), f64x2.splat(1.0 / 720.0))
  sum = f64x2.add(f64x2.mul(sum, rest), f64x2.splat(1.0 / 120.0))
  sum = f64x2.add(f64x2.mul(sum, rest), f64x2.splat(1.0 / 24.0))
  sum = f64x2.add(f64x2.mul(sum, rest), f64x2.splat(1.0 / 6.0))
  sum = f64x2.add(f64x2.mul(sum, rest), f64x2.splat(0.5))
  sum = f64x2.add(f64x2.mul(sum, rest), f64x2.splat(1.0))
  sum = f64x2.add(f64x2.mul(sum, rest), f64x2.splat(1.0))
  const power = i64x2.extend_low_i32x4_s(i32x4.trunc_sat_f64x2_s_zero(k))
  return f64x2.mul(sum, i64x2.shl(i64x2.add(power, i64x2.splat(1023)), 52))
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
 * The gradients of a node's rows, summed per bin of every feature: two doubles a cell at `sums`, both derivatives. They are
 * taken off those at `parent` (0: there is none). A row's bins stand side by side, `stride` bytes from row to row; few bins of
 * several features may be joined to one, unless rows have weights. `packed` has room for 256 words of every column, all zero before
 * and after, and of one more.
 */
export function forestCount(
  order: usize, from: u32, to: u32, gradients: usize, weight: usize, bins: usize, stride: u32,
  features: usize, featureCount: u32, joined: usize, joinedCount: u32, packed: usize, sums: usize, parent: usize,
): void {
  if (weight != 0) {
    countWeighted(order, from, to, gradients, weight, bins, stride, features, featureCount, sums, parent)
    return
  }
  const fours = <usize>(joinedCount & ~3)
  let first = from
  do {
    const end = min(first + FLUSH_ROWS, to)
    for (let index = first; index < end; index++) {
      const row = <usize>load<u32>(order + (<usize>index << 2))
      const value = load<i64>(gradients + (row << 3))
      const start = bins + row * <usize>stride
      let cells = packed
      let at = start
      for (; at < start + fours; at += 4) {
        const four = load<u32>(at)
        add(cells + ((<usize>four << 3) & 2040), value)
        add(cells + PACKED_BYTES + ((<usize>four >> 5) & 2040), value)
        add(cells + 2 * PACKED_BYTES + ((<usize>four >> 13) & 2040), value)
        add(cells + 3 * PACKED_BYTES + ((<usize>four >> 21) & 2040), value)
        cells += 4 * PACKED_BYTES
      }
      for (; at < start + <usize>joinedCount; at++) {
        add(cells + (<usize>load<u8>(at) << 3), value)
        cells += PACKED_BYTES
      }
    }
    flush(packed, features, featureCount, joined, joinedCount, sums, parent, first == from)
    first = end
  } while (first < to)
}

@inline
function add(at: usize, value: i64): void {
  store<i64>(at, load<i64>(at) + value)
}

/** A whole number of less than 51 bits plus this, read as a double, is the double of the number plus DOUBLE_BIAS. */
const INTEGER_BIAS: i64 = 0x4338000000000000
const DOUBLE_BIAS: f64 = 6755399441055744.0

@inline
function toDoubles(integers: v128): v128 {
  return f64x2.sub(i64x2.add(integers, i64x2.splat(INTEGER_BIAS)), f64x2.splat(DOUBLE_BIAS))
}

/** Feature after feature; then all columns are cleared. */
@inline
function flush(
  packed: usize, features: usize, featureCount: u32, joined: usize, joinedCount: u32, sums: usize, parent: usize, isFirst: bool,
): void {
  const parted = packed + <usize>joinedCount * PACKED_BYTES
  const end = joined + <usize>featureCount * MEMBER_BYTES
  for (let entry = joined; entry < end; entry += MEMBER_BYTES) {
    const words = packed + <usize>load<u32>(entry, COLUMN) * PACKED_BYTES
    const isAlone = load<u32>(entry, USED_BINS) == load<u32>(entry, SIZE)
    const bins = load<u32>(features, 8)
    if (!isAlone) part(words, entry, parted, bins)
    flushFeature(isAlone ? words : parted, bins, sums, parent, <usize>load<u32>(features, 4) << 4, isFirst)
    features += 1 << FEATURE_SHIFT
  }
  for (let entry = joined; entry < end; entry += MEMBER_BYTES) {
    const words = packed + <usize>load<u32>(entry, COLUMN) * PACKED_BYTES
    if (load<u32>(entry, DIGIT) == 1) memory.fill(words, 0, <usize>load<u32>(entry, SIZE) << 3)
  }
}

/** The words of one member of a joined column, those of its empty bins, and one more, which is 0. */
@inline
function part(words: usize, entry: usize, parted: usize, bins: u32): void {
  const run = <usize>load<u32>(entry, DIGIT) << 3
  const used = <usize>load<u32>(entry, USED_BINS) << 3
  const end = words + (<usize>load<u32>(entry, SIZE) << 3)
  memory.fill(parted, 0, <usize>(bins + 1) << 3)
  let at = words
  while (at < end) {
    for (let bin: usize = 0; bin < used; bin += 8) {
      let sum: i64 = 0
      for (const next = at + run; at < next; at += 8) sum += load<i64>(at)
      add(parted + bin, sum)
    }
  }
}

/** Two bins at a time; of an odd number, the one too many holds nothing, and its cell is nobody's or the next feature's: that comes later. */
@inline
function flushFeature(words: usize, bins: u32, sums: usize, parent: usize, cell: usize, isFirst: bool): void {
  for (let bin: usize = 0; bin < <usize>bins; bin += 2) {
    const two = v128.load(words + (bin << 3))
    const low = i64x2.shr_s(i64x2.shl(two, 64 - SECOND_SHIFT), 64 - SECOND_SHIFT)
    const first = toDoubles(low)
    const second = toDoubles(i64x2.shr_s(i64x2.sub(two, low), SECOND_SHIFT))
    const at = cell + (bin << 4)
    put(sums, parent, at, v128.shuffle<f64>(first, second, 0, 2), isFirst)
    put(sums, parent, at + 16, v128.shuffle<f64>(first, second, 1, 3), isFirst)
  }
}

@inline
function put(sums: usize, parent: usize, at: usize, pair: v128, isFirst: bool): void {
  v128.store(sums + at, isFirst ? pair : f64x2.add(v128.load(sums + at), pair))
  if (parent != 0) v128.store(parent + at, f64x2.sub(v128.load(parent + at), pair))
}

function countWeighted(
  order: usize, from: u32, to: u32, gradients: usize, weight: usize, bins: usize, stride: u32,
  features: usize, featureCount: u32, sums: usize, parent: usize,
): void {
  const last = features + (<usize>(featureCount - 1) << FEATURE_SHIFT)
  const size = <usize>(load<u32>(last, 4) + load<u32>(last, 8)) << 4
  memory.fill(sums, 0, size)
  for (let index = from; index < to; index++) {
    const row = <usize>load<u32>(order + (<usize>index << 2))
    const word = load<i64>(gradients + (row << 3))
    const first = (word << (64 - SECOND_SHIFT)) >> (64 - SECOND_SHIFT)
    const both = f64x2.replace_lane(f64x2.splat(<f64>first), 1, <f64>((word - first) >> SECOND_SHIFT))
    const pair = f64x2.mul(both, f64x2.splat(<f64>load<i32>(weight + (row << 2))))
    const start = bins + row * <usize>stride
    for (let f: u32 = 0; f < featureCount; f++) {
      const cell = load<u32>(features + (<usize>f << FEATURE_SHIFT), 4) + <u32>load<u8>(start + <usize>f)
      const at = sums + (<usize>cell << 4)
      v128.store(at, f64x2.add(v128.load(at), pair))
    }
  }
  if (parent == 0) return
  for (let at: usize = 0; at < size; at += 16) {
    v128.store(parent + at, f64x2.sub(v128.load(parent + at), v128.load(sums + at)))
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
