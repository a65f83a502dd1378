// Pairs of features of which one has a bin that most rows share: its rows are not counted, and yet no sum is missing.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EngineRows } from '../../src/engine/engine.ts'
import { chooseSkipped, findCommonBin, keptSides, skippedCells } from '../../src/engine/memory/commonBins.ts'
import { memoryEngine } from '../../src/engine/memory/memory.ts'
import { referenceEngine } from '../../src/engine/reference/reference.ts'
import { fillCells } from '../../src/kernels/pairs/twin.ts'
import { rowsArbitrary } from '../support/rows.ts'

// So many rows that passing over some is worth it.
const OPTIONS = { minRows: 150, maxRows: 250, maxFeatures: 3, signals: 0, weights: false }

/** Rows whose first feature has the bin 0 wherever `rare` says no. */
const skewedRows = rowsArbitrary({ ...OPTIONS, folds: true }).chain(rows =>
  fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: rows.rowCount, maxLength: rows.rowCount })
    .map((draws): EngineRows => {
      const bins = rows.bins.map((column, feature) =>
        feature === 0 ? column.map((bin, row) => (draws[row] === 0 ? bin : 0)) : column,
      )
      return { ...rows, bins }
    }),
)

describe('a pair with a bin that most rows share', () => {
  it.each(['wasm', 'twin'] as const)('is counted as by the reference engine: %s', async kernels => {
    await fc.assert(
      fc.asyncProperty(skewedRows, fc.integer({ min: 1, max: 3 }), async (rows, levels) => {
        fc.pre(rows.bins.length > 1)
        const pairs = [
          [0, 1],
          [1, 0],
        ] as const
        const engine = await memoryEngine({ threads: 1, kernels })(rows)
        const reference = referenceEngine(rows)
        for (const fold of rows.fold === undefined ? [0] : [0, 1]) {
          const asked = { fold, levels, pairs }
          expect(await engine.jointHistogram(asked)).toEqual(await reference.jointHistogram(asked))
        }
        await engine.close()
      }),
    )
  })

  it('is found where six rows of ten are in it', () => {
    expect(findCommonBin(Uint8Array.of(7, 7, 7, 1, 2))).toEqual({ bin: 7, share: 0.6 })
    expect(findCommonBin(Uint8Array.of(7, 7, 1, 1, 2))).toBeUndefined()
    expect(findCommonBin(new Uint8Array())).toBeUndefined()
  })

  it('skips the side with more to skip', () => {
    const [most, many] = [
      { bin: 3, share: 0.9 },
      { bin: 4, share: 0.7 },
    ]
    expect(chooseSkipped(undefined, undefined, 1000, 9)).toBeUndefined()
    expect(chooseSkipped(most, many, 1000, 9)).toEqual({ side: 'a', bin: 3 })
    expect(chooseSkipped(many, most, 1000, 9)).toEqual({ side: 'b', bin: 3 })
    expect(chooseSkipped(undefined, many, 1000, 9)).toEqual({ side: 'b', bin: 4 })
  })

  it('skips nothing where there are more cells than rows to skip', () => {
    expect(chooseSkipped({ bin: 3, share: 0.9 }, undefined, 1000, 300)).toBeUndefined()
  })

  it('adds what the counted cells leave of the other side', () => {
    // Two bins of A, three of B, one level; of the fine bin 9 of B, which lies in its coarse bin 1, no row was counted.
    const counted = {
      pairs: [[0, 1]] as const,
      offsets: [0],
      skips: [{ side: 'b', bin: 9 }] as const,
      levels: 1,
    }
    const coarseOf = [new Uint8Array(1), new Uint8Array(10).fill(1)]
    expect(keptSides(counted)).toEqual([0])
    const [fill] = skippedCells({ ...counted, coarseCounts: [2, 3], coarseOf }, new Map([[0, 0]]))
    const doubles = Float64Array.of(1, 0, 2, 0, 0, 3, 10, 4)
    fillCells(doubles, fill, 1, 0, 6)
    expect(Array.from(doubles.subarray(0, 6))).toEqual([1, 7, 2, 0, 1, 3])
    // The same pair the other way round.
    const turned = { ...counted, pairs: [[1, 0]] as const, skips: [{ side: 'a', bin: 9 }] as const }
    const [other] = skippedCells({ ...turned, coarseCounts: [2, 3], coarseOf }, new Map([[0, 0]]))
    const across = Float64Array.of(1, 0, 0, 0, 2, 3, 10, 4)
    fillCells(across, other, 1, 0, 6)
    expect(Array.from(across.subarray(0, 6))).toEqual([1, 0, 7, 1, 2, 3])
  })
})
