import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { groups, linear, trees } from '../../../src/classes/auditors.ts'
import { FIT } from '../../../src/engine/engine.ts'
import { averageError } from '../../../src/measures/class/averageError.ts'
import { countedRows, levelOfRow, questionsOf, range, sum, totalWeight } from '../../support/bruteForce.ts'
import { expectAtMost, expectClose } from '../../support/close.ts'
import { prepare, tablesArbitrary } from '../../support/tables.ts'

const LEVELS = 3

describe('the averaged error', () => {
  it('of trees is that of everyone and of both sides of every split, at every level', async () => {
    // Without missing values every declared split is counted once, and none is left out.
    const property = fc.asyncProperty(tablesArbitrary({ missing: false }), async table => {
      const prepared = prepare(table, trees({ depth: 2 }), 'table')
      const found = (await averageError(prepared.engine, prepared.compiled, LEVELS, { fold: FIT }))!
      const rows = await countedRows(prepared)
      const isIn = prepared.encoding.features.flatMap(schema =>
        // The last question is about missing values; cuts with missing values on either side part the rows alike.
        questionsOf(schema)
          .slice(0, schema.kind === 'numeric' ? schema.coarse.length : -1)
          .map(question => (index: number) => question(rows[index].values[schema.name as 'age'])),
      )
      const sides = [() => true, ...isIn.flatMap(test => [test, (index: number) => !test(index)])]
      const errors = sides.flatMap(side =>
        range(LEVELS).map(level => {
          const inside = rows.filter((row, index) => side(index) && levelOfRow(row, LEVELS) === level)
          return sum(inside.map(row => row.weight * (row.label - row.prediction))) / totalWeight(rows)
        }),
      )
      expect(found.hypotheses).toBe(errors.length)
      expectClose(found.value, Math.sqrt(sum(errors.map(error => error ** 2)) / errors.length))
      expectClose(found.largest, Math.max(...errors.map(Math.abs)))
      expectAtMost(found.largest, Math.sqrt(found.hypotheses) * found.value)
      expectAtMost(found.value, found.largest)
    })
    await fc.assert(property, { numRuns: 60 })
  })

  it('of declared groups is that of the groups, and there is none for linear functions', async () => {
    const [table] = fc.sample(tablesArbitrary({ missing: false }), { numRuns: 1, seed: 5 })
    const grouped = prepare(table, groups(['member']), 'table')
    const found = (await averageError(grouped.engine, grouped.compiled, LEVELS, { fold: FIT }))!
    // Everyone, members and others.
    expect(found.hypotheses).toBe(3 * LEVELS)
    const spanned = prepare(table, linear(), 'table')
    expect(await averageError(spanned.engine, spanned.compiled, LEVELS, { fold: FIT })).toBeUndefined()
  })
})
