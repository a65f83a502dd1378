// Scores at the end of the range of numbers are measured as those next to them are.

import { describe, expect, it } from 'vitest'
import { scoreMeasures } from '../../../src/measures/score/scoreMeasures.ts'

const ROWS = 300
const labels = Array.from({ length: ROWS }, (_, row) => (row % 4 === 0 ? 1 : 0))
const measure = (score: number, other = score) =>
  scoreMeasures({ predictions: labels.map((_, row) => (row % 2 === 0 ? score : other)), labels })

describe('the smallest numbers as scores', () => {
  it.each([
    ['alone', 5e-324, 5e-324, 1e-300, 1e-300],
    ['beside 0', 5e-324, 0, 1e-300, 0],
    ['beside larger ones', 5e-324, 1e-310, 1e-300, 1e-290],
  ])('%s have the intervals of small ones', (_, score, other, near, nearOther) => {
    const [found, expected] = [measure(score, other), measure(near, nearOther)]
    for (const name of ['brier', 'eceWidth', 'smoothEce', 'ecce'] as const) {
      expect(found[name].value, name).toBeCloseTo(expected[name].value, 12)
      expect(found[name].low, name).toBeCloseTo(expected[name].low, 9)
      expect(found[name].high, name).toBeCloseTo(expected[name].high, 9)
    }
    expect(found.smoothEce.high).toBeGreaterThan(found.smoothEce.value)
  })
})
