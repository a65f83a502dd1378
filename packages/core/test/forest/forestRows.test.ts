// Where the score is cut.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ONE } from '../../src/common/units.ts'
import { scoreBins, scoreCuts } from '../../src/forest/forestRows.ts'

describe('cuts of the score', () => {
  it('leave about equally many rows in each bin, and lie between different scores', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: ONE }), { minLength: 1, maxLength: 300 }),
        fc.integer({ min: 1, max: 10 }),
        (scores, most) => {
          const start = Int32Array.from(scores)
          const cuts = scoreCuts(start, most)
          expect(cuts.length).toBeLessThanOrEqual(most)
          expect([...cuts].every((cut, index) => index === 0 || cut > cuts[index - 1])).toBe(true)
          const bins = scoreBins(start, cuts)
          bins.forEach((bin, row) => {
            expect(bin === 0 || cuts[bin - 1] <= start[row]).toBe(true)
            expect(bin === cuts.length || start[row] < cuts[bin]).toBe(true)
          })
          expect(new Set(bins).size).toBe(cuts.length + 1)
        },
      ),
    )
  })
})
