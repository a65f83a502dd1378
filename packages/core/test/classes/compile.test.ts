import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { functions, linear, trees } from '../../src/classes/auditors.ts'
import { valueBinCuts } from '../../src/classes/kinds/functions.ts'
import { rejectionOf } from '../data/rejection.ts'
import { range } from '../support/bruteForce.ts'
import { naiveLeaf } from '../support/naive.ts'
import { MANY_BINS, prepare, type SmallRow, type SmallTable } from '../support/tables.ts'

const row = (age: number | null, city: string | null, member: boolean | null, label: number): SmallRow => ({
  age,
  city,
  member,
  label,
  score: 0.5,
  weight: 1,
  fold: 'fit',
})

const small: SmallTable = {
  rows: [
    row(10, 'Bonn', true, 1),
    row(30, 'Aachen', false, 0),
    row(null, null, null, 0),
    row(20, 'Bonn', true, 0),
  ],
  weighted: false,
  folded: false,
}

describe('trees', () => {
  it('search every feature, or the named columns in the order of their names', () => {
    expect(prepare(small, trees({ depth: 3 }), 'table').compiled.space).toEqual({
      kind: 'trees',
      depth: 3,
      features: [0, 1, 2],
    })
    const named = prepare(small, trees({ columns: ['member', 'age'] }), 'table').compiled.space
    expect(named).toMatchObject({ depth: 2, features: [2, 0] })
  })

  it('on an unknown column are refused with the nearest name', () => {
    const refused = rejectionOf(() => prepare(small, trees({ columns: ['agee'] }), 'table'))
    expect(refused.code).toBe('FB_COLUMN_UNKNOWN')
    expect(refused.message).toContain('no feature "agee" for the auditors. Did you mean "age"?')
  })
})

describe('linear functions', () => {
  it('have a constant, every number by its range, every category and every flag', () => {
    const { compiled, encoding } = prepare(small, linear({ budget: 2 }), 'table', MANY_BINS)
    expect(encoding.signals).toEqual([
      { kind: 'one' },
      { kind: 'scaled', column: 'age', center: 20, scale: 10 },
      { kind: 'indicator', column: 'city', value: 'Aachen' },
      { kind: 'indicator', column: 'city', value: 'Bonn' },
      { kind: 'indicator', column: 'member', value: true },
    ])
    expect(compiled.space).toEqual({ kind: 'signals', signals: [0, 1, 2, 3, 4], span: true, budget: 2 })
  })

  it('of some columns have only theirs', () => {
    const { encoding } = prepare(small, linear({ columns: ['member'] }), 'table')
    expect(encoding.signals).toEqual([{ kind: 'one' }, { kind: 'indicator', column: 'member', value: true }])
  })

  it('have no term for a number that never changes, or is never known', () => {
    for (const age of [30, null]) {
      const rows = small.rows.map(each => ({ ...each, age }))
      const { encoding } = prepare({ ...small, rows }, linear({ columns: ['age'] }), 'table')
      expect(encoding.signals).toEqual([{ kind: 'one' }])
    }
  })

  it('take the range of a number from the fitting rows', () => {
    const rows = [...small.rows, { ...row(1000, 'Bonn', true, 0), fold: 'holdout' as const }]
    const { encoding } = prepare({ ...small, rows, folded: true }, linear({ columns: ['age'] }), 'table')
    expect(encoding.signals[1]).toEqual({ kind: 'scaled', column: 'age', center: 20, scale: 10 })
  })

  it('on an unknown column are refused', () => {
    expect(rejectionOf(() => prepare(small, linear({ columns: ['sex'] }), 'table')).code).toBe(
      'FB_COLUMN_UNKNOWN',
    )
  })
})

describe('functions', () => {
  const named = { first: () => 0.5, second: () => -1 }

  it('are signals, each alone, where factors do not condition on their values', () => {
    for (const auditors of [functions(named), functions(named, { valueBins: 3 })]) {
      expect(prepare(small, auditors, 'weighted').compiled.space).toEqual({
        kind: 'signals',
        signals: [0, 1],
        span: false,
        budget: 1,
      })
    }
  })

  it('are partitions into their value bins where factors do, upper ends included', () => {
    const property = fc.property(
      fc.integer({ min: 2, max: 9 }),
      fc.double({ min: -1, max: 1, noNaN: true }),
      (bins, value) => {
        const prepared = prepare(small, functions({ fixed: () => value }, { valueBins: bins }), 'table')
        const { space } = prepared.compiled
        if (space.kind !== 'partitions') throw new Error('not a finite class')
        expect(space.partitions.map(({ indicator, words }) => ({ indicator, words }))).toEqual([
          { indicator: false, words: 'the values of fixed' },
        ])
        const expected = valueBinCuts(bins).filter(edge => value > edge).length
        expect(naiveLeaf(space.partitions[0].tree, prepared.rows, 0, 0)).toBe(expected)
      },
    )
    fc.assert(property)
  })

  it('have value bins of equal width', () => {
    expect(valueBinCuts(4)).toEqual([-0.5, 0, 0.5])
    for (const bins of range(20).slice(2)) {
      const edges = [-1, ...valueBinCuts(bins), 1]
      for (const index of range(bins)) expect(edges[index + 1] - edges[index]).toBeCloseTo(2 / bins, 12)
    }
  })
})
