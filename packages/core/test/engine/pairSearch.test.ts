// The search over pairs inside an engine: the same trees and scores, to the bit, as a search over cells that were handed out;
// also with cells that were kept, until predictions move.

import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { trees } from '../../src/classes/auditors.ts'
import { makeRandom } from '../../src/common/random.ts'
import type { Engine } from '../../src/engine/engine.ts'
import * as commonBins from '../../src/engine/memory/commonBins.ts'
import { memoryEngine } from '../../src/engine/memory/memory.ts'
import { rememberJoint } from '../../src/engine/remember.ts'
import type { ScoreKind } from '../../src/kernels/pairs/cells.ts'
import { searchTrees } from '../../src/oracle/search.ts'
import { ROOT } from '../../src/update/update.ts'
import { type Prepared, prepare, tablesArbitrary } from '../support/tables.ts'

vi.mock('../../src/engine/memory/commonBins.ts', async original => ({
  ...(await original<typeof commonBins>()),
}))

const KINDS: readonly ScoreKind[] = ['squares', 'largest', 'absolute']

interface Asked {
  readonly score: ScoreKind
  readonly levels: number
  readonly levelValues?: Int32Array
  readonly levelSigns?: Int32Array
}

/** Level by level, then all levels together with signs and without: of the rows' own residuals and of those of levels. */
function questions(levels: number, values: readonly number[], signs: readonly number[]): Asked[] {
  const levelValues = Int32Array.from(values)
  const levelSigns = Int32Array.from(signs)
  return KINDS.flatMap(score => [
    { score, levels },
    { score, levels: 1 },
    { score, levels, levelValues },
    { score, levels: 1, levelValues, levelSigns },
    { score, levels: 1, levelSigns },
    { score, levels, levelValues },
    { score, levels: 1, levelValues: levelValues.subarray(0, 1) },
  ])
}

const search = async ({ encoding }: Prepared, engine: Engine, fold: number, asked: Asked) => {
  const { score, ...question } = asked
  const [found] = await searchTrees({
    ...{ ...question, engine, fold, depth: 2, schemas: encoding.features, cellBudget: 1e9 },
    ...{ features: encoding.features.map((_, feature) => feature), channels: [{ score }] },
  })
  return found
}

const worlds = fc.integer({ min: 2, max: 5 }).chain(levels =>
  fc.record({
    table: tablesArbitrary({ folds: true, maxRows: 120 }),
    levels: fc.constant(levels),
    values: fc.array(fc.integer({ min: 0, max: 2 ** 24 }), { minLength: levels, maxLength: levels }),
    signs: fc.array(fc.constantFrom(-1, 1), { minLength: levels, maxLength: levels }),
  }),
)

describe('a search over pairs in the engine', () => {
  it.each([
    ['wasm', 0],
    ['wasm', 2 ** 22],
    ['twin', 0],
    ['twin', 2 ** 22],
  ] as const)('finds what a search outside finds: %s, %s cells kept', async (kernels, keepCells) => {
    await fc.assert(
      fc.asyncProperty(worlds, async ({ levels, signs, table, values }) => {
        const prepared = prepare(table, trees({ depth: 2 }), 'table')
        const inner = await memoryEngine({ threads: 1, kernels })(prepared.rows)
        const engine = rememberJoint(inner, keepCells)
        expect(engine.searchPairs).toBeDefined()
        const handedOut = vi.spyOn(inner, 'jointHistogram')
        const compare = async (all: readonly (readonly [fold: number, asked: Asked])[]) => {
          for (const [fold, asked] of all) {
            expect(await search(prepared, engine, fold, asked)).toEqual(
              await search(prepared, prepared.engine, fold, asked),
            )
          }
        }
        const all = [0, 1].flatMap(fold =>
          questions(levels, values, signs).map(asked => [fold, asked] as const),
        )
        await compare(all)
        const move = { kind: 'table', tree: ROOT, levels: 1, values: [2 ** 22] } as const
        await engine.apply(move)
        await prepared.engine.apply(move)
        // Backwards: what was asked last is what was kept, and no longer true.
        await compare(all.reverse())
        expect(handedOut).not.toHaveBeenCalled()
        await engine.close()
      }),
      { numRuns: 30 },
    )
  })

  it.each(['wasm', 'twin'] as const)('fills in the rows of a bin that most rows share: %s', async kernels => {
    // Most members say no, and so many rows that they are not counted: a third of their cells is filled in.
    const random = makeRandom(5)
    const rows = Array.from({ length: 900 }, () => ({
      ...{ age: random.integer(9) === 0 ? 40 : 18, city: ['Aachen', 'Bonn', 'Celle'][random.integer(3)] },
      ...{ member: random.integer(8) === 0, label: random.integer(2), score: random.next() },
      ...{ weight: 1, fold: random.integer(5) === 0 ? ('holdout' as const) : ('fit' as const) },
    }))
    const prepared = prepare({ rows, weighted: false, folded: true }, trees({ depth: 2 }), 'table')
    const skips = vi.spyOn(commonBins, 'skippedCells')
    const engine = rememberJoint(await memoryEngine({ threads: 1, kernels })(prepared.rows))
    for (const asked of questions(2, [2 ** 22, 2 ** 23], [1, -1])) {
      expect(await search(prepared, engine, 0, asked)).toEqual(
        await search(prepared, prepared.engine, 0, asked),
      )
    }
    expect(skips.mock.results.some(({ value }) => value.length > 0)).toBe(true)
    await engine.close()
  })

  it.each(['wasm', 'twin'] as const)(
    'leaves cells that answer for pairs, in any order, as long as they are true: %s',
    async kernels => {
      await fc.assert(
        fc.asyncProperty(worlds, async ({ levels, table, values }) => {
          const prepared = prepare(table, trees({ depth: 2 }), 'table')
          const inner = await memoryEngine({ threads: 1, kernels })(prepared.rows)
          const engine = rememberJoint(inner)
          const features = prepared.encoding.features.map((_, feature) => feature)
          const pairs = features.flatMap(b => features.slice(0, b).map(a => [a, b] as const)).reverse()
          const levelValues = Int32Array.from(values)
          const compare = async () => {
            for (const own of [{ levels }, { levels, levelValues }, { levels: 1 }, { levels: levels + 1 }]) {
              for (const question of [
                { fold: 0, pairs, ...own },
                { fold: 1, pairs: pairs.slice(0, 1), ...own },
              ]) {
                expect(await inner.jointHistogram(question)).toEqual(
                  await prepared.engine.jointHistogram(question),
                )
              }
            }
          }
          for (const asked of [{ levels }, { levels, levelValues }] as const) {
            await search(prepared, engine, 0, { score: 'absolute', ...asked })
            await compare()
          }
          const move = { kind: 'table', tree: ROOT, levels: 1, values: [2 ** 22] } as const
          await engine.apply(move)
          await prepared.engine.apply(move)
          await compare()
          await engine.close()
        }),
        { numRuns: 20 },
      )
    },
  )

  it('is not offered where rows lie in several memories', async () => {
    const [table] = fc.sample(tablesArbitrary(), { numRuns: 1, seed: 3 })
    const { rows } = prepare(table, trees({ depth: 2 }), 'table')
    const engine = await memoryEngine({ threads: 2 })(rows)
    expect(engine.searchPairs).toBeUndefined()
    expect(rememberJoint(engine).searchPairs).toBeUndefined()
    await engine.close()
  })
})
