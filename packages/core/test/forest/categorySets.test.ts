// Sets of categories by the rules of LightGBM, against every set there is.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CategoryRules, LIGHTGBM_CATEGORIES } from '../../src/forest/splits.ts'
import { findBestSplit, scan } from './findBestSplit.ts'

/** Whole sums as the kernels give them, here in plain units: one second derivative is 1. */
interface Cell {
  readonly first: number
  readonly second: number
}

const cellArbitrary = fc.record({
  first: fc.integer({ min: -50, max: 50 }),
  second: fc.integer({ min: 0, max: 40 }),
})

const cellsArbitrary = (bins: number) => fc.array(cellArbitrary, { minLength: bins, maxLength: bins })

const sumsOf = (cells: readonly Cell[]): Float64Array =>
  Float64Array.from(cells.flatMap(({ first, second }) => [second === 0 ? 0 : first, second]))

interface CategoryNode {
  readonly first: number
  readonly second: number
  readonly ridge: number
  readonly least: number
}

function nodeOf(sums: Float64Array, ridge: number, least: number): CategoryNode {
  let [first, second] = [0, 0]
  for (let cell = 0; cell < sums.length; cell += 2) {
    first += sums[cell]
    second += sums[cell + 1]
  }
  return { first, second, ridge, least }
}

function gainOf(sums: Float64Array, node: CategoryNode, bins: readonly number[], ridge: number): number {
  const first = bins.reduce((sum, bin) => sum + sums[2 * bin], 0)
  const second = bins.reduce((sum, bin) => sum + sums[2 * bin + 1], 0)
  if (second < node.least || node.second - second < node.least) return 0
  const other = (node.first - first) ** 2 / (node.second - second + ridge)
  return first ** 2 / (second + ridge) + other - node.first ** 2 / (node.second + node.ridge)
}

const subsetsOf = (bins: number): number[][] =>
  Array.from({ length: 2 ** bins }, (_, mask) =>
    Array.from({ length: bins }, (_bin, bin) => bin).filter(bin => (mask >> bin) & 1),
  )

/** The score has one bin, and so no split. Rows are at even odds: four of them make one second derivative. */
function find(sums: Float64Array, node: CategoryNode, rules: CategoryRules) {
  const features = [
    { bins: sums.length / 2, ordered: false },
    { bins: 1, ordered: true },
  ]
  const { first, ridge, second } = node
  const sets = {
    ridge: ridge + rules.ridge,
    smooth: rules.smooth,
    known: rules.smooth / 4,
    joined: rules.leastRows / 4,
    most: rules.most,
    fewBins: rules.fewBins,
  }
  const found = scan(Float64Array.of(...sums, first, second), features, { ...node, chance: 0, draw: 0, sets })
  if (found?.side.kind !== 'in') return undefined
  return { gain: found.value - first ** 2 / (second + ridge), bins: found.side.bins, ridge: found.ridge }
}

const PLAIN: CategoryRules = { ridge: 0, smooth: 0, leastRows: 0, most: 32, fewBins: 0 }

describe('the best set of categories', () => {
  it('is the best of all sets where no rule stands in the way', () => {
    fc.assert(
      fc.property(cellsArbitrary(6), cells => {
        // Nothing is missing: then a set and its complement are as good, and one of them has at most half the categories.
        const sums = sumsOf([
          ...cells.map(cell => ({ ...cell, second: cell.second + 1 })),
          { first: 0, second: 0 },
        ])
        const node = nodeOf(sums, 0, 0.5)
        const best = Math.max(...subsetsOf(6).map(bins => gainOf(sums, node, bins, 0)))
        expect(find(sums, node, PLAIN)?.gain ?? 0).toBeCloseTo(best, 8)
      }),
    )
  })

  it('of few categories is one of them against all others', () => {
    fc.assert(
      fc.property(cellsArbitrary(4), fc.integer({ min: 0, max: 30 }), (cells, least) => {
        const sums = sumsOf(cells)
        const node = nodeOf(sums, 1, least)
        const gains = [0, 1, 2].map(bin => gainOf(sums, node, [bin], 1))
        const found = find(sums, node, LIGHTGBM_CATEGORIES)
        expect(found?.gain ?? 0).toBeCloseTo(Math.max(0, ...gains), 8)
        if (found !== undefined) {
          expect(found.bins).toEqual([gains.indexOf(Math.max(...gains))])
          expect(found.ridge).toBe(1)
        }
      }),
    )
  })

  it('keeps the rules: enough rows on both sides, known categories, not too many, never the missing ones', () => {
    fc.assert(
      fc.property(cellsArbitrary(9), fc.integer({ min: 0, max: 60 }), (cells, least) => {
        const sums = sumsOf(cells)
        const node = nodeOf(sums, 0.5, least)
        const rules: CategoryRules = { ridge: 2, smooth: 20, leastRows: 60, most: 3, fewBins: 4 }
        const found = find(sums, node, rules)
        if (found === undefined) return
        const second = found.bins.reduce((sum, bin) => sum + sums[2 * bin + 1], 0)
        expect(found.bins.length).toBeLessThanOrEqual(3)
        expect(found.bins).not.toContain(8)
        for (const bin of found.bins) expect(4 * sums[2 * bin + 1]).toBeGreaterThanOrEqual(20)
        expect(second).toBeGreaterThanOrEqual(least)
        expect(4 * second).toBeGreaterThanOrEqual(60)
        expect(node.second - second).toBeGreaterThanOrEqual(Math.max(least, 15))
        expect(found.ridge).toBe(2.5)
        expect(found.gain).toBeCloseTo(gainOf(sums, node, found.bins, 2.5), 8)
      }),
    )
  })
})

describe('a split by these rules', () => {
  const units = (cells: readonly Cell[]) =>
    Float64Array.from(cells.flatMap(({ first, second }) => [first * 2 ** 18, second * 2 ** 12]))
  const features = [
    { bins: 6, ordered: false },
    { bins: 2, ordered: true },
  ]
  // Categories 1 and 3 stand apart; the score says nothing.
  const categories = [0, 30, 0, 28, 0].map(first => ({ first, second: 60 }))
  const sums = units([
    ...categories,
    { first: 0, second: 0 },
    { first: 29, second: 150 },
    { first: 29, second: 150 },
  ])
  const total = { first: 58 * 2 ** 18, second: 300 * 2 ** 12, rows: 1200 }
  const rules = { ridge: 0, leastVariance: 0.001, leastGain: 0, categories: LIGHTGBM_CATEGORIES }

  it('tells the ridge of its leaves', () => {
    const found = findBestSplit(sums, features, total, { ...rules, leastRows: 160 })
    expect(found).toMatchObject({ split: { kind: 'in', feature: 0, bins: [1, 3] }, ridge: 10 })
    const whole = 58 ** 2 / 300
    expect(found!.gain).toBeCloseTo((58 ** 2 / 130 - whole) / 2, 8)
  })

  it('has the rows that are asked for on either side, judged from second derivatives', () => {
    expect(findBestSplit(sums, features, total, { ...rules, leastRows: 481 })).toBeUndefined()
    const found = findBestSplit(sums, features, total, { ...rules, leastRows: 480 })
    expect(found!.split).toEqual({ kind: 'in', feature: 0, bins: [1, 3] })
  })
})
