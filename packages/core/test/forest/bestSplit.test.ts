// The best split of a node against brute force, and the same from both kernels.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeRandom } from '../../src/common/random.ts'
import { LIGHTGBM_CATEGORIES } from '../../src/forest/splits.ts'
import { findBestSplit } from './findBestSplit.ts'

describe('the best split', () => {
  const sumsArbitrary = fc.array(
    fc.record({ first: fc.integer({ min: -40, max: 40 }), rows: fc.integer({ min: 0, max: 40 }) }),
    { minLength: 7 + 4, maxLength: 7 + 4 },
  )

  it('of ordered bins is the best of all cuts, missing values on either side or alone', () => {
    fc.assert(
      fc.property(sumsArbitrary, cells => {
        const features = [
          { bins: 7, ordered: true },
          { bins: 4, ordered: true },
        ]
        const unit = { first: 2 ** 12, second: 2 ** 8 }
        const scaled = cells.map(({ first, rows }) => [
          rows === 0 ? 0 : first * unit.first,
          rows * unit.second,
        ])
        // Both features see the same rows: the score's last bin takes what the first feature has more.
        const total = [0, 1].map(k => scaled.slice(0, 7).reduce((sum, cell) => sum + cell[k], 0))
        const others = [0, 1].map(k => scaled.slice(7, 10).reduce((sum, cell) => sum + cell[k], 0))
        scaled[10] = [total[0] - others[0], Math.max(0, total[1] - others[1])]
        const rules = { ridge: 1, leastVariance: 0.25, leastGain: 0 }
        const found = findBestSplit(
          Float64Array.from(scaled.flat()),
          features,
          { first: total[0], second: total[1] },
          rules,
        )
        const value = (first: number, second: number) => (first / 2 ** 18) ** 2 / (second / 2 ** 12 + 1)
        const sides: number[][] = []
        for (let cut = 0; cut < 5; cut++) {
          const low = Array.from({ length: cut + 1 }, (_, bin) => bin)
          sides.push(low, [...low, 6])
        }
        sides.push([6])
        for (let cut = 0; cut < 3; cut++) sides.push(Array.from({ length: cut + 1 }, (_, bin) => 7 + bin))
        let best = 0
        for (const side of sides) {
          const [first, second] = [0, 1].map(k => side.reduce((sum, bin) => sum + scaled[bin][k], 0))
          if (second < 2 ** 10 || total[1] - second < 2 ** 10) continue
          const gain =
            value(first, second) + value(total[0] - first, total[1] - second) - value(total[0], total[1])
          best = Math.max(best, gain / 2)
        }
        expect(found?.gain ?? 0).toBeCloseTo(best, 9)
      }),
    )
  })

  it('is the same from both kernels, whatever the features and rules', () => {
    const feature = fc.record({ bins: fc.integer({ min: 2, max: 256 }), ordered: fc.boolean() })
    const arbitrary = fc.record({
      features: fc.array(feature, { maxLength: 4 }),
      scoreBins: fc.integer({ min: 1, max: 256 }),
      emptiness: fc.constantFrom(0, 0.3, 0.95),
      seed: fc.nat(),
      draw: fc.constantFrom(0, 1, 12_345, 2 ** 32 - 1),
      rules: fc.record(
        {
          ridge: fc.constantFrom(0, 0.5, 3),
          leastVariance: fc.constantFrom(0.001, 1),
          leastGain: fc.constantFrom(0, 0.1),
          leastRows: fc.constantFrom(1, 20, 160),
          categories: fc.constant(LIGHTGBM_CATEGORIES),
        },
        { requiredKeys: ['ridge', 'leastVariance', 'leastGain'] },
      ),
    })
    fc.assert(
      fc.property(arbitrary, ({ draw, emptiness, features, rules, scoreBins: last, seed }) => {
        const random = makeRandom(seed)
        const all = [...features, { bins: last, ordered: true }]
        const rows = 400
        const sums = all.flatMap(({ bins }) => {
          const cells = Array.from({ length: 2 * bins }, () => 0)
          for (let row = 0; row < rows; row++) {
            const bin = random.next() < emptiness ? 0 : random.integer(bins)
            cells[2 * bin] += (row % 7 < 2 ? 180_000 : -80_000) + (bin % 3) * 9000
            cells[2 * bin + 1] += 800 + (row % 5)
          }
          return cells
        })
        const scores = sums.slice(-2 * last)
        const [first, second] = [0, 1].map(k =>
          scores.reduce((sum, one, at) => sum + (at % 2 === k ? one : 0), 0),
        )
        const found = findBestSplit(Float64Array.from(sums), all, { first, second, rows }, rules, draw)
        if (found !== undefined) expect(found.gain).toBeGreaterThan(rules.leastGain)
      }),
    )
  })

  it('of drawn cuts is one that leaves enough on either side, and each of them comes about equally often', () => {
    // Six bins of a number, the missing one last; the third is empty, and the first alone would be too small.
    const number = [1, 9, 0, 10, 10, 0]
    const category = [2, 14, 14]
    const sums = (cells: readonly number[]) =>
      cells.flatMap((rows, bin) => [(bin % 2 === 0 ? 1 : -1) * rows * 2 ** 18, rows * 2 ** 12])
    const splitsOf = (cells: readonly number[], ordered: boolean) => {
      const total = cells.reduce((sum, rows) => sum + rows, 0)
      const first = sums(cells).reduce((sum, one, at) => sum + (at % 2 === 0 ? one : 0), 0)
      const given = Float64Array.of(...sums(cells), first, total * 2 ** 12)
      const features = [
        { bins: cells.length, ordered },
        { bins: 1, ordered: true },
      ]
      const rules = { ridge: 0, leastVariance: 5, leastGain: -1 }
      const counts = new Map<string, number>()
      for (let draw = 1; draw <= 600; draw++) {
        const node = { first, second: total * 2 ** 12 }
        const found = findBestSplit(given, features, node, rules, draw)!
        const words = JSON.stringify(found.split)
        counts.set(words, (counts.get(words) ?? 0) + 1)
      }
      return counts
    }
    const cuts = splitsOf(number, true)
    expect([...cuts.keys()].sort()).toEqual(
      [1, 3].map(bin => JSON.stringify({ kind: 'atMost', feature: 0, bin, missing: false })),
    )
    const categories = splitsOf(category, false)
    expect([...categories.keys()].sort()).toEqual(
      [1, 2].map(bin => JSON.stringify({ kind: 'in', feature: 0, bins: [bin] })),
    )
    for (const count of [...cuts.values(), ...categories.values()])
      expect(Math.abs(count - 300)).toBeLessThan(60)
  })

  it('of categories pays for the order it was free to choose', () => {
    const random = makeRandom(4)
    const normal = () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
    let [found, draws] = [0, 0]
    for (; draws < 200; draws++) {
      // 40 categories of 400 rows each at even odds, and nothing but noise in them: sums with variance 100.
      const sums = new Float64Array(2 * 42)
      for (let bin = 0; bin < 40; bin++) {
        sums[2 * bin] = Math.round(10 * normal() * 2 ** 18)
        sums[2 * bin + 1] = 100 * 2 ** 12
      }
      const first = sums.filter((_, index) => index % 2 === 0).reduce((sum, one) => sum + one, 0)
      sums[82] = first
      sums[83] = 4000 * 2 ** 12
      const features = [
        { bins: 41, ordered: false },
        { bins: 1, ordered: true },
      ]
      const rules = { ridge: 0, leastVariance: 1, leastGain: 6 }
      if (findBestSplit(sums, features, { first, second: sums[83] }, rules) !== undefined) found++
    }
    // Without the charge every draw would be split, at a gain of about 12 nats.
    expect(found / draws).toBeLessThan(0.2)
  })
})
