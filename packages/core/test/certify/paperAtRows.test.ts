// The paper's own bound at the rows there are: its class counted by hand, vacuous or not.

import { describe, expect, it } from 'vitest'
import { signedBound } from '../../src/certify/bounds.ts'
import { paperAtRows, roundsBefore } from '../../src/certify/paperAtRows.ts'
import { deviationAtRows, requiredRows, roundRowsUp, showRows } from '../../src/certify/sampleSize.ts'
import { type CompiledClass, compileAuditors } from '../../src/classes/compile.ts'
import { type Auditors, functions, groups, trees } from '../../src/index.ts'
import type { FactorKind } from '../../src/internal.ts'
import type { Encoding } from '../../src/quantize/encoding.ts'

const encoding: Encoding = {
  features: [
    { name: 'age', kind: 'numeric', missing: false, cuts: [20, 30], coarse: [0, 1] },
    { name: 'city', kind: 'categorical', missing: false, categories: ['a', 'b'], pooled: [], coarse: [0, 1] },
    { name: 'f', kind: 'numeric', missing: false, cuts: [-0.5, 0, 0.5], coarse: [0, 1, 2] },
  ],
  signals: [{ kind: 'function', name: 'f' }],
  functions: ['f'],
}
const compile = (auditors: Auditors, factors: FactorKind = 'table') =>
  compileAuditors(auditors, factors, encoding)
const options = { rows: 10_000, bins: 4, rounds: 2, tolerance: 0.01, confidence: 0.95 }

/** 4W(k + 3) for 3 updates of W parameters and k operations, and a start of one each. */
const dimensionOf = (parameters: number, operations: number) =>
  4 * (1 + 3 * parameters) * (1 + 3 * operations + 3)

/** Inputs of age: value, missing. Of city: a, b, missing. 4 cell values for each leaf. Clip: 4 operations. */
const CLASSES: [string, CompiledClass, number][] = [
  [
    'trees of depth 2',
    compile(trees({ depth: 2, columns: ['age', 'city'] })),
    dimensionOf(3 * (5 + 1) + 4 * 4, 2 * (2 * 5 + 1) + 4 + 1 + 4),
  ],
  [
    'groups: one split between 3 memberships',
    compile(
      groups([
        { column: 'age', atMost: 20 },
        { column: 'city', is: 'a' },
      ]),
    ),
    dimensionOf(1 * (3 + 1) + 2 * 4, 1 * (2 * 3 + 1) + 4 + 1 + 4),
  ],
  [
    'a function in four value bins: a tree of depth 2',
    compile(functions({ f: () => 0 }, { valueBins: 4 })),
    dimensionOf(3 * (1 + 1) + 4 * 4, 2 * (2 * 1 + 1) + 4 + 1 + 4),
  ],
  [
    'a function times weighted bins',
    compile(functions({ f: () => 0 }), 'weighted'),
    dimensionOf(1 + 4 + 1, 1 + 4 + 3 + 4),
  ],
]

describe("the paper's bound at the fitting rows", () => {
  it.each(CLASSES)('is vacuous at 10,000 rows for %s', (_, compiled, dimension) => {
    // sqrt(0.01 + 2 xi) + 1/4 = 1
    const deviation = (0.75 ** 2 - 0.01) / 2
    const needed = requiredRows({ dimension, deviation, confidence: 0.95 })
    const found = paperAtRows(compiled, options)
    expect(found).toEqual({ rows: 10_000, vacuous: true, rowsNeeded: roundRowsUp(needed) })
  })

  it.each(CLASSES)(
    'speaks from the rows it named on, and is below 1 there, for %s',
    (_, compiled, dimension) => {
      const { rowsNeeded } = paperAtRows(compiled, options)
      const found = paperAtRows(compiled, { ...options, rows: rowsNeeded! })
      expect(found).toEqual({ rows: rowsNeeded, vacuous: false, bound: expect.any(Number) })
      expect(found.bound).toBeLessThan(1)
      const deviation = deviationAtRows({ dimension, rows: rowsNeeded!, confidence: 0.95 })!
      expect(found.bound).toBeCloseTo(signedBound(0.01 + 2 * deviation, 1, 4), 8)
      // Two digits, rounded up: an eighth fewer are too few.
      expect(paperAtRows(compiled, { ...options, rows: rowsNeeded! * 0.875 }).vacuous).toBe(true)
    },
  )

  it('names no number of rows where none is enough: one bin, or a tolerance too large', () => {
    const [, compiled] = CLASSES[0]
    expect(paperAtRows(compiled, { ...options, bins: 1 })).toEqual({ rows: 10_000, vacuous: true })
    expect(paperAtRows(compiled, { ...options, tolerance: 0.6 })).toEqual({ rows: 10_000, vacuous: true })
  })
})

describe('rows in two digits', () => {
  it.each([
    [7, 7, '7.0e0'],
    [10, 10, '1.0e1'],
    [101, 110, '1.1e2'],
    [109, 110, '1.1e2'],
    [110, 110, '1.1e2'],
    [1149, 1200, '1.2e3'],
    [9_901, 10_000, '1.0e4'],
    [3_010_000_001, 3_100_000_000, '3.1e9'],
    [6.25e18, 6.3e18, '6.3e18'],
  ])('%d is called %d', (rows, named, shown) => {
    expect(roundRowsUp(rows)).toBe(named)
    expect(showRows(rows)).toBe(shown)
  })
})

describe('the rounds that it counts', () => {
  it('are those that the planned tolerance allows, however many were accepted', () => {
    expect(roundsBefore(0.000625, 0)).toBe(1600)
    expect(roundsBefore(0.000625, 1600)).toBe(1600)
    expect(roundsBefore(0.3, 1)).toBe(3)
  })

  it('are unknown where more were accepted, or where no tolerance was set', () => {
    expect(roundsBefore(0.000625, 1601)).toBeUndefined()
    expect(roundsBefore(0, 0)).toBeUndefined()
  })
})

it('counts weights and multiplications of several functions', () => {
  const three: Encoding = { ...encoding, signals: ['f', 'g', 'h'].map(name => ({ kind: 'function', name })) }
  const compiled = compileAuditors(functions({ f: () => 0, g: () => 0, h: () => 0 }), 'weighted', three)
  // Three weights, three products and two sums; four cell values; one step.
  const dimension = dimensionOf(3 + 4 + 1, 5 + 4 + 3 + 4)
  const largest = (0.75 ** 2 - 0.01) / 2
  const expected = roundRowsUp(requiredRows({ dimension, deviation: largest, confidence: 0.95 }))
  expect(paperAtRows(compiled, options).rowsNeeded).toBe(expected)
})
