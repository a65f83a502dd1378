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
