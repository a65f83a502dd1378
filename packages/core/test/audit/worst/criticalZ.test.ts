import { expect, it } from 'vitest'
import { criticalZ } from '../../../src/audit/worst/worstGroups.ts'

it('the critical value is the quantile of drawn maxima, where there are enough of them, and never beyond the union bound', () => {
  const maxima = [3, 1, 4, 2]
  // The least rank r with r / (4 + 1) of at least the confidence.
  expect(criticalZ(maxima, 0.2, 9)).toBe(1)
  expect(criticalZ(maxima, 0.5, 9)).toBe(3)
  expect(criticalZ(maxima, 0.8, 9)).toBe(4)
  expect(criticalZ(maxima, 0.81, 9)).toBe(9)
  expect(criticalZ([], 0.5, 9)).toBe(9)
  expect(criticalZ(maxima, 0.8, 3.5)).toBe(3.5)
  expect(maxima).toEqual([3, 1, 4, 2])
})
