import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Auditors, functions, groups, linear, trees } from '../../src/classes/auditors.ts'
import { FACTOR_KINDS, type FactorKind, type Guarantee } from '../../src/classes/factors.ts'
import { checkCombination, checkGuarantee, factorsFor, guaranteeOf } from '../../src/classes/guarantees.ts'
import { kindOf } from '../../src/classes/kinds/kinds.ts'
import { rejectionOf } from '../data/rejection.ts'
import { expectGain, proposeFor } from '../support/propose.ts'
import { prepare, tablesArbitrary } from '../support/tables.ts'

const valueBinsOf = (auditors: Auditors) => kindOf(auditors).valueBins(auditors)

const half = { half: () => 0.5 }

const AUDITORS: Record<string, Auditors> = {
  groups: groups(['city', { column: 'age', below: 25 }], { pairs: true }),
  'trees of depth 1': trees({ depth: 1 }),
  'trees of depth 2': trees({ depth: 2 }),
  'trees of depth 3': trees({ depth: 3 }),
  'linear functions': linear({ budget: 2 }),
  functions: functions({ ...half, belongs: row => (row.member ? 1 : -1) }),
  'functions with value bins': functions({ belongs: row => (row.member ? 1 : -1) }, { valueBins: 3 }),
}

const ILLEGAL: Record<string, FactorKind[]> = {
  'linear functions': ['level-sets'],
  functions: ['level-sets', 'table'],
}

const combinations = Object.entries(AUDITORS).flatMap(([name, auditors]) =>
  FACTOR_KINDS.map(factors => ({ name, auditors, factors, legal: !ILLEGAL[name]?.includes(factors) })),
)

describe('a legal combination', () => {
  it.each(combinations.filter(({ legal }) => legal))(
    'of $name with $factors factors compiles, and its oracle proposes',
    async ({ auditors, factors }) => {
      checkCombination(auditors, factors)
      const property = fc.asyncProperty(tablesArbitrary(), async table => {
        const prepared = prepare(table, auditors, factors)
        const proposal = await proposeFor(prepared, 3)
        expect(proposal.gain).toBeGreaterThanOrEqual(0)
        expect(proposal.update.levels).toBe(factors === 'constant' ? 1 : 3)
        await expectGain(prepared.engine, proposal)
      })
      await fc.assert(property, { numRuns: 15 })
    },
  )
})

describe('an illegal combination', () => {
  it.each(combinations.filter(({ legal }) => !legal))(
    'of $name with $factors factors is refused',
    ({ auditors, factors }) => {
      expect(rejectionOf(() => checkCombination(auditors, factors)).code).toBe('FB_COMBINATION')
    },
  )

  it('says why, and what to do instead', () => {
    expect(rejectionOf(() => checkCombination(linear(), 'level-sets')).message).toBe(
      'FB_COMBINATION: linear auditors have a continuum of values, so their level sets are no finite partition. Use trees or groups for level sets, or linear auditors with "table" or "weighted" factors.',
    )
    expect(rejectionOf(() => checkCombination(functions(half), 'table')).message).toBe(
      'FB_COMBINATION: "table" factors condition on the auditor\'s value, and these functions have no value bins. Pass functions(..., { valueBins: 10 }), or use "weighted" factors.',
    )
  })
})

const ORDER: Guarantee[] = ['multiaccuracy', 'multicalibration', 'level-set']

describe('what a class guarantees', () => {
  const table: [FactorKind, Guarantee, Guarantee][] = [
    ['constant', 'multiaccuracy', 'multiaccuracy'],
    ['intervals', 'multicalibration', 'multicalibration'],
    ['signed', 'multicalibration', 'multicalibration'],
    ['weighted', 'multicalibration', 'multicalibration'],
    ['level-sets', 'level-set', 'level-set'],
    ['table', 'level-set', 'multicalibration'],
  ]

  it.each(table)('with %s factors is %s, and for linear functions %s', (factors, finite, continuous) => {
    expect(guaranteeOf(trees(), factors)).toBe(finite)
    expect(guaranteeOf(groups(['a']), factors)).toBe(finite)
    expect(guaranteeOf(functions(half, { valueBins: 4 }), factors)).toBe(finite)
    if (factors !== 'level-sets') expect(guaranteeOf(linear(), factors)).toBe(continuous)
  })

  it('allows every weaker guarantee and refuses every stronger one', () => {
    for (const [factors, reached] of table) {
      for (const wanted of ORDER) {
        const check = () => checkGuarantee(trees(), factors, wanted)
        if (ORDER.indexOf(wanted) <= ORDER.indexOf(reached)) check()
        else expect(rejectionOf(check).code).toBe('FB_COMBINATION')
      }
    }
  })

  it('is said in the refusal', () => {
    expect(rejectionOf(() => checkGuarantee(trees(), 'constant', 'multicalibration')).message).toBe(
      'FB_COMBINATION: trees with "constant" factors give multiaccuracy, not multicalibration. Ask for multiaccuracy, or use "table" factors.',
    )
    expect(rejectionOf(() => checkGuarantee(linear(), 'table', 'level-set')).message).toBe(
      'FB_COMBINATION: linear with "table" factors give multicalibration, not level-set. Ask for multicalibration, or use trees or groups with "table" factors.',
    )
  })
})

describe('the factors for a guarantee', () => {
  it('are constant for multiaccuracy and a table for more', () => {
    for (const auditors of [trees(), groups(['a']), functions(half, { valueBins: 2 })]) {
      expect(ORDER.map(guarantee => factorsFor(auditors, guarantee))).toEqual(['constant', 'table', 'table'])
    }
  })

  it('are weighted bins for functions without value bins', () => {
    expect(factorsFor(functions(half), 'multiaccuracy')).toBe('constant')
    expect(factorsFor(functions(half), 'multicalibration')).toBe('weighted')
  })

  it('make a legal class that reaches the guarantee, wherever one exists', () => {
    for (const auditors of Object.values(AUDITORS)) {
      for (const guarantee of ORDER) {
        const factors = factorsFor(auditors, guarantee)
        checkCombination(auditors, factors)
        const continuous =
          auditors.kind === 'linear' || (auditors.kind === 'functions' && !auditors.valueBins)
        if (guarantee !== 'level-set' || !continuous) checkGuarantee(auditors, factors, guarantee)
      }
    }
  })
})

describe('the values of an auditor', () => {
  it('are two for a group, one per leaf for a tree, and the value bins of a function', () => {
    expect(valueBinsOf(groups(['a']))).toBe(2)
    expect([1, 2, 3].map(depth => valueBinsOf(trees({ depth })))).toEqual([2, 4, 8])
    expect(valueBinsOf(functions(half, { valueBins: 7 }))).toBe(7)
    expect(valueBinsOf(functions(half))).toBe(1)
  })
})

describe('declared auditors', () => {
  it('have defaults: trees of depth 2 on every column, a budget of 1, no pairs', () => {
    expect(trees()).toEqual({ kind: 'trees', depth: 2 })
    expect(linear()).toEqual({ kind: 'linear', budget: 1 })
    expect(groups(['city'])).toEqual({ kind: 'groups', groups: ['city'], pairs: false })
    expect(functions(half)).toEqual({ kind: 'functions', functions: half })
  })

  it('keep what they are given', () => {
    expect(trees({ depth: 1, columns: ['age'] })).toEqual({ kind: 'trees', depth: 1, columns: ['age'] })
    expect(linear({ columns: ['age'], budget: 3 })).toEqual({ kind: 'linear', budget: 3, columns: ['age'] })
    expect(groups(['city'], { pairs: true }).pairs).toBe(true)
    expect(functions(half, { valueBins: 3 }).valueBins).toBe(3)
  })
})
