// Greedy growth counts one child of every split and subtracts it from the parent: nothing changes but the time.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { trees } from '../../src/classes/auditors.ts'
import type { Engine, HistogramRequest } from '../../src/engine/engine.ts'
import { memoryEngine } from '../../src/engine/memory/memory.ts'
import { type GreedyGrowth, greedyOracle, growTree } from '../../src/oracle/greedy.ts'
import type { FeatureSchema } from '../../src/quantize/schema.ts'
import { isLeaf, type Tree } from '../../src/update/update.ts'
import {
  type CountedRow,
  cellsOf,
  countedRows,
  questionsOf,
  range,
  tableDrop,
} from '../support/bruteForce.ts'
import { expectAtMost, expectClose } from '../support/close.ts'
import { naiveTakesYes } from '../support/naive.ts'
import { growByCounting } from '../support/plainGrowth.ts'
import { type Prepared, prepare, type SmallTable, tablesArbitrary } from '../support/tables.ts'

const anyLevels = fc.integer({ min: 1, max: 4 })
const anyDepth = fc.integer({ min: 1, max: 6 })
const TREES = trees({ depth: 2 })

const growthOf = ({ encoding }: Prepared, depth: number, levels: number): GreedyGrowth => ({
  schemas: encoding.features,
  features: encoding.features.map((_, feature) => feature),
  depth,
  levels,
})

/** Every question about histograms that the engine is asked from now on. */
function watchHistograms(engine: Engine): HistogramRequest[] {
  const asked: HistogramRequest[] = []
  const ask = engine.histogram.bind(engine)
  engine.histogram = request => {
    asked.push(request)
    return ask(request)
  }
  return asked
}

describe('a tree grown by subtraction', () => {
  it('is the tree grown by counting every leaf', async () => {
    const property = fc.asyncProperty(
      tablesArbitrary({ folds: true }),
      anyDepth,
      anyLevels,
      async (table, depth, levels) => {
        const prepared = prepare(table, TREES, 'table')
        const growth = growthOf(prepared, depth, levels)
        for (const fold of [0, 1]) {
          expect(await growTree(prepared.engine, fold, growth)).toEqual(
            await growByCounting(prepared.engine, fold, growth),
          )
        }
      },
    )
    await fc.assert(property)
  })

  it('is so in every round of boosting, with rows in several memories', async () => {
    const property = fc.asyncProperty(tablesArbitrary(), anyLevels, async (table, levels) => {
      const prepared = prepare(table, TREES, 'table')
      const growth = growthOf(prepared, 4, levels)
      const oracle = greedyOracle(growth, 'table')
      const engine = await memoryEngine({ threads: 1, shardBytes: 200, chunkRows: 5 })(prepared.rows)
      for (let round = 0; round < 3; round++) {
        const { update } = await oracle.propose(engine, 0)
        expect(update).toMatchObject({ tree: await growByCounting(engine, 0, growth) })
        await engine.apply(update)
      }
      await engine.close()
    })
    await fc.assert(property, { numRuns: 30 })
  })

  it('splits every leaf where plain enumeration of all cuts splits it, and leaves it where none gains', async () => {
    const property = fc.asyncProperty(tablesArbitrary(), anyLevels, async (table, levels) => {
      const prepared = prepare(table, trees({ depth: 2, columns: ['age'] }), 'table')
      const age = prepared.encoding.features[0] as FeatureSchema & { kind: 'numeric' }
      const questions = questionsOf({ ...age, coarse: range(age.cuts.length) })
      const tree = await growTree(prepared.engine, 0, { schemas: [age], features: [0], depth: 3, levels })
      const check = (node: Tree, rows: readonly CountedRow[], depth: number): void => {
        const drop = (takesYes: (row: CountedRow) => boolean) =>
          tableDrop(cellsOf(rows, { count: 2, of: rows.map(row => (takesYes(row) ? 0 : 1)) }, levels))
        const whole = drop(() => true)
        const best = Math.max(...questions.map(question => drop(row => question(row.values.age))))
        if (isLeaf(node)) {
          if (depth < 3) expectAtMost(best, whole)
          return
        }
        const takesYes = (row: CountedRow) => naiveTakesYes(node.split, prepared.rows, row.row, 0)
        expectClose(drop(takesYes), best)
        check(node.yes, rows.filter(takesYes), depth + 1)
        check(
          node.no,
          rows.filter(row => !takesYes(row)),
          depth + 1,
        )
      }
      check(tree, await countedRows(prepared), 0)
    })
    await fc.assert(property)
  })
})

describe('greedy growth asks', () => {
  it('for one child of every split, the lighter one, and of two that weigh the same for the yes side', async () => {
    const property = fc.asyncProperty(tablesArbitrary(), anyLevels, async (table, levels) => {
      const prepared = prepare(table, TREES, 'table')
      const asked = watchHistograms(prepared.engine)
      await growTree(prepared.engine, 0, growthOf(prepared, 5, levels))
      for (const { leaves, tree } of asked.slice(1)) {
        const [sums] = await prepared.engine.levelSums({ fold: 0, levels: 1, trees: [tree] })
        const lighter = lastSplits(tree, treeLevel(asked, tree)).map(([yes, no]) =>
          sums.counts[yes] <= sums.counts[no] ? yes : no,
        )
        expect(leaves).toEqual(lighter)
      }
    })
    await fc.assert(property)
  })

  it('no more about a leaf that no split improves', async () => {
    // Members are right already; the others are too low, in steps by age.
    const draw = (member: boolean, age: number, label: number) => ({
      age,
      city: null,
      member,
      label,
      score: member ? label : 0.5,
      weight: 1,
      fold: 'fit' as const,
    })
    const rows = [0, 18, 40, 65].flatMap((age, step) => [
      draw(true, age, 1),
      draw(false, age, 0.6 + step / 10),
    ])
    const table: SmallTable = { rows, weighted: false, folded: false }
    const prepared = prepare(table, TREES, 'constant')
    const asked = watchHistograms(prepared.engine)
    await growTree(prepared.engine, 0, growthOf(prepared, 3, 1))
    expect(asked.map(({ leaves }) => leaves?.length)).toEqual([1, 1, 1])
  })
})

/** At which question the tree was asked about: its depth where it grew to the full. */
const treeLevel = (asked: readonly HistogramRequest[], tree: Tree): number =>
  asked.findIndex(request => request.tree === tree)

/** The pairs of leaves at exactly this depth: what the last level of growth split. */
function lastSplits(tree: Tree, depth: number): [yes: number, no: number][] {
  if (isLeaf(tree)) return []
  if (depth === 1) return isLeaf(tree.yes) && isLeaf(tree.no) ? [[tree.yes.leaf, tree.no.leaf]] : []
  return [...lastSplits(tree.yes, depth - 1), ...lastSplits(tree.no, depth - 1)]
}
