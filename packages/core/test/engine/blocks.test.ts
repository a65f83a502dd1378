// The kernels on more rows than one block holds, some leaves skipped: blocks close up, cells are moved out in time.

import { describe, expect, it } from 'vitest'
import type { EngineRows } from '../../src/engine/engine.ts'
import { memoryEngine } from '../../src/engine/memory/memory.ts'
import { makeRandom } from '../../src/internal.ts'
import { BLOCK_ROWS } from '../../src/kernels/kernels.ts'
import type { Tree } from '../../src/update/update.ts'

const ONE = 2 ** 24
const SPLIT: Tree = {
  split: { kind: 'atMost', feature: 0, bin: 0, missing: false },
  yes: { leaf: 0 },
  no: { leaf: 1 },
}

/** Two features of three bins; the share of rows in the first bin of the first is given. */
function makeRows(rowCount: number, share: number, weighted: boolean): EngineRows {
  const random = makeRandom(5)
  const identity = Uint8Array.of(0, 1, 2)
  const first = Uint8Array.from({ length: rowCount }, () => (random.next() < share ? 0 : 1))
  return {
    rowCount,
    bins: [first, first.map((_, row) => (row % 4 === 0 ? 1 : 0))],
    binCounts: [3, 3],
    coarseOf: [identity, identity],
    coarseCounts: [3, 3],
    signals: [],
    // The largest residuals there are: so a cell overflows as early as it can.
    label: new Int32Array(rowCount).fill(ONE),
    start: new Int32Array(rowCount),
    ...(weighted && { weight: Int32Array.from(first, (_, row) => row % 3) }),
  }
}

/** Per leaf and bin of the second feature: the weight of its rows. */
function weightsOf({ bins, rowCount, weight }: EngineRows): number[] {
  const weights = new Array<number>(6).fill(0)
  for (let row = 0; row < rowCount; row++) {
    weights[3 * (bins[0][row] === 0 ? 0 : 1) + bins[1][row]] += weight?.[row] ?? 1
  }
  return weights
}

describe.each([false, true])('rows of several blocks, weighted: %s', weighted => {
  it.each([0.5, 0.001, 0.999])('with a share of %f in one leaf are counted leaf by leaf', async share => {
    const rows = makeRows(5 * BLOCK_ROWS + 77, share, weighted)
    const engine = await memoryEngine({ threads: 1, kernels: 'wasm' })(rows)
    const weights = weightsOf(rows)
    for (const leaves of [[0], [1], [1, 0]]) {
      const request = { fold: 0, levels: 1, tree: SPLIT, leaves, features: [1], resolution: 'fine' } as const
      const sums = await engine.histogram(request)
      const expected = leaves.flatMap(leaf => weights.slice(3 * leaf, 3 * leaf + 3))
      expect(Array.from(sums.counts)).toEqual(expected)
      expect(Array.from(sums.residuals)).toEqual(expected.map(weight => weight * ONE))
    }
    await engine.close()
  })
})
