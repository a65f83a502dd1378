// The inner loops of the worst-group search: the four quadrants of every two splits, at every level. Plain loops over
// typed arrays given by the caller; nothing is allocated.

import type { MarginSums } from '../../oracle/groups/family.ts'

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

/** The sums of one quantity around a pair, from those of the family and of both yes sides. */
export const aroundPair = (margins: MarginSums, a: number, b: number, both: Float64Array): Around => ({
  all: margins.all,
  a: margins.axes[a],
  b: margins.axes[b],
  both,
})

/** A bit for each quadrant of two splits that has a variance of `least`. */
export function largeQuadrants(
  v: Around,
  a: number,
  b: number,
  both: number,
  level: number,
  least: number,
): number {
  const [v0, yesA] = [v.both[both], v.a[a]]
  const v2 = v.b[b] - v0
  return (
    Number(v0 >= least) |
    (Number(yesA - v0 >= least) << 1) |
    (Number(v2 >= least) << 2) |
    (Number(v.all[level] - yesA - v2 >= least) << 3)
  )
}

/** The same for one split of A, in one column: whether any split of B leaves so much. */
export function testedQuadrants(
  v: Around,
  { splitsB, width }: PairShape,
  splitA: number,
  column: number,
  least: number,
): number {
  const a = splitA * width + column
  let [tested, both] = [0, splitA * splitsB * width + column]
  for (let b = column; b < splitsB * width; b += width, both += width)
    tested |= largeQuadrants(v, a, b, both, column, least)
  return tested
}

/** 1 - 2^-50: products that decide what is divided are off by less. */
const NEARLY = 1 - 2 ** -50

/** The largest R^2 / V of all quadrants whose V is at least `least`, or `best` if that is larger. */
export function largestSquare(best: number, r: Around, v: Around, shape: PairShape, least: number): number {
  const { splitsA, splitsB, width } = shape
  const { all: rAll, a: rA, b: rB, both: rBoth } = r
  const { all: vAll, a: vA, b: vB, both: vBoth } = v
  let largest = best
  let nearly = best * NEARLY
  const improve = (residual: number, variance: number) => {
    const square = (residual * residual) / variance
    if (square <= largest) return
    largest = square
    nearly = square * NEARLY
  }
  let both = 0
  for (let splitA = 0; splitA < splitsA; splitA++) {
    for (let splitB = 0; splitB < splitsB; splitB++) {
      let a = splitA * width
      let b = splitB * width
      for (let level = 0; level < width; level++, both++, a++, b++) {
        const r0 = rBoth[both]
        const v0 = vBoth[both]
        if (r0 * r0 > nearly * v0 && v0 >= least) improve(r0, v0)
        const r1 = rA[a] - r0
        const v1 = vA[a] - v0
        if (r1 * r1 > nearly * v1 && v1 >= least) improve(r1, v1)
        const r2 = rB[b] - r0
        const v2 = vB[b] - v0
        if (r2 * r2 > nearly * v2 && v2 >= least) improve(r2, v2)
        const r3 = rAll[level] - rA[a] - r2
        const v3 = vAll[level] - vA[a] - v2
        if (r3 * r3 > nearly * v3 && v3 >= least) improve(r3, v3)
      }
    }
  }
  return largest
}

/** The same for the two sides of every split of one feature, and for everyone. */
export function largestOfMargins(
  best: number,
  r: MarginSums,
  v: MarginSums,
  width: number,
  least: number,
): number {
  let largest = best
  const improve = (residual: number, variance: number) => {
    if (variance >= least) largest = Math.max(largest, (residual * residual) / variance)
  }
  for (let level = 0; level < width; level++) {
    improve(r.all[level], v.all[level])
    for (let axis = 0; axis < r.axes.length; axis++) {
      const [rs, vs] = [r.axes[axis], v.axes[axis]]
      for (let at = level; at < rs.length; at += width) {
        improve(rs[at], vs[at])
        improve(r.all[level] - rs[at], v.all[level] - vs[at])
      }
    }
  }
  return largest
}
