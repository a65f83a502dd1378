// Many rows at once get the bins that single rows get, and the first bad one is told, as it is row by row.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fit, type Model, tableFromRows } from '../../src/index.ts'
import { lowerBound, makeBinFinder } from '../../src/quantize/search.ts'
import type { Row } from '../../src/quantize/signals.ts'

const numbers = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: -5, max: 5 }),
  fc.constantFrom(0, -0, 1e-300, Number.MAX_VALUE, -Number.MAX_VALUE, Number.MIN_VALUE),
)

describe('the finder of bins', () => {
  it('finds what a search finds, at cuts and beside them', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(numbers, { maxLength: 60, selector: value => value + 0 }),
        fc.array(numbers),
        (given, values) => {
          const cuts = given.map(value => value + 0).sort((a, b) => a - b)
          const find = makeBinFinder(cuts)
          for (const value of [...values, ...cuts, ...cuts.map(cut => cut * (1 + Number.EPSILON))])
            if (Number.isFinite(value)) expect(find(value)).toBe(lowerBound(cuts, value))
        },
      ),
    )
  })
})

const ROWS = Array.from({ length: 200 }, (_, row) => ({
  y: (row * 7) % 5 < 2 ? 1 : 0,
  score: ((row * 7) % 24) / 24,
  age: row % 11 === 5 ? null : 18 + ((row * 5) % 37),
  region: ['east', 'north', 'south', null][row % 4],
  member: [true, false, null][row % 3],
  since: row % 9 === 4 ? null : `2024-01-${String((row % 28) + 1).padStart(2, '0')}`,
}))

async function fitted(): Promise<Model> {
  const table = tableFromRows(ROWS)
  return await fit(table, { label: 'y', prediction: 'score', method: 'forest', roundLimit: 3, holdout: 0 })
}

describe('predictRows', () => {
  it('is predictRow for every row, whatever its values', async () => {
    const model = await fitted()
    const rows = fc.array(
      fc.record({
        score: fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, -0, 1, true)),
        age: fc.oneof(numbers, fc.constantFrom(null, undefined, Number.NaN)),
        region: fc.constantFrom('east', 'never', '', null, undefined),
        member: fc.constantFrom(true, false, null, 'yes', 1),
        since: fc.constantFrom('2024-01-05', '2030-12-31', null, ''),
      }),
      { minLength: 8, maxLength: 20 },
    )
    fc.assert(
      fc.property(rows, drawn => {
        // Undefined is no value of a row by its type; from outside it comes all the same.
        const given = drawn as unknown as readonly Row[]
        expect(model.predictRows(given)).toEqual(Float64Array.from(given, row => model.predictRow(row)))
      }),
    )
  })

  it('tells of the first bad row, and not of a bad column before it', async () => {
    const model = await fitted()
    const rows: Record<string, unknown>[] = ROWS.slice(0, 12).map(row => ({ ...row }))
    rows[9].age = 'old'
    rows[4].score = 7
    expect(() => model.predictRows(rows as never)).toThrow(/FB_PREDICTION_RANGE column "score", row 5/)
  })

  it('reads rows that are no plain objects by their own values alone', async () => {
    const model = await fitted()
    const rows = ROWS.slice(0, 10).map(row =>
      Object.assign(Object.create({ age: 99 }), { ...row, age: undefined }),
    )
    for (const row of rows) delete row.age
    const bare = ROWS.slice(0, 10).map(row => ({ ...row, age: null }))
    expect(model.predictRows(rows)).toEqual(model.predictRows(bare))
  })
})
