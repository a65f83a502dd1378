// How much K1 the trees below a root split can have at most. Below it a side adds a vector over prediction bins: its sums, or the
// difference of its two leaves (of equal signs they are the whole side again). The l1 norm of a sum is at most the sum of the
// norms, so the largest norm of either side bounds every tree of this root. No larger than the level-set error, and often
// much smaller: that counts every bin at the larger of the two.

import type { PairSide } from '../../../kernels/pairs/quadrants.ts'

/** What the scan needs of a feature: `bests.scores` are its norms, the yes side of root split s at 2s, its no side next. */
export interface NormSide extends Pick<PairSide, 'steps'> {
  /** Residuals of the yes side of every split, at [split * levels + level]. */
  readonly sides: Float64Array
  readonly norms: Float64Array
}

/** Norms of the sides as they are, before any further split. */
export function wholeNorms(sides: Float64Array, total: Float64Array): Float64Array {
  const levels = total.length
  const norms = new Float64Array((2 * sides.length) / levels)
  for (let at = 0; at < sides.length; at++) {
    const slot = 2 * Math.floor(at / levels)
    norms[slot] += Math.abs(sides[at])
    norms[slot + 1] += Math.abs(total[at % levels] - sides[at])
  }
  return norms
}

/**
 * All splits of one feature with all splits of another: the quadrants are the leaves whichever of the two is the root, so each
 * serves both (kernels/pairs/quadrants.ts). `joint` holds residuals at [(binA * binsB + binB) * levels + level]; `row` is
 * scratch of B's bins times levels.
 */
export function scanNorms(
  a: NormSide,
  b: NormSide,
  joint: Float64Array,
  total: Float64Array,
  row: Float64Array,
): void {
  const levels = total.length
  const { bins, resets, splitIndexes } = b.steps
  const [sidesA, sidesB] = [a.sides, b.sides]
  const yesYes = new Float64Array(levels)
  row.fill(0)
  for (let stepA = 0; stepA < a.steps.bins.length; stepA++) {
    if (a.steps.resets[stepA] === 1) row.fill(0)
    const from = a.steps.bins[stepA] * row.length
    for (let cell = 0; cell < row.length; cell++) row[cell] += joint[from + cell]
    const splitA = a.steps.splitIndexes[stepA]
    if (splitA < 0) continue
    const atA = splitA * levels
    yesYes.fill(0)
    for (let stepB = 0; stepB < bins.length; stepB++) {
      if (resets[stepB] === 1) yesYes.fill(0)
      const at = bins[stepB] * levels
      const splitB = splitIndexes[stepB]
      if (splitB < 0) {
        for (let level = 0; level < levels; level++) yesYes[level] += row[at + level]
        continue
      }
      const atB = splitB * levels
      let [yesA, noA, yesB, noB] = [0, 0, 0, 0]
      for (let level = 0; level < levels; level++) {
        const both = yesYes[level] + row[at + level]
        yesYes[level] = both
        const onlyA = sidesA[atA + level] - both
        const onlyB = sidesB[atB + level] - both
        const none = total[level] - both - onlyA - onlyB
        yesA += Math.abs(both - onlyA)
        noA += Math.abs(onlyB - none)
        yesB += Math.abs(both - onlyB)
        noB += Math.abs(onlyA - none)
      }
      raise(a.norms, 2 * splitA, yesA)
      raise(a.norms, 2 * splitA + 1, noA)
      raise(b.norms, 2 * splitB, yesB)
      raise(b.norms, 2 * splitB + 1, noB)
    }
  }
}

function raise(norms: Float64Array, slot: number, norm: number): void {
  if (norm > norms[slot]) norms[slot] = norm
}
