// Sorts row numbers by columns of doubles: a stable radix sort, least significant digit first, so that a million rows
// take a fraction of a second and no comparison function is called.

/** Digits of a double's two 32-bit halves, least significant first: [half, shift]. 11 + 11 + 10 bits make 32. */
const DIGITS = [
  [0, 0],
  [0, 11],
  [0, 22],
  [1, 0],
  [1, 11],
  [1, 22],
] as const
const BUCKETS = 1 << 11
const MASK = BUCKETS - 1

/** Which 32-bit half of a double comes first in memory. */
const LOW_HALF = new Uint8Array(new Float64Array([1]).buffer)[7] === 0 ? 1 : 0

/**
 * The rows, ordered by the first key, equal ones by the second, and so on; rows equal in all keys stay as they were.
 * Keys are indexed by row number and hold no negative number, no -0 and no NaN: then the bits of a double, read as an
 * integer, are in the order of its value.
 */
export function sortByKeys(rows: Uint32Array, keys: readonly Float64Array[]): Uint32Array {
  let [sorted, spare] = [rows.slice(), new Uint32Array(rows.length)]
  let [digits, spareDigits] = [new Uint32Array(rows.length), new Uint32Array(rows.length)]
  const counts = new Uint32Array(DIGITS.length * BUCKETS)
  for (const key of [...keys].reverse()) {
    const halves = new Uint32Array(key.buffer, key.byteOffset, 2 * key.length)
    countDigits(counts, rows, halves)
    let gathered = -1
    for (let digit = 0; digit < DIGITS.length; digit++) {
      const starts = counts.subarray(digit * BUCKETS, (digit + 1) * BUCKETS)
      if (isOneBucket(starts, rows.length)) continue
      const [half, shift] = DIGITS[digit]
      if (gathered !== half) gather(digits, sorted, halves, half === 0 ? LOW_HALF : 1 - LOW_HALF)
      gathered = half
      scatter(spare, spareDigits, sorted, digits, shift, starts)
      ;[sorted, spare, digits, spareDigits] = [spare, sorted, spareDigits, digits]
    }
  }
  return sorted
}

/** The half of each row's key, in the present order: it then moves with its row, and is read in sequence. */
function gather(digits: Uint32Array, sorted: Uint32Array, halves: Uint32Array, half: number): void {
  for (let index = 0; index < sorted.length; index++) digits[index] = halves[2 * sorted[index] + half]
}

function countDigits(counts: Uint32Array, rows: Uint32Array, halves: Uint32Array): void {
  counts.fill(0)
  for (let index = 0; index < rows.length; index++) {
    const low = halves[2 * rows[index] + LOW_HALF]
    const high = halves[2 * rows[index] + 1 - LOW_HALF]
    counts[low & MASK]++
    counts[BUCKETS + ((low >>> 11) & MASK)]++
    counts[2 * BUCKETS + (low >>> 22)]++
    counts[3 * BUCKETS + (high & MASK)]++
    counts[4 * BUCKETS + ((high >>> 11) & MASK)]++
    counts[5 * BUCKETS + (high >>> 22)]++
  }
}

/** A digit that all rows share orders nothing. Labels of 0 and 1 and equal weights have few others. */
const isOneBucket = (counts: Uint32Array, rowCount: number): boolean => counts.includes(rowCount)

/** Turns counts into places and puts each row, and its half of the key, into its place. */
function scatter(
  target: Uint32Array,
  targetDigits: Uint32Array,
  source: Uint32Array,
  digits: Uint32Array,
  shift: number,
  counts: Uint32Array,
): void {
  let place = 0
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    const count = counts[bucket]
    counts[bucket] = place
    place += count
  }
  for (let index = 0; index < source.length; index++) {
    const at = counts[(digits[index] >>> shift) & MASK]++
    target[at] = source[index]
    targetDigits[at] = digits[index]
  }
}
