// scanQuadrants where there is one level and leaves are scored by |R|: a leaf is one number then, and the loops around it
// would take longer than the leaf itself. The same trees in the same order, with the same scores.

import type { SideBests } from '../kernels/pairs/cells.ts'
import type { PairSide } from '../kernels/pairs/quadrants.ts'

/** `joint` holds residual sums at [binA * binsB + binB], `row` is scratch of B's bins. */
export function scanOneLevel(
  a: PairSide,
  b: PairSide,
  joint: Float64Array,
  total: number,
  row: Float64Array,
): void {
  const { bins: binsA, resets: resetsA, splitIndexes: splitsA } = a.steps
  const { bins: binsB, resets: resetsB, splitIndexes: splitsB } = b.steps
  const [sidesA, sidesB] = [a.sides.residuals, b.sides.residuals]
  const [scoresA, scoresB] = [a.bests.scores, b.bests.scores]
  row.fill(0)
  for (let stepA = 0; stepA < binsA.length; stepA++) {
    if (resetsA[stepA] === 1) row.fill(0)
    const from = binsA[stepA] * row.length
    for (let bin = 0; bin < row.length; bin++) row[bin] += joint[from + bin]
    const splitA = splitsA[stepA]
    if (splitA < 0) continue
    const yesA = sidesA[splitA]
    let yesYes = 0
    for (let stepB = 0; stepB < binsB.length; stepB++) {
      yesYes = row[binsB[stepB]] + (resetsB[stepB] === 1 ? 0 : yesYes)
      const splitB = splitsB[stepB]
      if (splitB < 0) continue
      const noYes = sidesB[splitB] - yesYes
      const yy = Math.abs(yesYes)
      const yn = Math.abs(yesA - yesYes)
      const ny = Math.abs(noYes)
      const nn = Math.abs(total - yesA - noYes)
      if (yy + yn > scoresA[2 * splitA]) keep(a.bests, 2 * splitA, yy + yn, b.feature, splitB)
      if (ny + nn > scoresA[2 * splitA + 1]) keep(a.bests, 2 * splitA + 1, ny + nn, b.feature, splitB)
      if (yy + ny > scoresB[2 * splitB]) keep(b.bests, 2 * splitB, yy + ny, a.feature, splitA)
      if (yn + nn > scoresB[2 * splitB + 1]) keep(b.bests, 2 * splitB + 1, yn + nn, a.feature, splitA)
    }
  }
}

function keep(bests: SideBests, slot: number, score: number, feature: number, split: number): void {
  bests.scores[slot] = score
  bests.features[slot] = feature
  bests.splits[slot] = split
}
