// The shares of a kind of rows that a count of them leaves possible: n kl(k/n, share) <= ln(1/level), Chernoff's bound on either side.

import { lnOf } from '../common/logistic.ts'

export interface ShareBounds {
  readonly low: number
  readonly high: number
}

/** Either end is wrong with a chance of at most `level`. */
export function shareBounds(count: number, rowCount: number, level: number): ShareBounds {
  const share = count / rowCount
  const most = lnOf(1 / level) / rowCount
  return {
    low: count === 0 ? 0 : farthest(share, 0, most),
    high: count === rowCount ? 1 : farthest(share, 1, most),
  }
}

/** The place between a share and an end of [0,1] that is as far as allowed, or a little farther. */
function farthest(share: number, end: number, most: number): number {
  let [near, far] = [share, end]
  for (let step = 0; step < 60; step++) {
    const middle = (near + far) / 2
    if (divergence(share, middle) <= most) near = middle
    else far = middle
  }
  return far
}

/** Kullback and Leibler's, of two outcomes. */
function divergence(share: number, other: number): number {
  const yes = share === 0 ? 0 : share * lnOf(share / other)
  const no = share === 1 ? 0 : (1 - share) * lnOf((1 - share) / (1 - other))
  return yes + no
}
