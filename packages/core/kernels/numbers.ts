// Numbers into bins, and into order.

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

// Sorting: 8 digits of 8 bits, from the lowest up.
const DIGITS: u32 = 8
const DIGIT_VALUES: u32 = 256

/**
 * Sorts doubles in ascending order, -0 before 0, by their digits from the lowest to the highest (LSD radix sort). There
 * must be no NaN. `scratch` has room for as many doubles, `starts` for DIGITS * DIGIT_VALUES 32-bit counts. A digit that
 * all keys share moves nothing and is skipped: whole numbers have many of them.
 */
export function sortNumbers(values: usize, rows: u32, scratch: usize, starts: usize): void {
  memory.fill(starts, 0, (DIGITS * DIGIT_VALUES) << 2)
  countDigits(values, rows, starts)
  let from = values
  let to = scratch
  for (let digit: u32 = 0; digit < DIGITS; digit++) {
    const table = starts + <usize>((digit * DIGIT_VALUES) << 2)
    if (!sumStarts(table, rows)) continue
    placeByDigit(to, from, rows, table, digit << 3)
    const other = from
    from = to
    to = other
  }
  for (let at: usize = 0; at < <usize>rows << 3; at += 8) store<u64>(values + at, numberOf(load<u64>(from + at)))
}

/** Bits whose order as whole numbers is that of the doubles: the sign turned over, all of a negative number's bits too. */
@inline
function keyOf(bits: u64): u64 {
  return bits ^ (<u64>(<i64>bits >> 63) | (1 << 63))
}

@inline
function numberOf(key: u64): u64 {
  return key ^ (<u64>(<i64>~key >> 63) | (1 << 63))
}

/** Turns values into keys in place, and counts every digit's values in the same pass. */
@inline
function countDigits(values: usize, rows: u32, starts: usize): void {
  for (let at: usize = 0; at < <usize>rows << 3; at += 8) {
    const key = keyOf(load<u64>(values + at))
    store<u64>(values + at, key)
    for (let digit: u32 = 0; digit < DIGITS; digit++) {
      const entry = starts + <usize>((digit * DIGIT_VALUES + (<u32>(key >> (digit << 3)) & 255)) << 2)
      store<u32>(entry, load<u32>(entry) + 1)
    }
  }
}

/** Counts become the places where each value's keys begin. False where one value has all rows. */
@inline
function sumStarts(table: usize, rows: u32): bool {
  let start: u32 = 0
  for (let value: u32 = 0; value < DIGIT_VALUES; value++) {
    const entry = table + (<usize>value << 2)
    const count = load<u32>(entry)
    if (count == rows) return false
    store<u32>(entry, start)
    start += count
  }
  return true
}

@inline
function placeByDigit(to: usize, from: usize, rows: u32, table: usize, shift: u32): void {
  for (let at: usize = 0; at < <usize>rows << 3; at += 8) {
    const key = load<u64>(from + at)
    const entry = table + <usize>((<u32>(key >> shift) & 255) << 2)
    const place = load<u32>(entry)
    store<u32>(entry, place + 1)
    store<u64>(to + (<usize>place << 3), key)
  }
}
