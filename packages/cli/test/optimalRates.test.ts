// The learner of bench/optimalRates: what its proof rests on, and that it learns.

import { makeRandom } from '@featureboost/core/internal'
import { describe, expect, it } from 'vitest'
import { chancesFor, learnStates, OnlineLearner } from '../../../bench/optimalRates/onlineLearner.ts'

const BINS = 10

/** Two groups beside everyone; outcomes are more frequent in the first. */
function drawRows(rowCount: number, seed: number) {
  const random = makeRandom(seed)
  const groupsOf = Array.from({ length: rowCount }, () => [0, 1 + random.integer(2)])
  const labels = groupsOf.map(([, group]) => Number(random.next() < (group === 1 ? 0.72 : 0.31)))
  return { rows: { rowCount, groupsOf, groupCount: 3 }, labels }
}

describe('the online learner', () => {
  it('draws so that no outcome makes the weighted tests grow by more than 1/K', () => {
    const random = makeRandom(2)
    const learner = new OnlineLearner(3, BINS, 0.3)
    for (let round = 0; round < 500; round++) {
      const groups = random.integer(3) === 0 ? [0] : [0, 1 + random.integer(2)]
      const leanings = learner.leanings(groups)
      const { at, share } = learner.drawFor(groups)
      for (const outcome of [0, 1]) {
        const growth =
          share * leanings[at] * (at / BINS - outcome) +
          (share < 1 ? (1 - share) * leanings[at + 1] * ((at + 1) / BINS - outcome) : 0)
        expect(growth).toBeLessThanOrEqual(1 / BINS + 1e-12)
      }
      learner.learn(groups, random.integer(2))
    }
  })

  it('gives chances that sum to 1, and draws that are right in every group at every value', () => {
    const { labels, rows } = drawRows(4000, 3)
    const states = learnStates(rows, labels, BINS, 50)
    expect(states).toHaveLength(50)
    const truth = [0, 0.72, 0.31]
    for (const group of [1, 2]) {
      const chances = chancesFor(states, [0, group], BINS)
      expect(chances.reduce((sum, chance) => sum + chance, 0)).toBeCloseTo(1, 12)
      const error = chances.reduce(
        (sum, chance, value) => sum + chance * Math.abs(truth[group] - value / BINS),
        0,
      )
      expect(error).toBeLessThan(0.12)
    }
  })
})
