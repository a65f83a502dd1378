// The inner loops of the worst-group search: the four quadrants of every two splits, at every level. Plain loops over
// typed arrays given by the caller; nothing is allocated.

/** Sums of one quantity around a pair: everyone, the yes sides of A's and of B's splits, and both yes sides. */
export interface Around {
  readonly all: Float64Array
  readonly a: Float64Array
  readonly b: Float64Array
  readonly both: Float64Array
}

/** Splits of A and B, and columns side by side: levels and all of them. */
interface PairShape {
  readonly splitsA: number
  readonly splitsB: number
  readonly width: number
}

/** Quadrant q: bit 1 is A's side, bit 0 is B's, 0 for yes. */
export function quadrantOf(
  sums: Around,
  quadrant: number,
  a: number,
  b: number,
  both: number,
  level: number,
): number {
  switch (quadrant) {
    case 0:
      return sums.both[both]
    case 1:
      return sums.a[a] - sums.both[both]
    case 2:
      return sums.b[b] - sums.both[both]
    default:
      return sums.all[level] - sums.a[a] - sums.b[b] + sums.both[both]
  }
}

/** The largest R^2 / V of all quadrants whose V is at least `least`, or `best` if that is larger. */
export function largestSquare(best: number, r: Around, v: Around, shape: PairShape, least: number): number {
  const { splitsA, splitsB, width } = shape
  const { all: rAll, a: rA, b: rB, both: rBoth } = r
  const { all: vAll, a: vA, b: vB, both: vBoth } = v
  let both = 0
  for (let splitA = 0; splitA < splitsA; splitA++) {
    for (let splitB = 0; splitB < splitsB; splitB++) {
      let a = splitA * width
      let b = splitB * width
      for (let level = 0; level < width; level++, both++, a++, b++) {
        const r0 = rBoth[both]
        const v0 = vBoth[both]
        if (r0 * r0 > best * v0 && v0 >= least) best = (r0 * r0) / v0
        const r1 = rA[a] - r0
        const v1 = vA[a] - v0
        if (r1 * r1 > best * v1 && v1 >= least) best = (r1 * r1) / v1
        const r2 = rB[b] - r0
        const v2 = vB[b] - v0
        if (r2 * r2 > best * v2 && v2 >= least) best = (r2 * r2) / v2
        const r3 = rAll[level] - rA[a] - r2
        const v3 = vAll[level] - vA[a] - v2
        if (r3 * r3 > best * v3 && v3 >= least) best = (r3 * r3) / v3
      }
    }
  }
  return best
}

interface Margin {
  readonly all: Float64Array
  readonly axes: readonly Float64Array[]
}

/** The same for the two sides of every split of one feature, and for everyone. */
export function largestOfMargins(best: number, r: Margin, v: Margin, width: number, least: number): number {
  for (let level = 0; level < width; level++) {
    const rAll = r.all[level]
    const vAll = v.all[level]
    if (rAll * rAll > best * vAll && vAll >= least) best = (rAll * rAll) / vAll
    for (let axis = 0; axis < r.axes.length; axis++) {
      const rs = r.axes[axis]
      const vs = v.axes[axis]
      for (let at = level; at < rs.length; at += width) {
        const rNo = rAll - rs[at]
        const vNo = vAll - vs[at]
        if (rs[at] * rs[at] > best * vs[at] && vs[at] >= least) best = (rs[at] * rs[at]) / vs[at]
        if (rNo * rNo > best * vNo && vNo >= least) best = (rNo * rNo) / vNo
      }
    }
  }
  return best
}
