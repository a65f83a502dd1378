// Where to cut a line of weighted items into bins. Heavy items get a bin of their own, so that the many rows
// of one value do not starve the rest; the light items between them are cut at equal weight.
// All comparisons are between integers below 2^53, so a weight of 2 equals the item's rows twice.

/** A run of neighbouring items, `end` excluded, and how many bins it gets. */
interface Segment {
  readonly begin: number
  readonly end: number
  readonly weight: number
  binCount: number
}

/**
 * Ascending positions; position i is the boundary between items i and i + 1. At most `bins` bins come out.
 * The `forced` positions (ascending, at most bins - 1) are always among them.
 */
export function chooseBoundaries(
  weights: Float64Array,
  bins: number,
  forced: readonly number[] = [],
): number[] {
  const itemCount = weights.length
  if (itemCount <= bins) return Array.from({ length: Math.max(0, itemCount - 1) }, (_, i) => i)
  const heavy = findHeavy(weights, bins, Math.floor((bins - 1 - forced.length) / 2))
  const segments = makeSegments(weights, heavy, forced)
  shareBins(segments, bins)
  const ends = segments.flatMap(segment => cutSegment(weights, segment))
  return ends.slice(0, -1)
}

/**
 * Marks the items that weigh at least what the bins hold on average, largest first: each takes one bin and its
 * weight away, which lowers the average for the next. Of equally heavy ones the first come first.
 */
function findHeavy(weights: Float64Array, bins: number, limit: number): Uint8Array {
  const ascending = weights.slice().sort()
  let restWeight = weights.reduce((sum, weight) => sum + weight, 0)
  let count = 0
  while (count < limit) {
    const weight = ascending[ascending.length - 1 - count]
    if (weight * (bins - count) < restWeight) break
    restWeight -= weight
    count++
  }
  return markLargest(weights, count, ascending[ascending.length - count])
}

function markLargest(weights: Float64Array, count: number, smallest: number): Uint8Array {
  const marked = new Uint8Array(weights.length)
  if (count === 0) return marked
  let ties = count
  for (const weight of weights) if (weight > smallest) ties--
  for (let item = 0; item < weights.length; item++) {
    if (weights[item] > smallest || (weights[item] === smallest && ties-- > 0)) marked[item] = 1
  }
  return marked
}

/** Heavy items stand alone; runs of light ones end at heavy items and at forced positions. */
function makeSegments(weights: Float64Array, heavy: Uint8Array, forced: readonly number[]): Segment[] {
  const segments: Segment[] = []
  let nextForced = 0
  let begin = 0
  let weight = 0
  for (let item = 0; item < weights.length; item++) {
    weight += weights[item]
    const isForced = item === forced[nextForced]
    if (isForced) nextForced++
    const isLast = item === weights.length - 1
    if (!isLast && !isForced && !heavy[item] && !heavy[item + 1]) continue
    segments.push({ begin, end: item + 1, weight, binCount: 1 })
    begin = item + 1
    weight = 0
  }
  return segments
}

/** One bin each; then the next bin always goes where bins are fullest, as long as there are items to part. */
function shareBins(segments: Segment[], bins: number): void {
  for (let left = bins - segments.length; left > 0; left--) {
    let fullest: Segment | undefined
    for (const segment of segments) {
      if (segment.binCount === segment.end - segment.begin) continue
      const fuller =
        fullest === undefined || segment.weight * fullest.binCount > fullest.weight * segment.binCount
      if (fuller) fullest = segment
    }
    fullest!.binCount++
  }
}

/** The last item of every bin. Each bin takes what is left over the bins that are left, to the nearest item. */
function cutSegment(weights: Float64Array, { begin, end, weight, binCount }: Segment): number[] {
  const ends: number[] = []
  let restWeight = weight
  let item = begin
  for (let binsLeft = binCount; binsLeft > 1; binsLeft--) {
    let filled = weights[item++]
    while (end - item >= binsLeft && (2 * filled + weights[item]) * binsLeft <= 2 * restWeight) {
      filled += weights[item++]
    }
    restWeight -= filled
    ends.push(item - 1)
  }
  ends.push(end - 1)
  return ends
}
