// What one observation weighs: outcomes tell counts of different people from survey weights and from copies of one row.

import { describe, expect, it } from 'vitest'
import { makeRandom } from '../../src/common/random.ts'
import { toUnits } from '../../src/common/units.ts'
import { observationWeight } from '../../src/data/observations.ts'

const START = { kind: 'constant', units: toUnits(0.3) } as const

/** Rows of some kinds; each is seen so many times, and every sight weighs so much. */
function weigh(seed: number, kinds: number, sights: number, weight: number): number {
  const random = makeRandom(seed)
  const rows: { key: number; label: number; weight: number }[] = []
  for (let key = 0; key < kinds; key++) {
    let ones = 0
    for (let sight = 0; sight < sights; sight++) ones += Number(random.next() < 0.3)
    if (ones > 0) rows.push({ key, label: 1, weight: ones * weight })
    if (ones < sights) rows.push({ key, label: 0, weight: (sights - ones) * weight })
  }
  const learnable = {
    features: [],
    label: Int32Array.from(rows, row => toUnits(row.label)),
    weight: Int32Array.from(rows, row => row.weight),
  }
  return observationWeight(
    learnable,
    Int32Array.from(rows, row => row.key),
    START,
  )
}

describe('what one observation weighs', () => {
  it('is 1 for counts of different people, however many are alike', () => {
    for (const seed of [1, 2, 3]) expect(weigh(seed, 2000, 30, 1)).toBeLessThan(1.15)
  })

  it('is the weight of rows of which no two are alike, and that of copies of rows that are', () => {
    for (const seed of [1, 2, 3]) {
      expect(weigh(seed, 2000, 1, 50) / 50).toBeCloseTo(1, 1)
      expect(Math.abs(weigh(seed, 2000, 30, 50) / 50 - 1)).toBeLessThan(0.15)
    }
  })

  it('is never less than 1, nor more than where every row is one observation', () => {
    const rows = { features: [], label: Int32Array.of(0, 0), weight: Int32Array.of(1, 3) }
    expect(observationWeight(rows, Int32Array.of(1, 2), START)).toBeGreaterThanOrEqual(1)
    const far = { ...rows, label: Int32Array.of(toUnits(1), toUnits(1)) }
    expect(observationWeight(far, Int32Array.of(1, 1), START)).toBe(10 / 4)
    expect(observationWeight({ features: [], label: rows.label }, Int32Array.of(1, 2), START)).toBe(1)
  })

  it('is the same whatever the order of rows, of weights whose squares are beyond exact numbers, too', () => {
    // Sums to the last digit: 2^27 - 1 squared has a last digit that doubles do not hold.
    const weights = [2 ** 27 - 1, 3, 5, 7, 11, 13]
    const of = (order: readonly number[]) =>
      observationWeight(
        {
          features: [],
          label: Int32Array.from(order, () => toUnits(1)),
          weight: Int32Array.from(order, row => weights[row]),
        },
        new Int32Array(order.length),
        START,
      )
    const found = weights.map((_, first) => of(weights.map((_, row) => (row + first) % weights.length)))
    expect(new Set([...found, of([5, 4, 3, 2, 1, 0])]).size).toBe(1)
  })
})
