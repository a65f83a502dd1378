// How many auditors a class has, counted by hand.

import { expect, it } from 'vitest'
import { countAuditors } from '../../src/certify/auditorCount.ts'
import { compileAuditors } from '../../src/classes/compile.ts'
import { type Auditors, functions, groups, linear, trees } from '../../src/index.ts'
import type { FactorKind } from '../../src/internal.ts'
import type { Encoding } from '../../src/quantize/encoding.ts'

/** Splits of age: at three cuts, with missing values on either side, and missing: 7. Of flag: two values, and missing: 3. */
const encoding: Encoding = {
  features: [
    { name: 'age', kind: 'numeric', missing: false, cuts: [10, 20, 30], coarse: [0, 1, 2] },
    { name: 'flag', kind: 'boolean', missing: false },
    { name: 'f', kind: 'numeric', missing: false, cuts: [-0.5, 0, 0.5], coarse: [0, 1, 2] },
  ],
  signals: [
    { kind: 'function', name: 'f' },
    { kind: 'function', name: 'f' },
    { kind: 'function', name: 'f' },
  ],
  functions: ['f'],
}
const count = (auditors: Auditors, factors: FactorKind = 'table', from = encoding) =>
  countAuditors(compileAuditors(auditors, factors, from))

const LN2 = Math.log(2)

it('counts trees by the splits that their inner nodes may take, none included, and a sign for every leaf', () => {
  // Ten splits, or none.
  for (const depth of [1, 2]) {
    const found = count(trees({ depth, columns: ['age', 'flag'] }))!
    const logPartitions = (2 ** depth - 1) * Math.log(11)
    expect(found.leaves).toBe(2 ** depth)
    expect(found.logPartitions).toBeCloseTo(logPartitions, 12)
    expect(found.logAuditors).toBeCloseTo(logPartitions + 2 ** depth * LN2, 12)
  }
})

it('counts a group once, and no sign, as it is one function', () => {
  const found = count(
    groups([
      { column: 'flag', is: true },
      { column: 'age', atMost: 20 },
    ]),
  )!
  expect(found.leaves).toBe(2)
  expect(found.logPartitions).toBeCloseTo(Math.log(3), 12)
  expect(found.logAuditors).toBe(found.logPartitions)
})

it('counts a sign for every value bin of a function', () => {
  const found = count(functions({ f: () => 0 }, { valueBins: 4 }))!
  expect(found.leaves).toBe(4)
  expect(found.logPartitions).toBe(0)
  expect(found.logAuditors).toBeCloseTo(4 * LN2, 12)
})

it('counts functions without value bins one by one', () => {
  const found = count(functions({ f: () => 0 }), 'weighted')!
  expect(found).toEqual({ logPartitions: Math.log(3), logAuditors: Math.log(3), leaves: 1 })
})

it('does not count linear functions', () => {
  expect(count(linear(), 'table')).toBeUndefined()
})
