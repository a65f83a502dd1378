import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { trees } from '../../src/classes/auditors.ts'
import { treeDepth } from '../../src/update/update.ts'
import {
  type Cells,
  cellsOf,
  intervalDrop,
  levelSetDrop,
  tableDrop,
  totalWeight,
  treesOf,
} from '../support/bruteForce.ts'
import { expectClose } from '../support/close.ts'
import { expectAttained, oracleFor, proposeFor } from '../support/propose.ts'
import { type Prepared, prepare, tablesArbitrary } from '../support/tables.ts'

const DROPS = {
  constant: tableDrop,
  intervals: intervalDrop,
  'level-sets': levelSetDrop,
  table: tableDrop,
}

type ExactFactors = keyof typeof DROPS

const anyLevels = fc.integer({ min: 1, max: 4 })

async function bestGain(prepared: Prepared, depth: number, levels: number, factors: ExactFactors) {
  const { rows, trees: all } = await treesOf(prepared, depth)
  const dropOn: (cells: Cells) => number = DROPS[factors]
  const drops = all.map(leaves => dropOn(cellsOf(rows, leaves, factors === 'constant' ? 1 : levels)))
  return Math.max(...drops) / totalWeight(rows)
}

describe.each([1, 2])('the exhaustive oracle on trees of depth %i', depth => {
  const numRuns = depth === 1 ? 100 : 50

  it.each(Object.keys(DROPS) as ExactFactors[])(
    'finds the best of all declared trees with %s factors',
    async factors => {
      const property = fc.asyncProperty(tablesArbitrary(), anyLevels, async (table, levels) => {
        const prepared = prepare(table, trees({ depth }), factors)
        const proposal = await proposeFor(prepared, levels)
        expectClose(proposal.gain, await bestGain(prepared, depth, levels, factors))
        expect(proposal.slack).toBe(0)
        await expectAttained(prepared, proposal)
      })
      await fc.assert(property, { numRuns })
    },
  )

  it('proposes a tree no deeper than declared, whose cells gain what they are said to gain', async () => {
    const property = fc.asyncProperty(tablesArbitrary(), anyLevels, async (table, levels) => {
      const prepared = prepare(table, trees({ depth }), 'table')
      const { gain, importance, update } = await proposeFor(prepared, levels)
      if (update.kind !== 'table') throw new Error('not a table')
      expect(treeDepth(update.tree)).toBeLessThanOrEqual(depth)
      const weight = prepared.rows.weight?.reduce((total, each) => total + each, 0) ?? table.rows.length
      const parts = Array.from(importance!, part => part / 2 ** 48 / weight)
      expectClose(
        parts.reduce((total, part) => total + part, 0),
        gain,
      )
      expect(Math.min(...parts)).toBeGreaterThanOrEqual(0)
    })
    await fc.assert(property, { numRuns })
  })

  it('says that it is exhaustive, and is asked for one level only where factors are constant', async () => {
    const [table] = fc.sample(tablesArbitrary(), { numRuns: 1, seed: 7 })
    for (const factors of Object.keys(DROPS) as ExactFactors[]) {
      const prepared = prepare(table, trees({ depth }), factors)
      expect(oracleFor(prepared, 4).kind).toBe('exhaustive')
      expect((await proposeFor(prepared, 4)).update.levels).toBe(factors === 'constant' ? 1 : 4)
    }
  })
})

describe('very many levels', () => {
  it('ask for the pairs of features in several batches, and still nothing is missed', async () => {
    const [drawn] = fc.sample(tablesArbitrary(), { numRuns: 1, seed: 9 })
    // Every score is in a level of its own, be there 4 levels or many.
    const rows = drawn.rows.map((row, index) => ({ ...row, score: (2 * (index % 4) + 1) / 8 }))
    const prepared = prepare({ ...drawn, rows }, trees({ depth: 2 }), 'table')
    const { engine } = prepared
    const few = await proposeFor(prepared, 4)
    const batches: number[] = []
    const ask = engine.jointHistogram.bind(engine)
    engine.jointHistogram = request => {
      batches.push(request.pairs.length)
      return ask(request)
    }
    const many = await proposeFor(prepared, 50_000, { cellBudget: 1e9 })
    expect(batches.length).toBeGreaterThan(1)
    expect(batches.reduce((total, pairs) => total + pairs, 0)).toBe(3)
    expectClose(many.gain, few.gain)
  })
})

describe('the columns that trees may split on', () => {
  it('are those that were named: the best tree over them is the best over their splits alone', async () => {
    const property = fc.asyncProperty(tablesArbitrary(), anyLevels, async (table, levels) => {
      const columns = ['member', 'age']
      const prepared = prepare(table, trees({ depth: 2, columns }), 'table')
      const features = prepared.encoding.features.filter(({ name }) => columns.includes(name))
      const narrow: Prepared = { ...prepared, encoding: { ...prepared.encoding, features } }
      const { gain } = await proposeFor(prepared, levels)
      expectClose(gain, await bestGain(narrow, 2, levels, 'table'))
    })
    await fc.assert(property, { numRuns: 50 })
  })
})

describe('a fold', () => {
  it('is searched alone: held-out rows change nothing', async () => {
    const property = fc.asyncProperty(tablesArbitrary({ folds: true }), anyLevels, async (table, levels) => {
      const fitting = table.rows.filter(row => row.fold === 'fit')
      fc.pre(new Set(fitting.map(row => Math.round(row.label * 2 ** 24))).size > 1)
      const whole = prepare(table, trees({ depth: 2 }), 'table')
      const alone = prepare({ ...table, rows: fitting, folded: false }, trees({ depth: 2 }), 'table')
      expect(await proposeFor(whole, levels)).toEqual(await proposeFor(alone, levels))
    })
    await fc.assert(property, { numRuns: 50 })
  })
})
