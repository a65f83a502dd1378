import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { trees } from '../../src/classes/auditors.ts'
import type { Proposal } from '../../src/oracle/oracle.ts'
import type { FeatureSchema } from '../../src/quantize/schema.ts'
import { leafCount, ROOT, type TableUpdate, treeDepth } from '../../src/update/update.ts'
import {
  cellsOf,
  countedRows,
  declaredSplits,
  declaredTrees,
  type Leaves,
  range,
  tableDrop,
  totalWeight,
} from '../support/bruteForce.ts'
import { expectAtMost, expectClose } from '../support/close.ts'
import { naiveLeaf } from '../support/naive.ts'
import { expectAttained, oracleFor, proposeFor } from '../support/propose.ts'
import { MANY_BINS, prepare, type SmallTable, tablesArbitrary } from '../support/tables.ts'

const GREEDY = { search: 'greedy' } as const
const anyLevels = fc.integer({ min: 1, max: 4 })

function tableUpdate({ update }: Proposal): TableUpdate {
  if (update.kind !== 'table') throw new Error('not a table')
  return update
}

describe.each([1, 2, 3, 4])('the greedy oracle at depth %i', depth => {
  it('grows no deeper, gains the sum of S^2/N over its cells, and does not claim to know its slack', async () => {
    const property = fc.asyncProperty(tablesArbitrary(), anyLevels, async (table, levels) => {
      const prepared = prepare(table, trees({ depth }), 'table')
      const proposal = await proposeFor(prepared, levels, GREEDY)
      const { tree } = tableUpdate(proposal)
      const rows = await countedRows(prepared)
      const of = rows.map(({ row }) => naiveLeaf(tree, prepared.rows, row, 0))
      expect(oracleFor(prepared, levels, GREEDY).kind).toBe('greedy')
      expect(treeDepth(tree)).toBeLessThanOrEqual(depth)
      expect(proposal.slack).toBeUndefined()
      expectClose(
        proposal.gain,
        tableDrop(cellsOf(rows, { count: leafCount(tree), of }, levels)) / totalWeight(rows),
      )
      await expectAttained(prepared, proposal)
    })
    await fc.assert(property)
  })

  it('gains no less than at a smaller depth', async () => {
    const property = fc.asyncProperty(tablesArbitrary(), anyLevels, async (table, levels) => {
      const gain = async (deep: number) =>
        (await proposeFor(prepare(table, trees({ depth: deep }), 'table'), levels, GREEDY)).gain
      expectAtMost(await gain(depth), await gain(depth + 1))
    })
    await fc.assert(property, { numRuns: 30 })
  })
})

describe('one greedy split of a number', () => {
  it('is the exhaustive stump when every bin is coarse and nothing is missing', async () => {
    const property = fc.asyncProperty(
      tablesArbitrary({ missing: false }),
      anyLevels,
      async (table, levels) => {
        const prepared = prepare(table, trees({ depth: 1, columns: ['age'] }), 'table', MANY_BINS)
        expect(await proposeFor(prepared, levels, GREEDY)).toEqual({
          ...(await proposeFor(prepared, levels)),
          slack: undefined,
        })
      },
    )
    await fc.assert(property)
  })

  it('is the best of all fine cuts, with missing values on either side or alone', async () => {
    const property = fc.asyncProperty(tablesArbitrary(), anyLevels, async (table, levels) => {
      const prepared = prepare(table, trees({ depth: 1, columns: ['age'] }), 'table')
      const age = prepared.encoding.features[0] as FeatureSchema & { kind: 'numeric' }
      const fine: FeatureSchema = { ...age, coarse: range(age.cuts.length) }
      const rows = await countedRows(prepared)
      const drops = declaredTrees(declaredSplits([fine], rows), rows.length, 1).map(leaves =>
        tableDrop(cellsOf(rows, leaves, levels)),
      )
      const { gain } = await proposeFor(prepared, levels, GREEDY)
      expectClose(gain, Math.max(...drops) / totalWeight(rows))
    })
    await fc.assert(property)
  })
})

describe('one greedy split of a category', () => {
  it('is the best of all sets of categories, missing among them, when the prediction does not matter', async () => {
    const property = fc.asyncProperty(tablesArbitrary(), async table => {
      const prepared = prepare(table, trees({ depth: 1, columns: ['city'] }), 'constant', MANY_BINS)
      const rows = await countedRows(prepared)
      const values = [...new Set(rows.map(({ values }) => values.city))]
      const drops = range(2 ** values.length).map(chosen => {
        const of = rows.map(({ values: { city } }) => (chosen >> values.indexOf(city)) & 1)
        const leaves: Leaves = { count: 2, of }
        return tableDrop(cellsOf(rows, leaves, 1))
      })
      const { gain } = await proposeFor(prepared, 1, GREEDY)
      expectClose(gain, Math.max(...drops) / totalWeight(rows))
    })
    await fc.assert(property)
  })

  const labels: Record<string, number> = { Aachen: 1, Bonn: 0, Celle: 1, Dresden: 0 }
  const rows = Object.keys(labels).map(city => ({
    age: null,
    city,
    member: null,
    label: labels[city],
    score: 0.5,
    weight: 1,
    fold: 'fit' as const,
  }))
  const table: SmallTable = { rows, weighted: false, folded: false }

  it('takes several categories at once, ordered by their mean residual, and so beats every single one', async () => {
    const prepared = prepare(table, trees({ depth: 1, columns: ['city'] }), 'constant', MANY_BINS)
    const greedy = await proposeFor(prepared, 1, GREEDY)
    expect(tableUpdate(greedy).tree).toEqual({
      split: { kind: 'in', feature: 1, bins: [1, 3] },
      yes: { leaf: 0 },
      no: { leaf: 1 },
    })
    expectClose(greedy.gain, 0.25)
    // One city of four against the rest: (0.5^2 + 0.5^2 / 3) / 4.
    expectClose((await proposeFor(prepared, 1)).gain, 1 / 12)
  })
})

describe('greedy growth', () => {
  it('splits first on the column that gains most', async () => {
    const property = fc.asyncProperty(tablesArbitrary(), anyLevels, async (table, levels) => {
      const gainOn = async (columns: string[]) =>
        (await proposeFor(prepare(table, trees({ depth: 1, columns }), 'table'), levels, GREEDY)).gain
      const alone = [await gainOn(['age']), await gainOn(['city']), await gainOn(['member'])]
      expectClose(await gainOn(['age', 'city', 'member']), Math.max(...alone))
    })
    await fc.assert(property)
  })

  const nothingToGain = (rows: SmallTable['rows']) => rows.map(row => ({ ...row, score: row.label }))

  it('stays a single leaf when no split gains', async () => {
    const property = fc.asyncProperty(tablesArbitrary(), anyLevels, async (table, levels) => {
      const prepared = prepare({ ...table, rows: nothingToGain(table.rows) }, trees({ depth: 3 }), 'table')
      const { gain, update } = await proposeFor(prepared, levels, GREEDY)
      expect(update).toEqual({ kind: 'table', tree: ROOT, levels, values: new Array(levels).fill(0) })
      expect(gain).toBe(0)
    })
    await fc.assert(property, { numRuns: 30 })
  })

  it('leaves a leaf whole where only the other one gains by a split', async () => {
    // Members are right already; the others are too low, most of all when young.
    const draw = (member: boolean, age: number, label: number, score: number) => ({
      age,
      city: null,
      member,
      label,
      score,
      weight: 1,
      fold: 'fit' as const,
    })
    const rows = [
      draw(true, 20, 1, 1),
      draw(true, 60, 1, 1),
      draw(false, 20, 1, 0.5),
      draw(false, 60, 0.75, 0.5),
    ]
    const prepared = prepare(
      { rows, weighted: false, folded: false },
      trees({ depth: 2 }),
      'constant',
      MANY_BINS,
    )
    const { gain, update } = await proposeFor(prepared, 1, GREEDY)
    expect(leafCount(tableUpdate({ gain, update }).tree)).toBe(3)
    expectClose(gain, (0.5 ** 2 + 0.25 ** 2) / 4)
  })
})
