import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Auditors, functions, groups, linear, trees } from '../../src/classes/auditors.ts'
import type { FactorKind } from '../../src/classes/factors.ts'
import { FIT } from '../../src/engine/engine.ts'
import { levelsFor } from '../../src/oracle/choose.ts'
import { searchCells } from '../../src/oracle/search.ts'
import { rejectionOf } from '../data/rejection.ts'
import { range, sum } from '../support/bruteForce.ts'
import { failureOf } from '../support/failure.ts'
import { oracleFor, proposeFor } from '../support/propose.ts'
import { prepare, tablesArbitrary } from '../support/tables.ts'

const [table] = fc.sample(tablesArbitrary(), { numRuns: 1, seed: 5 })

const LEVELS = 3

function cellsNeeded(auditors: Auditors = trees({ depth: 2 })): number {
  const { engine } = prepare(table, auditors, 'table')
  return searchCells(engine.shape.coarseCounts, range(engine.shape.coarseCounts.length), LEVELS)
}

describe('the cells of an exhaustive search', () => {
  it('are those of every pair of features, a feature with itself among them, on every level', () => {
    const counts = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 6 })
    const property = fc.property(counts, fc.integer({ min: 1, max: 50 }), (coarse, levels) => {
      const features = range(coarse.length)
      const pairs = features.flatMap(a => features.filter(b => b >= a).map(b => coarse[a] * coarse[b]))
      expect(searchCells(coarse, features, levels)).toBe(sum(pairs) * levels)
    })
    fc.assert(property)
  })

  it('are counted for the named features alone', () => {
    expect(searchCells([2, 100, 3], [0, 2], 5)).toBe((2 * 2 + 2 * 3 + 3 * 3) * 5)
  })
})

describe('the cell budget', () => {
  it('refuses an exhaustive search of depth 2 that needs more cells', async () => {
    const prepared = prepare(table, trees({ depth: 2 }), 'table')
    const cells = cellsNeeded()
    const work = proposeFor(prepared, LEVELS, { search: 'exhaustive', cellBudget: cells - 1 })
    const failure = await failureOf(work)
    expect(failure.code).toBe('FB_CELL_BUDGET')
    expect(failure.message).toContain(
      `needs ${cells} cells for 3 features and 3 levels; the budget is ${cells - 1}.`,
    )
  })

  it('allows a search that needs exactly as many', async () => {
    const prepared = prepare(table, trees({ depth: 2 }), 'table')
    const { slack } = await proposeFor(prepared, LEVELS, { search: 'exhaustive', cellBudget: cellsNeeded() })
    expect(slack).toBe(0)
  })

  it('makes "auto" fall back to greedy growth, and say so', () => {
    const warnings: string[] = []
    const prepared = prepare(table, trees({ depth: 2 }), 'table')
    const options = { cellBudget: 1, warn: (sentence: string) => warnings.push(sentence) }
    expect(oracleFor(prepared, LEVELS, options).kind).toBe('greedy')
    expect(warnings).toEqual([
      `The exhaustive depth-2 search would need ${cellsNeeded()} cells, more than the budget of 1: trees are grown greedily instead, and their slack is unknown.`,
    ])
  })

  it('does not concern trees of depth 1, which need no pairs', async () => {
    const prepared = prepare(table, trees({ depth: 1 }), 'table')
    const warn = () => expect.fail('there is nothing to warn of')
    for (const search of ['auto', 'exhaustive'] as const) {
      const oracle = oracleFor(prepared, LEVELS, { cellBudget: 1, search, warn })
      expect(oracle.kind).toBe('exhaustive')
      expect((await oracle.propose(prepared.engine, FIT)).slack).toBe(0)
    }
  })
})

describe('the oracle for a class', () => {
  const half = { half: () => 0.5 }
  const cases: [string, Auditors, FactorKind, string][] = [
    ['groups', groups(['member']), 'table', 'closed form'],
    ['groups', groups(['member']), 'signed', 'closed form'],
    ['functions', functions(half), 'weighted', 'closed form'],
    ['functions with value bins', functions(half, { valueBins: 2 }), 'table', 'closed form'],
    ['linear functions', linear(), 'table', 'least squares'],
    ['linear functions', linear(), 'weighted', 'rank one'],
    ['trees of depth 1', trees({ depth: 1 }), 'table', 'exhaustive'],
    ['trees of depth 2', trees({ depth: 2 }), 'constant', 'exhaustive'],
    ['trees of depth 2', trees({ depth: 2 }), 'signed', 'rank one'],
    ['trees of depth 3', trees({ depth: 3 }), 'table', 'greedy'],
    ['trees of depth 4', trees({ depth: 4 }), 'weighted', 'greedy'],
  ]

  it.each(cases)('on %s with %s factors', (_, auditors, factors, kind) => {
    expect(oracleFor(prepare(table, auditors, factors), LEVELS).kind).toBe(kind)
  })

  it('refuses to call a search of depth 3 exhaustive', () => {
    const prepared = prepare(table, trees({ depth: 3 }), 'table')
    expect(rejectionOf(() => oracleFor(prepared, LEVELS, { search: 'exhaustive' })).code).toBe(
      'FB_COMBINATION',
    )
    expect(oracleFor(prepared, LEVELS, { search: 'auto' }).kind).toBe('greedy')
  })

  it('is greedy on trees of any depth where greedy search is asked for', () => {
    for (const depth of [1, 2, 3]) {
      const prepared = prepare(table, trees({ depth }), 'table')
      expect(oracleFor(prepared, LEVELS, { search: 'greedy' }).kind).toBe('greedy')
    }
  })

  it('sees one level of predictions with constant factors and all of them with any other', () => {
    expect(levelsFor('constant', 9)).toBe(1)
    for (const factors of ['intervals', 'signed', 'weighted', 'level-sets', 'table'] as const) {
      expect(levelsFor(factors, 9)).toBe(9)
    }
  })
})
