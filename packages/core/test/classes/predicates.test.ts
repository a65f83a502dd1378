import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { groups, type Predicate, trees } from '../../src/classes/auditors.ts'
import { compileGroups } from '../../src/classes/groups.ts'
import { predicatesOfPath } from '../../src/classes/predicates.ts'
import { declaredSteps } from '../../src/classes/splits.ts'
import { whereOf } from '../../src/classes/sql.ts'
import type { Condition } from '../../src/update/update.ts'
import { naiveTakesYes } from '../support/naive.ts'
import { holds } from '../support/predicates.ts'
import { FEW_BINS, MANY_BINS, prepare, tablesArbitrary } from '../support/tables.ts'

/** A table with its bins, and a group of it: one or two declared splits, each with a side. */
const anyGroup = fc
  .tuple(tablesArbitrary(), fc.constantFrom(FEW_BINS, MANY_BINS))
  .map(([table, bins]) => ({ table, prepared: prepare(table, trees(), 'table', bins) }))
  .chain(({ prepared, table }) => {
    const { features } = prepared.compiled.encoding
    const splits = features.flatMap((schema, feature) =>
      declaredSteps(schema, feature, true).flatMap(({ split }) => (split === undefined ? [] : [split])),
    )
    fc.pre(splits.length > 0)
    const condition = fc.record({ split: fc.constantFrom(...splits), yes: fc.boolean() })
    return fc.record({
      table: fc.constant(table),
      prepared: fc.constant(prepared),
      path: fc.array(condition as fc.Arbitrary<Condition>, { minLength: 1, maxLength: 2 }),
    })
  })

describe('a group in predicates', () => {
  it('has the rows that it has in bins', () => {
    fc.assert(
      fc.property(anyGroup, ({ path, prepared, table }) => {
        const { features } = prepared.compiled.encoding
        const predicates = predicatesOfPath(path, features)
        table.rows.forEach((row, index) => {
          // What was learned from the counted fitting rows says nothing of values that only others have.
          if ((table.weighted && row.weight === 0) || (table.folded && row.fold !== 'fit')) return
          const inBins = path.every(({ split, yes }) => naiveTakesYes(split, prepared.rows, index, 0) === yes)
          expect(predicates.every(predicate => holds(predicate, row))).toBe(inBins)
        })
      }),
      { numRuns: 300 },
    )
  })

  it('can be declared again, and is the same group', () => {
    fc.assert(
      fc.property(anyGroup, ({ path, prepared, table }) => {
        const { features } = prepared.compiled.encoding
        const where = predicatesOfPath(path, features)
        fc.pre(where.length > 0)
        const [, again] = compileGroups(groups([where]), features)
        table.rows.forEach((row, index) => {
          if ((table.weighted && row.weight === 0) || (table.folded && row.fold !== 'fit')) return
          const takes = (conditions: readonly Condition[]) =>
            conditions.every(({ split, yes }) => naiveTakesYes(split, prepared.rows, index, 0) === yes)
          expect(takes(again.path)).toBe(takes(path))
        })
      }),
    )
  })
})

describe('a group in SQL', () => {
  const cases: [string, readonly Predicate[], string][] = [
    ['everyone', [], 'TRUE'],
    [
      'a range',
      [
        { column: 'age', above: 24.5 },
        { column: 'age', atMost: 30 },
      ],
      '"age" > 24.5 AND "age" <= 30',
    ],
    [
      'other bounds',
      [
        { column: 'a', below: 1 },
        { column: 'b', atLeast: -2 },
      ],
      '"a" < 1 AND "b" >= -2',
    ],
    [
      'missing values',
      [
        { column: 'a', missing: true },
        { column: 'b', missing: false },
      ],
      '"a" IS NULL AND "b" IS NOT NULL',
    ],
    ['values or none', [{ column: 'a', atMost: 1, orMissing: true }], '("a" <= 1 OR "a" IS NULL)'],
    ['names and strings with quotes', [{ column: 'a "b"', is: "O'Hara" }], `"a ""b""" = 'O''Hara'`],
    ['lists', [{ column: 'c', in: ['x', 'y'] }], `"c" IN ('x', 'y')`],
    ['a list of one', [{ column: 'c', in: ['x'] }], `"c" = 'x'`],
    [
      'what is not listed',
      [{ column: 'c', notIn: ['x', 'y'], orMissing: true }],
      `("c" NOT IN ('x', 'y') OR "c" IS NULL)`,
    ],
    ['what is not', [{ column: 'c', notIn: [true] }], '"c" <> TRUE'],
    [
      'booleans and nothing',
      [
        { column: 'c', is: false },
        { column: 'd', is: null },
      ],
      '"c" = FALSE AND "d" IS NULL',
    ],
  ]
  it.each(cases)('says %s', (_, predicates, sql) => {
    expect(whereOf(predicates)).toBe(sql)
  })
})
