// Rows dealt into folds.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Copies } from '../../src/data/copies.ts'
import { checkDealt, dealRows } from '../../src/data/deal.ts'
import { resolveRoles } from '../../src/data/resolve.ts'
import { assignRoles } from '../../src/data/roles.ts'
import { makeTable } from '../../src/index.ts'
import { makeRandom } from '../../src/internal.ts'
import { rejectionOf } from '../data/rejection.ts'

const ROLES = { label: 'y', prediction: 'score' }

function draw(count: number, seed: number) {
  const random = makeRandom(seed)
  return Array.from({ length: count }, () => ({
    x: random.integer(20),
    person: `p${random.integer(Math.ceil(count / 3))}`,
    score: random.integer(9) / 8,
    y: random.integer(2),
  }))
}

type Rows = ReturnType<typeof draw>

const tableOf = (rows: Rows) =>
  makeTable({
    x: rows.map(({ x }) => x),
    person: rows.map(({ person }) => person),
    score: rows.map(({ score }) => score),
    y: rows.map(({ y }) => y),
  })

const deal = (rows: Rows, folds: number, seed = 1, groupBy?: string, copies?: Copies) =>
  dealRows(resolveRoles(tableOf(rows), ROLES, groupBy), folds, seed, copies)

describe('dealing rows', () => {
  it('goes by what rows hold, not by where they stand', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.nat(1000),
        fc.integer({ min: 2, max: 7 }),
        (count, seed, folds) => {
          const rows = draw(count, seed)
          const filed = (order: Rows) => {
            const fold = deal(order, folds, seed)
            return order.map((row, index) => JSON.stringify([row, fold[index]])).sort()
          }
          expect(filed(rows.toReversed())).toEqual(filed(rows))
        },
      ),
      { numRuns: 40 },
    )
  })

  it('keeps the rows of one id together', () => {
    const rows = draw(500, 3)
    const fold = deal(rows, 4, 1, 'person')
    const seen = new Map<string, Set<number>>()
    for (const [row, { person }] of rows.entries())
      seen.set(person, (seen.get(person) ?? new Set()).add(fold[row]))
    expect([...seen.values()].every(folds => folds.size === 1)).toBe(true)
    expect(new Set(fold).size).toBe(4)
  })

  it('makes folds of about one size, other ones with another seed, and spreads independent copies of a row', () => {
    const copies = Array.from({ length: 5000 }, () => draw(1, 8)[0])
    const fold = deal(copies, 5, 1, undefined, 'independent')
    for (let index = 0; index < 5; index++) {
      const share = fold.filter(each => each === index).length / fold.length
      expect(Math.abs(share - 0.2)).toBeLessThan(0.03)
    }
    expect(deal(copies, 5, 2, undefined, 'independent')).not.toEqual(fold)
    expect(new Set(deal(copies, 5)).size).toBe(1)
  })

  it('has nothing to do with the rows that a fit of the same seed holds out', () => {
    const rows = draw(6000, 5)
    const fold = deal(rows, 5)
    const { fold: heldOut } = assignRoles(tableOf(rows), ROLES, { fraction: 0.2, seed: 1 })
    for (let index = 0; index < 5; index++) {
      const inside = heldOut!.filter((_, row) => fold[row] === index)
      const share = inside.reduce((sum, held) => sum + held, 0) / inside.length
      expect(Math.abs(share - 0.2)).toBeLessThan(0.05)
    }
  })
})

describe('folds that say nothing are refused', () => {
  const check = (rows: Rows, folds: number, weight?: Int32Array, groupBy?: string) => {
    const columns = resolveRoles(tableOf(rows), ROLES, groupBy)
    const label = Int32Array.from(rows, ({ y }) => y)
    const fold = dealRows(columns, folds, 1)
    return rejectionOf(() => checkDealt(fold, folds, { label, ...(weight && { weight }) }, columns))
  }

  it('too few rows, by number, by weight and by id', () => {
    const few = check(draw(30, 1), 5)
    expect(few.code).toBe('FB_NO_ROWS')
    expect(few.message).toMatch(
      /fold \d of 5 has \d of 30 rows\. Expected at least 10 .* fewer folds, or on more rows\./,
    )
    const rows = draw(400, 1)
    const weight = Int32Array.from(rows, (_, row) => Number(row < 20))
    expect(check(rows, 5, weight).code).toBe('FB_NO_ROWS')
    const family = rows.map(row => ({ ...row, person: 'one' }))
    expect(check(family, 2, undefined, 'person').message).toMatch(
      /has 0 of 400 rows.*on more rows and values of "person"/,
    )
  })

  it('labels that are all the same in one fold', () => {
    const rows = draw(400, 1)
    const fold = deal(rows, 4)
    const label = Int32Array.from(rows, ({ y }, index) => (fold[index] === 2 ? 1 : y))
    const columns = resolveRoles(tableOf(rows), ROLES)
    const error = rejectionOf(() => checkDealt(fold, 4, { label }, columns))
    expect(error.code).toBe('FB_LABEL_CONSTANT')
    expect(error.message).toMatch(/column "y": every label of fold 3 of 4 is the same/)
    expect(() => checkDealt(fold, 4, { label: Int32Array.from(rows, ({ y }) => y) }, columns)).not.toThrow()
  })
})
