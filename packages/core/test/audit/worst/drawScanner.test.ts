// Draws that a kernel scans: when, and that nothing else comes of it. That it finds the largest statistic there is, by both kernels,
// shows in worstGroups.test.ts.

import { describe, expect, it } from 'vitest'
import { sampleForDraws } from '../../../src/audit/worst/drawnRows.ts'
import { DrawScanner } from '../../../src/audit/worst/drawScanner.ts'
import { openDraws } from '../../../src/audit/worst/nullMaximum.ts'
import { trees } from '../../../src/classes/auditors.ts'
import { makeRandom } from '../../../src/common/random.ts'
import { assignRoles } from '../../../src/data/roles.ts'
import { makeTable } from '../../../src/data/table.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import { memoryEngine } from '../../../src/engine/memory/memory.ts'
import { openFamily, sumFamily } from '../../../src/oracle/groups/family.ts'
import { engineRows, learnEncoding } from '../../../src/store/encode.ts'

const ROWS = 900
const NOISE = { noise: 'labels', shift: 0, leastVariance: 4 * 2 ** 24 } as const

/** A weight of 0 now and then, missing values, a score of few and of many values. */
async function openRows(threads: number) {
  const random = makeRandom(6)
  const score = Array.from({ length: ROWS }, (_, row) => (row % 3 === 0 ? 0.25 : random.next()))
  const table = makeTable({
    a: score.map(() => (random.integer(9) === 0 ? null : random.next())),
    b: score.map(() => `value ${random.integer(5)}`),
    c: score.map(() => random.integer(2) === 0),
    w: score.map(() => random.integer(4)),
    score,
    y: score.map(chance => Number(random.next() < chance)),
  })
  const dataset = assignRoles(table, { label: 'y', prediction: 'score', weight: 'w' })
  const encoding = learnEncoding(dataset, trees(), { bins: 32, coarseBins: 9, rare: 0 })
  const key = Int32Array.from({ length: ROWS }, (_, row) => Math.imul(row + 1, 0x9e3779b1))
  const engine = await memoryEngine({ threads })({ ...engineRows(dataset, encoding, {}), key })
  const features = encoding.features.map((_, feature) => feature)
  const place = { fold: 0, levels: 7, depth: 2, schemas: encoding.features, features } as const
  return { engine, openOn: (other: Engine) => openFamily(other, place) }
}

describe('draws that a kernel scans', () => {
  it('are those that the engine would count, draw after draw, on any number of threads', async () => {
    const found: number[][] = []
    for (const threads of [1, 2, 4]) {
      const { engine, openOn } = await openRows(threads)
      const family = await openOn(engine)
      for (const choice of [undefined, 'wasm', 'twin'] as const) {
        const largestOf = await openDraws(family, NOISE, choice)
        found.push([])
        for (let draw = 0; draw < 5; draw++) found.at(-1)!.push(await largestOf(draw))
      }
      await engine.close()
    }
    expect(new Set(found[0]).size).toBe(5)
    for (const squares of found) expect(squares).toEqual(found[0])
  })

  it('end once they have reached enough, and not before', async () => {
    const { engine, openOn } = await openRows(1)
    const largestOf = await openDraws(await openOn(engine), NOISE)
    const whole = await largestOf(2)
    expect(await largestOf(2, whole)).toBe(whole)
    const some = await largestOf(2, 0.3 * whole)
    expect(some).toBeGreaterThanOrEqual(0.3 * whole)
    expect(some).toBeLessThanOrEqual(whole)
    await engine.close()
  })

  it('are scanned by the kernels of WebAssembly where these are to be had', async () => {
    const { engine, openOn } = await openRows(2)
    const family = await openOn(engine)
    const rows = (await sampleForDraws(family))!
    // Rows without a weight add nothing.
    expect(rows.rowCount).toBeLessThan(ROWS)
    const spread = await sumFamily(family, { kind: 'variance', noise: 'labels', shift: 0 })
    expect(new DrawScanner(family, rows, spread.margins('residuals'), 1).kernelKind).toBe('wasm')
    await engine.close()
  })

  it('are left to the engine where it keeps its rows, their keys, or some of them to itself', async () => {
    const { engine, openOn } = await openRows(1)
    const withSample = (sample: Engine['sample']) => openOn({ ...bound(engine), ...(sample && { sample }) })
    const keyless = withSample(async request => ({
      ...(await engine.sample!(request)),
      key: undefined as never,
    }))
    const few = withSample(request => engine.sample!({ ...request, rowLimit: ROWS / 2 }))
    const expected = await (await openDraws(await openOn(engine), NOISE))(1)
    for (const family of [await withSample(undefined), await keyless, await few]) {
      expect(await sampleForDraws(family)).toBeUndefined()
      expect(await (await openDraws(family, NOISE))(1)).toBe(expected)
    }
    await engine.close()
  })
})

/** What these draws ask of an engine, and no more. */
const bound = (engine: Engine): Engine =>
  ({
    shape: engine.shape,
    histogram: request => engine.histogram(request),
    jointHistogram: request => engine.jointHistogram(request),
    losses: () => engine.losses(),
  }) as Engine
