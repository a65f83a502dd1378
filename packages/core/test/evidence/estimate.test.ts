// How long an audit will take, as it is said before it begins.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { estimateAudit, QUICKER_AUDIT, type TableShape } from '../../src/evidence/estimate.ts'

const shapes: fc.Arbitrary<TableShape> = fc.record({
  rowCount: fc.integer({ min: 1, max: 5_000_000 }),
  distinct: fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 300 }),
  threads: fc.integer({ min: 1, max: 64 }),
})

describe('the estimate of an audit', () => {
  it('is a positive number of seconds, and grows with the rows', () => {
    fc.assert(
      fc.property(shapes, shape => {
        const seconds = estimateAudit(shape)
        expect(seconds).toBeGreaterThan(0)
        expect(Number.isFinite(seconds)).toBe(true)
        expect(estimateAudit({ ...shape, rowCount: 2 * shape.rowCount }, { budget: 1e6 })).toBeGreaterThan(
          estimateAudit(shape, { budget: 1e6 }),
        )
      }),
    )
  })

  it('is never longer with the smaller budget', () => {
    fc.assert(
      fc.property(shapes, shape => {
        expect(estimateAudit(shape, QUICKER_AUDIT)).toBeLessThanOrEqual(estimateAudit(shape))
      }),
    )
  })

  it('is seconds for the tables of most people, and much less with the smaller budget for wide and long ones', () => {
    const shape = (rowCount: number, columns: number): TableShape => ({
      ...{ rowCount, threads: 2 },
      distinct: new Array<number>(columns).fill(1000),
    })
    expect(estimateAudit(shape(5000, 7))).toBeLessThan(2)
    expect(estimateAudit(shape(100_000, 8))).toBeLessThan(5)
    for (const [rows, columns] of [
      [1_000_000, 60],
      [100_000, 150],
    ]) {
      const full = estimateAudit(shape(rows, columns))
      expect(full).toBeGreaterThan(30)
      expect(estimateAudit(shape(rows, columns), QUICKER_AUDIT)).toBeLessThan(full / 2)
    }
  })
})
