import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  binFunctionSize,
  clippedUpdateSize,
  pseudodimensionBound,
  tableUpdateSize,
  treeSize,
  unrolledSize,
} from '../../src/certify/dimension.ts'

describe('by hand, for trees of depth 2 on 10 features, 20 bins and 100 rounds', () => {
  const tree = treeSize(2, 10)
  const bin = binFunctionSize(20)
  const update = clippedUpdateSize(tree, bin)
  const unrolled = unrolledSize(tree, update, 100)

  test('a tree has 3 nodes of 10 + 1 numbers and 4 leaves; a path has 2 thresholds', () => {
    expect(tree).toEqual({ parameters: 3 * 11 + 4, operations: 2 * (10 + 9 + 1 + 1) + 1 })
  })

  test('a bin function has 20 values, 19 comparisons and a selection', () => {
    expect(bin).toEqual({ parameters: 20, operations: 19 + 1 })
  })

  test('an update adds eta, three operations and a clip', () => {
    expect(update).toEqual({ parameters: 37 + 20 + 1, operations: 43 + 20 + 3 + 4 })
  })

  test('the unrolled class has 101 updates on top of the first tree', () => {
    expect(unrolled).toEqual({ parameters: 37 + 101 * 58, operations: 43 + 101 * 70 })
  })

  test('the pseudodimension is at most 4 * 5895 * 7116', () => {
    expect(pseudodimensionBound(unrolled)).toBe(4 * 5895 * (7113 + 3))
  })

  test('a table update has 4 leaves of 20 values; the walk, the bin, an addition and a clip', () => {
    expect(tableUpdateSize(2, 10, 20)).toEqual({
      parameters: 3 * 11 + 4 * 20,
      operations: 2 * 21 + 20 + 1 + 4,
    })
  })
})

test('the counts stay within the orders the paper states: W and k of an update are O(q 2^l + K)', () => {
  const whole = (max: number) => fc.integer({ min: 1, max })
  fc.assert(
    fc.property(whole(8), whole(200), whole(200), whole(500), (depth, features, bins, rounds) => {
      const tree = treeSize(depth, features)
      const update = clippedUpdateSize(tree, binFunctionSize(bins))
      const order = features * 2 ** depth + bins
      expect(update.parameters).toBeLessThanOrEqual(3 * order)
      expect(update.operations).toBeLessThanOrEqual(6 * order)
      const dimension = pseudodimensionBound(unrolledSize(tree, update, rounds))
      expect(dimension).toBeLessThanOrEqual(100 * (rounds + 2) ** 2 * order ** 2)
    }),
  )
})

test('a table costs more parameters than a product, and fewer operations', () => {
  const product = clippedUpdateSize(treeSize(3, 5), binFunctionSize(10))
  const table = tableUpdateSize(3, 5, 10)
  expect(table.parameters - product.parameters).toBe(8 * 10 - (8 + 10 + 1))
  expect(product.operations - table.operations).toBe(3)
})
