// Rows in the order of their levels, and when they can be had.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type KeyedRows, orderByLevel, sampleForDraws } from '../../../src/audit/worst/drawnRows.ts'
import { levelOf, ONE } from '../../../src/common/units.ts'
import type { Family } from '../../../src/oracle/groups/family.ts'
import { naiveChance, naiveDrawn, naiveLevel } from '../../support/naive.ts'

const anyRows = fc
  .array(
    fc.record({
      start: fc.integer({ min: 0, max: ONE }),
      key: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
      weight: fc.integer({ min: 0, max: 5 }),
    }),
    { maxLength: 30 },
  )
  .map(rows => ({
    rowCount: rows.length,
    start: Int32Array.from(rows, row => row.start),
    key: Int32Array.from(rows, row => row.key),
    weight: Int32Array.from(rows, row => row.weight),
  }))

describe('rows for draws', () => {
  it('come level by level, in their order within each, with the residuals of a draw', () => {
    fc.assert(
      fc.property(anyRows, fc.integer({ min: 1, max: 5 }), fc.boolean(), (rows, levels, weighted) => {
        const { weight: _, ...plain } = rows
        const { draw, order, starts } = orderByLevel(
          (weighted ? rows : plain) as unknown as KeyedRows,
          levels,
        )
        const level = (row: number) => naiveLevel(rows.start[row], levels)
        expect(starts).toHaveLength(levels + 1)
        expect([starts[0], starts[levels]]).toEqual([0, rows.rowCount])
        const expected = Array.from({ length: levels }, (_, each) =>
          Array.from({ length: rows.rowCount }, (_, row) => row).filter(row => level(row) === each),
        )
        for (let each = 0; each < levels; each++)
          expect([...order.slice(starts[each], starts[each + 1])]).toEqual(expected[each])
        const into = new Float64Array(rows.rowCount + 3).fill(7)
        for (const noise of ['labels', { errors: ONE / 8 }] as const) {
          draw(into, 2, noise, 5)
          expect([into[0], into[1], into.at(-1)]).toEqual([7, 7, 7])
          order.forEach((row, at) => {
            const residual =
              naiveDrawn(noise, rows.start[row], rows.key[row], 5) - naiveChance(noise, rows.start[row])
            expect(into[2 + at] + 0).toBe((weighted ? rows.weight[row] : 1) * residual + 0)
          })
        }
      }),
    )
    expect(levelOf(ONE, 4)).toBe(3)
  })
})

describe('a sample for draws', () => {
  const asked: unknown[] = []
  const familyOf = (more: object = {}, sample: object = {}, shape: object = {}): Family =>
    ({
      ...{ fold: 0, levels: 2, depth: 2, axes: [0, 1].map(feature => ({ feature })) },
      engine: {
        shape: { rowCount: 4, ...shape },
        losses: async () => [{ weight: 4 }],
        sample: async (request: unknown) => {
          asked.push(request)
          return { rowCount: 4, key: Int32Array.of(1, 2, 3, 4), ...sample }
        },
      },
      ...more,
    }) as unknown as Family

  it('is of all rows, with their keys', async () => {
    asked.length = 0
    expect(await sampleForDraws(familyOf())).toMatchObject({ rowCount: 4 })
    expect(asked).toEqual([{ rowLimit: 4, parts: 1, keys: true }])
    expect(await sampleForDraws(familyOf({}, { rowCount: 2, weight: Int32Array.of(3, 1) }))).toBeDefined()
  })

  it('is none where not all rows come, or no keys', async () => {
    const none = [
      familyOf({}, { rowCount: 3 }),
      familyOf({}, { weight: Int32Array.of(1, 1, 1, 2) }),
      familyOf({}, { key: undefined }),
      familyOf({ engine: { shape: { rowCount: 4 }, losses: async () => [{ weight: 4 }] } }),
    ]
    for (const family of none) expect(await sampleForDraws(family)).toBeUndefined()
  })

  it('is not asked for where it could not be used', async () => {
    asked.length = 0
    const none = [
      familyOf({ fold: 1 }),
      familyOf({ levelCuts: Int32Array.of(5) }),
      familyOf({ axes: [] }),
      familyOf({}, {}, { rowCount: 2 ** 18 + 1 }),
      familyOf({ depth: 1 }),
    ]
    for (const family of none) expect(await sampleForDraws(family)).toBeUndefined()
    expect(asked).toEqual([])
  })
})
