// Binary search in ascending numbers, or in strings by code unit order.

/** How many elements are smaller than the wanted one: its place, if it is there. */
export function lowerBound<T extends number | string>(sorted: ArrayLike<T>, wanted: T): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sorted[middle] < wanted) low = middle + 1
    else high = middle
  }
  return low
}

/** The place of an element, or -1. */
export function indexInSorted<T extends number | string>(sorted: ArrayLike<T>, wanted: T): number {
  const index = lowerBound(sorted, wanted)
  return sorted[index] === wanted ? index : -1
}

const GRID = 1024

/**
 * lowerBound in the same cuts, many times over: a grid over their range tells between which of them a value can lie, most often one or
 * none. What is computed of a value never falls as values rise, and so it is exact.
 */
export function makeBinFinder(cuts: readonly number[]): (value: number) => number {
  const sorted = Float64Array.from(cuts)
  const { length } = sorted
  const low = sorted[0]
  const scale = GRID / (sorted[length - 1] - low)
  if (length < 2 || !(scale > 0 && scale < Number.MAX_VALUE))
    return value => lowerBoundOf(sorted, value, 0, length)
  const placeOf = (value: number): number => {
    const place = Math.floor((value - low) * scale)
    return place > GRID ? GRID : place < 0 ? 0 : place
  }
  const places = Array.from(sorted, placeOf)
  /** How many cuts have a smaller place. */
  const before = Int32Array.from({ length: GRID + 2 }, (_, place) => lowerBound(places, place))
  return value => {
    const place = placeOf(value)
    return lowerBoundOf(sorted, value, before[place], before[place + 1])
  }
}

/** lowerBound of numbers alone, where it lies within these places: many times as fast, and without a number on the heap for each look. */
export function lowerBoundOf(sorted: Float64Array, wanted: number, low = 0, high = sorted.length): number {
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sorted[middle] < wanted) low = middle + 1
    else high = middle
  }
  return low
}
