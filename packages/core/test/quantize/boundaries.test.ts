import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chooseBoundaries } from '../../src/quantize/boundaries.ts'

const choose = (weights: readonly number[], bins: number, forced: readonly number[] = []) =>
  chooseBoundaries(Float64Array.from(weights), bins, forced)

/** The weight of every bin. */
function binWeights(weights: readonly number[], boundaries: readonly number[]): number[] {
  const begins = [0, ...boundaries.map(position => position + 1)]
  return begins.map((begin, i) => weights.slice(begin, begins[i + 1]).reduce((sum, one) => sum + one, 0))
}

const line = fc
  .record({
    weights: fc.array(fc.oneof(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 100, max: 999 })), {
      minLength: 1,
      maxLength: 60,
    }),
    bins: fc.integer({ min: 1, max: 40 }),
    marks: fc.array(fc.nat(58), { maxLength: 10 }),
  })
  .map(({ weights, bins, marks }) => {
    const possible = [...new Set(marks)].filter(mark => mark < weights.length - 1).slice(0, bins - 1)
    return { weights, bins, forced: possible.sort((a, b) => a - b) }
  })

describe('boundaries', () => {
  it('part every item when there are bins enough', () => {
    expect(choose([5, 1, 1], 3)).toEqual([0, 1])
    expect(choose([5], 3)).toEqual([])
    expect(choose([], 3)).toEqual([])
  })

  it('are at equal weight when no item is heavy', () => {
    expect(choose([1, 1, 1, 1, 1, 1], 3)).toEqual([1, 3])
    expect(choose(Array(1000).fill(1), 4)).toEqual([249, 499, 749])
  })

  it('are as near to equal weight as items allow', () => {
    expect(choose([2, 3, 2, 3, 2, 3, 2, 3], 4)).toEqual([1, 3, 5])
    expect(binWeights([2, 2, 3, 2, 2, 3, 3], choose([2, 2, 3, 2, 2, 3, 3], 2))).toEqual([9, 8])
  })

  it('give a heavy item a bin of its own, and the rest of the bins to the others by weight', () => {
    expect(choose([1, 1, 1, 1, 90, 1, 1, 1, 1], 5)).toEqual([1, 3, 4, 6])
    expect(choose([1, 1, 90, 1, 1, 1, 1, 1, 1], 5)).toEqual([1, 2, 4, 6])
  })

  it('find items that are heavy only once heavier ones are set apart', () => {
    expect(choose([1, 1, 1000, 1, 1, 20, 1, 1], 5)).toEqual([1, 2, 4, 5])
  })

  it('leave an item with the others when the bins that are left hold more than it weighs', () => {
    expect(choose([100, 2, 2, 2, 2, 5, 2, 2, 2, 2], 5)).toEqual([0, 3, 5, 7])
  })

  it('set apart no more than half of the bins, the heaviest first and of equals the first', () => {
    expect(choose([20, 1, 20, 1, 1, 30, 1, 20, 1], 5)).toEqual([0, 2, 4, 5])
  })

  it('give a run no more bins than it has items, however full it is', () => {
    expect(choose([20, 20, 1, 1, 1, 1], 4, [0, 1])).toEqual([0, 1, 3])
  })

  it('never make more bins than asked for, and use all of them while items last', () => {
    fc.assert(
      fc.property(line, ({ weights, bins, forced }) => {
        const boundaries = choose(weights, bins, forced)
        expect(boundaries.length + 1).toBe(Math.min(bins, weights.length))
        const unique = [...new Set(boundaries)].sort((a, b) => a - b)
        expect(boundaries).toEqual(unique)
        expect(boundaries.every(position => position >= 0 && position < weights.length - 1)).toBe(true)
      }),
    )
  })

  it('always hold the forced ones', () => {
    fc.assert(
      fc.property(line, ({ weights, bins, forced }) => {
        expect(choose(weights, bins, forced)).toEqual(expect.arrayContaining([...forced]))
      }),
    )
  })

  it('do not change when all weights are multiplied', () => {
    fc.assert(
      fc.property(line, fc.integer({ min: 2, max: 1000 }), ({ weights, bins, forced }, factor) => {
        const multiplied = weights.map(weight => weight * factor)
        expect(choose(multiplied, bins, forced)).toEqual(choose(weights, bins, forced))
      }),
    )
  })

  it('leave no bin of several items with twice its fair share, when items are light', () => {
    const light = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 200, maxLength: 400 })
    fc.assert(
      fc.property(light, fc.integer({ min: 2, max: 20 }), (weights, bins) => {
        const total = weights.reduce((sum, weight) => sum + weight, 0)
        const heaviest = Math.max(...binWeights(weights, choose(weights, bins)))
        expect(heaviest).toBeLessThan((2 * total) / bins)
      }),
    )
  })
})
